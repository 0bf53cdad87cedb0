#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

// Alerts and logs of apps show `localizedDescription`. It is the message of the error.

extension AACBackEndError: LocalizedError {
  /// The problem and the remedy, such as for an alert.
  public var errorDescription: String? { sentence }
}

extension AACFileError: LocalizedError {
  /// The problem and the remedy, such as for an alert.
  public var errorDescription: String? { sentence }
}

extension CaptureError: LocalizedError {
  /// The problem and the remedy, such as for an alert.
  public var errorDescription: String? { sentence }
}

extension EffectError: LocalizedError {
  /// The problem and the remedy, such as for an alert.
  public var errorDescription: String? { sentence }
}

extension EncoderError: LocalizedError {
  /// The rejected setting and the accepted values, such as for an alert.
  public var errorDescription: String? { RecordingError.encoder(self).sentence }
}

extension OutputError: LocalizedError {
  /// The problem and the remedy, such as for an alert.
  public var errorDescription: String? { sentence }
}

extension PCMBufferError: LocalizedError {
  /// The problem and the remedy, such as for an alert.
  public var errorDescription: String? { sentence }
}

extension PlaybackError: LocalizedError {
  /// The problem and the remedy, such as for an alert.
  public var errorDescription: String? { sentence }
}

extension PlayerError: LocalizedError {
  /// The problem and the remedy, such as for an alert.
  public var errorDescription: String? { sentence }
}

extension RecordingError: LocalizedError {
  /// The problem and the remedy, such as for an alert.
  public var errorDescription: String? { sentence }
}

extension TrackError: LocalizedError {
  /// The problem and the remedy, such as for an alert.
  public var errorDescription: String? { sentence }
}
