package import Positioning

/// Bytes of an NMEA 0183 receiver in, epochs out.
///
///     try decoder.fill { … }
///     decoder.drain { epoch in … }
package struct NMEADecoder: Sendable {
    package private(set) var splitter: SentenceSplitter
    /// Satellites used and in view; `nil` if they are not asked for.
    private var tally: SatelliteTally?
    private var assembler = EpochAssembler()
    private var repeats = Repeats()
    /// The latest GSA, unread: most epochs have an HDOP of their own.
    private var waitingGSA: FieldCursor?
    package private(set) var dates: DateResolver

    private var hasTaken = false
    /// Sentences that gave something for a fix.
    package var isUnderstood: Bool { hasTaken || splitter.hasPassed }

    /// A decoder; with `talliesSatellites` GSA and GSV are read in full.
    package init(
        dates: DateResolver,
        talliesSatellites: Bool = false,
        blockSize: Int = SentenceSplitter.blockSize
    ) {
        self.dates = dates
        tally = talliesSatellites ? SatelliteTally() : nil
        splitter = SentenceSplitter(blockSize: blockSize, passesSatellites: !talliesSatellites)
    }

    /// Takes the next block; see ``SentenceSplitter/fill(_:)``.
    package mutating func fill<Failure: Error>(
        _ read: (UnsafeMutableRawBufferPointer) throws(Failure) -> Int
    ) throws(Failure) -> Int {
        try splitter.fill(read)
    }

    /// Hands over the epochs that the bytes so far complete.
    package mutating func drain(_ body: (borrowing Epoch) -> Void) {
        drain(isLast: false, body)
    }

    /// The stream ends or breaks off: what is open is taken as it stands, and dated.
    package mutating func finish(_ body: (borrowing Epoch) -> Void) {
        drain(isLast: true, body)
        assembler.finish()
        let storage = splitter.storage
        handOver(offset: splitter.total, in: storage.span, body)
        dates.finish(body)
        splitter.startAnew()
    }

    private mutating func drain(isLast: Bool, _ body: (borrowing Epoch) -> Void) {
        // One more owner for the time of the block: the storage is only read until the next `fill`.
        let storage = splitter.storage
        let bytes = storage.span
        while let sentence = splitter.next(isLast: isLast) {
            takePassedGSA()
            take(sentence, in: bytes, body)
            handOver(offset: sentence.offset, in: bytes, body)
        }
        takePassedGSA()
        readGSA(in: bytes)
    }

    /// The latest GSA may be one that the splitter passed over.
    @inline(always)
    private mutating func takePassedGSA() {
        guard let (start, end) = splitter.takePassedGSA() else { return }
        waitingGSA = FieldCursor(start: start + 6, end: end)
    }

    /// Sends one sentence to the reader of its kind: a new kind is one more case.
    @inline(always)
    private mutating func take(
        _ sentence: SentenceSplitter.Sentence,
        in bytes: Span<UInt8>,
        _ body: (borrowing Epoch) -> Void
    ) {
        let start = sentence.start
        // Proprietary sentences have no talker; AIS, queries and others have another length.
        guard sentence.end - start >= 6 else { return }
        let address = EightBytes(bytes, at: start)
        guard address[5] == ASCII.comma, address[0] != UInt8(ascii: "P"),
            bytes[start &- 1] == ASCII.dollar
        else { return }
        let talker = UInt16(address[0]) << 8 | UInt16(address[1])
        var fields = FieldCursor(start: start + 6, end: sentence.end)
        switch address.formatter {
        case Formatter.rmc: join(.rmc(&fields, &repeats, in: bytes), .rmc)
        case Formatter.gga: join(.gga(&fields, &repeats, in: bytes), .gga)
        case Formatter.gns:
            if let report = PositionReport.gns(&fields, &repeats, in: bytes) { join(report, .gns) }
        case Formatter.gll: join(.gll(&fields, &repeats, in: bytes), .gll)
        case Formatter.vtg: assembler.take(assembler.lacksMotion ? VTG(&fields, in: bytes) : nil)
        case Formatter.gst: assembler.take(GST(&fields, &repeats, in: bytes))
        case Formatter.zda:
            let time = fields
            if assembler.hasDate(at: repeats.time(&fields, in: bytes).value) { break }
            fields = time
            if let zda = ZDA(&fields, &repeats, in: bytes), !assembler.take(zda), assembler.hasFix {
                dates.learn(day: zda.day, time: zda.time, body)
            }
        case Formatter.gsa:
            waitingGSA = fields
            if tally != nil { tally?.take(GSA(&fields, in: bytes), talker: talker) }
        case Formatter.gsv:
            if tally != nil, let gsv = GSV(&fields, in: bytes) { tally?.take(gsv, talker: talker) }
        default: return
        }
        hasTaken = true
    }

    @inline(always)
    private mutating func join(_ report: PositionReport, _ kind: SentenceKinds) {
        if assembler.take(report, kind) { tally?.startCycle() }
    }

    /// Reads the latest GSA before its bytes go or an epoch asks for them.
    private mutating func readGSA(in bytes: Span<UInt8>) {
        guard var fields = waitingGSA else { return }
        waitingGSA = nil
        assembler.take(GSA(&fields, in: bytes))
    }

    /// Dates the epochs that are closed.
    @inline(always)
    private mutating func handOver(
        offset: Int64,
        in bytes: Span<UInt8>,
        _ body: (borrowing Epoch) -> Void
    ) {
        while assembler.hasNext { handOverNext(offset: offset, in: bytes, body) }
    }

    private mutating func handOverNext(
        offset: Int64,
        in bytes: Span<UInt8>,
        _ body: (borrowing Epoch) -> Void
    ) {
        if assembler.next.hdop == nil { readGSA(in: bytes) }
        var epoch = Epoch()
        epoch.coordinate = assembler.next.position
        epoch.altitude = assembler.next.altitude
        epoch.speed = assembler.next.speed
        epoch.course = assembler.next.course
        epoch.hdop = assembler.next.hdop ?? assembler.hdop
        epoch.satellitesUsed = assembler.next.satellitesUsed
        let isDifferential = assembler.next.isDifferential
        epoch.horizontalAccuracy =
            assembler.next.statedAccuracy
            ?? epoch.hdop.map { Accuracy.from(hdop: $0, isDifferential: isDifferential) }
            ?? (assembler.is2D ? Accuracy.unknown2D : Accuracy.unknown)
        epoch.rejection =
            assembler.next.rejection ?? (assembler.next.isDuplicate ? .duplicate : nil)
        epoch.offset = offset
        epoch.satellites = tally?.satellites
        let time: Int32? = if case .time(let time) = assembler.next.clock { time } else { nil }
        let day = assembler.next.day
        assembler.dropNext()
        dates.take(&epoch, time: time, day: day, body)
    }
}

/// Sentence formatters as three letters in one number.
private enum Formatter {
    static let rmc = code("R", "M", "C"), gga = code("G", "G", "A"), gns = code("G", "N", "S")
    static let gll = code("G", "L", "L"), vtg = code("V", "T", "G"), gst = code("G", "S", "T")
    static let zda = code("Z", "D", "A"), gsa = code("G", "S", "A"), gsv = code("G", "S", "V")

    /// As ``EightBytes/formatter`` has them.
    private static func code(
        _ a: Unicode.Scalar,
        _ b: Unicode.Scalar,
        _ c: Unicode.Scalar
    ) -> UInt32 {
        UInt32(UInt8(ascii: a)) | UInt32(UInt8(ascii: b)) << 8 | UInt32(UInt8(ascii: c)) << 16
    }
}
