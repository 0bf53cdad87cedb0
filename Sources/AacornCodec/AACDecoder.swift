public import AacornSignal

/// Decodes AAC, one unit at a time.
///
///     var decoder = try AACDecoder(configuration)
///     for unit in units {
///       decoder.decode(unit)
///       decoder.append(to: &samples)
///     }
///
/// A unit that is damaged is replaced by something like the sound before it, which fades; decoding
/// never stops. Storage is kept from unit to unit, and the same units give the same samples on every
/// platform.
///
///     unit ► FrameReader ► CoreDecoder ► BandReplication (► ParametricStereo) ► channels in WAV's order
public struct AACDecoder: Sendable {
  /// What happened to a unit.
  @frozen
  public enum Outcome: Equatable, Sendable {
    /// It was decoded.
    case decoded
    /// It is damaged in this way, and was replaced.
    case concealed(ParseError)
  }

  /// What to do beside decoding.
  public struct Options: Equatable, Sendable {
    /// Whether loud and soft passages are evened out as the stream says.
    public var appliesDynamicRange = false
    /// Whether one channel with band replication comes out as two from the start: parametric stereo
    /// may be found only in the stream.
    public var expectsParametricStereo = false

    /// Plain decoding.
    public init() {}
  }

  /// The stream's configuration.
  public let configuration: AudioSpecificConfig
  /// What to do beside decoding.
  public let options: Options
  /// The channels in the order in which they come out, that of WAV files; nil if the stream does
  /// not say which loudspeakers they belong to.
  public private(set) var channelLayout: ChannelLayout?

  private var reader: FrameReader
  private(set) var core: CoreDecoder
  private(set) var plan: ElementPlan?
  /// For each sounding element of the unit, its place in the plan, and its first channel.
  private var places: [Int] = []
  private var firstChannels: [Int] = []
  private(set) var replication: ReplicationStage
  /// For each channel of the output, where it is found.
  private var outputOrder: [Int] = []
  /// The units so far, which seed the noise.
  package private(set) var unitIndex = 0
  /// Another plan that the last units agree on, and how many of them.
  private(set) var stranger: ElementPlan?
  private(set) var strangerCount = 0

  /// A decoder of streams with this configuration.
  ///
  /// - Throws: Why there is no decoder for them.
  public init(
    _ configuration: AudioSpecificConfig, options: Options = Options()
  ) throws(DecoderError) {
    switch configuration.objectType {
    case .main, .lowComplexity, .longTermPrediction: break
    default: throw .unsupportedObjectType(configuration.objectType)
    }
    guard configuration.frameLength == 1024 || configuration.frameLength == 960,
      (1...192_000).contains(configuration.sampleRate)
    else { throw .invalidConfiguration }
    self.configuration = configuration
    self.options = options
    reader = FrameReader(configuration, keepsSpectrum: true)
    core = CoreDecoder(
      configuration, reader, appliesDynamicRange: options.appliesDynamicRange)
    replication = ReplicationStage(configuration, isStereo: options.expectsParametricStereo)
    if configuration.channelConfiguration != 0 {
      guard let plan = ElementPlan(configuration) else {
        throw .unsupportedChannels(configuration.channelConfiguration)
      }
      adopt(plan)
    } else if let plan = ElementPlan(configuration) {
      adopt(plan)
    }
  }

  /// Samples per second of the output.
  ///
  /// They can double with the first unit, because band replication may be found only there.
  public var sampleRate: Int { replication.sampleRate }

  /// The channels of the output; 0 if the first unit must tell them.
  public var channelCount: Int { outputOrder.count }

  /// Samples per channel that each unit gives.
  public var sampleCount: Int { replication.sampleCount }

  /// Decodes a raw_data_block: `unit`, or the given range of it.
  @discardableResult
  public mutating func decode(_ unit: [UInt8], range: Range<Int>? = nil) -> Outcome {
    do throws(ParseError) {
      try reader.read(unit, range: range)
      try match()
    } catch {
      conceal()
      return .concealed(error)
    }
    core.decode(&reader.block, places: firstChannels, unit: unitIndex)
    unitIndex &+= 1
    if replication.read(reader.block, unit, range, firstChannels: firstChannels) {
      outputHasChanged()
    }
    replication.process(core.channels)
    return .decoded
  }

  /// Replaces a unit that is missing.
  public mutating func conceal() {
    core.conceal(unit: unitIndex)
    unitIndex &+= 1
    replication.process(core.channels)
  }

  /// Forgets all units before, as after a jump to the unit with this index.
  public mutating func reset(atUnit index: Int = 0) {
    core.reset()
    replication.reset()
    unitIndex = index
    stranger = nil
  }

  /// The last unit's samples of one channel of the output, full scale ±1; none if there is no such channel.
  public func samples(ofChannel index: Int) -> [Float] {
    guard outputOrder.indices.contains(index) else { return [] }
    return output(outputOrder[index])[..<sampleCount].map { $0 * 0x1p-15 }
  }

  /// Appends the last unit's samples, frame by frame, full scale ±1.
  public func append(to samples: inout [Float]) {
    let start = samples.count
    // Makes room by copying, which is the fastest way to grow an array.
    for channel in outputOrder { samples.append(contentsOf: output(channel)[..<sampleCount]) }
    if outputOrder.count == 2 {
      unsafe Self.interleave(
        output(outputOrder[0]), output(outputOrder[1]), sampleCount, start, &samples)
      return
    }
    for (place, channel) in outputOrder.enumerated() {
      unsafe Self.spread(
        output(channel), sampleCount, start + place, outputOrder.count, &samples)
    }
  }

  /// Writes the last unit's samples to `samples`, one channel after the other, full scale ±1.
  ///
  /// They are ``channelCount`` times ``sampleCount``, which a unit may change. Without room for all of them
  /// nothing is written, and what is behind them stays.
  public func write(planar samples: inout MutableSpan<Float>) {
    let count = sampleCount
    guard samples.count >= outputOrder.count * count else { return }
    unsafe samples.withUnsafeMutableBufferPointer { target in
      guard var place = target.baseAddress else { return }
      for channel in outputOrder {
        unsafe Self.scale(output(channel), count, place)
        unsafe place += count
      }
    }
  }

  private static func scale(
    _ source: UnsafePointer<Float>, _ count: Int, _ samples: UnsafeMutablePointer<Float>
  ) {
    var n = 0
    while n < count {
      unsafe samples.store(source.lanes(n) * 0x1p-15, n)
      n &+= 4
    }
  }

  private static func interleave(
    _ left: UnsafePointer<Float>, _ right: UnsafePointer<Float>, _ count: Int, _ start: Int,
    _ samples: UnsafeMutablePointer<Float>
  ) {
    var place = start
    var n = 0
    while n < count {
      let (l, r) = unsafe (left.lanes(n) * 0x1p-15, right.lanes(n) * 0x1p-15)
      unsafe samples.store(Lanes(l[0], r[0], l[1], r[1]), place)
      unsafe samples.store(Lanes(l[2], r[2], l[3], r[3]), place &+ 4)
      place &+= 8
      n &+= 4
    }
  }

  private static func spread(
    _ source: UnsafePointer<Float>, _ count: Int, _ start: Int, _ step: Int,
    _ samples: UnsafeMutablePointer<Float>
  ) {
    var place = start
    for n in 0..<count {
      unsafe samples[place] = source[n] * 0x1p-15
      place &+= step
    }
  }

  private func output(_ channel: Int) -> [Float] {
    replication.isActive ? replication.outputs[channel] : core.channels[channel].samples
  }
}

extension AACDecoder {
  /// Finds the channels of the unit's elements.
  private mutating func match() throws(ParseError) {
    if configuration.channelConfiguration == 0, let program = reader.block.programConfig {
      let new = ElementPlan(program)
      // A layout that its own unit does not have is damaged; units may have nothing else, though.
      let isRight =
        new.match(reader.block, into: &places) || !reader.block.elements.contains { $0.isSounding }
      if new.channelCount > 0 && isRight && plan != new { adopt(new) }
    }
    if plan?.match(reader.block, into: &places) != true {
      let new = ElementPlan(reader.block)
      guard let new, unitIndex == 0 || plan == nil || isThird(new) else {
        throw ParseError(.unexpectedElements, bitPosition: reader.block.bitCount)
      }
      adopt(new)
      _ = new.match(reader.block, into: &places)
    }
    stranger = nil
    firstChannels.removeAll(keepingCapacity: true)
    for place in places { firstChannels.append(plan?.elements[place].firstChannel ?? 0) }
  }

  /// Whether this is the third unit in a row that has this plan: a damaged unit may look like one
  /// with other channels, but several do not agree on them.
  private mutating func isThird(_ new: ElementPlan) -> Bool {
    strangerCount = new == stranger ? strangerCount + 1 : 1
    stranger = new
    return strangerCount >= 3
  }

  private mutating func adopt(_ new: ElementPlan) {
    plan = new
    core.setChannelCount(new.channelCount)
    replication.setPlan(new)
    outputHasChanged()
  }

  /// Sets what the output consists of.
  private mutating func outputHasChanged() {
    guard let plan else { return }
    if replication.isStereo {
      outputOrder = [0, 1]
      channelLayout = .standard(channelCount: 2)
    } else {
      outputOrder = plan.outputOrder
      channelLayout = plan.speakers.isEmpty ? nil : plan.layout
    }
  }
}
