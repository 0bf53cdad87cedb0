import AacornSignal

/// Divides one sound into segments that can be encoded on different threads.
///
/// The units of all segments, one after another, are those of an `AACEncoder` that gets the same
/// samples.
///
///     var splitter = try SegmentSplitter(configuration)
///     splitter.encode(interleaved: samples.span)
///     while let segment = splitter.nextSegment() { … }   // encode on other threads; keep the order
///     let trim = splitter.finish()
///     while let segment = splitter.nextSegment() { … }
public struct SegmentSplitter: Sendable {
  /// An encoder that has taken no samples; every segment begins with a copy.
  @Boxed private var encoder: AACEncoder
  private var input: SampleInput
  /// The first frame of the next segment.
  private var frameIndex = 0

  /// Creates a splitter; throws if the configuration is not possible.
  public init(_ configuration: AACEncoder.Configuration) throws(EncoderError) {
    let encoder = try AACEncoder(configuration)
    input = encoder.ofSource { $0 }
    self.encoder = encoder
  }

  /// Creates a splitter with the configuration of an encoder, which has no other part in it.
  public init(configuredLike encoder: AACEncoder) {
    let fresh = AACEncoder(encoder.configuration, encoder.settings)
    input = fresh.ofSource { $0 }
    self.encoder = fresh
  }

  /// The configuration of the segments.
  public var configuration: AACEncoder.Configuration { encoder.configuration }

  /// The highest frequency that is coded, in hertz.
  public var bandwidth: Int { encoder.bandwidth }

  /// Samples that were not encoded, which are a mistake of the caller: those passed after ``finish()``, and planar
  /// ones that are not as many for each channel.
  public var ignoredSampleCount: Int { input.ignoredCount }

  /// What a decoder must know before the first unit.
  public var audioSpecificConfig: AudioSpecificConfig { encoder.audioSpecificConfig }

  /// Whether the units of the segments taken from now on carry their statistics.
  public var collectsStatistics: Bool {
    get { encoder.collectsStatistics }
    set { encoder.collectsStatistics = newValue }
  }

  /// How the units of all segments map to samples.
  public var timing: StreamTiming { encoder.timing }

  /// Takes interleaved 16-bit samples, channel by channel in the order of a WAV file.
  ///
  /// Any number of samples may be passed at a time; a frame split across calls is joined again.
  public mutating func encode(interleaved samples: Span<Int16>) {
    input.append(interleaved: samples)
  }

  /// Takes interleaved samples of `significantBits` bits in 32-bit integers; other numbers than 16…32 count as
  /// the nearest one.
  ///
  /// The low bits of the value count: 24-bit samples lie in −2²³…2²³−1.
  public mutating func encode(interleaved samples: Span<Int32>, significantBits: Int) {
    input.append(interleaved: samples, significantBits: significantBits)
  }

  /// Takes interleaved samples from −1 to 1.
  ///
  /// Values beyond ±4 are clipped, and NaN becomes silence.
  public mutating func encode(interleaved samples: Span<Float>) {
    input.append(interleaved: samples)
  }

  /// Takes interleaved 16-bit samples, channel by channel in the order of a WAV file.
  public mutating func encode(interleaved samples: [Int16]) {
    encode(interleaved: samples.span)
  }

  /// Takes interleaved samples from −1 to 1.
  public mutating func encode(interleaved samples: [Float]) {
    encode(interleaved: samples.span)
  }

  /// Takes one span of 16-bit samples for each channel, one channel after another in `samples`.
  ///
  /// They are ignored unless they are as many for each channel; ``ignoredSampleCount`` counts them. Channels
  /// that are missing of an interleaved frame before them are silent.
  public mutating func encode(planar samples: Span<Int16>) {
    input.append(planar: samples)
  }

  /// Takes samples of `significantBits` bits (16…32), one channel after another in `samples`.
  ///
  /// As with 16-bit samples, they must be as many for each channel.
  public mutating func encode(planar samples: Span<Int32>, significantBits: Int) {
    input.append(planar: samples, significantBits: significantBits)
  }

  /// Takes samples from −1 to 1, one channel after another in `samples`.
  ///
  /// As with 16-bit samples, they must be as many for each channel.
  public mutating func encode(planar samples: Span<Float>) {
    input.append(planar: samples)
  }

  /// Ends the input; afterwards, take the remaining segments.
  ///
  /// An incomplete frame is filled with silence for its missing channels. Samples passed afterwards
  /// are ignored; ``ignoredSampleCount`` counts them.
  public mutating func finish() -> StreamTrim {
    input.finish()
    return timing.trim(of: input.sampleCount)
  }

  /// The next segment, or nil until all its samples have arrived.
  ///
  /// A segment has `AACEncoder.segmentFrameCount` units; after `finish()`, whatever is left is the
  /// last one.
  public mutating func nextSegment() -> SegmentEncoder? {
    var frameCount = AACEncoder.segmentFrameCount
    if input.isFinished {
      let rest = timing.unitCount(for: input.sampleCount) - frameIndex
      if rest <= 0 { return nil }
      frameCount = min(frameCount, rest)
    }
    // The encoder looks farther than the last frame.
    let sampleCount =
      (frameCount - 1) * timing.samplesPerUnit + encoder.neededSamples
    guard input.isFinished || input.available >= sampleCount else { return nil }
    let leadCount = min(frameIndex, encoder.leadFrames)
    let segment = SegmentEncoder(
      encoder.beginning(
        atFrame: frameIndex - leadCount,
        with: input.part(leadCount: leadCount, count: sampleCount)),
      firstFrame: frameIndex)
    input.advance(by: frameCount)
    frameIndex += frameCount
    return segment
  }
}
