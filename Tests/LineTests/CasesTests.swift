import Foundation
import Surefoot
import Testing

/// One small input shaped after a public bug report, and its right outcome: Cases.json tells from
/// which document each value was taken.
struct Case: Decodable, Sendable, CustomTestStringConvertible {
    var name: String
    var files: [String]
    var options: [String]?
    var expected: Expected

    enum CodingKeys: String, CodingKey {
        case name = "case"
        case files, options, expected
    }

    var testDescription: String { name }

    static let all: [Case] = {
        struct Table: Decodable { var cases: [Case] }
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "Cases.json"
        )
        guard let bytes = try? Data(contentsOf: file),
            let table = try? JSONDecoder().decode(Table.self, from: bytes)
        else { return [] }
        return table.cases.filter { !$0.files.contains { $0.hasSuffix(".gpx") } }
    }()
}

@Suite("Cases shaped after public bug reports")
struct CasesTests {
    @Test("The table of cases is there")
    func table() {
        #expect(Case.all.count >= 36)
    }

    @Test(
        "Every case gives the outcome of its row",
        .enabled(if: Corpus.isThere, "\(Corpus.skipped)"),
        arguments: Case.all
    )
    func outcome(_ sample: Case) throws {
        for name in sample.files.count == 1 ? sample.files : [] {
            let capture = try Corpus.bytes("cases/" + name)
            let settings = settings(sample.options ?? [])
            sample.expected.compare(with: Run(replaying: capture, settings: settings))
            expectSameBytes(of: capture, settings)
        }
    }
}
