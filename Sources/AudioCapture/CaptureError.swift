/// Why sound cannot be captured.
public enum CaptureError: Error, Equatable, Sendable {
  /// A library of the system is not installed; with its file name and Debian's package.
  case libraryMissing(library: String, package: String)
  /// The library is too old or lacks a function.
  case libraryUnsuitable(library: String, reason: String)
  /// No sound server answers.
  case noServer(backend: CaptureBackend, reason: String)
  /// There is no device at all.
  case noDevice(backend: CaptureBackend)
  /// There is no device of that name.
  case unknownDevice(id: String, backend: CaptureBackend)
  /// The device is in use by another program.
  case deviceBusy(id: String)
  /// The person or the system does not allow it.
  case permissionDenied(id: String)
  /// The device cannot deliver what was asked for.
  case unsupportedFormat(id: String, reason: String)
  /// Voice processing cannot be had.
  case noVoiceProcessing(reason: String)
  /// No system of capture is usable here; what was tried, and why not.
  case nothingUsable([CaptureError])
  /// This system does not exist on this platform.
  case backendUnavailable(CaptureBackend)
  /// A file that should be played cannot be.
  case unreadableFile(path: String, reason: String)
  /// Any other refusal, in the system's words.
  case system(operation: String, id: String, reason: String)
}

extension CaptureError {
  /// What happened and what to do, in sentences.
  public var sentence: String {
    switch self {
    case .libraryMissing(let library, let package):
      "The library \(library) is not installed. On Debian it is in the package \(package)."
    case .libraryUnsuitable(let library, let reason):
      "The library \(library) cannot be used: \(reason)."
    case .noServer(let backend, let reason):
      "No \(backend.title) server answers (\(reason)). Start it, or choose another --backend."
    case .noDevice(let backend):
      "\(backend.title) has no input. Connect a microphone."
    case .unknownDevice(let id, let backend):
      "\(backend.title) has no device “\(id)”. See “aacorn devices”."
    case .deviceBusy(let id):
      "The device “\(id)” is in use by another program. Close that program, or choose another device."
    case .permissionDenied(let id):
      "The use of “\(id)” is not permitted. Check the rights to it (group audio), or the privacy settings."
    case .unsupportedFormat(let id, let reason):
      "The device “\(id)” cannot do that: \(reason)."
    case .noVoiceProcessing(let reason):
      "Echo and noise cannot be taken out: \(reason). Record without --voice."
    case .nothingUsable(let errors):
      errors.isEmpty
        ? "There is nothing here to capture sound with."
        : "No microphone was found. "
          + errors.map(\.sentence).joined(separator: " ")
          + " To record a built-in sound instead, use --device tone."
    case .backendUnavailable(let backend):
      "\(backend.title) does not exist on this system. Choose another --backend."
    case .unreadableFile(let path, let reason):
      "Cannot read “\(path)”: \(reason)."
    case .system(let operation, let id, let reason):
      "Could not \(operation) “\(id)”: \(reason)."
    }
  }
}

extension CaptureBackend {
  /// The name as its makers write it.
  public var title: String {
    switch self {
    case .pipeWire: "PipeWire"
    case .pulseAudio: "PulseAudio"
    case .alsa: "ALSA"
    case .coreAudio: "Core Audio"
    case .synthetic: "the built-in source"
    }
  }
}
