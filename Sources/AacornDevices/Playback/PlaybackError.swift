import AacornSystem

/// The reasons why audio cannot be played.
public enum PlaybackError: Error, Equatable, Sendable {
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
  /// `canMix` states whether this app may play at the same time.
  case cannotInterrupt(canMix: Bool)
  /// The target already plays another feed of this program, and continues.
  case alreadyRunning(id: String)
  /// The user or the system denies access.
  case permissionDenied(id: String)
  /// The device cannot play the requested format.
  case unsupportedFormat(id: String, reason: String)
  /// No playback system is usable; with the error of each tried system, and the requested device.
  case nothingUsable([PlaybackError], device: String? = nil)
  /// This system does not exist on this platform.
  case backendUnavailable(CaptureBackend)
  /// Any other error, in the system's words.
  case system(operation: String, id: String, reason: String)
}

extension PlaybackError {
  /// The message: what happened and what to do, in sentences.
  public var message: String { message(recoverySuggestion) }

  /// Returns the message with a program's own recovery suggestion.
  ///
  /// The suggestion is complete or, if no system is usable, continues the message.
  package func message(_ suggestion: String?) -> String {
    if case .nothingUsable(let errors, let device) = self {
      return Self.nothingUsable(errors, device: device, alternative: suggestion)
    }
    let start = clause.prefix(1).uppercased() + clause.dropFirst()
    return displayed(suggestion.map { "\(start). \($0)" } ?? "\(start).")
  }

  /// The reason for the failure as a clause.
  private var clause: String {
    switch self {
    case .libraryMissing(let library, _): return "the library \(library) is not installed"
    case .libraryUnsuitable(let library, let reason):
      return "the library \(library) is unsuitable: \(reason)"
    case .noServer(let backend, let reason):
      return "no \(backend.title) server answers (\(reason))"
    case .noDevice(let backend): return "\(backend.title) has no output"
    case .unknownDevice(let id, let backend): return "\(backend.title) has no device “\(id)”"
    case .ambiguousDevice(let name, let ids):
      return "“\(name)” matches several devices: \(ids.joined(separator: ", "))"
    case .deviceBusy(let id): return "the device “\(id)” is in use by another program"
    case .cannotInterrupt: return CaptureError.interruptionClause
    case .alreadyRunning(let id): return "“\(id)” is in use by another playback of this program"
    case .permissionDenied(let id): return "access to “\(id)” is not permitted"
    case .unsupportedFormat(let id, let reason):
      return "the device “\(id)” does not support this format: \(reason)"
    case .nothingUsable: return "no loudspeaker was found"
    case .backendUnavailable(let backend): return "\(backend.title) does not exist on this system"
    case .system(let operation, let id, let reason):
      return "could not \(operation) “\(id)”: \(reason)"
    }
  }

  /// The recovery suggestion, if it is the same in every program.
  private var recoverySuggestion: String? {
    switch self {
    case .libraryMissing(_, let package): "On Debian it is in the package \(package)."
    case .libraryUnsuitable: "Update it, or select another sound system."
    case .noServer: "Start it, or choose another sound system."
    case .noDevice: "Connect loudspeakers or headphones."
    case .unknownDevice: "Choose another device."
    case .ambiguousDevice: "Choose one by its id."
    case .deviceBusy: "Close that program, or choose another device."
    case .cannotInterrupt(let canMix): CaptureError.interruptionSuggestion(canMix: canMix)
    case .alreadyRunning: "Stop that playback, or create another target."
    case .permissionDenied: "Check its permissions (group audio)."
    case .backendUnavailable: "Choose another sound system."
    case .unsupportedFormat, .nothingUsable, .system: nil
    }
  }

  /// Returns the message for "no usable loudspeaker", with a remedy and a short reason for each
  /// system.
  private static func nothingUsable(
    _ errors: [PlaybackError], device: String?, alternative: String?
  ) -> String {
    let sought = device.map { "Neither the device “\($0)” nor another loudspeaker was found" }
    let remedy = errors.map(\.unavailability).remedy(
      connecting: "Connect one", permitting: "Check the permissions of sound devices (group audio)")
    let tried = errors.map(\.clause).joined(separator: "; ")
    return displayed(
      "\(sought ?? "No loudspeaker was found"). \(remedy)\(alternative.map { ", or " + $0 } ?? "")."
        + (tried.isEmpty ? "" : " Tried: \(tried)."))
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

extension PlaybackError: CustomStringConvertible {
  /// The message, so that printing the error is useful.
  public var description: String { message }
}

extension PlaybackError {
  /// Returns the result of the body; converts its `CaptureError` to a `PlaybackError`.
  package static func translating<Result>(
    _ body: () throws(CaptureError) -> Result
  ) throws(PlaybackError) -> Result {
    do {
      return try body()
    } catch {
      throw PlaybackError(error)
    }
  }

  /// Converts a capture error with the same reason, since systems share their connections.
  public init(_ error: CaptureError) {
    self =
      switch error {
      case .libraryMissing(let library, let package):
        .libraryMissing(library: library, package: package)
      case .libraryUnsuitable(let library, let reason):
        .libraryUnsuitable(library: library, reason: reason)
      case .noServer(let backend, let reason): .noServer(backend: backend, reason: reason)
      case .noDevice(let backend): .noDevice(backend: backend)
      case .unknownDevice(let id, let backend): .unknownDevice(id: id, backend: backend)
      case .ambiguousDevice(let name, let ids): .ambiguousDevice(name: name, ids: ids)
      case .deviceBusy(let id): .deviceBusy(id: id)
      case .cannotInterrupt(let canMix): .cannotInterrupt(canMix: canMix)
      case .alreadyRunning(let id): .alreadyRunning(id: id)
      case .permissionDenied(let id): .permissionDenied(id: id)
      case .unsupportedFormat(let id, let reason): .unsupportedFormat(id: id, reason: reason)
      case .nothingUsable(let errors, let device):
        .nothingUsable(errors.map { PlaybackError($0) }, device: device)
      case .backendUnavailable(let backend): .backendUnavailable(backend)
      case .noVoiceProcessing(let reason), .unreadableFile(_, let reason),
        .damagedFile(_, let reason):
        .system(operation: "open", id: "", reason: reason)
      case .system(let operation, let id, let reason):
        .system(operation: operation, id: id, reason: reason)
      }
  }
}
