import Glibc
import SurefootAgent
import Testing

@Suite("Source faults", .timeLimit(.minutes(1)))
struct SourceFaultTests {
    @Test("A file that is missing, a directory, empty or a device is named, exit 1")
    func files() throws {
        try Rim.withFolder { folder in
            Rim.write([], to: "\(folder)/empty")
            let pty = try FakeReceiver.onPTY()
            for (path, expected) in [
                ("\(folder)/none", SourceFault.missingFile(path: "\(folder)/none")),
                (folder, .isDirectory(path: folder)),
                ("\(folder)/empty", .emptyFile(path: "\(folder)/empty")),
                (pty.address, .isSerialDevice(path: pty.address)),
            ] {
                let receiver = FileReceiver(path: path)
                let fault = Rim.fault { () throws(SourceFault) in try receiver.open() }
                #expect(fault == expected)
                #expect(fault?.exitStatus == 1)
                #expect(fault?.message.contains(path) == true)
            }
        }
    }

    @Test("A device that is not there or no device is named, exit 6")
    func devices() throws {
        Rim.withFolder { folder in
            Rim.write([65], to: "\(folder)/file")
            for (path, expected) in [
                ("\(folder)/ttyACM0", SourceFault.noSuchDevice(path: "\(folder)/ttyACM0")),
                ("\(folder)/file", .notASerialDevice(path: "\(folder)/file")),
                ("/dev/null", .notASerialDevice(path: "/dev/null")),
            ] {
                let receiver = SerialReceiver(path: path)
                let fault = Rim.fault { () throws(SourceFault) in try receiver.open() }
                #expect(fault == expected)
                #expect(fault?.exitStatus == 6)
            }
        }
    }

    @Test("A device without rights names the group to join, exit 5")
    func denied() {
        let fault = SourceFault.deviceDenied(path: "/dev/ttyACM0", group: "dialout")
        // The sentence of CONVENTIONS.md, with the command.
        #expect(
            fault.message == "Cannot open /dev/ttyACM0: permission denied. Add yourself to group "
                + "dialout (sudo usermod -aG dialout $USER), then log in again."
        )
        #expect(fault.exitStatus == 5)
    }

    @Test("Who may not open the device is told the group of its node")
    func deniedByKernel() throws {
        // As root, the rights of this thread alone are dropped for the call.
        let pty = try FakeReceiver.onPTY()
        guard getuid() == 0, chmod(pty.address, 0o640) == 0, chown(pty.address, 0, 20) == 0 else {
            return
        }
        // Not seteuid: glibc would change every thread, and with it every test that runs beside.
        typealias SetUser = @convention(c) (uid_t) -> Int32
        let symbol = try #require(dlsym(nil, "setfsuid"))
        let setUser = unsafeBitCast(symbol, to: SetUser.self)
        _ = setUser(65534)
        defer { _ = setUser(0) }
        let receiver = SerialReceiver(path: pty.address)
        let fault = Rim.fault { () throws(SourceFault) in try receiver.open() }
        // Group 20 is dialout in Debian (base-passwd).
        #expect(fault == .deviceDenied(path: pty.address, group: "dialout"))
    }

    @Test("A device that another program has open is not touched, and the program is named")
    func held() throws {
        let pty = try FakeReceiver.onPTY()
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, pty.address, O_RDONLY | O_NOCTTY, 0)
        var pid: pid_t = 0
        var arguments = [strdup("sleep"), strdup("60"), nil]
        defer { for argument in arguments { free(argument) } }
        #expect(posix_spawn(&pid, "/bin/sleep", &actions, nil, &arguments, nil) == 0)
        defer {
            kill(pid, SIGKILL)
            waitpid(pid, nil, 0)
        }
        let receiver = SerialReceiver(path: pty.address)
        let fault = Rim.fault { () throws(SourceFault) in try receiver.open() }
        let holder = DeviceHolder(name: "sleep", pid: pid)
        #expect(fault == .deviceHeld(path: pty.address, holder: holder))
        #expect(fault?.message.contains("sleep (pid \(pid)) holds it") == true)
        #expect(fault?.exitStatus == 6)
    }

    @Test("auto without gpsd: one line is taken, several are listed, none says what to do")
    func search() throws {
        let (unheard, port) = SocketReceiverTests.bound(SOCK_STREAM.rawValue)
        defer { close(unheard) }
        try Rim.withFolder { folder in
            var search = ReceiverSearch()
            search.gpsd.port = port
            search.folder = folder
            #expect(throws: SourceFault.noReceiver(gpsdAnswers: false)) { try search.find() }
            Rim.write([], to: "\(folder)/ttyUSB0")
            Rim.write([], to: "\(folder)/ttyS0")
            let found = try search.find()
            #expect(found == .serial(path: "\(folder)/ttyUSB0", baud: nil))
            Rim.write([], to: "\(folder)/ttyACM0")
            let both = SourceFault.severalDevices(
                paths: ["\(folder)/ttyACM0", "\(folder)/ttyUSB0"]
            )
            #expect(throws: both) { try search.find() }
            #expect(both.exitStatus == 6)
        }
    }

    @Test("The line's settings come back when the receiver is closed")
    func settings() throws {
        let pty = try FakeReceiver.onPTY()
        let watcher = open(pty.address, O_RDONLY | O_NOCTTY | O_CLOEXEC)
        defer { close(watcher) }
        var before = termios()
        tcgetattr(watcher, &before)
        before.c_lflag |= tcflag_t(ECHO | ICANON)
        tcsetattr(watcher, TCSANOW, &before)
        let receiver = SerialReceiver(path: pty.address, baud: 4800)
        try receiver.open()
        var during = termios()
        tcgetattr(watcher, &during)
        #expect(during.c_lflag & tcflag_t(ECHO | ICANON) == 0)
        #expect(cfgetispeed(&during) == speed_t(B4800))
        receiver.close()
        var after = termios()
        tcgetattr(watcher, &after)
        #expect(after.c_lflag == before.c_lflag)
        #expect(cfgetispeed(&after) == cfgetispeed(&before))
    }
}
