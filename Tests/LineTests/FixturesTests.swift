import Foundation
import Surefoot
import Testing

/// A capture of our own and its twin: what fixtures/twin.py, which shares nothing with this program,
/// makes of it.
struct Story: Decodable, Sendable, CustomTestStringConvertible {
    var files: [String]
    var options: [String]?

    var testDescription: String { files.joined(separator: " ") }

    static let all: [Story] = {
        guard let bytes = try? Fixture.bytes("stories.json"),
            let stories = try? JSONDecoder().decode([Story].self, from: Data(bytes))
        else { return [] }
        return stories
    }()

    func expected() throws -> Expected {
        let name = files[0]
        let stem = name[..<(name.lastIndex(of: ".") ?? name.endIndex)]
        let bytes = try Fixture.bytes(stem + ".expected.json")
        return try JSONDecoder().decode(Expected.self, from: Data(bytes))
    }
}

@Suite("Captures of our own")
struct FixturesTests {
    @Test("The list of fixtures is there")
    func list() {
        #expect(Story.all.count >= 40)
    }

    @Test("Every fixture gives what its twin says", arguments: Story.all)
    func twin(_ story: Story) throws {
        guard story.files.count == 1 else { return }
        let capture = try Fixture.bytes(story.files[0])
        let run = Run(replaying: capture, settings: settings(story.options ?? []))
        try story.expected().compare(with: run)
    }

    @Test(
        "However a capture is cut into blocks, JSON and GPX are the same bytes",
        arguments: Story.all
    )
    func chunking(_ story: Story) throws {
        let capture = try Fixture.bytes(story.files[0])
        expectSameBytes(of: capture, settings(story.options ?? []))
    }
}
