import AacornSignal

/// Divides audio into segments that can be encoded on different threads.
///
/// The units of all segments, one after another, are identical to those of an `AACEncoder` for the
/// same samples.
///
///     var splitter = try SegmentSplitter(configuration)
///     splitter.encode(interleaved: samples.span)
///     while let segment = splitter.nextSegment() { … }   // encode on other threads; keep the order
///     let trim = splitter.finish()
///     while let segment = splitter.nextSegment() { … }
public struct SegmentSplitter: Sendable {
  /// An encoder without input; every segment begins with a copy.
  @Boxed private var encoder: AACEncoder
  private var input: SampleInput
  /// The first frame of the next segment.
  private var frameIndex = 0

  /// Creates a splitter; throws if the configuration is not possible.
  public init(_ configuration: AACEncoder.Configuration) throws(EncoderError) {
    let encoder = try AACEncoder(configuration)
    input = encoder.readSource { $0 }
    self.encoder = encoder
  }

  /// Creates a splitter with the configuration of an encoder, which is otherwise unused.
  public init(configuredLike encoder: AACEncoder) {
    let fresh = AACEncoder(encoder.configuration, encoder.settings)
    input = fresh.readSource { $0 }
    self.encoder = fresh
  }

  /// The configuration of the segments.
  public var configuration: AACEncoder.Configuration { encoder.configuration }

  /// The highest coded frequency, in hertz.
  public var bandwidth: Int { encoder.bandwidth }

  /// The number of input samples ignored because of a caller's mistake.
  ///
  /// Samples after ``finish()`` are ignored, and planar samples if the channels differ in length.
  public var ignoredSampleCount: Int { input.ignoredCount }

  /// The decoder configuration, which a decoder needs before the first unit.
  public var audioSpecificConfig: AudioSpecificConfig { encoder.audioSpecificConfig }

  /// Whether the units of all later segments include statistics.
  public var collectsStatistics: Bool {
    get { encoder.collectsStatistics }
    set { encoder.collectsStatistics = newValue }
  }

  /// The mapping between the units of all segments and samples.
  public var timing: StreamTiming { encoder.timing }

  /// Appends interleaved samples, like `AACEncoder`.
  public mutating func encode<Sample: PCMSample>(interleaved samples: Span<Sample>) {
    Sample.appendSamples(samples, isPlanar: false, to: &input)
  }

  /// Appends interleaved samples, like `AACEncoder`.
  public mutating func encode<Sample: PCMSample>(interleaved samples: [Sample]) {
    encode(interleaved: samples.span)
  }

  /// Appends planar samples, like `AACEncoder`.
  public mutating func encode<Sample: PCMSample>(planar samples: Span<Sample>) {
    Sample.appendSamples(samples, isPlanar: true, to: &input)
  }

  /// Ends the input; the remaining segments can then be read.
  ///
  /// The missing samples of an incomplete frame are filled with silence. Samples passed afterwards
  /// are ignored; ``ignoredSampleCount`` counts them.
  public mutating func finish() -> StreamTrim {
    input.finish()
    return timing.trim(of: input.sampleCount)
  }

  /// Returns the next segment, or nil until all its samples have arrived.
  ///
  /// A segment has `AACEncoder.segmentFrameCount` units; after `finish()`, the last segment has the
  /// remaining units.
  public mutating func nextSegment() -> SegmentEncoder? {
    var frameCount = AACEncoder.segmentFrameCount
    if input.isFinished {
      let rest = timing.unitCount(for: input.sampleCount) - frameIndex
      if rest <= 0 { return nil }
      frameCount = min(frameCount, rest)
    }
    // The encoder looks beyond the last frame.
    let sampleCount =
      (frameCount - 1) * timing.samplesPerUnit + encoder.neededSamples
    guard input.isFinished || input.available >= sampleCount else { return nil }
    let leadCount = min(frameIndex, encoder.leadFrames)
    let segment = SegmentEncoder(
      encoder.beginning(
        atFrame: frameIndex - leadCount,
        with: input.segment(leadCount: leadCount, count: sampleCount)),
      frames: frameIndex..<frameIndex + frameCount)
    input.advance(by: frameCount)
    frameIndex += frameCount
    return segment
  }
}

/// Segments that are created without samples, which the caller passes to them.
extension SegmentSplitter {
  /// Returns segment `index` of a stream of `sampleCount` samples per channel, and the range of
  /// samples that it needs; nil if the stream has fewer segments.
  ///
  /// Pass the samples with `encode`, and then call `finish`. The splitter itself must have no input.
  package func segment(
    _ index: Int, ofSamples sampleCount: Int
  ) -> (encoder: SegmentEncoder, samples: Range<Int>)? {
    precondition(input.sampleCount == 0)
    let first = index * AACEncoder.segmentFrameCount
    let end = min(first + AACEncoder.segmentFrameCount, timing.unitCount(for: sampleCount))
    if first >= end { return nil }
    let start = first - min(first, encoder.leadFrames)
    let (unread, firstSample) = input.beginning(atFrame: start)
    let segment = SegmentEncoder(
      encoder.beginning(atFrame: start, with: unread), frames: first..<end)
    let lastSample = firstSample + segment.neededSampleCount
    return (segment, min(firstSample, sampleCount)..<min(lastSample, sampleCount))
  }
}
