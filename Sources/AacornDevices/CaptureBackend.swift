/// The systems that sound can be captured from.
public enum CaptureBackend: String, Sendable, CaseIterable {
  /// PipeWire's own interface, from version 1.0 on by default.
  case pipeWire = "pipewire"
  /// PulseAudio, or PipeWire's server of that protocol.
  case pulseAudio = "pulse"
  /// The interface to Linux's sound drivers.
  case alsa
  /// Apple's.
  case coreAudio = "coreaudio"
  /// Sounds made or read from a file by this library.
  case synthetic
}
