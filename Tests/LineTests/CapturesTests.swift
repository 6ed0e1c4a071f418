import Foundation
import Surefoot
import Testing

/// A row of the table of captures: what other programs and plain counting find in a recording.
struct Recording: Sendable, CustomTestStringConvertible {
    var path: String
    var valid: Int
    var invalid: Int
    var withoutSum: Int
    /// Distinct times of fixes: the larger of GGA fixes and RMC fixes.
    var fixes: Int

    var testDescription: String { path }

    static let all: [Recording] = {
        guard let bytes = try? Corpus.bytes("captures/reference_nmea.tsv") else { return [] }
        let rows = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
            .map { $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init) }
        guard let names = rows.first else { return [] }
        return rows.dropFirst().compactMap { row in
            func number(_ name: String) -> Int {
                names.firstIndex(of: name).flatMap { Int(row[$0]) } ?? 0
            }
            return Recording(
                path: row[0],
                valid: number("valid"),
                invalid: number("invalid"),
                withoutSum: number("nochk"),
                fixes: max(number("gga_fix"), number("rmc_A"))
            )
        }
    }()
}

@Suite("Real recordings")
struct CapturesTests {
    @Test(
        "Sentences and fixes of every recording are those other programs count",
        .enabled(if: Corpus.isThere, "\(Corpus.skipped)"),
        arguments: Recording.all
    )
    func counts(_ recording: Recording) throws {
        let capture = try Corpus.bytes("captures/" + recording.path)
        expectSameBytes(of: capture, LineSettings())
        let run = Run(replaying: capture)
        let sentences = try #require(run.summary.sentences)
        #expect(sentences.valid == recording.valid)
        #expect(sentences.badChecksum == recording.invalid)
        #expect(sentences.noChecksum == recording.withoutSum)

        let ruledOut: [Rejection] = [.field, .noFix, .simulated, .deadReckoned, .duplicate]
        let fixes = run.summary.epochs - ruledOut.reduce(0) { $0 + (run.summary.rejected[$1] ?? 0) }
        switch recording.path {
        // A simulator: quality 8, and RMC says V.
        case "gpsd/GPSmap-76S.log": #expect(run.summary.accepted == 0)
        // Its first epoch is half an RMC, its last half a GGA: 151 distinct times.
        case "gpsd/quectel-l76k-nmea.log": #expect(fixes == recording.fixes + 1)
        default: #expect(fixes == recording.fixes)
        }
    }
}
