#if os(Linux)
import AacornSystem
import CAacornALSA

/// Capture and playback through alsa-lib.
public enum ALSASystem: DeviceSystem {
  /// The backend that this system implements.
  public static var backend: DeviceBackend { .alsa }

  /// Throws if the library is missing; it does not check for devices.
  public static func checkAvailability(for direction: DeviceDirection) throws(DeviceError) {
    _ = try ALSALibrary()
  }

  /// Returns the devices, including devices in use by other programs, without opening any.
  public static func devices(for direction: DeviceDirection) throws(DeviceError) -> [Device] {
    ALSADevices(library: try ALSALibrary(), direction: direction).all
  }

  /// Creates a source for a request without opening a device.
  public static func makeSource(
    _ request: CaptureRequest
  ) throws(DeviceError) -> any CaptureSource {
    try ALSASource(request, library: ALSALibrary())
  }

  /// Creates a target for a request without opening a device.
  public static func makeTarget(
    _ request: PlaybackRequest
  ) throws(DeviceError) -> any PlaybackTarget {
    // Check the name here: the target does not report why it cannot examine a device.
    if let id = request.device.pinnedID { try ALSAName.check(id) }
    return ALSATarget(request, library: try ALSALibrary())
  }

  /// Calls `change` whenever the device files of sound cards change, until the result is released.
  ///
  /// Changes of ALSA's configuration are not reported.
  public static func watchDevices(
    _ change: @escaping @Sendable () -> Void
  ) -> (any Sendable & AnyObject)? {
    watchDevices(in: "/dev/snd", change)
  }

  /// Watches the folder of device files; without a sound card, it does not exist.
  static func watchDevices(
    in folder: String, _ change: @escaping @Sendable () -> Void
  ) -> (any Sendable & AnyObject)? {
    FolderWatch([folder]).flatMap { watch in
      DeviceListWatch(watch) { watch in while watch.wait() { change() } }
    }
  }
}

/// alsa-lib, loaded on first use.
@safe
struct ALSALibrary: @unchecked Sendable {
  // Unchecked because of the pointer: its target is constant.

  /// The library's functions, which stay loaded until the program ends.
  let functions: UnsafePointer<aacorn_alsa_functions>

  /// Uses other functions, for tests.
  init(functions: UnsafePointer<aacorn_alsa_functions>) {
    unsafe self.functions = functions
  }

  /// Uses `library`, or the system's if it is nil; throws the reason why it cannot be loaded.
  init(_ library: ALSALibrary? = nil) throws(DeviceError) {
    self = if let library { library } else { try Self.system.get() }
  }

  private static let system: Result<ALSALibrary, DeviceError> = {
    let file = "libasound.so.2"
    return unsafe System.loadLibrary(file, symbols: aacorn_alsa_symbols())
      .map { functions in
        unsafe aacorn_alsa_prepare(functions)
        return unsafe ALSALibrary(functions: UnsafePointer(functions))
      }
      .mapError { fault in
        System.isMissing(file, accordingTo: fault.text)
          ? .libraryMissing(library: file, package: "libasound2")
          : .libraryUnsuitable(library: file, reason: fault.text)
      }
  }()

  /// Converts a library error; `code` is the negative result.
  func error(_ code: Int32, in operation: String, of id: String) -> DeviceError {
    switch aacorn_alsa_cause_of(Int(code)) {
    case AACORN_ALSA_ABSENT: .unknownDevice(id: id, backend: .alsa)
    case AACORN_ALSA_BUSY: .deviceBusy(id: id)
    case AACORN_ALSA_FORBIDDEN: .permissionDenied(id: id)
    default: .system(operation: operation, id: id, reason: message(for: code))
    }
  }

  /// Returns the library's message for an error code.
  func message(for code: Int32) -> String {
    let message = unsafe System.text(functions.pointee.strerror(code))
    let libraryMessage = unsafe System.text(aacorn_alsa_complaint())
      .split(whereSeparator: \.isNewline).joined(separator: " ")
    return libraryMessage.isEmpty ? message : "\(message); \(libraryMessage)"
  }

  /// Opens a device; fails immediately if it is in use.
  func open(
    _ id: String, for direction: DeviceDirection
  ) throws(DeviceError) -> OpaquePointer {
    try ALSAName.check(id)
    aacorn_alsa_forget_complaint()
    var pcm: OpaquePointer?
    let code = unsafe functions.pointee.pcm_open(
      &pcm, id, direction.number, Int32(AACORN_ALSA_NONBLOCK))
    guard code >= 0, let pcm = unsafe pcm else { throw error(code, in: "open", of: id) }
    return unsafe pcm
  }

  /// The numbers of the sound cards present.
  var cards: [Int32] {
    var cards: [Int32] = []
    var card: Int32 = -1
    while unsafe functions.pointee.card_next(&card) >= 0, card >= 0 { cards.append(card) }
    return cards
  }

  /// Makes the library reread its configuration, parts of which come with the cards.
  func discardConfiguration() {
    _ = unsafe functions.pointee.config_update_free_global()
  }
}

/// The rules for the names of ALSA's devices.
///
/// A name can have arguments, and these can be the name or the definition of another device. So a
/// name can make alsa-lib write a file (`file:`, `tee:`), run a command (a file that begins with
/// `|`) or define anything else (`{…}`).
enum ALSAName {
  /// Throws if opening a device of this name could do more than open a device from the
  /// configuration.
  static func check(_ name: String) throws(DeviceError) {
    if hasHarmlessArguments(name) { return }
    throw .system(
      operation: "open", id: name,
      reason:
        "with this name, ALSA could run a command or open a file; if you trust it, define the "
        + "device in ~/.asoundrc and choose it by its name there")
  }

  /// Whether a name is a name from the configuration with harmless arguments.
  ///
  /// Harmless arguments contain no definition, and no name that opens a file. A path alone is
  /// harmless: it can only be an argument of a definition that the user wrote, or of a device such
  /// as `oss:/dev/dsp`.
  static func hasHarmlessArguments(_ name: String) -> Bool {
    // Without arguments the configuration alone defines the device.
    guard name.contains(":") else { return !name.contains { "{}|".contains($0) } }
    guard name.unicodeScalars.allSatisfy(isHarmless) else { return false }
    // Arguments can be names, in quotes or after a key.
    let words = name.split { " .,:=+'\"".contains($0) }
    return !words.contains { ["file", "tee"].contains($0) }
  }

  /// Whether a character is a letter, a digit or another harmless part of names and arguments.
  ///
  /// It excludes escapes in quoted text, the braces of definitions and the `|` of a command.
  private static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
    " _-.,:=+/'\"".unicodeScalars.contains(scalar) || scalar.properties.isAlphabetic
      || scalar.properties.numericType != nil
  }
}

extension DeviceDirection {
  /// The library's number for the direction.
  var number: UInt32 {
    switch self {
    case .capture: UInt32(AACORN_ALSA_STREAM_CAPTURE)
    case .playback: UInt32(AACORN_ALSA_STREAM_PLAYBACK)
    }
  }

  /// The text by which the library's hints mark a device that has only the other direction.
  var oppositeHint: String {
    switch self {
    case .capture: "Output"
    case .playback: "Input"
    }
  }
}
#endif
