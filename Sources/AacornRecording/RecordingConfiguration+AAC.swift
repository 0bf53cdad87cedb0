package import AacornCodec

extension RecordingConfiguration {
  /// How the samples go together with the units that are made of them; PCM has one for each.
  package var timing: StreamTiming {
    switch coding {
    case .aac(let rateControl, _):
      AACEncoder.Configuration(
        sampleRate: sampleRate, channelCount: channelCount, rateControl: rateControl
      ).timing
    case .int16, .float32: StreamTiming(sampleRate: sampleRate, samplesPerUnit: 1)
    }
  }

  /// AAC for this recording at the rate that was asked for, or else at so many bits a second for
  /// two channels, and for more than two as much for each, within what the sampling rate allows.
  ///
  /// Throws what the encoder refuses.
  package func aac(
    _ rateControl: AACEncoder.RateControl?, _ effort: AACEncoder.Effort, usualBitrate: Int
  ) throws(RecordingError) -> Coding {
    let usual = usualBitrate / 2 * max(2, channelCount)
    let wanted = rateControl ?? .constant(bitsPerSecond: usual)
    do throws(EncoderError) {
      try AACEncoder.Configuration(
        sampleRate: sampleRate, channelCount: channelCount, rateControl: wanted, effort: effort
      ).validate()
      return .aac(rateControl: wanted, effort: effort)
    } catch {
      if rateControl == nil, case .bitrateOutOfRange(_, let lowest, let highest) = error {
        let nearest = min(max(usual, lowest), highest)
        return .aac(rateControl: .constant(bitsPerSecond: nearest), effort: effort)
      }
      throw .encoder(error)
    }
  }
}
