/// A bitrate that changes while a sound is encoded, for networks that change.
extension AACEncoder {
  /// The bits per second of now; 0 for a variable rate.
  public var bitrate: Int { rate.bitrate }

  /// Keeps to another constant or average bitrate from the next unit on.
  ///
  /// A constant rate stays inside the decoder's buffer across the change (ISO/IEC 14496-3, 4.5.3.2;
  /// the levels in units say how full it is), and the decoder needs nothing new: `configuration`,
  /// `audioSpecificConfig` and `timing` stay as they were. In AAC-LC the bandwidth follows the rate,
  /// unless the configuration names one: neighboring blocks overlap, which fades the bands that come
  /// or go. In HE-AAC the bands that are replicated stay, so the rate may change only as far as they
  /// suit it.
  ///
  /// Throws if the rate is not among ``Configuration/adaptableBitrates``. The same samples with the
  /// same changes at the same units give the same bytes, and without a change they are those of an
  /// encoder that never heard of it. Segments made by a ``SegmentSplitter`` have one rate.
  public mutating func setBitrate(_ bitsPerSecond: Int) throws(EncoderError) {
    guard let limits = configuration.adaptableBitrates else { throw .noBitrateToChange }
    guard limits.contains(bitsPerSecond) else {
      throw .bitrateOutOfRange(
        requested: bitsPerSecond, lowest: limits.lowerBound, highest: limits.upperBound)
    }
    if bitsPerSecond == bitrate { return }
    rate.setBitrate(bitsPerSecond)
    let share = Float(bitsPerSecond) / Float(settings.layout.bufferedChannelCount)
    usesIntensity = settings.usesIntensity(at: share)
    if settings.replication != nil || configuration.bandwidth != nil { return }
    let bandwidth = Bandwidth.hertz(
      bitsPerSecondPerChannel: share, sampleRate: settings.frequency.hertz)
    let coded = CodedBands(bands, settings, bandwidth: bandwidth)
    if coded.longCount > codedBands.longCount {
      for channel in channels.indices { channels[channel].hearing.forgetPrevious() }
    }
    codedBands = coded
  }
}

extension AACEncoder.Configuration {
  /// The bitrates that an encoder may change to; nil at a variable rate, which has none, and if the
  /// configuration is not possible.
  ///
  /// In AAC-LC these are all that it has. In HE-AAC they go from two thirds of the configured rate to
  /// half as much again: beyond that, another border between what is coded and what is replicated
  /// would sound better, which takes another encoder.
  public var adaptableBitrates: ClosedRange<Int>? {
    let bitrate = rateControl.nominalBitrate
    let limits = AACEncoder.bitrateLimits(
      sampleRate: sampleRate, channelCount: channelCount, profile: profile)
    guard let limits, limits.contains(bitrate) else { return nil }
    if profile == .lowComplexity { return limits }
    return max(limits.lowerBound, bitrate * 2 / 3)...min(limits.upperBound, bitrate * 3 / 2)
  }
}
