package import AacornCodec

extension RecordingConfiguration {
  /// How samples relate to coded units; PCM has one sample per unit.
  package var timing: StreamTiming {
    switch coding {
    case .aac(let rateControl, _):
      AACEncoder.Configuration(
        sampleRate: sampleRate, channelCount: channelCount, rateControl: rateControl
      ).timing
    case .int16, .float32: StreamTiming(sampleRate: sampleRate, samplesPerUnit: 1)
    }
  }

  /// AAC for this recording at the requested rate, or else at the encoder's default.
  ///
  /// Throws if the encoder rejects it.
  package func aac(
    _ rateControl: AACEncoder.RateControl?, _ effort: AACEncoder.Effort
  ) throws(RecordingError) -> Coding {
    let settings = AACEncoder.Configuration(
      sampleRate: sampleRate, channelCount: channelCount, rateControl: rateControl, effort: effort)
    do throws(EncoderError) {
      try settings.validate()
    } catch {
      throw .encoder(error)
    }
    return .aac(rateControl: settings.rateControl, effort: effort)
  }

  /// Throws if the encoder rejects a coding of this recording.
  func validate(_ coding: Coding) throws(RecordingError) {
    if case .aac(let rateControl, let effort) = coding { _ = try aac(rateControl, effort) }
  }
}
