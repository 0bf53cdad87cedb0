/// An encoder of AAC-LC, HE-AAC and HE-AAC v2: PCM in, access units out.
///
///     var encoder = try AACEncoder(.init(sampleRate: 44_100, channelCount: 2))
///     encoder.encode(interleaved: samples.span)
///     while let unit = encoder.nextAccessUnit() { … }
///     let trim = encoder.finish()
///     while let unit = encoder.nextAccessUnit() { … }
///
/// The encoder is a value without threads, clocks or files. The same samples give the same bytes on
/// every platform, however they are split into chunks. After its first frames it allocates nothing
/// if units are read with `nextAccessUnit(into:)`.
public struct AACEncoder: Sendable {
  /// The configuration of the encoder.
  public let configuration: Configuration
  /// The decoder configuration, which a decoder needs before the first unit.
  public let audioSpecificConfig: AudioSpecificConfig
  /// The mapping between units and samples.
  public let timing: StreamTiming
  /// Whether units include statistics of their frames; the bytes are the same either way.
  public var collectsStatistics = false

  /// The core's samples that are not encoded yet.
  var input: SampleInput
  /// Band replication and its input samples, per element; empty in AAC-LC.
  var replication: [SBREncoder] = []
  /// The replication payload of the frame in progress, per element; empty in AAC-LC.
  var payloads: [BitWriter] = []
  /// The total bits of the payloads.
  var replicationBits = 0

  // The frame in progress
  var elements: [Element]
  var channels: [ChannelFrame]
  var detectors: [TransientDetector]
  var frameIndex = 0

  // Stages
  var mdct = MDCT()
  var pairSums = PairSums()
  var demand = DemandModel()
  var searches: [ScaleFactorSearch]
  var sectioning = Sectioning()
  var rate: RateController
  /// Has room for the largest frame (6144 bytes) and for the fields that writing a channel's
  /// spectrum reserves (2560 of four bytes).
  var writer = FrameWriter<BitWriter>(byteCapacity: 16_384)
  var predictedBits: Float = 0
  /// The bits of the frame before filling.
  var codedBits = 0
  var spectralBits = 0
  let windowTable = WindowTable()
  let tables = CodeTables()
  let bands: ScaleFactorBands
  let longModel: MaskingModel
  let shortModel: MaskingModel
  /// The bands coded at the current bitrate.
  var codedBands: CodedBands
  /// Whether the current bitrate is low enough for audible errors of intensity stereo.
  var usesCoarseIntensity: Bool
  var noiseShapingScratch = [Float](repeating: 0, count: 1040)
  var autocorrelation = [Float](
    repeating: 0, count: NoiseShaping.maximumOrder + 1)
  let leakage: LeakageModel
  let settings: Settings

  /// Core samples needed for a frame: a block of 2048, plus half a frame of attack lookahead.
  static let coreSamples = 2560

  var neededSamples: Int {
    replication.isEmpty ? Self.coreSamples : replication[0].neededSamples
  }

  /// The number of input samples ignored because of a caller's mistake.
  ///
  /// Samples after ``finish()`` are ignored, and planar samples if the channels differ in length.
  public var ignoredSampleCount: Int { readSource { $0.ignoredCount } }

  /// The highest coded frequency, in hertz.
  public var bandwidth: Int { codedBands.top }

  /// Creates an encoder; throws if the configuration is not possible.
  public init(_ configuration: Configuration) throws(EncoderError) {
    let settings = try Settings(configuration)
    self.init(configuration, settings)
  }

  init(_ configuration: Configuration, _ settings: Settings) {
    let (frequency, layout) = (settings.frequency, settings.layout)
    self.configuration = configuration
    self.settings = settings
    timing = configuration.timing
    audioSpecificConfig = configuration.audioSpecificConfig(frequency, layout)
    bands = ScaleFactorBands(frequency)
    longModel = MaskingModel(offsets: bands.long, lineCount: 1024, sampleRate: frequency.hertz)
    shortModel = MaskingModel(offsets: bands.short, lineCount: 128, sampleRate: frequency.hertz)
    leakage = LeakageModel(offsets: bands.long)
    codedBands = CodedBands(bands, settings, bandwidth: settings.bandwidth)
    usesCoarseIntensity = settings.usesCoarseIntensity(at: settings.ratePerChannel)
    elements = Self.elements(of: layout)
    let count = layout.channelCount
    if let replicationSettings = settings.replication {
      replication = [
        SBREncoder(replicationSettings, layout: settings.inputLayout, elements: elements)
      ]
      input = SampleInput(empty: layout)
      payloads = [BitWriter](
        repeating: BitWriter(byteCapacity: SBRWriter.maxByteCount), count: elements.count)
    } else {
      input = SampleInput(layout)
    }
    channels = [ChannelFrame](repeating: ChannelFrame(), count: count)
    detectors = [TransientDetector](repeating: TransientDetector(), count: count)
    searches = [ScaleFactorSearch](
      repeating: ScaleFactorSearch(searchReach: settings.searchReach), count: count)
    rate = RateController(
      configuration.rateControl, sampleRate: frequency.hertz,
      bufferedChannels: layout.bufferedChannelCount, variableLevel: settings.variableLevel,
      nominalRate: settings.ratePerChannel * Float(layout.bufferedChannelCount))
  }

  private static func elements(of layout: ChannelConfiguration) -> [Element] {
    var elements: [Element] = []
    var tags = [0, 0, 0, 0]
    var first = 0
    for kind in layout.elements {
      let count = kind == .pair ? 2 : 1
      let tag = tags[Int(kind.rawValue)]
      elements.append(Element(kind: kind, tag: tag, channels: first..<first + count))
      tags[Int(kind.rawValue)] += 1
      first += count
    }
    return elements
  }

  /// Ends the input; the remaining units can then be read.
  ///
  /// The missing samples of an incomplete frame are filled with silence. Samples passed afterwards
  /// are ignored; ``ignoredSampleCount`` counts them.
  public mutating func finish() -> StreamTrim {
    changeSource { $0.finish() }
    return timing.trim(of: readSource { $0.sampleCount })
  }

  /// The number of frames for all samples up to now, including a partial last one.
  private var frameTotal: Int { timing.unitCount(for: readSource { $0.sampleCount }) }

  /// Whether the input has enough samples for the next frame.
  var hasFrame: Bool { readSource { $0.available } >= neededSamples }

  /// Returns the next unit, or nil if more samples are needed.
  public mutating func nextAccessUnit() -> AccessUnit? {
    var unit = AccessUnit()
    return nextAccessUnit(into: &unit) ? unit : nil
  }

  /// Stores the next unit in `unit`, reusing its storage; returns false if more samples are needed.
  public mutating func nextAccessUnit(into unit: inout AccessUnit) -> Bool {
    if readSource({ $0.isFinished }) {
      guard frameIndex < frameTotal else { return false }
      let needed = neededSamples
      changeSource { $0.fill(upTo: needed) }
    } else {
      guard hasFrame else { return false }
    }
    if isBoundary { beginSegment() }
    encodeFrame()
    unit.bytes.removeAll(keepingCapacity: true)
    // Reused storage is reserved for the largest frame immediately, rather than grown whenever
    // a frame is larger than all previous ones.
    if unit.bytes.capacity > 0 { unit.bytes.reserveCapacity(rate.largestFrame / 8) }
    writer.append(to: &unit.bytes)
    unit.sampleCount = timing.samplesPerUnit
    unit.samplePosition = frameIndex * timing.samplesPerUnit - timing.priming
    unit.reservoirBits = rate.reservoir?.level
    unit.protectedRegions.removeAll(keepingCapacity: true)
    unit.protectedRegions.append(contentsOf: writer.protectedRegions)
    unit.statistics = collectsStatistics ? frameStatistics() : nil
    frameIndex += 1
    return true
  }

  /// Encodes one frame, from samples to bits.
  private mutating func encodeFrame() {
    replicate()
    for element in elements.indices {
      chooseWindows(element)
      analyzeSpectra(element)
      chooseTools(element)
    }
    quantize()
    write()
    advance()
  }
}

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
    usesCoarseIntensity = settings.usesCoarseIntensity(at: share)
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
