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
/// if units are taken with `nextAccessUnit(into:)`.
public struct AACEncoder: Sendable {
  /// The configuration of the encoder.
  public let configuration: Configuration
  /// What a decoder must know before the first unit.
  public let audioSpecificConfig: AudioSpecificConfig
  /// How its units map to samples.
  public let timing: StreamTiming
  /// Whether its units say what was done with their frames, which changes none of their bytes.
  public var collectsStatistics = false

  /// The core's samples that wait to be encoded.
  var input: SampleInput
  /// What describes the bands above the core's, and has the samples of both; none in AAC-LC.
  var replication: [ReplicationAnalysis] = []
  /// What it says of the frame in progress, for each element; none in AAC-LC.
  var payloads: [BitWriter] = []
  /// The bits of that.
  var replicationBits = 0

  // The frame in progress
  var elements: [Element]
  var channels: [ChannelFrame]
  var detectors: [TransientDetector]
  var frameIndex = 0

  // Stages
  var mdct = MDCT()
  var demand = DemandModel()
  var searches: [ScaleFactorSearch]
  var sectioning = Sectioning()
  var rate: RateController
  /// With room for the largest frame, and behind it for the most that a channel's lines can take.
  var writer = FrameWriter<BitWriter>(byteCapacity: 16_384)
  var predictedBits: Float = 0
  var spectralBits = 0
  let windowTable = WindowTable()
  let tables = CodeTables()
  let bands: ScaleFactorBands
  let longModel: MaskingModel
  let shortModel: MaskingModel
  /// Those of the bands that are coded at the rate of now.
  var codedBands: CodedBands
  /// Whether that rate is so low that intensity stereo may be used.
  var usesIntensity: Bool
  var noiseShapingScratch = [Float](repeating: 0, count: 1040)
  var autocorrelation = [Float](
    repeating: 0, count: NoiseShaping.maximumOrder + 1)
  let leakage: LeakageModel
  let settings: Settings

  /// Samples of the core needed for a frame: a block of 2048, plus half a frame to see an attack
  /// coming.
  static let coreSamples = 2560

  /// Samples needed for a frame.
  var neededSamples: Int {
    replication.isEmpty ? Self.coreSamples : replication[0].neededSamples
  }

  /// Samples that were not encoded, which are a mistake of the caller: those passed after ``finish()``, and planar
  /// ones that are not as many for each channel.
  public var ignoredSampleCount: Int { ofSource { $0.ignoredCount } }

  /// The highest frequency that is coded, in hertz.
  public var bandwidth: Int { codedBands.top }

  /// Creates an encoder; throws if the configuration is not possible.
  public init(_ configuration: Configuration) throws(EncoderError) {
    let settings = try Settings(configuration)
    self.init(configuration, settings)
  }

  /// Creates an encoder with the settings of a configuration.
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
    usesIntensity = settings.usesIntensity(at: settings.ratePerChannel)
    elements = Self.elements(of: layout)
    let count = layout.channelCount
    if let settings = settings.replication {
      replication = [ReplicationAnalysis(settings, self.settings.inputLayout, elements)]
      input = SampleInput(empty: layout)
      payloads = [BitWriter](
        repeating: BitWriter(byteCapacity: SBRWriter.mostBytes), count: elements.count)
    } else {
      input = SampleInput(layout)
    }
    channels = [ChannelFrame](repeating: ChannelFrame(), count: count)
    detectors = [TransientDetector](repeating: TransientDetector(), count: count)
    searches = [ScaleFactorSearch](
      repeating: ScaleFactorSearch(reach: settings.reach), count: count)
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

  /// Ends the input; afterwards, take the remaining units.
  ///
  /// An incomplete frame is filled with silence for its missing channels. Samples passed afterwards
  /// are ignored; ``ignoredSampleCount`` counts them.
  public mutating func finish() -> StreamTrim {
    changeSource { $0.finish() }
    return timing.trim(of: ofSource { $0.sampleCount })
  }

  /// The number of frames for all samples so far, counting a partial last one; none for no samples.
  private var frameTotal: Int { timing.unitCount(for: ofSource { $0.sampleCount }) }

  /// The next unit, or nil until more samples come.
  public mutating func nextAccessUnit() -> AccessUnit? {
    var unit = AccessUnit()
    return nextAccessUnit(into: &unit) ? unit : nil
  }

  /// Stores the next unit in `unit`, reusing its storage; false until more samples come.
  public mutating func nextAccessUnit(into unit: inout AccessUnit) -> Bool {
    if ofSource({ $0.isFinished }) {
      guard frameIndex < frameTotal else { return false }
      let needed = neededSamples
      changeSource { $0.fill(upTo: needed) }
    } else {
      guard ofSource({ $0.available }) >= neededSamples else { return false }
    }
    if isBoundary { beginSegment() }
    encodeFrame()
    unit.bytes.removeAll(keepingCapacity: true)
    // Storage that is used again gets room for the largest frame at once, rather than a little more
    // whenever a frame is larger than all before.
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
      transform(element)
      listen(element)
      shapeNoise(element)
      joinChannels(element)
    }
    quantize()
    write()
    advance()
  }
}
