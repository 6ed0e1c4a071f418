import NMEA0183
import Positioning
import TestSupport
import Testing

/// The sentence that most descriptions of NMEA 0183 print, with the sum they print.
///
/// Source: Dale DePriest, "NMEA data".
private let gga = "GPGGA,123519,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,"
private let line = "$" + gga + "*47\r\n"

/// Counts by hand.
struct SentenceSplitterTests {
    private func counts(
        valid: Int = 0,
        bad: Int = 0,
        none: Int = 0,
        cut: Int = 0,
        long: Int = 0
    ) -> SentenceCounts {
        var counts = SentenceCounts()
        (counts.valid, counts.badChecksum, counts.noChecksum) = (valid, bad, none)
        (counts.cutShort, counts.tooLong) = (cut, long)
        return counts
    }

    // MARK: Sums

    @Test("The sentence of the textbooks is valid; its offset is the byte behind its line's CR")
    func textbook() {
        let stream = SplitStream(line)
        #expect(stream.sentences == [gga])
        #expect(stream.offsets == [Int64(line.utf8.count - 1)])
        #expect(stream.counts == counts(valid: 1))
        #expect(stream.bytes == ByteCounts())
    }

    @Test("Any single bit flipped between $ and * spoils the sum")
    func flipped() {
        let sound = Array(line.utf8)
        for place in 1...gga.utf8.count {
            for bit in 0..<7 {
                var bytes = sound
                bytes[place] ^= 1 << UInt8(bit)
                let stream = SplitStream([bytes])
                #expect(!stream.sentences.contains(gga))
                #expect(stream.counts.valid == 0)
            }
        }
    }

    @Test("A wrong sum is counted as one and costs only its sentence")
    func badChecksum() {
        let stream = SplitStream("$" + gga + "*46\r\n" + line)
        #expect(stream.sentences == [gga])
        #expect(stream.counts == counts(valid: 1, bad: 1))
    }

    @Test("A sum in small letters is as good")
    func smallLetters() {
        // G P Z D A J , is 47 50 5A 44 41 4A 2C; their XOR by hand is 2E.
        #expect(SplitStream("$GPZDAJ,*2e\n$GPZDAJ,*2E\n").counts == counts(valid: 2))
    }

    @Test("Sentences without a sum are used until one with a right sum came, then only counted")
    func withoutSum() {
        let stream = SplitStream("$GPGLL,a\r\n$GPGLL,b*00\r\n$GPGLL,c\n" + line + "$GPGLL,d\r\n")
        #expect(stream.sentences == ["GPGLL,a", "GPGLL,c", gga])
        #expect(stream.counts == counts(valid: 1, bad: 1, none: 3))
    }

    @Test("A sum of one digit, or of letters that are none, is no sum")
    func oddSum() {
        #expect(SplitStream("$" + gga + "*4\r\n").counts == counts(none: 1))
        #expect(SplitStream("$" + gga + "*4G\r\n").counts == counts(none: 1))
        #expect(SplitStream("$" + gga + "*\r\n").counts == counts(none: 1))
    }

    @Test("A right sum over what has no address is noise, not a sentence")
    func noAddress() {
        // XOR of nothing is 00.
        let stream = SplitStream("$*00\r\n")
        #expect(stream.sentences == [])
        #expect(stream.counts == counts())
        #expect(stream.bytes.noise == 4)
    }

    // MARK: Ends

    @Test(
        "Every line end ends a sentence",
        arguments: ["\r\n", "\n", "\r", "\n\r", "\r\r\n", " \r\n", "\0\n", "  \0 \n"]
    )
    func lineEnds(end: String) {
        let stream = SplitStream("$" + gga + "*47" + end + "$" + gga + "*47" + end)
        #expect(stream.sentences == [gga, gga])
        #expect(stream.counts == counts(valid: 2))
        #expect(stream.bytes == ByteCounts())
    }

    @Test("The last sentence counts without a line end if its sum is right, else it is cut short")
    func endOfInput() {
        #expect(SplitStream("$" + gga + "*47").sentences == [gga])
        #expect(SplitStream("$" + gga + "*4").counts == counts(cut: 1))
        #expect(SplitStream("$" + gga).counts == counts(cut: 1))
        #expect(SplitStream("$").counts == counts(cut: 1))
    }

    @Test("The end of the input is judged by its own bytes, not by what lay there before")
    func staleBytes() {
        let last = "$GPGLL,1*4D"
        let filler = String(repeating: "$GPTXT,ABCDEFGHIJKLMNOPQRST\r\n", count: 20)
        for cut in 0..<40 {
            let bytes = Array((filler + last).utf8)
            let place = bytes.count - cut
            let whole = SplitStream([bytes])
            #expect(SplitStream([Array(bytes[..<place]), Array(bytes[place...])]) == whole)
        }
    }

    @Test("A sentence broken off by another costs only itself: the next one survives")
    func dollarInside() {
        let stream = SplitStream("$GPGGA,1235" + line + "$$" + line)
        #expect(stream.sentences == [gga, gga])
        #expect(stream.counts == counts(valid: 2, cut: 3))
    }

    @Test("A sentence behind a prefix on its line is found; the prefix is noise")
    func prefix() {
        let stream = SplitStream("12:00:01 > " + line)
        #expect(stream.sentences == [gga])
        #expect(stream.bytes.noise == 11)
    }

    @Test("1024 bytes from $ to the last digit are a sentence, 1025 are too long")
    func longest() {
        // Of $, *hh and the letters between, four are not in the letters.
        let longest = "GPTXT," + String(repeating: "x", count: 1024 - 4 - 6)
        let stream = SplitStream(sentence(longest))
        #expect(stream.sentences == [longest])
        #expect(stream.counts == counts(valid: 1))
        #expect(SplitStream(sentence(longest, end: "")).sentences == [longest])

        let tooLong = SplitStream(sentence(longest + "x") + line)
        #expect(tooLong.sentences == [gga])
        #expect(tooLong.counts == counts(valid: 1, long: 1))
        #expect(tooLong.bytes.noise == 0)
        // The first 1025 bytes are the sentence's, the 75 behind them are nobody's.
        let longer = SplitStream("$" + String(repeating: "x", count: 1099) + "\n" + line)
        #expect(longer.counts == counts(valid: 1, long: 1))
        #expect(longer.bytes.noise == 75)
    }

    @Test("A stream without any end of line is held in constant memory, and what follows is read")
    func endless() {
        let block = [UInt8](repeating: UInt8(ascii: "x"), count: 4096)
        let blocks = [[UInt8]](repeating: block, count: 100) + [Array(("\n" + line).utf8)]
        let stream = SplitStream(blocks)
        #expect(stream.sentences == [gga])
        #expect(stream.bytes.noise == 409_600)
    }

    // MARK: Other starts

    @Test("AIS sentences are valid; an exclamation mark inside a line starts none")
    func exclamation() {
        // From "AIVDM/AIVDO protocol decoding", E. Raymond.
        let ais = "AIVDM,1,1,,B,177KQJ5000G?tO`K>RA1wUbN0TKH,0"
        let stream = SplitStream("!" + ais + "*5C\r\n$GPTXT,a!b*00\r\n")
        #expect(stream.sentences == [ais])
        #expect(stream.counts == counts(valid: 1, bad: 1))
    }

    @Test("Lines with # before the first sentence are comments, later ones are noise")
    func comments() {
        let stream = SplitStream("# a $GPGGA\r\n#b\n" + line + "#c\n")
        #expect(stream.sentences == [gga])
        #expect(stream.counts == counts(valid: 1))
        // "# a $GPGGA" and "#b" with the first byte of their line ends.
        #expect(stream.bytes.comment == 11 + 3)
        #expect(stream.bytes.noise == 2)
    }

    // MARK: UBX

    @Test("A UBX frame is skipped whole, a sentence in its payload too")
    func frames() {
        // ACK-ACK of a CFG-MSG with its sum as u-blox's own examples have it.
        let acknowledged: [UInt8] = [0xB5, 0x62, 0x05, 0x01, 0x02, 0, 0x06, 0x01, 0x0F, 0x38]
        #expect(frame((5, 1), [6, 1]) == acknowledged)
        let hidden = frame((4, 2), Array(line.utf8))
        let stream = SplitStream([acknowledged + hidden + Array(line.utf8) + acknowledged])
        #expect(stream.sentences == [gga])
        #expect(stream.bytes.ubx == Int64(20 + hidden.count))
        #expect(stream.bytes.noise == 0)
    }

    @Test("A frame breaks off the sentence that it stands in")
    func frameInside() {
        let stream = SplitStream([
            Array("$GPGGA,12".utf8) + frame((5, 1), [6, 1]) + Array(line.utf8)
        ])
        #expect(stream.sentences == [gga])
        #expect(stream.counts == counts(valid: 1, cut: 1))
        #expect(stream.bytes.ubx == 10)
    }

    @Test("A frame with a wrong sum is none: sentences in it are read")
    func falseFrame() {
        var wrong = frame((1, 7), Array(("\n" + line).utf8))
        wrong[wrong.count - 1] ^= 1
        let stream = SplitStream([wrong + Array(line.utf8)])
        #expect(stream.sentences == [gga, gga])
        #expect(stream.bytes.ubx == 0)
        // The six bytes of the head and the two of the sum.
        #expect(stream.bytes.noise == 8)
    }

    @Test("A frame cut off by the end is no frame, and hides no sentence")
    func cutFrame() {
        let cut = frame((1, 7), Array(("\n" + line).utf8)).dropLast(2)
        let stream = SplitStream([Array(cut)])
        #expect(stream.sentences == [gga])
        #expect(stream.bytes.noise == 6)
    }

    @Test("A length beyond any real frame holds up nothing")
    func hugeFrame() {
        let head: [UInt8] = [0xB5, 0x62, 1, 7, 0xFF, 0xFF]
        let stream = SplitStream([head + Array(line.utf8)])
        #expect(stream.sentences == [gga])
        #expect(stream.bytes.noise == 6)
    }

    @Test("The first byte of a frame inside a sentence is a letter like others")
    func latinLetter() {
        let bytes = Array("$GPTXT,".utf8) + [0xB5] + Array("m*".utf8)
        let sum = bytes[1..<9].reduce(0, ^)
        let digits = Array(String(sum, radix: 16, uppercase: true).utf8)
        let padded = digits.count == 1 ? [UInt8(ascii: "0")] + digits : digits
        let stream = SplitStream([bytes + padded + Array("\r\n".utf8)])
        #expect(stream.counts == counts(valid: 1))
    }

    // MARK: Cuts

    @Test("However a stream is cut into blocks, its sentences, offsets and counts are the same")
    func cuts() {
        var random = SplitMix(state: 1)
        for round in 0..<100 {
            let bytes = anyStream(&random)
            let whole = SplitStream([bytes])
            #expect(SplitStream(bytes.map { [$0] }) == whole, "byte by byte, round \(round)")
            var blocks: [[UInt8]] = []
            var rest = bytes[...]
            while !rest.isEmpty {
                let size = Int.random(in: 1...200, using: &random)
                blocks.append(Array(rest.prefix(size)))
                rest = rest.dropFirst(size)
            }
            #expect(SplitStream(blocks) == whole, "at random, round \(round)")
            #expect(SplitStream([bytes], blockSize: 1) == whole, "small room, round \(round)")
        }
    }

    /// Sentences and all that may lie between and in them.
    private func anyStream(_ random: inout SplitMix) -> [UInt8] {
        var bytes: [UInt8] = []
        for _ in 0..<Int.random(in: 1...25, using: &random) {
            var piece: [UInt8]
            switch Int.random(in: 0..<12, using: &random) {
            case 0:
                let size = Int.random(in: 0...60, using: &random)
                piece = (0..<size).map { _ in UInt8.random(in: .min ... .max, using: &random) }
            case 1:
                let size = Int.random(in: 0...40, using: &random)
                piece = frame((1, 7), (0..<size).map { UInt8($0) } + Array("\n$GP".utf8))
            case 2:
                let size = Int.random(in: 1000...1040, using: &random)
                piece = Array(sentence("GPTXT," + String(repeating: "x", count: size)).utf8)
            case 3: piece = Array("# comment\r\n".utf8)
            case 4: piece = Array("$GPGLL,4807.038,N\n".utf8)
            case 5: piece = Array("\r\n\n\r \0".utf8)
            case 6: piece = [0xB5, 0x62, 1, 7, UInt8.random(in: 0...20, using: &random), 0]
            default: piece = Array(line.utf8)
            }
            if Int.random(in: 0..<6, using: &random) == 0 {
                piece.removeLast(Int.random(in: 0...piece.count, using: &random))
            }
            bytes += piece
        }
        return bytes
    }
}
