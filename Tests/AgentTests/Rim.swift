import Glibc
import SurefootAgent

/// What the tests of the rim share: a folder that goes away, a deadline, a reader.
enum Rim {
    /// Most seconds anything here may take.
    static let patience = 10.0

    static var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    static func withFolder<Result>(_ body: (String) throws -> Result) rethrows -> Result {
        var template = Array("/tmp/surefoot-rim-XXXXXX".utf8CString)
        let path = template.withUnsafeMutableBufferPointer { text in
            text.baseAddress.flatMap(mkdtemp).map { String(cString: $0) } ?? "/tmp"
        }
        defer {
            if let folder = opendir(path) {
                while let entry = readdir(folder) {
                    let name = withUnsafeBytes(of: &entry.pointee.d_name) { raw in
                        String(decoding: raw.prefix { $0 != 0 }, as: UTF8.self)
                    }
                    unlink("\(path)/\(name)")
                }
                closedir(folder)
            }
            rmdir(path)
        }
        return try body(path)
    }

    static func write(_ bytes: [UInt8], to path: String) {
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        defer { close(file) }
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                Glibc.write(file, $0.baseAddress, $0.count)
            }
            guard count > 0 else { return }
            sent += count
        }
    }

    /// Reads until the end, a fault, or as many bytes as asked for; polls with a deadline.
    static func hear(
        _ receiver: any Receiver,
        atLeast wanted: Int = .max
    ) -> (bytes: [UInt8], fault: SourceFault?, isEnded: Bool) {
        let end = now + patience
        var heard: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 64 * 1024)
        while heard.count < wanted, now < end {
            var outcome: Result<Reading, SourceFault> = .success(.nothing)
            block.withUnsafeMutableBytes { raw in
                do throws(SourceFault) {
                    outcome = .success(try receiver.read(into: raw))
                } catch {
                    outcome = .failure(error)
                }
            }
            switch outcome {
            case .success(.bytes(let count)): heard += block[..<count]
            case .success(.ended): return (heard, nil, true)
            case .failure(let fault): return (heard, fault, false)
            case .success(.nothing):
                guard let descriptor = receiver.descriptor else { continue }
                var polled = pollfd(fd: descriptor, events: receiver.events, revents: 0)
                poll(&polled, 1, 200)
            }
        }
        return (heard, nil, false)
    }

    static func fault(_ body: () throws(SourceFault) -> Void) -> SourceFault? {
        do throws(SourceFault) {
            try body()
            return nil
        } catch {
            return error
        }
    }

    /// RMC and GGA of so many seconds, with right sums, as a receiver sends them.
    static func capture(seconds: Int, from start: Int = 22_200) -> [UInt8] {
        var text = "# Name: made by the test\n"
        for second in start..<(start + seconds) {
            let time = [second / 3600 % 24, second / 60 % 60, second % 60].map {
                $0 < 10 ? "0\($0)" : "\($0)"
            }.joined()
            text += sentence("GPRMC,\(time).00,A,3731.26600,N,12655.94400,E,5.83,,141126,,,A")
            text += sentence("GPGGA,\(time).00,3731.26600,N,12655.94400,E,1,09,0.9,31.4,M,,M,,")
        }
        return Array(text.utf8)
    }

    private static func sentence(_ body: String) -> String {
        let sum = body.utf8.reduce(0, ^)
        return "$\(body)*\(sum < 16 ? "0" : "")\(String(sum, radix: 16, uppercase: true))\r\n"
    }

    /// Runs a fake on a thread of its own, and stops and joins it at the end.
    static func playing<Result>(
        _ fake: FakeReceiver,
        _ path: String,
        options: FakeReceiver.Options,
        isForGPSD: Bool = false,
        _ body: () throws -> Result
    ) rethrows -> Result {
        var pipe: (read: Int32, write: Int32) = (-1, -1)
        withUnsafeMutablePointer(to: &pipe) { pointer in
            _ = pointer.withMemoryRebound(to: Int32.self, capacity: 2) { Glibc.pipe($0) }
        }
        let job = Job(fake, path, options, isForGPSD: isForGPSD, stop: pipe.read)
        let thread = job.start()
        defer {
            close(pipe.write)
            pthread_join(thread, nil)
            close(pipe.read)
        }
        return try body()
    }

    private final class Job {
        private let fake: FakeReceiver
        private let path: String
        private let options: FakeReceiver.Options
        private let isForGPSD: Bool
        private let stop: Int32

        init(
            _ fake: FakeReceiver,
            _ path: String,
            _ options: FakeReceiver.Options,
            isForGPSD: Bool,
            stop: Int32
        ) {
            self.fake = fake
            self.path = path
            self.options = options
            self.isForGPSD = isForGPSD
            self.stop = stop
        }

        func start() -> pthread_t {
            var thread = pthread_t()
            let context = Unmanaged.passRetained(self).toOpaque()
            pthread_create(
                &thread,
                nil,
                { context in
                    if let context {
                        Unmanaged<Job>.fromOpaque(context).takeRetainedValue().run()
                    }
                    return nil
                },
                context
            )
            return thread
        }

        private func run() {
            let (path, isForGPSD) = (path, isForGPSD)
            _ = Rim.fault { () throws(SourceFault) in
                _ = try fake.play(options: options, stop: stop) { () throws(SourceFault) in
                    try CaptureScript(path: path, isForGPSD: isForGPSD)
                }
            }
        }
    }
}
