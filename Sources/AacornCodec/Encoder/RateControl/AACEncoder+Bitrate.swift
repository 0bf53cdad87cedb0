/// A bitrate that can change during encoding, for networks whose capacity changes.
extension AACEncoder {
  /// The current bits per second; 0 for a variable rate.
  public var bitrate: Int { rate.bitrate }

  /// Changes the constant or average bitrate from the next unit on.
  ///
  /// A constant rate stays inside the decoder's buffer across the change (ISO/IEC 14496-3, 4.5.3.2;
  /// ``AccessUnit/reservoirBits`` is the buffer's fullness). The decoder needs no new
  /// configuration: `configuration`, `audioSpecificConfig` and `timing` do not change. In AAC-LC
  /// the bandwidth follows the rate, unless the configuration sets one. Neighboring blocks overlap,
  /// which fades bands in and out. In HE-AAC the replicated bands do not change, which limits the
  /// useful range of rates.
  ///
  /// The same samples with the same changes at the same units give the same bytes. Without a change
  /// the bytes are identical to those of an encoder whose bitrate is never set. Segments made by a
  /// ``SegmentSplitter`` have one rate.
  ///
  /// - Throws: An error if the rate is not in ``Configuration/adaptableBitrates``.
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
      for channel in channels.indices { channels[channel].psychoacoustics.discardPrevious() }
    }
    codedBands = coded
  }
}

extension AACEncoder.Configuration {
  /// The bitrates that an encoder may change to.
  ///
  /// The value is nil at a variable rate, and if the configuration is invalid.
  ///
  /// In AAC-LC all bitrates are included. In HE-AAC the range is from two thirds of the configured
  /// rate to one and a half times that rate. Outside that range another crossover frequency would
  /// sound better, which requires another encoder.
  public var adaptableBitrates: ClosedRange<Int>? {
    let bitrate = rateControl.nominalBitrate
    let limits = AACEncoder.bitrateLimits(
      sampleRate: sampleRate, channelCount: channelCount, profile: profile)
    guard let limits, limits.contains(bitrate) else { return nil }
    if profile == .lowComplexity { return limits }
    return max(limits.lowerBound, bitrate * 2 / 3)...min(limits.upperBound, bitrate * 3 / 2)
  }
}
