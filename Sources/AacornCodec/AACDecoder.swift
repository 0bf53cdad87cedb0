public import AacornSignal

/// Decodes AAC, one unit at a time.
///
///     var decoder = try AACDecoder(configuration)
///     for unit in units {
///       decoder.decode(unit)
///       decoder.append(to: &samples)
///     }
///
/// A damaged unit is replaced by a fading repetition of the previous audio; decoding never stops.
/// A damaged unit that can be decoded may be a burst far above full scale, whose level is lowered.
/// Storage is reused from unit to unit, and the same units decode to the same samples on every
/// platform.
///
///     unit ► FrameReader ► CoreDecoder ► SBRDecoder (► ParametricStereo) ► channels in WAV's order
public struct AACDecoder: Sendable {
  /// The result of decoding a unit.
  @frozen
  public enum Outcome: Equatable, Sendable {
    /// The unit was decoded.
    case decoded
    /// The unit is damaged, as the error describes, and was replaced or lowered.
    case concealed(ParseError)
  }

  /// The optional processing of a decoder.
  public struct Options: Equatable, Sendable {
    /// Whether the stream's dynamic range control is applied to loud and soft passages.
    public var appliesDynamicRange = false
    /// Whether a mono stream with band replication is output as two channels from the first unit.
    ///
    /// Otherwise the number of channels changes when the decoder first finds parametric stereo,
    /// which may be signaled only inside the units.
    public var expectsParametricStereo = false

    /// Creates options for decoding without further processing.
    public init() {}
  }

  /// The stream's configuration.
  public let configuration: AudioSpecificConfig
  /// The optional processing.
  public let options: Options
  /// The output channels in the order of WAV files; nil if the stream does not name loudspeakers.
  public private(set) var channelLayout: ChannelLayout?

  private var reader: FrameReader
  private(set) var core: CoreDecoder
  private(set) var plan: ElementPlan?
  /// For each single, pair or LFE element of the unit: its index in the plan, and its first
  /// channel.
  private var planIndices: [Int] = []
  private var firstChannels: [Int] = []
  private(set) var replication: SBRDecoder
  /// For each output channel, the index of the core channel or, with band replication, of its
  /// output.
  private var outputOrder: [Int] = []
  /// The number of decoded or concealed units; seeds the noise.
  private var unitIndex = 0
  /// The plan of the last units if it differs from `plan`, and the number of consecutive units with
  /// it.
  private(set) var foreignPlan: ElementPlan?
  private(set) var foreignUnitCount = 0
  private var burstLimiter = BurstLimiter()

  /// Creates a decoder for streams with this configuration.
  ///
  /// - Throws: The reason why the configuration cannot be decoded.
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
    replication = SBRDecoder(configuration, isStereo: options.expectsParametricStereo)
    if let plan = ElementPlan(configuration) {
      setPlan(plan)
    } else if configuration.channelConfiguration != 0 {
      throw .unsupportedChannels(configuration.channelConfiguration)
    }
  }

  /// The sampling rate of the output, in hertz.
  ///
  /// It can double with the first unit, because band replication may be signaled only there.
  public var sampleRate: Int { replication.sampleRate }

  /// The number of output channels; 0 until the first unit if only the units define the channels.
  public var channelCount: Int { outputOrder.count }

  /// Samples per channel in each decoded unit.
  public var sampleCount: Int { replication.sampleCount }

  /// The maximum magnitude of the last unit's samples, full scale 1.
  ///
  /// Correct audio exceeds 1 by a few decibels. A peak above 2 means damage, unless the source was
  /// that loud. No peak exceeds 10.
  public var peak: Float { burstLimiter.peak }

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
    core.decode(&reader.block, firstChannels: firstChannels, unit: unitIndex)
    unitIndex &+= 1
    if replication.read(reader.block, of: unit, range: range, firstChannels: firstChannels) {
      outputHasChanged()
    }
    replication.process(core.channels)
    guard burstLimiter.apply(measuredPeak, isConcealed: false) else { return .decoded }
    return .concealed(ParseError(.burst, bitPosition: reader.block.bitCount))
  }

  /// Replaces a missing unit.
  public mutating func conceal() {
    core.conceal(unit: unitIndex)
    unitIndex &+= 1
    replication.process(core.channels)
    _ = burstLimiter.apply(measuredPeak, isConcealed: true)
  }

  /// Resets all state that previous units left; call it before decoding continues at unit `index`.
  public mutating func reset(atUnit index: Int = 0) {
    core.reset()
    replication.reset()
    burstLimiter = BurstLimiter()
    unitIndex = index
    foreignPlan = nil
  }

  /// Returns the last unit's samples of an output channel, full scale ±1.
  ///
  /// The array is empty if there is no such channel.
  public func samples(ofChannel index: Int) -> [Float] {
    guard outputOrder.indices.contains(index) else { return [] }
    return output(outputOrder[index])[..<sampleCount].map { $0 * scale }
  }

  /// Appends the last unit's samples, frame by frame, full scale ±1.
  public func append(to samples: inout [Float]) {
    let start = samples.count
    // Appends the channels one after the other, only to make room: this is the fastest way to grow
    // an array. The code below overwrites them with interleaved samples.
    for channel in outputOrder { samples.append(contentsOf: output(channel)[..<sampleCount]) }
    if outputOrder.count == 2 {
      unsafe Self.interleave(
        output(outputOrder[0]), output(outputOrder[1]), count: sampleCount, scale: scale,
        at: start, into: &samples)
      return
    }
    for (index, channel) in outputOrder.enumerated() {
      unsafe Self.spread(
        output(channel), count: sampleCount, scale: scale, at: start + index,
        by: outputOrder.count, into: &samples)
    }
  }

  /// Writes the last unit's samples to `samples`, one channel after the other, full scale ±1.
  ///
  /// The number of samples is ``channelCount`` times ``sampleCount``; both can change with a unit.
  /// Without room for all samples, nothing is written. Elements past the samples stay unchanged.
  public func write(planar samples: inout MutableSpan<Float>) {
    let count = sampleCount
    guard samples.count >= outputOrder.count * count else { return }
    unsafe samples.withUnsafeMutableBufferPointer { target in
      guard var destination = target.baseAddress else { return }
      for channel in outputOrder {
        unsafe Self.write(output(channel), count: count, scale: scale, to: destination)
        unsafe destination += count
      }
    }
  }

  private static func write(
    _ source: UnsafePointer<Float>, count: Int, scale: Float,
    to samples: UnsafeMutablePointer<Float>
  ) {
    var n = 0
    while n < count {
      unsafe samples.store(source.lanes(n) * scale, n)
      n &+= 4
    }
  }

  private static func interleave(
    _ left: UnsafePointer<Float>, _ right: UnsafePointer<Float>, count: Int, scale: Float,
    at start: Int, into samples: UnsafeMutablePointer<Float>
  ) {
    var index = start
    var n = 0
    while n < count {
      let (l, r) = unsafe (left.lanes(n) * scale, right.lanes(n) * scale)
      unsafe samples.store(Lanes(l[0], r[0], l[1], r[1]), index)
      unsafe samples.store(Lanes(l[2], r[2], l[3], r[3]), index &+ 4)
      index &+= 8
      n &+= 4
    }
  }

  private static func spread(
    _ source: UnsafePointer<Float>, count: Int, scale: Float, at start: Int, by step: Int,
    into samples: UnsafeMutablePointer<Float>
  ) {
    var index = start
    for n in 0..<count {
      unsafe samples[index] = source[n] * scale
      index &+= step
    }
  }

  private func output(_ channel: Int) -> [Float] {
    replication.isActive ? replication.outputs[channel] : core.channels[channel].samples
  }

  /// The factor from the scale of 16-bit samples to full scale ±1.
  private var scale: Float { burstLimiter.gain * 0x1p-15 }

  /// The maximum magnitude of the last unit's samples before the limiter, full scale 1.
  private var measuredPeak: Float {
    var peak: Float = 0
    for channel in outputOrder {
      peak = max(peak, unsafe Lanes.peak(output(channel), sampleCount))
    }
    return peak * 0x1p-15
  }
}

extension AACDecoder {
  /// Assigns the unit's elements to the channels of the plan.
  private mutating func match() throws(ParseError) {
    if configuration.channelConfiguration == 0, let program = reader.block.programConfig {
      let new = ElementPlan(program)
      // A program config element is damaged if its own unit has other elements. But the unit may
      // have no elements.
      let isValid =
        new.match(reader.block, into: &planIndices)
        || !reader.block.elements.contains { $0.hasOutputChannels }
      if new.channelCount > 0 && isValid && plan != new { setPlan(new) }
    }
    if plan?.match(reader.block, into: &planIndices) != true {
      let new = ElementPlan(reader.block)
      guard let new, unitIndex == 0 || plan == nil || isThirdConsecutiveUnit(with: new) else {
        throw ParseError(.unexpectedElements, bitPosition: reader.block.bitCount)
      }
      setPlan(new)
      _ = new.match(reader.block, into: &planIndices)
    }
    foreignPlan = nil
    firstChannels.removeAll(keepingCapacity: true)
    for index in planIndices { firstChannels.append(plan?.elements[index].firstChannel ?? 0) }
  }

  /// Returns whether this is the third consecutive unit with this plan.
  ///
  /// A single damaged unit may seem to have other channels. Three damaged units are unlikely to
  /// show the same wrong channels.
  private mutating func isThirdConsecutiveUnit(with new: ElementPlan) -> Bool {
    foreignUnitCount = new == foreignPlan ? foreignUnitCount + 1 : 1
    foreignPlan = new
    return foreignUnitCount >= 3
  }

  private mutating func setPlan(_ new: ElementPlan) {
    plan = new
    core.setChannelCount(new.channelCount)
    replication.setPlan(new)
    outputHasChanged()
  }

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
