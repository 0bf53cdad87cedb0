public import AacornSignal

/// Writes a file of samples in a format chosen at run time.
///
///     var writer = PCMFileWriter(configuration)
///     var bytes = writer.header()
///     writer.append(samples.span, to: &bytes)        // as often as there are samples
///     for patch in writer.finish(to: &bytes) { … }   // lengths that were not known before
public struct PCMFileWriter: Sendable {
  /// The formats.
  @frozen
  public enum Kind: UInt8, Equatable, Sendable, CaseIterable {
    /// WAV; beyond 4 GiB RF64.
    case wav
    /// AIFF, or AIFF-C for single precision.
    case aiff
    /// Core Audio Format.
    case caf
    /// Samples alone, least significant byte first.
    case raw
  }

  /// The settings of a writer.
  public struct Configuration: Equatable, Sendable {
    /// The format.
    public var kind: Kind
    /// The encoding of a sample.
    public var encoding: PCMEncoding
    /// Frames per second, from 1 Hz to 3.072 MHz.
    public var sampleRate: Int
    /// The number of channels, 1…64.
    public var channelCount: Int
    /// The channel layout, if it is known.
    public var layout: ChannelLayout?
    /// Whether noise is added before samples are rounded to 16 bits.
    public var isDithered = true
    /// The number of frames, if it is certain enough for a header that cannot be changed.
    public var frameCount: UInt64?

    /// Creates a configuration with dither, for audio of unknown length.
    public init(
      _ kind: Kind, encoding: PCMEncoding, sampleRate: Int, channelCount: Int,
      layout: ChannelLayout? = nil
    ) {
      self.kind = kind
      self.encoding = encoding
      self.sampleRate = sampleRate
      self.channelCount = channelCount
      self.layout = layout
    }
  }

  private enum Format: Sendable {
    case wav(WAVWriter)
    case aiff(AIFFWriter)
    case caf(CAFWriter)
    case raw
  }

  /// The settings of the writer, with values out of range clamped.
  public let configuration: Configuration
  /// The number of frames appended up to now.
  public private(set) var frameCount: UInt64 = 0
  private let format: Format
  /// The quantizer; nil for single precision.
  private var quantizer: SampleQuantizer?
  private var integers: [Int32] = []

  /// Up to this many bytes of samples, a WAV file needs no room for 64-bit sizes.
  ///
  /// The margin below 4 GiB allows for more samples than expected.
  private static let maxShortByteCount: UInt64 = (1 << 31) - 1

  /// Creates a writer.
  public init(_ configuration: Configuration) {
    var configuration = configuration
    configuration.sampleRate = SampleLimits.sampleRate(configuration.sampleRate)
    configuration.channelCount = SampleLimits.channelCount(configuration.channelCount)
    self.configuration = configuration
    let (encoding, rate) = (configuration.encoding, configuration.sampleRate)
    let (count, layout) = (configuration.channelCount, configuration.layout)
    switch configuration.kind {
    case .wav:
      let size = encoding.byteCount(
        configuration.frameCount, count, limit: Self.maxShortByteCount)
      format = .wav(
        WAVWriter(
          encoding: encoding, sampleRate: rate, channelCount: count, layout: layout,
          reservesLongSizes: size == nil))
    case .aiff:
      format = .aiff(
        AIFFWriter(encoding: encoding, sampleRate: rate, channelCount: count, layout: layout))
    case .caf:
      format = .caf(
        CAFWriter(encoding: encoding, sampleRate: rate, channelCount: count, layout: layout))
    case .raw:
      format = .raw
    }
    if encoding != .float32 {
      quantizer = SampleQuantizer(
        bitCount: encoding.bitCount, channelCount: count,
        isDithered: configuration.isDithered && encoding == .int16)
    }
  }

  /// The number of clipped samples; always 0 in single precision.
  public var clippedCount: Int { quantizer?.clippedCount ?? 0 }

  /// Returns whether `count` more frames fit into the file.
  public func hasRoom(for count: Int) -> Bool {
    guard case .aiff(let writer) = format else { return true }
    let most = writer.maximumFrameCount
    return frameCount <= most && UInt64(max(0, count)) <= most - frameCount
  }

  /// Returns the bytes before the first sample.
  public func header() -> [UInt8] {
    switch format {
    case .wav(let writer): writer.header(frameCount: configuration.frameCount)
    case .aiff(let writer): writer.header(frameCount: configuration.frameCount)
    case .caf(let writer): writer.header(frameCount: configuration.frameCount)
    case .raw: []
    }
  }

  /// Appends complete interleaved frames; an incomplete frame at the end is ignored.
  public mutating func append(_ samples: Span<Float>, to bytes: inout [UInt8]) {
    let isBigEndian = configuration.kind == .aiff
    let count = samples.count / configuration.channelCount
    let samples = samples.extracting(0..<count * configuration.channelCount)
    frameCount += UInt64(count)
    if quantizer == nil {
      configuration.encoding.append(numbers: samples, isBigEndian: isBigEndian, to: &bytes)
      return
    }
    integers.removeAll(keepingCapacity: true)
    quantizer?.quantize(samples, into: &integers)
    configuration.encoding.append(integers.span, isBigEndian: isBigEndian, to: &bytes)
  }

  /// Appends the bytes after the last sample, and returns the writes that set the final lengths.
  public func finish(to bytes: inout [UInt8]) -> [FileWrite] {
    let isFinal = configuration.frameCount == frameCount
    switch format {
    case .wav(let writer):
      bytes += writer.padding(frameCount: frameCount)
      return isFinal ? [] : writer.patches(frameCount: frameCount)
    case .aiff(let writer):
      bytes += writer.padding(frameCount: frameCount)
      return isFinal ? [] : writer.patches(frameCount: frameCount)
    case .caf(let writer):
      return isFinal ? [] : writer.patches(frameCount: frameCount)
    case .raw:
      return []
    }
  }
}
