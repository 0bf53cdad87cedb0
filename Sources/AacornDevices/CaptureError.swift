import AacornSystem

/// Why audio cannot be captured.
public enum CaptureError: Error, Equatable, Sendable {
  /// A system library is not installed; with its file name and Debian's package.
  case libraryMissing(library: String, package: String)
  /// The library is too old or lacks a function.
  case libraryUnsuitable(library: String, reason: String)
  /// No sound server answers.
  case noServer(backend: CaptureBackend, reason: String)
  /// There is no device at all.
  case noDevice(backend: CaptureBackend)
  /// There is no device with that name.
  case unknownDevice(id: String, backend: CaptureBackend)
  /// Several devices are called so; with their ids.
  case ambiguousDevice(name: String, ids: [String])
  /// The device is in use by another program.
  case deviceBusy(id: String)
  /// Another app of the phone has the sound, such as a call, and this one may not interrupt it now;
  /// whether it may be heard beside that one.
  case cannotInterrupt(canMix: Bool)
  /// The source captures for another recording of this program, which goes on.
  case alreadyRunning(id: String)
  /// The user or the system does not allow it.
  case permissionDenied(id: String)
  /// The device cannot deliver what was requested.
  case unsupportedFormat(id: String, reason: String)
  /// Voice processing is unavailable.
  case noVoiceProcessing(reason: String)
  /// No capture system is usable here; lists what was tried, and why it failed, and the device that
  /// was sought by its name.
  case nothingUsable([CaptureError], device: String? = nil)
  /// This system does not exist on this platform.
  case backendUnavailable(CaptureBackend)
  /// A file to play cannot be read.
  case unreadableFile(path: String, reason: String)
  /// A file that was played is damaged or cut off; the reason follows its name.
  case damagedFile(path: String, reason: String)
  /// Any other error, in the system's words.
  case system(operation: String, id: String, reason: String)
}

extension CaptureError {
  /// What happened and what to do, in sentences.
  public var sentence: String { sentence(advice) }

  /// What happened and what to do, with the latter in words of a program's own: in a sentence or,
  /// where nothing is usable, in the second half of one.
  package func sentence(_ advice: String?) -> String {
    if case .nothingUsable(let errors, let device) = self {
      return Self.nothingUsable(errors, device: device, alternative: advice ?? "")
    }
    let start = clause.prefix(1).uppercased() + clause.dropFirst()
    return displayed(advice.map { "\(start). \($0)" } ?? "\(start).")
  }

  /// Whether the sound was delivered, but is incomplete.
  package var isDamage: Bool { if case .damagedFile = self { true } else { false } }

  /// What happened, as a clause.
  private var clause: String {
    switch self {
    case .libraryMissing(let library, _): "the library \(library) is not installed"
    case .libraryUnsuitable(let library, let reason):
      "the library \(library) cannot be used (\(reason))"
    case .noServer(let backend, let reason): "no \(backend.title) server answers (\(reason))"
    case .noDevice(let backend): "\(backend.title) has no input"
    case .unknownDevice(let id, let backend): "\(backend.title) has no device “\(id)”"
    case .ambiguousDevice(let name, let ids):
      "“\(name)” matches several devices: \(ids.joined(separator: ", "))"
    case .deviceBusy(let id): "the device “\(id)” is in use by another program"
    case .cannotInterrupt: Self.interruptionClause
    case .alreadyRunning(let id): "“\(id)” is in use by another recording of this program"
    case .permissionDenied(let id): "access to “\(id)” is not permitted"
    case .unsupportedFormat(let id, let reason): "the device “\(id)” cannot do that: \(reason)"
    case .noVoiceProcessing(let reason): "echo and noise cannot be removed: \(reason)"
    case .nothingUsable: "no microphone was found"
    case .backendUnavailable(let backend): "\(backend.title) does not exist on this system"
    case .unreadableFile(let path, let reason): "cannot read “\(path)”: \(reason)"
    case .damagedFile(let path, let reason): "“\(path)” \(reason)"
    case .system(let operation, let id, let reason): "could not \(operation) “\(id)”: \(reason)"
    }
  }

  /// What to do, as far as that is the same in every program.
  private var advice: String? {
    switch self {
    case .libraryMissing(_, let package): "On Debian it is in the package \(package)."
    case .noServer: "Start it, or choose another sound system."
    case .noDevice: "Connect a microphone."
    case .unknownDevice: "Choose another device."
    case .ambiguousDevice: "Choose one by its id."
    case .deviceBusy: "Close that program, or choose another device."
    case .cannotInterrupt(let canMix): Self.interruptionAdvice(canMix: canMix)
    case .alreadyRunning: "End that one, or create another source."
    case .permissionDenied: "Check its permissions (group audio), or the privacy settings."
    case .noVoiceProcessing: "Record without voice processing."
    case .nothingUsable: "record a built-in sound instead"
    case .backendUnavailable: "Choose another sound system."
    case .libraryUnsuitable, .unsupportedFormat, .unreadableFile, .damagedFile,
      .system:
      nil
    }
  }

  /// What happened where others may not be interrupted, which is the same for playback.
  static let interruptionClause =
    "another app, such as a call, has the sound, and this one may not interrupt it now"

  /// What to do about that.
  static func interruptionAdvice(canMix: Bool) -> String {
    canMix
      ? "Try again when that ends or this app is on the screen,"
        + " or let both be heard with CoreAudioSessionChoice(others: .mix)."
      : "Try again when that ends."
  }

  /// Says that there is no microphone, what to do about it and, briefly, what each system reports.
  private static func nothingUsable(
    _ errors: [CaptureError], device: String?, alternative: String
  ) -> String {
    if errors.isEmpty { return "There is nothing here to capture sound with." }
    let sought = device.map { "The device “\($0)” was not found, nor any other microphone" }
    let reasons = errors.map(\.clause).joined(separator: "; ")
    let remedy = errors.map(\.lack).remedy(
      connecting: "Connect one",
      permitting: "Check the permissions of microphones (group audio), or the privacy settings")
    return displayed(
      "\(sought ?? "No microphone was found"). \(remedy), or \(alternative)."
        + " What was tried: \(reasons).")
  }

  /// What a user can do about it.
  private var lack: SoundSystemLack {
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
  /// The sentence, so that printing the error shows something useful.
  public var description: String { sentence }
}
