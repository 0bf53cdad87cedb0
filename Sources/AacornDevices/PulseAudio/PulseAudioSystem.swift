#if os(Linux)
import AacornSystem
import CAacornPulseAudio

/// PulseAudio, or PipeWire's PulseAudio server.
public enum PulseAudioSystem: DeviceSystem {
  /// PulseAudio.
  public static var backend: DeviceBackend { .pulseAudio }

  /// Throws unless the library is present and a server responds.
  public static func checkAvailability(for direction: DeviceDirection) throws(DeviceError) {
    _ = try connect(to: nil, PulseLibrary())
  }

  /// Returns all sources (the default one, the other inputs, then the monitors of outputs) or all
  /// sinks, the default one first.
  public static func devices(for direction: DeviceDirection) throws(DeviceError) -> [Device] {
    try devices(for: direction, server: nil)
  }

  /// Returns the devices like `devices`, which already throws if no server responds.
  public static func availableDevices(
    for direction: DeviceDirection
  ) throws(DeviceError) -> [Device] {
    try devices(for: direction)
  }

  /// Creates a source for a request without opening a device.
  public static func makeSource(
    _ request: CaptureRequest
  ) throws(DeviceError) -> any CaptureSource {
    try PulseAudioSource(request)
  }

  /// Creates a target for a request without opening a device.
  public static func makeTarget(
    _ request: PlaybackRequest
  ) throws(DeviceError) -> any PlaybackTarget {
    try PulseAudioTarget(request)
  }

  /// Calls `change` whenever sources are added or removed or the default changes.
  public static func watchDevices(
    _ change: @escaping @Sendable () -> Void
  ) -> (any Sendable & AnyObject)? {
    watchDevices(server: nil, change)
  }

  /// Returns the devices of `server`; nil means the server in the user's settings.
  package static func devices(
    for direction: DeviceDirection, server: String?, _ library: PulseLibrary? = nil
  ) throws(DeviceError) -> [Device] {
    let connection = try connect(to: server, PulseLibrary(library))
    let deadline = PulseConnection.deadline
    do {
      let defaultName = try connection.defaultName(for: direction, until: deadline)
      let devices = try connection.devices(for: direction, until: deadline).map {
        $0.device(isDefault: $0.name == defaultName)
      }
      return devices.filter(\.isDefault)
        + devices.filter { !$0.isDefault && !$0.isMonitor }
        + devices.filter { !$0.isDefault && $0.isMonitor }
    } catch {
      throw error.deviceError(in: "list the devices of", of: "PulseAudio", connection.loop.library)
    }
  }

  /// Watches the devices of `server`; nil means the server in the user's settings.
  package static func watchDevices(
    server: String?, socketFolders: [String]? = nil, library: PulseLibrary? = nil,
    _ change: @escaping @Sendable () -> Void
  ) -> (any Sendable & AnyObject)? {
    let address = server ?? System.environment("PULSE_SERVER")
    let folders = socketFolders ?? self.socketFolders(of: address)
    guard let loop = try? PulseLoop(PulseLibrary(library)),
      let watch = ServerWatch(loop, socketFolders: folders)
    else { return nil }
    return DeviceListWatch(watch) { watch in
      watch.run { watch.server.watchUntilLost(server, change) }
    }
  }

  /// Returns the folders in which a server creates its socket: none for a server on another
  /// computer.
  ///
  /// - Parameters:
  ///   - address: The addresses of the server, such as `unix:/run/pulse/native tcp:host`; nil or
  ///     empty means the default.
  ///   - environment: Returns the value of an environment variable.
  /// - Returns: The folders; a folder may not exist.
  static func socketFolders(
    of address: String?, _ environment: (String) -> String? = System.environment
  ) -> [String] {
    if let address, !address.isEmpty {
      return address.split(separator: " ").compactMap { address in
        // An address can begin with the name of the computer for which it is, in braces.
        let path = address.first == "{" ? address.drop { $0 != "}" }.dropFirst() : address
        let file = path.hasPrefix("unix:") ? path.dropFirst(5) : path
        return file.first == "/" ? System.folder(of: String(file)) : nil
      }
    }
    let folder =
      environment("PULSE_RUNTIME_PATH") ?? environment("XDG_RUNTIME_DIR").map { $0 + "/pulse" }
    return [folder, "/run/pulse"].compactMap(\.self)
  }

  static func connect(
    to server: String?, _ library: PulseLibrary
  ) throws(DeviceError) -> PulseConnection {
    let loop = try PulseLoop(library)
    return try PulseConnection(
      loop, applicationName: "Aacorn", server: server, mayStartServer: true,
      until: PulseConnection.deadline)
  }
}

extension PulseLoop {
  /// Calls `change` whenever devices are added or removed or a default changes, until the end is
  /// requested or the server becomes unavailable; returns whether it was connected.
  func watchUntilLost(_ server: String?, _ change: @Sendable () -> Void) -> Bool {
    let deadline = PulseConnection.deadline
    guard
      let connection = try? PulseConnection(
        self, applicationName: "Aacorn", server: server, mayStartServer: false, until: deadline)
    else { return false }
    // Changes before the server reports them would be missed.
    var hasChanges = true
    connection.onDeviceChange = { hasChanges = true }
    guard (try? connection.watchDevices(until: deadline)) != nil else { return true }
    while connection.isGood {
      // Several changes in a row count as one.
      if hasChanges {
        hasChanges = false
        change()
      }
      if isEnding { return true }
      turn(until: System.nanoseconds + 60_000_000_000)
    }
    if !isEnding { change() }
    return true
  }
}

/// libpulse, loaded at run time.
@safe
package struct PulseLibrary: @unchecked Sendable {
  // Unchecked because of the pointer: its target never changes after it is published.

  /// The library's functions.
  let functions: UnsafePointer<aacorn_pulse_functions>

  /// Uses other functions, for tests.
  init(functions: UnsafePointer<aacorn_pulse_functions>) {
    unsafe self.functions = functions
  }

  /// Uses `library`, or the system's if it is nil, which the first call loads.
  init(_ library: PulseLibrary? = nil) throws(DeviceError) {
    self = if let library { library } else { try Self.system.get() }
  }

  private static let system: Result<PulseLibrary, DeviceError> = {
    let file = "libpulse.so.0"
    return unsafe System.loadLibrary(file, symbols: aacorn_pulse_symbols())
      .map { unsafe PulseLibrary(functions: UnsafePointer($0)) }
      .mapError { fault in
        switch fault {
        case .notLoaded: .libraryMissing(library: file, package: "libpulse0")
        case .noFunction: .libraryUnsuitable(library: file, reason: fault.text)
        }
      }
  }()

  /// Returns the library's message for one of its error numbers, in the system's language.
  func errorText(_ error: Int32) -> String {
    guard let words = unsafe functions.pointee.strerror(error) else { return "error \(error)" }
    return unsafe String(cString: words).lowercased()
  }
}

/// The reasons why a request to the server failed.
enum PulseFailure: Error, Equatable {
  /// The server rejected the request, for the reason with this number.
  case refused(Int32)
  /// The server did not respond in time.
  case noAnswer
  /// The connection ended.
  case disconnected
  /// The program requested the end during the wait.
  case ended

  /// The requested object does not exist on the server.
  static let unknown = PulseFailure.refused(
    Int32(bitPattern: AACORN_PULSE_ERROR_NO_ENTITY.rawValue))

  /// Converts the failure to a `DeviceError`.
  func deviceError(in operation: String, of id: String, _ library: PulseLibrary) -> DeviceError {
    switch self {
    case .refused(let number):
      switch aacorn_pulse_error(rawValue: UInt32(bitPattern: number)) {
      case AACORN_PULSE_ERROR_NO_ENTITY: .unknownDevice(id: id, backend: .pulseAudio)
      case AACORN_PULSE_ERROR_ACCESS: .permissionDenied(id: id)
      case AACORN_PULSE_ERROR_BUSY: .deviceBusy(id: id)
      case AACORN_PULSE_ERROR_INVALID: .unsupportedFormat(id: id, reason: library.errorText(number))
      default: .system(operation: operation, id: id, reason: library.errorText(number))
      }
    case .noAnswer: .noServer(backend: .pulseAudio, reason: "it does not respond")
    case .disconnected: .noServer(backend: .pulseAudio, reason: "it closed the connection")
    case .ended: .system(operation: operation, id: id, reason: "the operation was canceled")
    }
  }
}

/// libpulse's loop, which waits for the server and calls back.
///
/// One thread runs it and is the only one to call libpulse, so nothing of the library needs a lock.
/// The library's own threaded loop is not used: its lock is held during callbacks, which makes
/// programs hang in `stop`.
@safe
final class PulseLoop: DeviceRun, @unchecked Sendable {
  // Unchecked because of the pointer. Only `requestEnd` is called on other threads; it wakes the
  // loop by writing a byte to a pipe.

  // Every step of opening has its own time limit except the start of a server. So this limit is for
  // all steps together.
  static let openTimeout: Int64? = 20_000_000_000
  let endTimeout = 950

  let library: PulseLibrary
  /// The status of the thread that runs the loop.
  let status = DeviceStatus()
  /// The gate to the sink or the feed of the thread that runs the loop.
  let gate = DeviceGate()
  private let handle: OpaquePointer
  private let endTime = Atomic<Int64>(.max)

  init(_ library: PulseLibrary) throws(DeviceError) {
    self.library = library
    guard let handle = unsafe library.functions.pointee.mainloop_new() else {
      throw .system(
        operation: "use", id: "PulseAudio", reason: "the system has no memory or descriptors left")
    }
    unsafe self.handle = handle
  }

  deinit {
    unsafe library.functions.pointee.mainloop_free(handle)
  }

  var timeoutError: DeviceError { .noServer(backend: .pulseAudio, reason: "it does not respond") }

  /// The loop's interface for new contexts.
  var api: OpaquePointer? { unsafe library.functions.pointee.mainloop_get_api(handle) }

  /// Whether the end was requested.
  var isEnding: Bool { endTime.load(ordering: .acquiring) != .max }

  /// The time at which the end was requested.
  var endRequestTime: Int64 { endTime.load(ordering: .acquiring) }

  /// Requests the thread that runs the loop to finish; for any thread.
  func requestEnd() {
    endTime.replace(.max, with: System.nanoseconds)
    unsafe library.functions.pointee.mainloop_wakeup(handle)
  }

  /// Waits for an event, until `deadline` at the latest, and handles it.
  func turn(until deadline: Int64) {
    let microseconds = Int32(clamping: max(0, deadline - System.nanoseconds + 999) / 1000)
    let functions = unsafe library.functions
    guard unsafe functions.pointee.mainloop_prepare(handle, microseconds) >= 0,
      unsafe functions.pointee.mainloop_poll(handle) >= 0,
      unsafe functions.pointee.mainloop_dispatch(handle) >= 0
    else {
      // An error has never been observed here. The pause prevents a broken loop from using a whole
      // processor.
      return System.sleep(milliseconds: 10)
    }
  }
}
#endif
