public import AacornCodec
public import AacornSignal

/// Decodes buffers of several packets, and trims the decoded audio.
///
///     var decoder = try PacketDecoder(configuration)
///     let sound = try decoder.decode(bytes, packets: [0..<371, 371..<742])
public struct PacketDecoder: Sendable {
  /// The decoder.
  public private(set) var decoder: AACDecoder
  /// Damaged or empty packets that were replaced.
  public private(set) var concealedCount = 0

  /// Creates a decoder for streams with this configuration.
  ///
  /// - Throws: The reason why the configuration cannot be decoded.
  public init(_ configuration: AudioSpecificConfig) throws(DecoderError) {
    var options = AACDecoder.Options()
    options.expectsParametricStereo = configuration.hasParametricStereo
    decoder = try AACDecoder(configuration, options: options)
  }

  /// Returns the ranges of consecutive packets with these sizes; nil if there are too few bytes.
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

  /// Decodes packets, each a range of the bytes.
  ///
  /// An empty range, or a range outside the bytes, marks a missing packet.
  ///
  /// - Parameters:
  ///   - bytes: The packets' bytes.
  ///   - packets: The range of each packet.
  ///   - leadingTrim: Frames to drop at the beginning.
  ///   - trailingTrim: Frames to drop at the end.
  /// - Returns: The decoded audio, without a time; nil until a packet defines the number of
  ///   channels.
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
