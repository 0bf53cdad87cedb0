#if os(Linux)
import AacornSystem
import CAacornPipeWire

/// PipeWire through its native interface.
public enum PipeWireSystem: DeviceSystem {
  /// The backend that this system implements.
  public static let backend = DeviceBackend.pipeWire

  /// The first version chosen automatically; older ones report incomplete information.
  package static let minimumVersion = PipeWireVersion(1, 0, 0)
  /// The oldest version that works.
  package static let oldestVersion = PipeWireVersion(0, 3, 65)

  /// Throws the reason if the system cannot be used now.
  public static func checkAvailability(for direction: DeviceDirection) throws(DeviceError) {
    try checkAvailability(allowingOld: false)
  }

  /// Throws the reason if the system cannot be used now.
  ///
  /// With `allowingOld`, versions from 0.3.65 on are accepted.
  package static func checkAvailability(
    allowingOld: Bool, remote: String? = nil
  ) throws(DeviceError) {
    try PipeWireLibrary.check(allowingOld: allowingOld)
    _ = try graph(remote)
  }

  /// Returns the available devices, the default device first, then inputs before monitors.
  public static func devices(for direction: DeviceDirection) throws(DeviceError) -> [Device] {
    try devices(for: direction, remote: nil)
  }

  /// Returns the devices; throws the reason if the system cannot be used now.
  public static func availableDevices(
    for direction: DeviceDirection
  ) throws(DeviceError) -> [Device] {
    try PipeWireLibrary.check(allowingOld: false)
    return try graph(nil).devices(for: direction)
  }

  /// Returns the devices of the server at a socket.
  package static func devices(
    for direction: DeviceDirection, remote: String?
  ) throws(DeviceError) -> [Device] {
    try PipeWireLibrary.check(allowingOld: true)
    return try graph(remote).devices(for: direction)
  }

  /// Creates a source for a request without opening a device.
  public static func makeSource(
    _ request: CaptureRequest
  ) throws(DeviceError) -> any CaptureSource {
    try PipeWireLibrary.check(allowingOld: true)
    return PipeWireSource(request)
  }

  /// Creates a target for a request without opening a device.
  public static func makeTarget(
    _ request: PlaybackRequest
  ) throws(DeviceError) -> any PlaybackTarget {
    try PipeWireLibrary.check(allowingOld: true)
    return PipeWireTarget(request)
  }

  /// Calls `change` (on any thread) whenever devices or the default change, until the result is
  /// released; nil for a version that is not chosen automatically.
  public static func watchDevices(
    _ change: @escaping @Sendable () -> Void
  ) -> (any Sendable & AnyObject)? {
    if (try? PipeWireLibrary.check(allowingOld: false)) == nil { return nil }
    return watchDevices(remote: nil, change)
  }

  /// Watches the devices of the server at a socket.
  package static func watchDevices(
    remote: String?, socketFolders: [String]? = nil, library: PipeWireLibrary? = nil,
    _ change: @escaping @Sendable () -> Void
  ) -> (any Sendable & AnyObject)? {
    if library == nil, (try? PipeWireLibrary.check(allowingOld: true)) == nil { return nil }
    let worker = PipeWireWorker(remote: remote, library ?? .system)
    let name = remote ?? System.environment("PIPEWIRE_REMOTE")
    let folders = socketFolders ?? self.socketFolders(of: name)
    guard let watch = ServerWatch(worker, socketFolders: folders) else { return nil }
    return DeviceListWatch(watch) { watch in
      let worker = watch.server
      guard let connection = try? PipeWireConnection(worker.library, wake: worker.wake) else {
        return
      }
      defer { connection.close() }
      watch.run { worker.watchUntilLost(connection, change) }
    }
  }

  /// Returns the folders in which a server can create its socket.
  ///
  /// - Parameters:
  ///   - name: The name or path of the socket; nil means the default.
  ///   - environment: Returns the value of an environment variable.
  /// - Returns: The folders; a folder may not exist.
  static func socketFolders(
    of name: String?, _ environment: (String) -> String? = System.environment
  ) -> [String] {
    if let name, name.hasPrefix("/") { return [System.folder(of: name)] }
    let folder = environment("PIPEWIRE_RUNTIME_DIR") ?? environment("XDG_RUNTIME_DIR")
    return [folder, "/run/pipewire"].compactMap(\.self)
  }

  /// Returns the current state of the server at a socket.
  static func graph(
    _ remote: String?, _ library: PipeWireLibrary = .system
  ) throws(DeviceError) -> PipeWireGraph {
    let connection = try PipeWireConnection(library, wake: Semaphore())
    defer { connection.close() }
    try connection.connect(to: remote, applicationName: "Aacorn")
    return connection.graph
  }
}

extension PipeWireWorker {
  /// Calls `change` whenever devices or the default change, until the end is requested or the
  /// server becomes unavailable; returns whether it was connected.
  func watchUntilLost(_ connection: PipeWireConnection, _ change: @Sendable () -> Void) -> Bool {
    let isConnected =
      (try? connection.connect(
        to: remote, applicationName: "Aacorn", unless: { isStopping })) != nil
    guard isConnected else { return false }
    defer { connection.disconnect() }
    var known: [Device] = []
    while !isStopping {
      let graph = connection.graph
      let devices = graph.failure == nil ? graph.devices(for: .capture) : []
      if known != devices { change() }
      known = devices
      if graph.failure != nil { break }
      _ = wake.wait(milliseconds: 60_000)
    }
    return true
  }
}

/// PipeWire's client library, loaded at run time.
@safe
package struct PipeWireLibrary: @unchecked Sendable {
  // Unchecked because of the pointer: its target is constant.

  /// The library's functions, which stay loaded until the program ends; nil if they are missing.
  let functions: UnsafePointer<aacorn_pw_library>?

  /// Uses other functions, for tests.
  init(functions: UnsafePointer<aacorn_pw_library>?) {
    unsafe self.functions = functions
  }

  /// The library of the system.
  package static var system: PipeWireLibrary {
    unsafe PipeWireLibrary(functions: try? loaded.get())
  }

  private static let file = "libpipewire-0.3.so.0"

  private nonisolated(unsafe) static let loaded = {
    let result = unsafe load(file)
    if let functions = unsafe try? result.get().pointee {
      functions.`init`(nil, nil)
      // Disable the library's log unless the user has configured it: this program reports errors
      // itself.
      if System.environment("PIPEWIRE_DEBUG") == nil { functions.log_set_level(0) }
    }
    return unsafe result
  }()

  /// Loads a file as the library.
  static func load(_ file: String) -> Result<UnsafePointer<aacorn_pw_library>, DeviceError> {
    unsafe System.loadLibrary(file, symbols: aacorn_pw_symbols())
      .map { unsafe UnsafePointer($0) }
      .mapError { fault in
        switch fault {
        case .notLoaded: .libraryMissing(library: file, package: "libpipewire-0.3-0")
        case .noFunction:
          .libraryUnsuitable(
            library: file, reason: "it does not have all functions of PipeWire 0.3.65")
        }
      }
  }

  /// Loads the library, or throws the reason why it cannot be used.
  static func check(allowingOld: Bool) throws(DeviceError) {
    let version = unsafe try loaded.get().pointee.get_library_version()
    try unsafe check(version: version.map { unsafe String(cString: $0) }, allowingOld: allowingOld)
  }

  /// Throws the reason why the version of the library cannot be used.
  static func check(version: String?, allowingOld: Bool) throws(DeviceError) {
    guard let version, let number = PipeWireVersion(version) else {
      throw .libraryUnsuitable(library: file, reason: "it does not report its version")
    }
    if number < PipeWireSystem.oldestVersion {
      throw .libraryUnsuitable(
        library: file,
        reason: "it is version \(version); the oldest supported version is"
          + " \(PipeWireSystem.oldestVersion)")
    }
    if !allowingOld && number < PipeWireSystem.minimumVersion {
      throw .notPreferred(
        .pipeWire, version: version, minimum: PipeWireSystem.minimumVersion.description)
    }
  }
}

/// A version of PipeWire, such as 1.0.5.
package struct PipeWireVersion: Comparable, Sendable {
  package let major: Int
  package let minor: Int
  package let micro: Int

  package init(_ major: Int, _ minor: Int, _ micro: Int) {
    self.major = major
    self.minor = minor
    self.micro = micro
  }

  /// Parses a version; nil if the text does not begin with two numbers.
  package init?(_ text: String) {
    let numbers = text.split(separator: ".", omittingEmptySubsequences: false).map { part in
      Int(part.prefix { "0"..."9" ~= $0 })
    }
    guard numbers.count >= 2, let major = numbers[0], let minor = numbers[1] else { return nil }
    self.init(major, minor, numbers.count > 2 ? numbers[2] ?? 0 : 0)
  }

  package static func < (first: Self, second: Self) -> Bool {
    (first.major, first.minor, first.micro) < (second.major, second.minor, second.micro)
  }
}

extension PipeWireVersion: CustomStringConvertible {
  package var description: String { "\(major).\(minor).\(micro)" }
}
#endif
