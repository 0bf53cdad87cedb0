/// The systems that audio can be captured from.
public enum CaptureBackend: String, Sendable, CaseIterable {
  /// PipeWire's native interface, used by default from version 1.0 on.
  case pipeWire = "pipewire"
  /// PulseAudio, or PipeWire's PulseAudio server.
  case pulseAudio = "pulse"
  /// The interface to Linux's sound drivers.
  case alsa
  /// Apple's audio system.
  case coreAudio = "coreaudio"
  /// Sound that this library generates or reads from a file.
  case synthetic
}

extension CaptureBackend {
  /// The name as its makers spell it.
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
