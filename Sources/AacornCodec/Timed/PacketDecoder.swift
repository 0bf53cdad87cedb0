public import AacornSignal

/// Decodes packets that come several in a buffer, with what is to be left out of their sound.
///
///     var decoder = try PacketDecoder(configuration)
///     let sound = try decoder.decode(bytes, packets: [0..<371, 371..<742])
public struct PacketDecoder: Sendable {
  /// The decoder.
  public private(set) var decoder: AACDecoder
  /// Packets that were damaged or empty, and were replaced.
  public private(set) var concealedCount = 0

  /// A decoder of streams with this configuration.
  ///
  /// - Throws: Why there is no decoder for them.
  public init(_ configuration: AudioSpecificConfig) throws(DecoderError) {
    var options = AACDecoder.Options()
    options.expectsParametricStereo = configuration.hasParametricStereo
    decoder = try AACDecoder(configuration, options: options)
  }

  /// The ranges of packets of these sizes that follow each other; nil if there are fewer bytes.
  public static func ranges(sizes: [Int], byteCount: Int) -> [Range<Int>]? {
    var ranges: [Range<Int>] = []
    var start = 0
    for size in sizes {
      guard size >= 0, size <= byteCount - start else { return nil }
      ranges.append(start..<start + size)
      start += size
    }
    return ranges
  }

  /// Decodes packets, each of which is a range of the bytes.
  ///
  /// A range that is empty or not in the bytes stands for a packet that is missing.
  ///
  /// - Parameters:
  ///   - bytes: The packets' bytes.
  ///   - packets: Where each is.
  ///   - leadingTrim: Frames to leave out at the beginning.
  ///   - trailingTrim: Frames to leave out at the end.
  /// - Returns: Their sound, without a time; nil before a first packet that says how many channels
  ///   there are.
  public mutating func decode(
    _ bytes: [UInt8], packets: [Range<Int>], leadingTrim: Int = 0, trailingTrim: Int = 0
  ) -> SoundBuffer? {
    var samples: [Float] = []
    for range in packets {
      if !range.isEmpty && range.lowerBound >= 0 && range.upperBound <= bytes.count {
        if decoder.decode(bytes, range: range) != .decoded { concealedCount += 1 }
      } else {
        decoder.conceal()
        concealedCount += 1
      }
      decoder.append(to: &samples)
    }
    let channelCount = decoder.channelCount
    guard channelCount > 0 else { return nil }
    let frameCount = samples.count / channelCount
    let start = min(max(0, leadingTrim), frameCount)
    let end = max(start, frameCount - max(0, min(trailingTrim, frameCount)))
    let kept = Array(samples[start * channelCount..<end * channelCount])
    return SoundBuffer(
      kept, sampleRate: decoder.sampleRate, channelCount: channelCount,
      layout: decoder.channelLayout)
  }
}
