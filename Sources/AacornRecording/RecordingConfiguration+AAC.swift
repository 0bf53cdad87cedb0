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

  /// AAC for this recording at the requested bitrate, or by default at this many bits per second
  /// for two channels, and proportionally for more, within what the sampling rate allows.
  ///
  /// Throws what the encoder rejects.
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
