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

extension CaptureBackend {
  /// Whether it can remove echo and noise; drivers and built-in sounds leave the audio as it is.
  package var canProcessVoice: Bool {
    switch self {
    case .pipeWire, .pulseAudio, .coreAudio: true
    case .alsa, .synthetic: false
    }
  }

  /// Whether a source is better asked for the recording's rate than for the device's own.
  ///
  /// A driver can often run at it without conversion. A server would convert, which the recorder
  /// does better, and knows what it does.
  package var takesWantedRate: Bool {
    switch self {
    case .alsa, .synthetic: true
    case .pipeWire, .pulseAudio, .coreAudio: false
    }
  }

  /// Whether listing the devices opens each of them, so that it is better not done without need.
  package var opensDevicesToList: Bool { self == .alsa }
}
