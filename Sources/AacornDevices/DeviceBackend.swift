/// The backends from which audio can be captured or on which it can be played.
public enum DeviceBackend: String, Sendable, CaseIterable {
  /// PipeWire's native interface, used by default from version 1.0 on.
  case pipeWire = "pipewire"
  /// PulseAudio, or PipeWire's PulseAudio server.
  case pulseAudio = "pulse"
  /// ALSA, the interface to Linux's sound drivers.
  case alsa
  /// Core Audio, Apple's audio system.
  case coreAudio = "coreaudio"
  /// Audio that this library generates or reads from a file.
  case synthetic
}

extension DeviceBackend {
  /// The name in the spelling of its developers.
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

extension DeviceBackend {
  /// Whether the backend can remove echo and noise; ALSA drivers and the built-in sounds cannot.
  package var canProcessVoice: Bool {
    switch self {
    case .pipeWire, .pulseAudio, .coreAudio: true
    case .alsa, .synthetic: false
    }
  }

  /// Whether a source should be requested at the recording's rate instead of the device's own.
  ///
  /// A driver can often run at that rate without conversion. A server would convert, but the
  /// recorder's converter is better and its quality is known.
  package var prefersRecordingRate: Bool {
    switch self {
    case .alsa, .synthetic: true
    case .pipeWire, .pulseAudio, .coreAudio: false
    }
  }

  /// Whether listing the devices opens each of them, so that callers should avoid it.
  package var opensDevicesToList: Bool { self == .alsa }
}
