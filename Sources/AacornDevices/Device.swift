/// A device from which audio can be captured, or on which it can be played.
public struct Device: Sendable, Equatable {
  /// The system that provides the device.
  public var backend: DeviceBackend
  /// The identifier that selects the device in a request; unchanged by a restart of the machine.
  public var id: String
  /// The display name of the device.
  public var name: String
  /// Further details; may be empty.
  public var details: String
  /// The channel count, or 0 if unknown until the device is opened.
  public var channelCount: Int
  /// The sample rate in hertz, or 0 if unknown until the device is opened.
  public var sampleRate: Int
  /// Whether the system uses the device if no device is chosen.
  public var isDefault: Bool
  /// Whether the device captures the audio being played rather than an input.
  public var isMonitor: Bool

  /// Creates a description of a device.
  public init(
    backend: DeviceBackend, id: String, name: String, details: String = "",
    channelCount: Int = 0, sampleRate: Int = 0, isDefault: Bool = false, isMonitor: Bool = false
  ) {
    self.backend = backend
    self.id = id
    self.name = name
    self.details = details
    self.channelCount = channelCount
    self.sampleRate = sampleRate
    self.isDefault = isDefault
    self.isMonitor = isMonitor
  }
}

/// The direction of the samples.
public enum DeviceDirection: Sendable {
  /// From a device to the program.
  case capture
  /// From the program to a device.
  case playback
}

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
}

/// An event from a source or target.
@frozen
public enum DeviceEvent: UInt8, BitwiseCopyable, Sendable {
  /// The device or the sound server was disconnected; the source or target waits for it to return.
  case deviceLost
  /// Samples flow again, perhaps to or from another device.
  case deviceReturned
  /// Samples flow to or from another device from here on.
  case deviceChanged
  /// The system has suspended the device, or another program has interrupted it.
  case suspended
  /// The device is awake again.
  case resumed
  /// A finite source has reached its end; targets do not report this.
  case ended
  /// The source or target cannot continue; its `failure` has the reason.
  case failed
}
