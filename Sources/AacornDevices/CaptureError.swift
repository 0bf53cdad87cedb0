import AacornSystem

/// The reasons why audio cannot be captured.
public enum CaptureError: Error, Equatable, Sendable {
  /// A system library is not installed; with its file name and Debian's package.
  case libraryMissing(library: String, package: String)
  /// The library is too old or lacks a function.
  case libraryUnsuitable(library: String, reason: String)
  /// No sound server responds.
  case noServer(backend: CaptureBackend, reason: String)
  /// No device is available.
  case noDevice(backend: CaptureBackend)
  /// No device with that id exists.
  case unknownDevice(id: String, backend: CaptureBackend)
  /// Several devices have that name; with their ids.
  case ambiguousDevice(name: String, ids: [String])
  /// The device is in use by another program.
  case deviceBusy(id: String)
  /// Another app of the phone, such as a call, uses the audio, and this app may not interrupt it
  /// now.
  ///
  /// `canMix` states whether this app may play or capture at the same time.
  case cannotInterrupt(canMix: Bool)
  /// The source is already capturing for another recording of this program, which continues.
  case alreadyRunning(id: String)
  /// The user or the system denies access.
  case permissionDenied(id: String)
  /// The device cannot deliver the requested format.
  case unsupportedFormat(id: String, reason: String)
  /// Voice processing is unavailable.
  case noVoiceProcessing(reason: String)
  /// No capture system is usable; with the error of each tried system, and the requested device.
  case nothingUsable([CaptureError], device: String? = nil)
  /// This system does not exist on this platform.
  case backendUnavailable(CaptureBackend)
  /// A file to play cannot be read.
  case unreadableFile(path: String, reason: String)
  /// A file that was played is damaged or truncated; `reason` is a clause that follows the file's
  /// name.
  case damagedFile(path: String, reason: String)
  /// Any other error, in the system's words.
  case system(operation: String, id: String, reason: String)
}

extension CaptureError {
  /// The message: what happened and what to do, in sentences.
  public var message: String { message(recoverySuggestion) }

  /// Returns the message with a program's own recovery suggestion.
  ///
  /// The suggestion is a sentence or, if no system is usable, the second half of one.
  package func message(_ suggestion: String?) -> String {
    if case .nothingUsable(let errors, let device) = self {
      return Self.nothingUsable(errors, device: device, alternative: suggestion ?? "")
    }
    let start = clause.prefix(1).uppercased() + clause.dropFirst()
    return displayed(suggestion.map { "\(start). \($0)" } ?? "\(start).")
  }

  /// Whether the audio was delivered, but is incomplete.
  package var isDamage: Bool { if case .damagedFile = self { true } else { false } }

  /// The reason for the failure as a clause.
  private var clause: String {
    switch self {
    case .libraryMissing(let library, _): "the library \(library) is not installed"
    case .libraryUnsuitable(let library, let reason):
      "the library \(library) is unsuitable: \(reason)"
    case .noServer(let backend, let reason): "no \(backend.title) server answers (\(reason))"
    case .noDevice(let backend): "\(backend.title) has no input"
    case .unknownDevice(let id, let backend): "\(backend.title) has no device “\(id)”"
    case .ambiguousDevice(let name, let ids):
      "“\(name)” matches several devices: \(ids.joined(separator: ", "))"
    case .deviceBusy(let id): "the device “\(id)” is in use by another program"
    case .cannotInterrupt: Self.interruptionClause
    case .alreadyRunning(let id): "“\(id)” is in use by another recording of this program"
    case .permissionDenied(let id): "access to “\(id)” is not permitted"
    case .unsupportedFormat(let id, let reason):
      "the device “\(id)” does not support this format: \(reason)"
    case .noVoiceProcessing(let reason): "echo and noise cannot be removed: \(reason)"
    case .nothingUsable: "no microphone was found"
    case .backendUnavailable(let backend): "\(backend.title) does not exist on this system"
    case .unreadableFile(let path, let reason): "cannot read “\(path)”: \(reason)"
    case .damagedFile(let path, let reason): "“\(path)” \(reason)"
    case .system(let operation, let id, let reason): "could not \(operation) “\(id)”: \(reason)"
    }
  }

  /// The recovery suggestion, if it is the same in every program.
  private var recoverySuggestion: String? {
    switch self {
    case .libraryMissing(_, let package): "On Debian it is in the package \(package)."
    case .libraryUnsuitable: "Update it, or select another sound system."
    case .noServer: "Start it, or choose another sound system."
    case .noDevice: "Connect a microphone."
    case .unknownDevice: "Choose another device."
    case .ambiguousDevice: "Choose one by its id."
    case .deviceBusy: "Close that program, or choose another device."
    case .cannotInterrupt(let canMix): Self.interruptionSuggestion(canMix: canMix)
    case .alreadyRunning: "Stop that recording, or create another source."
    case .permissionDenied: "Check its permissions (group audio), or the privacy settings."
    case .noVoiceProcessing: "Record without voice processing."
    case .nothingUsable: "record a test signal instead"
    case .backendUnavailable: "Choose another sound system."
    case .unsupportedFormat, .unreadableFile, .damagedFile, .system: nil
    }
  }

  /// The message for audio that may not be interrupted, also used for playback.
  static let interruptionClause =
    "another app, such as a call, uses the audio, and this app may not interrupt it now"

  /// Returns the recovery suggestion for `interruptionClause`.
  static func interruptionSuggestion(canMix: Bool) -> String {
    canMix
      ? "Try again when that ends or this app is in the foreground,"
        + " or mix both with CoreAudioSessionOptions(otherAudio: .mix)."
      : "Try again when that ends."
  }

  /// Returns the message for "no usable microphone", with a remedy and a short reason for each
  /// system.
  private static func nothingUsable(
    _ errors: [CaptureError], device: String?, alternative: String
  ) -> String {
    if errors.isEmpty { return "No sound system was found to capture from." }
    let sought = device.map { "Neither the device “\($0)” nor another microphone was found" }
    let reasons = errors.map(\.clause).joined(separator: "; ")
    let remedy = errors.map(\.unavailability).remedy(
      connecting: "Connect one",
      permitting: "Check the permissions of microphones (group audio), or the privacy settings")
    return displayed(
      "\(sought ?? "No microphone was found"). \(remedy), or \(alternative)."
        + " Tried: \(reasons).")
  }

  /// The kind of the error, by which a remedy is chosen.
  private var unavailability: SoundSystemUnavailable {
    switch self {
    case .libraryMissing(_, let package): .package(package)
    case .noServer: .server
    case .permissionDenied: .permission
    case .libraryUnsuitable, .backendUnavailable: .other
    default: .device
    }
  }
}

extension CaptureError: CustomStringConvertible {
  /// The message, so that printing the error is useful.
  public var description: String { message }
}
