import AacornSystem

/// The reasons why audio cannot be captured or played.
public enum DeviceError: Error, Equatable, Sendable {
  /// A system library is not installed; with its file name and Debian's package.
  case libraryMissing(library: String, package: String)
  /// The library is too old or lacks a function.
  case libraryUnsuitable(library: String, reason: String)
  /// The installed version of the sound system is used only if the system is selected.
  case notPreferred(DeviceBackend, version: String, minimum: String)
  /// No sound server responds.
  case noServer(backend: DeviceBackend, reason: String)
  /// No device for that direction is available.
  case noDevice(for: DeviceDirection, backend: DeviceBackend)
  /// No device with that id exists.
  case unknownDevice(id: String, backend: DeviceBackend)
  /// Several devices have that name; with their ids.
  case ambiguousDevice(name: String, ids: [String])
  /// The device is in use by another program.
  case deviceBusy(id: String)
  /// Another app of the phone, such as a call, uses the audio, and this app may not interrupt it
  /// now.
  ///
  /// `canMix` states whether this app may play or capture at the same time.
  case cannotInterrupt(canMix: Bool)
  /// The source or target is already in use by this program, which continues.
  case alreadyRunning(id: String)
  /// The user or the system denies access.
  case permissionDenied(id: String)
  /// The device does not support the requested format.
  case unsupportedFormat(id: String, reason: String)
  /// Voice processing is unavailable.
  case noVoiceProcessing(reason: String)
  /// No sound system is usable; with the error of each tried system, and the requested device.
  case nothingUsable(for: DeviceDirection, [DeviceError], device: String? = nil)
  /// This system does not exist on this platform.
  case backendUnavailable(DeviceBackend)
  /// A file that replaces a microphone cannot be read; `reason` is a clause without a full stop,
  /// which a remedy may follow.
  case unreadableFile(path: String, reason: String)
  /// A file that replaced a microphone is damaged or truncated; `reason` is a clause that follows
  /// the file's name.
  case damagedFile(path: String, reason: String)
  /// Any other error, in the system's words.
  case system(operation: String, id: String, reason: String)
}

extension DeviceError {
  /// The message: what happened and what to do, in sentences.
  public var message: String { message(recoverySuggestion) }

  /// Returns the message with a program's own recovery suggestion.
  ///
  /// The suggestion is complete or, if no system is usable, continues the message.
  package func message(_ suggestion: String?) -> String {
    if case .nothingUsable(let direction, let errors, let device) = self {
      return Self.nothingUsable(for: direction, errors, device: device, alternative: suggestion)
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
    case .notPreferred(let backend, let version, let minimum):
      "\(backend.title) \(version) is used only if it is selected, because it is older than \(minimum)"
    case .noServer(let backend, let reason): "no \(backend.title) server answers (\(reason))"
    case .noDevice(.capture, let backend): "\(backend.title) has no input"
    case .noDevice(.playback, let backend): "\(backend.title) has no output"
    case .unknownDevice(let id, let backend): "\(backend.title) has no device “\(id)”"
    case .ambiguousDevice(let name, let ids):
      "“\(name)” matches several devices: \(ids.joined(separator: ", "))"
    case .deviceBusy(let id): "the device “\(id)” is in use by another program"
    case .cannotInterrupt:
      "another app, such as a call, uses the audio, and this app may not interrupt it now"
    case .alreadyRunning(let id): "“\(id)” is already in use by this program"
    case .permissionDenied(let id): "access to “\(id)” is not permitted"
    case .unsupportedFormat(let id, let reason):
      "the device “\(id)” does not support this format: \(reason)"
    case .noVoiceProcessing(let reason): "echo and noise cannot be removed: \(reason)"
    case .nothingUsable(let direction, _, _): "no \(direction.deviceName) was found"
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
    case .notPreferred: "Select it, or update it."
    case .noServer: "Start it, or choose another sound system."
    case .noDevice(.capture, _): "Connect a microphone."
    case .noDevice(.playback, _): "Connect loudspeakers or headphones."
    case .unknownDevice: "Choose another device."
    case .ambiguousDevice: "Choose one by its id."
    case .deviceBusy: "Close that program, or choose another device."
    case .cannotInterrupt(canMix: true):
      "Try again when that ends or this app is in the foreground,"
        + " or mix both with CoreAudioSessionOptions(otherAudio: .mix)."
    case .cannotInterrupt(canMix: false): "Try again when that ends."
    case .alreadyRunning: "Stop it first, or create another source or target."
    case .permissionDenied: "Check its permissions (group audio), or the privacy settings."
    case .noVoiceProcessing: "Record without voice processing."
    case .nothingUsable(.capture, _, _): "record a test signal instead"
    case .backendUnavailable: "Choose another sound system."
    case .nothingUsable(.playback, _, _), .unsupportedFormat, .unreadableFile, .damagedFile,
      .system:
      nil
    }
  }

  /// Returns the message for "no usable device", with a remedy and a short reason for each system.
  private static func nothingUsable(
    for direction: DeviceDirection, _ errors: [DeviceError], device: String?, alternative: String?
  ) -> String {
    let sought = device.map { "Neither the device “\($0)” nor another \(direction.deviceName)" }
    let remedy = errors.map(\.unavailability).remedy(
      connecting: "Connect one",
      permitting: "Check the permissions of sound devices (group audio), or the privacy settings")
    let tried = errors.map(\.clause).joined(separator: "; ")
    return displayed(
      "\(sought ?? "No \(direction.deviceName)") was found."
        + " \(remedy)\(alternative.map { ", or " + $0 } ?? "")."
        + (tried.isEmpty ? "" : " Tried: \(tried)."))
  }

  /// The kind of the error, by which a remedy is chosen.
  private var unavailability: SoundSystemUnavailable {
    switch self {
    case .libraryMissing(_, let package): .package(package)
    case .noServer: .server
    case .permissionDenied: .permission
    case .libraryUnsuitable, .notPreferred, .backendUnavailable: .other
    default: .device
    }
  }
}

extension DeviceError: CustomStringConvertible {
  /// The message, so that printing the error is useful.
  public var description: String { message }
}

extension DeviceDirection {
  /// The usual device of the direction, for messages.
  fileprivate var deviceName: String {
    switch self {
    case .capture: "microphone"
    case .playback: "loudspeaker"
    }
  }
}

/// A reason why a sound system cannot be used; the cases differ by the user's remedy.
enum SoundSystemUnavailable {
  /// A library is missing; the value is its Debian package.
  case package(String)
  /// The system's server is not running.
  case server
  /// Devices exist, but this program has no permission to use them.
  case permission
  /// The system works, but does not have the requested device.
  case device
  /// The user cannot do anything, as with a system of another platform.
  case other
}

extension [SoundSystemUnavailable] {
  /// Returns the quickest remedy, as a clause.
  ///
  /// `permitting` is the remedy for a missing permission. It comes first, because the device
  /// already exists. `connecting` is the remedy for a working system, which only needs a connected
  /// device.
  func remedy(connecting: String, permitting: String) -> String {
    var packages: [String] = []
    var isServerStopped = false
    var isUsable = false
    for unavailability in self {
      switch unavailability {
      case .package(let package): packages.append(package)
      case .server: isServerStopped = true
      case .permission: return permitting
      case .device: isUsable = true
      case .other: break
      }
    }
    if isUsable { return connecting }
    if isServerStopped { return "Start a sound server" }
    if packages.isEmpty { return connecting }
    return "Install a sound system (on Debian: \(packages.joined(separator: " or ")))"
  }
}
