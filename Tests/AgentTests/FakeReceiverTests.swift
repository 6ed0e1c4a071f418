import Glibc
import SurefootAgent
import Testing

@Suite("Fake receiver", .timeLimit(.minutes(1)))
struct FakeReceiverTests {
    @Test(
        "What a fake plays on a pty is what a serial receiver hears, byte for byte, to the hang-up"
    )
    func pty() throws {
        try Rim.withFolder { folder in
            // More than a pty holds at once, so that the fake must wait for the reader.
            let bytes = Rim.capture(seconds: 1000)
            Rim.write(bytes, to: "\(folder)/run.nmea")
            let fake = try FakeReceiver.onPTY()
            let options = FakeReceiver.Options(speed: .infinity, hangsUp: true)
            try Rim.playing(fake, "\(folder)/run.nmea", options: options) {
                let receiver = SerialReceiver(path: fake.address)
                try receiver.open()
                let heard = Rim.hear(receiver)
                #expect(heard.bytes == bytes)
                guard case .disconnected = heard.fault else {
                    Issue.record("no hang-up, but \(String(describing: heard.fault))")
                    return
                }
            }
        }
    }

    @Test("A second reader of the pty hears the run go on after the first one left")
    func replug() throws {
        try Rim.withFolder { folder in
            Rim.write(Rim.capture(seconds: 60), to: "\(folder)/run.nmea")
            let fake = try FakeReceiver.onPTY()
            let options = FakeReceiver.Options(isLooping: true, speed: 100)
            try Rim.playing(fake, "\(folder)/run.nmea", options: options) {
                for _ in 0..<2 {
                    let receiver = SerialReceiver(path: fake.address)
                    try receiver.open()
                    #expect(Rim.hear(receiver, atLeast: 300).bytes.count >= 300)
                    receiver.close()
                }
            }
        }
    }

    @Test("A fake ends when told: without a reader, with one that reads nothing, and after its end")
    func stopped() throws {
        try Rim.withFolder { folder in
            let path = "\(folder)/run.nmea"
            Rim.write(Rim.capture(seconds: 1000), to: path)
            let start = Rim.now
            let unheard = try FakeReceiver.onPTY()
            Rim.playing(unheard, path, options: .init()) {}
            for options in [FakeReceiver.Options(speed: .infinity), .init(speed: 1)] {
                let fake = try FakeReceiver.onPTY()
                try Rim.playing(fake, path, options: options) {
                    let receiver = SerialReceiver(path: fake.address)
                    try receiver.open()
                    #expect(!Rim.hear(receiver, atLeast: 1).bytes.isEmpty)
                }
            }
            #expect(Rim.now - start < 5)
        }
    }

    @Test("A fake is paced by the receiver's own times: three seconds at tenfold speed take 0.3 s")
    func paced() throws {
        try Rim.withFolder { folder in
            let bytes = Rim.capture(seconds: 4)
            Rim.write(bytes, to: "\(folder)/run.nmea")
            let fake = try FakeReceiver.onPTY()
            try Rim.playing(fake, "\(folder)/run.nmea", options: .init(speed: 10)) {
                let receiver = SerialReceiver(path: fake.address)
                try receiver.open()
                let start = Rim.now
                #expect(Rim.hear(receiver, atLeast: bytes.count).bytes == bytes)
                // The line is opened at most one glance before the fake sees it.
                #expect(Rim.now - start >= 0.29)
            }
        }
    }

    @Test("A fake gpsd tells its device when watched, then the reports of the capture")
    func gpsd() throws {
        try Rim.withFolder { folder in
            let shake = """
                {"class":"VERSION","release":"3.25","proto_major":3,"proto_minor":15}
                {"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/ttyACM7"}]}
                {"class":"WATCH","enable":true,"json":true}

                """
            let reports = """
                {"class":"TPV","mode":3,"time":"2026-11-14T06:10:00.000Z","lat":37.5,"lon":126.9}
                {"class":"SKY","satellites":[]}
                {"class":"TPV","mode":3,"time":"2026-11-14T06:10:01.000Z","lat":37.5,"lon":126.9}

                """
            let path = "\(folder)/run.json"
            Rim.write(
                Array(("# Name: made by the test\n" + shake + "$GPTXT,x\r\n" + reports).utf8),
                to: path
            )
            let script = try CaptureScript(path: path, isForGPSD: true)
            let handshake = try #require(script.handshake)
            let fake = try FakeReceiver.onGPSD(handshake: handshake)
            let port = try #require(fake.port)
            let options = FakeReceiver.Options(speed: .infinity, hangsUp: true)
            try Rim.playing(fake, path, options: options, isForGPSD: true) {
                let receiver = GPSDReceiver(port: port)
                try receiver.open()
                let heard = Rim.hear(receiver)
                #expect(String(decoding: heard.bytes, as: UTF8.self) == shake + reports)
                let lost = SourceFault.disconnected(source: "127.0.0.1:\(port)", errno: 0)
                #expect(heard.fault == lost)
            }
        }
    }

    @Test("auto takes a gpsd that has a device, passes over one that has none")
    func search() throws {
        for device in ["/dev/ttyACM0", nil] {
            try Rim.withFolder { folder in
                Rim.write(Rim.capture(seconds: 2), to: "\(folder)/run.nmea")
                let fake = try FakeReceiver.onGPSD(handshake: FakeHandshake(device: device))
                let port = try #require(fake.port)
                try Rim.playing(fake, "\(folder)/run.nmea", options: .init()) {
                    var search = ReceiverSearch()
                    search.gpsd.port = port
                    search.folder = folder
                    if device != nil {
                        let found = try search.find()
                        #expect(found == .gpsd(host: "127.0.0.1", port: port))
                    } else {
                        #expect(throws: SourceFault.noReceiver(gpsdAnswers: true)) {
                            try search.find()
                        }
                    }
                }
            }
        }
    }

    @Test("Moments hold all lines of one time; gaps last, a time that goes back takes a second")
    func moments() throws {
        try Rim.withFolder { folder in
            let first = Rim.capture(seconds: 2, from: 86_399)
            let gap = Rim.capture(seconds: 1, from: 90)
            let back = Rim.capture(seconds: 1, from: 30)
            Rim.write(first + gap + back, to: "\(folder)/run.nmea")
            var script = try CaptureScript(path: "\(folder)/run.nmea")
            var times: [Int64] = []
            var bytes: [UInt8] = []
            while let moment = try script.next() {
                times.append(moment.milliseconds)
                bytes += moment.bytes
            }
            // 23:59:59, 00:00:00, 00:01:30, and 00:00:30 again.
            #expect(times == [0, 1000, 91_000, 92_000])
            #expect(bytes == first + gap + back)
        }
    }
}
