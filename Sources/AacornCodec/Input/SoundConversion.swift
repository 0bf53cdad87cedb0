public import AacornSignal

/// Brings samples as they are stored into a form that AAC can carry.
///
///     bytes ─► frames ─► WAV's channel order ─► mix ─► resample ─► samples for an encoder
///
/// 16-bit samples that need none of the steps between stay what they are, so that nothing is
/// rounded. The outcome does not depend on how the bytes are cut.
public struct SoundConversion: Sendable {
  /// Why sound cannot be brought into such a form.
  public enum Failure: Error, Equatable, Sendable {
    /// These channels cannot be mixed to so many.
    case mix(from: Int, to: Int)
    /// AAC has no layout of so many channels.
    case channelCount(Int)
    /// AAC has so many channels, but not for these loudspeakers.
    case layout(channelCount: Int)
    /// These rates cannot be converted into each other.
    case rate(from: Int, to: Int)
  }

  /// Samples a second of the outcome.
  public let sampleRate: Int
  /// Channels of the outcome.
  public let channelCount: Int
  /// Whether the outcome is 16-bit samples.
  public let isInteger: Bool

  private let channelOrder: [Int]?
  private let mixer: ChannelMixer?
  private var resampler: Resampler?
  private var frames: PCMFrameReader
  private var decoded: [Float] = []
  private var mixed: [Float] = []

  /// A conversion of `byteCount` bytes of samples, or of all there are.
  ///
  /// - Parameters:
  ///   - format: How the bytes are to be understood.
  ///   - byteCount: How many bytes there are at most; nil for all that come.
  ///   - sampleRate: The rate of the outcome; nil for a suitable one.
  ///   - channelCount: The channels of the outcome; nil for those there are.
  /// - Throws: What about the sound AAC cannot carry.
  public init(
    from format: PCMFormat, byteCount: UInt64?, sampleRate: Int? = nil, channelCount: Int? = nil
  ) throws(Failure) {
    let channelCount = channelCount ?? format.channelCount
    let rate = sampleRate ?? Self.suitableRate(for: format.sampleRate)
    mixer = try Self.mixer(from: format, to: channelCount)
    channelOrder = mixer == nil ? try Self.order(of: format) : nil
    resampler = try Self.resampler(from: format.sampleRate, to: rate, channelCount: channelCount)
    frames = PCMFrameReader(format: format, byteCount: byteCount)
    isInteger =
      mixer == nil && resampler == nil && channelOrder == nil && format.sampleFormat.fitsInt16
    self.sampleRate = rate
    self.channelCount = channelCount
  }

  /// Whether all the samples that were announced have come.
  public var isComplete: Bool { frames.isAtEnd }

  /// Bytes of samples that were announced and have not come; 0 if none were.
  public var missingByteCount: UInt64 { frames.remainingByteCount ?? 0 }

  /// Takes bytes, cut anywhere, and appends samples to `integers` or to `samples`.
  public mutating func push(
    _ bytes: Span<UInt8>, integers: inout [Int16], samples: inout [Float]
  ) {
    if isInteger {
      frames.read(bytes, into: &integers)
      return
    }
    if mixer == nil && resampler == nil {
      let first = samples.count
      frames.read(bytes, into: &samples)
      if let channelOrder { ChannelLayout.reorder(&samples, from: first, by: channelOrder) }
      return
    }
    decoded.removeAll(keepingCapacity: true)
    frames.read(bytes, into: &decoded)
    if let channelOrder { ChannelLayout.reorder(&decoded, by: channelOrder) }
    if let mixer {
      mixed.removeAll(keepingCapacity: true)
      Self.mix(decoded, with: mixer, into: &mixed)
      swap(&mixed, &decoded)
    }
    if resampler == nil {
      samples.append(contentsOf: decoded)
    } else {
      Self.resample(decoded, with: &resampler, into: &samples)
    }
  }

  /// Appends what is left when all bytes have come.
  public mutating func finish(samples: inout [Float]) {
    resampler?.flush(into: &samples)
  }

  /// The rate itself if AAC has an index for it, else the next higher usual one, at most 48 kHz.
  public static func suitableRate(for rate: Int) -> Int {
    if SamplingFrequency(hertz: rate) != nil { return rate }
    if rate > 48_000 { return rate % 44_100 == 0 ? 44_100 : 48_000 }
    let usual = [8000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100]
    return usual.first { $0 >= rate } ?? 48_000
  }

  // A span of one property and a change of another exclude each other, so the steps are given
  // their parts one by one.

  private static func mix(_ samples: [Float], with mixer: ChannelMixer, into mixed: inout [Float]) {
    mixer.mix(samples.span, into: &mixed)
  }

  private static func resample(
    _ samples: [Float], with resampler: inout Resampler?, into resampled: inout [Float]
  ) {
    resampler?.process(samples.span, into: &resampled)
  }

  private static func mixer(
    from format: PCMFormat, to channelCount: Int
  ) throws(Failure) -> ChannelMixer? {
    if channelCount == format.channelCount { return nil }
    do throws(PCMError) {
      if let layout = format.layout { return try ChannelMixer(from: layout, to: channelCount) }
      return try ChannelMixer(from: format.channelCount, to: channelCount)
    } catch {
      throw .mix(from: format.channelCount, to: channelCount)
    }
  }

  private static func order(of format: PCMFormat) throws(Failure) -> [Int]? {
    if ChannelConfiguration(channelCount: format.channelCount) == nil {
      throw .channelCount(format.channelCount)
    }
    guard let layout = format.layout else { return nil }
    guard let order = layout.standardOrder else {
      throw .layout(channelCount: format.channelCount)
    }
    return order == Array(0..<format.channelCount) ? nil : order
  }

  private static func resampler(
    from rate: Int, to newRate: Int, channelCount: Int
  ) throws(Failure) -> Resampler? {
    if rate == newRate { return nil }
    do throws(PCMError) {
      return try Resampler(from: rate, to: newRate, channelCount: channelCount)
    } catch {
      throw .rate(from: rate, to: newRate)
    }
  }
}
