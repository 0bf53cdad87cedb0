public import AacornSignal

/// Converts stored samples to a form that AAC supports.
///
///     bytes ─► frames ─► WAV's channel order ─► mix ─► resample ─► samples for an encoder
///
/// 16-bit samples that need no intermediate step stay unchanged, without rounding. The result does
/// not depend on the division of the bytes into chunks.
public struct AudioConversion: Sendable {
  /// The reason why the audio cannot be converted.
  public enum Failure: Error, Equatable, Sendable {
    /// There is no rule for mixing between these channel counts.
    case mix(from: Int, to: Int)
    /// AAC has no layout with this number of channels.
    case channelCount(Int)
    /// AAC supports this number of channels, but not with these loudspeakers.
    case layout(channelCount: Int)
    /// Conversion between these rates is not possible.
    case rate(from: Int, to: Int)
  }

  /// The output sample rate.
  public let sampleRate: Int
  /// The output channel count.
  public let channelCount: Int
  /// Whether the output is 16-bit samples.
  public let isInteger: Bool

  private let channelOrder: [Int]?
  private let mixer: ChannelMixer?
  private var resampler: Resampler?
  private var frames: PCMFrameReader
  private var decoded: [Float] = []
  private var mixed: [Float] = []

  /// Creates a conversion of `byteCount` bytes of samples, or of all bytes.
  ///
  /// - Parameters:
  ///   - format: The format of the bytes.
  ///   - byteCount: The maximum number of bytes; nil for no limit.
  ///   - sampleRate: The output rate; nil for a suitable one.
  ///   - channelCount: The output channel count; nil for the input's count.
  /// - Throws: An error if AAC does not support the audio.
  public init(
    from format: PCMFormat, byteCount: UInt64?, sampleRate: Int? = nil, channelCount: Int? = nil
  ) throws(Failure) {
    let channelCount = channelCount ?? format.channelCount
    let rate = sampleRate ?? Self.suitableRate(for: format.sampleRate)
    guard format.channelCount > 0 else { throw .channelCount(format.channelCount) }
    mixer = try Self.mixer(from: format, to: channelCount)
    channelOrder = mixer == nil ? try Self.order(of: format) : nil
    resampler = try Self.resampler(from: format.sampleRate, to: rate, channelCount: channelCount)
    frames = PCMFrameReader(format: format, byteCount: byteCount)
    isInteger =
      mixer == nil && resampler == nil && channelOrder == nil && format.sampleFormat.fitsInt16
    self.sampleRate = rate
    self.channelCount = channelCount
  }

  /// Whether each output frame is computed from one input frame.
  package var isLocal: Bool { resampler == nil }

  /// Whether the announced number of samples has arrived.
  public var isComplete: Bool { frames.isAtEnd }

  /// Bytes of samples that were announced but have not arrived; 0 if none were announced.
  public var missingByteCount: UInt64 { frames.remainingByteCount ?? 0 }

  /// Appends the samples of `bytes`, split anywhere, to `integers` if `isInteger`, else to
  /// `samples`.
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

  /// Appends the remaining samples after the last bytes.
  public mutating func finish(samples: inout [Float]) {
    resampler?.flush(into: &samples)
  }

  /// Returns the rate if AAC has an index for it, else the next higher common one, at most 48 kHz.
  public static func suitableRate(for rate: Int) -> Int {
    if SamplingFrequency(hertz: rate) != nil { return rate }
    if rate > 48_000 { return rate % 44_100 == 0 ? 44_100 : 48_000 }
    let commonRates = [8000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100]
    return commonRates.first { $0 >= rate } ?? 48_000
  }

  // While a span of one property exists, no other property can be changed through `self`. So the
  // steps are static functions that receive the properties as arguments.

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
    if rate == newRate && rate > 0 { return nil }
    do throws(PCMError) {
      return try Resampler(from: rate, to: newRate, channelCount: channelCount)
    } catch {
      throw .rate(from: rate, to: newRate)
    }
  }
}

extension AudioConversion.Failure: CustomStringConvertible {
  /// The audio that cannot be converted, and the remedy, as a message for the user.
  public var message: String {
    switch self {
    case .mix(let from, let to):
      "\(from) channels cannot be mixed to \(to). Choose 1 or 2 channels."
    case .channelCount(let count):
      "AAC supports 1 to 6 channels, or 8, not \(count). Choose 2 channels."
    case .layout(let count):
      "AAC has no layout for these loudspeakers of \(count) channels. Choose 2 channels."
    case .rate(let from, let to):
      "A sampling rate of \(from) Hz cannot be converted to \(to) Hz. Choose another rate."
    }
  }

  /// The message, so that printing the error is useful.
  public var description: String { message }
}
