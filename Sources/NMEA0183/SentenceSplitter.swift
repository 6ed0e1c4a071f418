package import Positioning

/// Cuts a stream of bytes into NMEA 0183 sentences and checks each checksum.
///
/// **bytes -> sentences** -> epochs -> fixes -> gate -> filter -> distance and pace
///
///     splitter.fill { read(descriptor, $0.baseAddress, $0.count) }
///     while let sentence = splitter.next() { … }
///
/// - Input: blocks of any size. How the bytes were cut into blocks makes no difference.
/// - Output: sentences that may be used, in order; faults are counted in ``sentences``, bytes that
///   belong to none in ``bytes``.
/// - UBX frames with a right sum are skipped whole, whatever their payload looks like.
/// - Memory: one block and the longest frame, whatever the stream holds.
/// - Source: NMEA 0183 version 4.11, section 5.3; u-blox M8 interface description, section 32.
package struct SentenceSplitter: Sendable {
    /// One sentence whose checksum agreed, or that came before any sentence had one.
    package struct Sentence: Sendable {
        /// Where the address starts in ``SentenceSplitter/storage``, behind `$`.
        package var start: Int
        /// Where the last field ends, before `*`.
        package var end: Int
        /// Bytes of the source up to and with the one that ended this sentence.
        package var offset: Int64
    }

    /// Longest sentence, in bytes, from the start delimiter up to the last checksum digit.
    package static let longestSentence = 1024
    /// Longest UBX payload believed, in bytes: above what receivers send, and short enough that a
    /// length garbled on the wire holds up a live stream for seconds only.
    package static let longestPayload = 8192
    package static let blockSize = 128 * 1024

    package private(set) var bytes = ByteCounts()
    package private(set) var sentences = SentenceCounts()

    /// The bytes that ``Sentence/start`` and ``Sentence/end`` refer to, until the next `fill`.
    package private(set) var storage: [UInt8]

    private var at = 0
    private var held = 0
    /// Offset of `storage[0]` in the source.
    private var base: Int64 = 0
    private var isAtLineStart = true
    private var isInComment = false
    /// Comment lines are known as such before the first sentence only.
    private var isInHeader = true
    /// GSA and GSV that nobody asks for are checked and counted, but not given to anyone.
    private let passesSatellites: Bool
    /// A sentence was passed over.
    package private(set) var hasPassed = false
    private var passedGSA = (start: 0, end: 0)

    /// - Parameters:
    ///   - blockSize: Most bytes taken by one `fill`, 1 or more.
    ///   - passesSatellites: GSA and GSV are passed over; see ``takePassedGSA()``.
    package init(
        blockSize: Int = SentenceSplitter.blockSize,
        passesSatellites: Bool = false
    ) {
        self.passesSatellites = passesSatellites
        precondition(blockSize > 0, "a block holds at least one byte")
        let room = Self.longestPayload + 2 * Self.longestSentence
        storage = [UInt8](repeating: 0, count: blockSize + room + SentenceScanner.slack)
    }

    /// Bytes taken in so far.
    package var total: Int64 { base + Int64(held) }

    /// Whether a sentence with a right checksum was seen.
    package var hasSeenChecksum: Bool { sentences.valid > 0 }

    /// Lets `read` put the next block into the free room, and takes as many bytes as it says.
    ///
    /// - Precondition: ``next(isLast:)`` has given `nil` since the last `fill`.
    package mutating func fill<Failure: Error>(
        _ read: (UnsafeMutableRawBufferPointer) throws(Failure) -> Int
    ) throws(Failure) -> Int {
        let keep = held - at
        var result: Result<Int, Failure> = .success(0)
        storage.withUnsafeMutableBytes { raw in
            if at > 0, keep > 0, let start = raw.baseAddress {
                start.copyMemory(from: start + at, byteCount: keep)
            }
            let free = raw[keep..<(raw.count - SentenceScanner.slack)]
            do throws(Failure) {
                result = .success(try read(UnsafeMutableRawBufferPointer(rebasing: free)))
            } catch {
                result = .failure(error)
            }
        }
        base += Int64(at)
        at = 0
        held = keep
        let count = try result.get()
        held += count
        return count
    }

    /// The next usable sentence, or `nil` when more bytes are needed.
    ///
    /// With `isLast` no more bytes will come: what is still open is judged as it stands.
    @inline(always)
    package mutating func next(isLast: Bool = false) -> Sentence? {
        usualSentence() ?? anySentence(isLast: isLast)
    }

    /// Where the last GSA lies that was passed over since the last call; `nil` if none was.
    @inline(always)
    mutating func takePassedGSA() -> (start: Int, end: Int)? {
        guard passedGSA.start > 0 else { return nil }
        defer { passedGSA.start = 0 }
        return passedGSA
    }

    /// The next sentence if it follows at once and is as nearly all are.
    ///
    /// Else nothing has changed, but for usual sentences that were passed over.
    @inline(always)
    private mutating func usualSentence() -> Sentence? {
        guard at < held, !isInComment else { return nil }
        var walk = SentenceScanner.Walk(at: at)
        let limit = held, passesSatellites = passesSatellites
        let found = storage.withUnsafeBytes { raw in
            raw.baseAddress.flatMap {
                SentenceScanner.walk(
                    &walk,
                    over: $0,
                    limit: limit,
                    passesSatellites: passesSatellites
                )
            }
        }
        guard walk.valid > 0 else { return nil }
        at = walk.at
        isAtLineStart = true
        isInHeader = false
        sentences.valid &+= walk.valid
        if walk.hasPassed {
            hasPassed = true
            if walk.lastGSA.start > 0 { passedGSA = walk.lastGSA }
        }
        guard let (dollar, stop) = found else { return nil }
        return Sentence(start: dollar &+ 1, end: stop &- 3, offset: base &+ Int64(stop) &+ 1)
    }

    private mutating func anySentence(isLast: Bool) -> Sentence? {
        while at < held {
            let byte = storage[at]
            switch byte {
            case _ where isInComment:
                bytes.comment += 1
                if byte == ASCII.lineFeed || byte == ASCII.carriageReturn { isInComment = false }
                isAtLineStart = !isInComment
                at += 1
            case ASCII.dollar,
                ASCII.exclamation where isAtLineStart:
                isInHeader = false
                let start = at
                if let sentence = usualSentence() { return sentence }
                if at > start { continue }
                switch sentence(isLast: isLast) {
                case .use(let sentence): return sentence
                case .drop: continue
                case .wait: return nil
                }
            case ASCII.lineFeed, ASCII.carriageReturn:
                isAtLineStart = true
                at += 1
            case ASCII.hash where isAtLineStart && isInHeader:
                isInComment = true
            case UBX.sync1:
                switch UBX.frame(in: storage.span, at: at, held: held, isLast: isLast) {
                case .whole(let length):
                    bytes.ubx += Int64(length)
                    at += length
                    isAtLineStart = true
                case .none: skipNoise()
                case .undecided: return nil
                }
            default: skipNoise()
            }
        }
        return nil
    }

    /// The stream breaks off here: what is open is judged, and what follows starts anew.
    ///
    /// Take what is left with `next(isLast: true)` first.
    package mutating func startAnew() {
        at = held
        isAtLineStart = true
        isInComment = false
        isInHeader = true
    }

    private mutating func skipNoise() {
        bytes.noise += 1
        isAtLineStart = false
        at += 1
    }

    /// Letters and digits up to the first comma: what has another shape is no sentence.
    @inline(always)
    private func hasAddress(start: Int, end: Int) -> Bool {
        var i = start
        while i < end, ASCII.isCapitalOrDigit(storage[i]) { i += 1 }
        return i > start && (i == end || storage[i] == ASCII.comma)
    }

    private enum Outcome {
        case use(Sentence)
        case drop
        case wait
    }

    /// Reads the sentence that starts at `at`.
    private mutating func sentence(isLast: Bool) -> Outcome {
        let start = at + 1
        let farthest = at + Self.longestSentence + 1
        let limit = min(held, farthest)
        var xor: UInt8 = 0
        var stop = start
        var endsByLineEnd = false
        search: while true {
            let scan = storage.withUnsafeBytes { raw in
                raw.baseAddress.map { SentenceScanner.scan($0, from: stop, limit: limit) }
            }
            guard let scan else { return .wait }
            xor ^= scan.xor
            stop = scan.stop
            guard stop < limit else { break }
            switch storage[stop] {
            case ASCII.carriageReturn, ASCII.lineFeed:
                endsByLineEnd = true
                break search
            case ASCII.dollar: break search
            case UBX.sync1:
                switch UBX.frame(in: storage.span, at: stop, held: held, isLast: isLast) {
                case .whole: break search
                case .undecided: return .wait
                case .none: break
                }
            default: break
            }
            xor ^= storage[stop]
            stop += 1
        }
        if stop == limit, !isLast || limit == farthest {
            guard limit == farthest else { return .wait }
            sentences.tooLong += 1
            at = stop
            isAtLineStart = false
            return .drop
        }
        return judge(start: start, stop: stop, xor: xor, endsByLineEnd: endsByLineEnd)
    }

    /// `$GPGGA,…*47` is sound when the XOR of every byte between `$` and `*` equals hex `47`.
    @inline(always)
    private mutating func judge(
        start: Int,
        stop: Int,
        xor: UInt8,
        endsByLineEnd: Bool
    ) -> Outcome {
        at = stop
        isAtLineStart = true
        var end = stop
        var xor = xor
        while end > start, storage[end - 1] == ASCII.space || storage[end - 1] == 0 {
            end -= 1
            xor ^= storage[end]
        }
        let offset = base + Int64(stop) + (endsByLineEnd ? 1 : 0)
        if end - start >= 3, storage[end - 3] == ASCII.asterisk,
            let high = ASCII.hexDigit(storage[end - 2]), let low = ASCII.hexDigit(storage[end - 1])
        {
            let computed = xor ^ storage[end - 1] ^ storage[end - 2] ^ ASCII.asterisk
            guard computed == high << 4 | low else {
                sentences.badChecksum += 1
                return .drop
            }
            guard hasAddress(start: start, end: end - 3) else {
                bytes.noise += Int64(stop - start + 1)
                return .drop
            }
            sentences.valid += 1
            return .use(Sentence(start: start, end: end - 3, offset: offset))
        }
        guard endsByLineEnd else {
            sentences.cutShort += 1
            return .drop
        }
        sentences.noChecksum += 1
        guard !hasSeenChecksum else { return .drop }
        return .use(Sentence(start: start, end: end, offset: offset))
    }
}
