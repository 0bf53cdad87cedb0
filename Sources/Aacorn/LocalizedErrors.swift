#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

// Alerts and logs of apps show `localizedDescription`, which is the error's message here.

extension AACBackEndError: LocalizedError {
  /// The problem and the remedy, to show in an alert.
  public var errorDescription: String? { message }
}

extension AACFileError: LocalizedError {
  /// The problem and the remedy, to show in an alert.
  public var errorDescription: String? { message }
}

extension AudioConversion.Failure: LocalizedError {
  /// The problem and the remedy, to show in an alert.
  public var errorDescription: String? { message }
}

extension CodedBufferError: LocalizedError {
  /// The problem and the remedy, to show in an alert.
  public var errorDescription: String? { message }
}

extension ContainerError: LocalizedError {
  /// The problem and the remedy, to show in an alert.
  public var errorDescription: String? { message }
}

extension DecoderError: LocalizedError {
  /// The problem and the remedy, to show in an alert.
  public var errorDescription: String? { message }
}

extension DeviceError: LocalizedError {
  /// The problem and the remedy, to show in an alert.
  public var errorDescription: String? { message }
}

extension EffectError: LocalizedError {
  /// The problem and the remedy, to show in an alert.
  public var errorDescription: String? { message }
}

extension EncoderError: LocalizedError {
  /// The problem and the remedy, to show in an alert.
  public var errorDescription: String? { message }
}

extension OutputError: LocalizedError {
  /// The problem and the remedy, to show in an alert.
  public var errorDescription: String? { message }
}

extension PCMBufferError: LocalizedError {
  /// The problem and the remedy, to show in an alert.
  public var errorDescription: String? { message }
}

extension PCMError: LocalizedError {
  /// The problem and the remedy, to show in an alert.
  public var errorDescription: String? { message }
}

extension PlayerError: LocalizedError {
  /// The problem and the remedy, to show in an alert.
  public var errorDescription: String? { message }
}

extension RecordingError: LocalizedError {
  /// The problem and the remedy, to show in an alert.
  public var errorDescription: String? { message }
}

extension TrackError: LocalizedError {
  /// The problem and the remedy, to show in an alert.
  public var errorDescription: String? { message }
}
