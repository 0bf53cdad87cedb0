#if os(Linux)
import AacornSystem
import Foundation
import Simulation
import Testing

@testable import AacornDevices

/// The list of devices that follows changes, with simulated sound systems.
@Suite(.serialized, .simulated(seeds: 4), .needsSimulation) struct DeviceWatcherTests {
  fileprivate struct Server {
    var devices: [String] = []
    var error: DeviceError?
    var queryCount = 0
    var reports = true
    var change: (@Sendable () -> Void)?
  }

  /// The state of each sound system.
  fileprivate static let servers = Lock<[DeviceBackend: Server]>([:])

  private enum Pulse: ListedSystem { static let backend = DeviceBackend.pulseAudio }
  private enum PipeWire: ListedSystem { static let backend = DeviceBackend.pipeWire }
  private enum ALSA: ListedSystem { static let backend = DeviceBackend.alsa }

  private static let systems: [any DeviceSystem.Type] = [PipeWire.self, Pulse.self, ALSA.self]

  init() {
    Self.servers.withLock { servers in
      servers = [
        .pipeWire: Server(error: .noServer(backend: .pipeWire, reason: "test")),
        .pulseAudio: Server(devices: ["mic"]), .alsa: Server(devices: ["hw:0"]),
      ]
    }
  }

  /// Changes a sound system, and reports that if the system reports changes.
  private static func change(_ backend: DeviceBackend, _ body: (inout Server) -> Void) {
    servers.withLock { servers in
      body(&servers[backend, default: Server()])
      return servers[backend]?.change
    }?()
  }

  private static func queryCount(_ backend: DeviceBackend) -> Int {
    servers.withLock { $0[backend]?.queryCount ?? 0 }
  }

  /// Follows the devices for some seconds, and returns the ids of each list; another thread makes
  /// the changes, a second after each other.
  private func follow(
    _ scope: DeviceWatcher.Scope, of systems: [any DeviceSystem.Type] = systems, seconds: Int,
    _ changes: [@Sendable () -> Void] = []
  ) throws -> [[String]] {
    let wake = Semaphore()
    var watcher = DeviceWatcher(systems, scope) { wake.signal() }
    let thread = try #require(
      WorkerThread("test") {
        for change in changes {
          System.sleep(milliseconds: 1000)
          change()
        }
      })
    defer { thread.join() }
    var lists: [[String]] = []
    let end = System.nanoseconds + Int64(seconds) * 1_000_000_000
    while true {
      if let listings = watcher.refresh() { lists.append(listings.flatMap(\.devices).map(\.id)) }
      let rest = Int((end - System.nanoseconds) / 1_000_000)
      let isWoken = wake.wait(milliseconds: max(0, min(watcher.pause, rest)))
      if !isWoken && rest < watcher.pause { return lists }
    }
  }

  @Test func systemsWithoutChangesAreListedOnce() throws {
    #expect(try follow(.all, seconds: 3600) == [["mic", "hw:0"]])
    #expect([.pipeWire, .pulseAudio, .alsa].map(Self.queryCount) == [1, 1, 1])
    // An hour has 60 long pauses.
    #expect(Simulation.wakeUpCount < 130)
  }

  /// A program without sound systems must not list nothing in a loop.
  @Test func watcherWithoutSystemsSleeps() {
    var watcher = DeviceWatcher([], .all) {}
    for _ in 0..<2 {
      #expect(watcher.refresh() == nil)
      #expect(watcher.pause >= 10_000)
    }
  }

  @Test func onlyTheChangedSystemIsListedAgain() throws {
    let lists = try follow(
      .all, seconds: 10,
      [
        { Self.change(.pulseAudio) { $0.devices = ["usb", "mic"] } },
        {
          for number in 0..<5 {
            Self.change(.alsa) { $0.devices = ["hw:\(number)"] }
            System.sleep(milliseconds: 20)
          }
        },
      ])
    #expect(lists == [["mic", "hw:0"], ["usb", "mic", "hw:0"], ["usb", "mic", "hw:4"]])
    #expect([.pipeWire, .pulseAudio, .alsa].map(Self.queryCount) == [1, 2, 2])
  }

  @Test func hardwareIsLeftAloneWhileAServerWorks() throws {
    let lists = try follow(
      .preferred, seconds: 10,
      [
        { Self.change(.alsa) { $0.devices = ["hw:7"] } },
        { Self.change(.pulseAudio) { $0.error = .noServer(backend: .pulseAudio, reason: "test") } },
        {
          Self.change(.pipeWire) { server in
            server.error = nil
            server.devices = ["desk"]
          }
        },
      ])
    #expect(lists == [["mic"], ["hw:7"], ["desk"]])
    #expect(Self.queryCount(.alsa) == 1)
  }

  @Test func onlyUsableSystemsWithoutReportsArePolled() throws {
    Self.servers.withLock { servers in
      for backend in servers.keys { servers[backend]?.reports = false }
      servers[.pipeWire]?.error = .libraryMissing(library: "x.so", package: "x")
    }
    _ = try follow(.all, seconds: 11)
    #expect([.pipeWire, .pulseAudio, .alsa].map(Self.queryCount) == [1, 6, 6])
  }

  @Test func grantedPermissionUpdatesList() throws {
    Self.change(.pulseAudio) { $0.error = .permissionDenied(id: "microphone") }
    let lists = try follow(
      .preferred, of: [Pulse.self], seconds: 5,
      [{ Self.servers.withLock { $0[.pulseAudio]?.error = nil } }])
    #expect(lists.first == [] && lists.last == ["mic"])
    #expect(Self.queryCount(.pulseAudio) == 2)
  }

  @Test func preferredListingsStateAllReasons() throws {
    Self.change(.pulseAudio) { $0.devices = [] }
    Self.change(.alsa) { $0.devices = [] }
    var watcher = DeviceWatcher(Self.systems, .preferred) {}
    let refreshed = watcher.refresh()
    let listings = try #require(refreshed)
    let reasons: [DeviceError] = [
      .noServer(backend: .pipeWire, reason: "test"), .noDevice(for: .capture, backend: .pulseAudio),
      .noDevice(for: .capture, backend: .alsa),
    ]
    #expect(throws: DeviceError.nothingUsable(for: .capture, reasons)) {
      _ = try listings.preferred()
    }
  }

  // MARK: - Real systems

  /// The simulated PulseAudio server as a sound system.
  private enum SimulatedPulseSystem: WatchedSystem {
    static let backend = DeviceBackend.pulseAudio
    static let server = Lock<SimulatedPulse?>(nil)
    private static var address: String? { server.withLock { $0?.address } }

    static func checkAvailability(for direction: DeviceDirection) throws(DeviceError) {}

    static func devices(for direction: DeviceDirection) throws(DeviceError) -> [Device] {
      try PulseAudioSystem.devices(for: direction, server: address, SimulatedPulse.library)
    }

    static func watchDevices(
      _ change: @escaping @Sendable () -> Void
    ) -> (any Sendable & AnyObject)? {
      PulseAudioSystem.watchDevices(server: address, library: SimulatedPulse.library, change)
    }
  }

  @Test func idlePulseAudioServerIsLeftAlone() throws {
    let server = SimulatedPulse { $0.add(.init("mic")) }
    SimulatedPulseSystem.server.withLock { $0 = server }
    defer { SimulatedPulseSystem.server.withLock { $0 = nil } }
    let threadCount = Simulation.threadCount
    let lists = try follow(.all, of: [SimulatedPulseSystem.self], seconds: 600)
    #expect(lists.allSatisfy { $0 == ["mic"] })
    // The watch keeps a connection, and its first report causes a second query.
    #expect(server.connectionCount <= 3)
    // The thread of `follow` and the watch.
    #expect(Simulation.threadCount == threadCount + 2)
  }

  /// A server that is not there is searched for every 30 s, or when its socket is created.
  @Test(arguments: [DeviceBackend.pulseAudio, .pipeWire])
  func missingServerIsFoundWhenItsSocketIsCreated(backend: DeviceBackend) throws {
    let folder = FileManager.default.temporaryDirectory.path + "/run-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let sockets = folder + "/sound"
    let count = Atomic(0)
    let change: @Sendable () -> Void = { _ = count.add(1) }
    let pulse = SimulatedPulse { $0.add(.init("mic")) }
    let pipeWire = SimulatedPipeWire { $0.add(.init("mic")) }
    pulse.kill()
    pipeWire.kill()
    func restart() { if backend == .pulseAudio { pulse.restart() } else { pipeWire.restart() } }
    let watch =
      backend == .pulseAudio
      ? PulseAudioSystem.watchDevices(
        server: pulse.address, socketFolders: [sockets], library: SimulatedPulse.library, change)
      : PipeWireSystem.watchDevices(
        remote: pipeWire.address, socketFolders: [sockets], library: SimulatedPipeWire.library,
        change)
    System.sleep(milliseconds: 10)
    restart()
    System.sleep(milliseconds: 29_000)
    #expect(count.load(ordering: .relaxed) == 0)
    System.sleep(milliseconds: 1100)
    #expect(count.exchange(0) > 0)
    if backend == .pulseAudio { pulse.kill() } else { pipeWire.kill() }
    System.sleep(milliseconds: 10_000)
    #expect(count.exchange(0) > 0)
    // A folder that is not there yet is watched, too. The server listens after its socket is
    // created.
    try FileManager.default.createDirectory(atPath: sockets, withIntermediateDirectories: false)
    System.sleep(milliseconds: 100)
    restart()
    System.sleep(milliseconds: 1000)
    #expect(count.exchange(0) > 0)
    if backend == .pulseAudio { pulse.kill() } else { pipeWire.kill() }
    System.sleep(milliseconds: 10_000)
    restart()
    #expect(count.exchange(0) > 0)
    _ = FileManager.default.createFile(atPath: sockets + "/native", contents: nil)
    System.sleep(milliseconds: 100)
    #expect(count.exchange(0) > 0)
    withExtendedLifetime(watch) {}
  }

  @Test func socketsAreSearchedForWhereTheLibrariesDo() {
    let variables = ["XDG_RUNTIME_DIR": "/run/user/7"]
    let pulse = { PulseAudioSystem.socketFolders(of: $0) { variables[$0] } }
    #expect(pulse(nil) == ["/run/user/7/pulse", "/run/pulse"])
    #expect(pulse("tcp:host:4713").isEmpty)
    #expect(pulse("{pc}unix:/tmp/a/native /tmp/b/native host") == ["/tmp/a/", "/tmp/b/"])
    let pipeWire = { PipeWireSystem.socketFolders(of: $0) { variables[$0] } }
    #expect(pipeWire("pipewire-0") == ["/run/user/7", "/run/pipewire"])
    #expect(pipeWire("/tmp/a/pipewire-1") == ["/tmp/a/"])
  }

  @Test func cardsThatComeAndGoAreReported() throws {
    let folder = FileManager.default.temporaryDirectory.path + "/dev-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let cards = folder + "/snd"
    let count = Atomic(0)
    var watch = ALSASystem.watchDevices(in: cards) { _ = count.add(1) }
    #expect(watch != nil)
    func expectChange(_ isReported: Bool = true, _ change: () throws -> Void) throws {
      try change()
      System.sleep(milliseconds: 10)
      #expect((count.exchange(0) > 0) == isReported)
    }
    let files = FileManager.default
    try expectChange(false) { _ = files.createFile(atPath: folder + "/tty", contents: nil) }
    try expectChange {
      try files.createDirectory(atPath: cards, withIntermediateDirectories: false)
    }
    try expectChange { _ = files.createFile(atPath: cards + "/pcmC0D0c", contents: Data([1])) }
    try expectChange {
      try files.setAttributes([.posixPermissions: 0o600], ofItemAtPath: cards + "/pcmC0D0c")
    }
    try expectChange(false) { _ = files.contents(atPath: cards + "/pcmC0D0c") }
    try expectChange(false) { System.sleep(milliseconds: 600_000) }
    try expectChange { try files.removeItem(atPath: cards) }
    try expectChange {
      try files.createDirectory(atPath: cards, withIntermediateDirectories: false)
    }
    let start = System.seconds
    withExtendedLifetime(watch) {}
    watch = nil
    #expect(System.seconds - start < 0.001)
  }

  /// A sound system that only lists devices.
  fileprivate protocol WatchedSystem: DeviceSystem {}

  /// A sound system with the state of its backend in `servers`.
  fileprivate protocol ListedSystem: WatchedSystem {}
}

extension DeviceWatcherTests.WatchedSystem {
  static func makeSource(_ request: CaptureRequest) throws(DeviceError) -> any CaptureSource {
    throw .noDevice(for: .capture, backend: backend)
  }

  static func makeTarget(_ request: PlaybackRequest) throws(DeviceError) -> any PlaybackTarget {
    throw .noDevice(for: .playback, backend: backend)
  }
}

extension DeviceWatcherTests.ListedSystem {
  static func checkAvailability(for direction: DeviceDirection) throws(DeviceError) {
    let backend = backend
    let error = DeviceWatcherTests.servers.withLock { servers -> DeviceError? in
      servers[backend]?.queryCount += 1
      return servers[backend]?.error
    }
    if let error { throw error }
  }

  static func devices(for direction: DeviceDirection) -> [Device] {
    let backend = backend
    return DeviceWatcherTests.servers.withLock { $0[backend]?.devices ?? [] }
      .map { Device(backend: backend, id: $0, name: $0) }
  }

  static func watchDevices(
    _ change: @escaping @Sendable () -> Void
  ) -> (any Sendable & AnyObject)? {
    let backend = backend
    let reports = DeviceWatcherTests.servers.withLock { servers in
      servers[backend]?.change = change
      return servers[backend]?.reports == true
    }
    return reports ? Semaphore() : nil
  }
}
#endif
