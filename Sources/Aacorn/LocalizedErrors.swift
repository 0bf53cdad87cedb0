#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

// `localizedDescription`, which alerts and logs of apps show, is the sentence of an error.

extension AACBackEndError: LocalizedError {
  /// What happened and what to do, in sentences.
  public var errorDescription: String? { sentence }
}

extension AACFileError: LocalizedError {
  /// What happened and what to do, in sentences.
  public var errorDescription: String? { sentence }
}

extension CaptureError: LocalizedError {
  /// What happened and what to do, in sentences.
  public var errorDescription: String? { sentence }
}

extension EffectError: LocalizedError {
  /// What is wrong and what to do, in sentences.
  public var errorDescription: String? { sentence }
}

extension EncoderError: LocalizedError {
  /// What the encoder rejects and what to choose, in sentences.
  public var errorDescription: String? { RecordingError.encoder(self).sentence }
}

extension OutputError: LocalizedError {
  /// What happened and what to do, in sentences.
  public var errorDescription: String? { sentence }
}

extension PCMBufferError: LocalizedError {
  /// What is wrong and what to do, in sentences.
  public var errorDescription: String? { sentence }
}

extension PlaybackError: LocalizedError {
  /// What happened and what to do, in sentences.
  public var errorDescription: String? { sentence }
}

extension PlayerError: LocalizedError {
  /// What happened and what to do, in sentences.
  public var errorDescription: String? { sentence }
}

extension RecordingError: LocalizedError {
  /// What happened and what to do, in sentences.
  public var errorDescription: String? { sentence }
}

extension TrackError: LocalizedError {
  /// What is wrong and what to do, in sentences.
  public var errorDescription: String? { sentence }
}
