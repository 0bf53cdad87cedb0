import AacornSignal

/// Decodes the parsed content of a frame to samples at the core's rate (ISO/IEC 14496-3, 4.6).
///
///     lines ► noise ► M/S ► prediction ► intensity ► coupling ► noise shaping ► filter bank
struct CoreDecoder: Sendable {
  /// The channels of the plan, in its order.
  private(set) var channels: [ChannelDecoder] = []

  private let frameLength: Int
  private let hasBackwardPrediction: Bool
  private let hasLongTermPrediction: Bool
  private let appliesDynamicRange: Bool
  private let predictedLineCount: Int
  private let windows: WindowTable
  private var transform: InverseMDCT
  private var lines: LineDecoder
  private var scratch: [Float]
  private var terms: [Float]
  /// Coupling channels by tag; most streams have none.
  private var couplingChannels: [ChannelDecoder?] = []
  private var coupled: [(parsed: Int, tag: Int)] = []

  init(_ configuration: AudioSpecificConfig, _ reader: FrameReader, appliesDynamicRange: Bool) {
    self.appliesDynamicRange = appliesDynamicRange
    frameLength = configuration.frameLength
    hasBackwardPrediction = configuration.objectType == .main
    hasLongTermPrediction = configuration.objectType == .longTermPrediction
    lines = LineDecoder(reader)
    let predictedBandCount = min(lines.bands.predictionLimit, lines.bands.long.count - 1)
    predictedLineCount = lines.bands.long[predictedBandCount]
    windows = WindowTable(frameLength: frameLength)
    transform = InverseMDCT(frameLength: frameLength)
    scratch = [Float](repeating: 0, count: frameLength)
    terms = scratch
  }

  /// Replaces all channels by new ones.
  mutating func setChannelCount(_ count: Int) {
    channels.removeAll(keepingCapacity: true)
    for _ in 0..<count { channels.append(makeChannel()) }
    couplingChannels = []
  }

  /// Resets all state that previous frames left.
  mutating func reset() {
    for channel in 0..<channels.count { channels[channel].reset() }
    couplingChannels = []
  }

  private func makeChannel() -> ChannelDecoder {
    ChannelDecoder(
      frameLength: frameLength,
      predictor: hasBackwardPrediction ? BackwardPredictor(lineCount: predictedLineCount) : nil,
      longTerm: hasLongTermPrediction ? LongTermPredictor(frameLength: frameLength) : nil)
  }

  /// Decodes a frame.
  ///
  /// - Parameters:
  ///   - block: The frame's content.
  ///   - firstChannels: The first channel of each sounding element.
  ///   - unit: The number of previous frames, which seeds the noise.
  mutating func decode(_ block: inout ParsedBlock, firstChannels: [Int], unit: Int) {
    for index in 0..<block.channelCount { block.channelPool[index].addPulses() }
    prepareCoupling(&block, unit: unit)
    // Each channel is moved out of the block temporarily. A copy would share its arrays with the
    // block.
    var first = ParsedChannel()
    var second = ParsedChannel()
    var sounding = 0
    for element in block.elements where element.hasOutputChannels {
      let firstChannel = firstChannels[sounding]
      let isPair = element.channelCount == 2
      sounding += 1
      swap(&first, &block.channelPool[element.firstChannel])
      if isPair {
        swap(&second, &block.channelPool[element.firstChannel + 1])
        reconstructPair(first, second, of: element, firstChannel: firstChannel, unit: unit)
        finish(block, first, of: element, offset: 0, channel: firstChannel)
        finish(block, second, of: element, offset: 1, channel: firstChannel + 1)
        swap(&second, &block.channelPool[element.firstChannel + 1])
      } else {
        lines.reconstruct(
          first, unit: unit, channel: firstChannel, into: &channels[firstChannel].lines)
        predict(first.window, firstChannel)
        finish(block, first, of: element, offset: 0, channel: firstChannel)
      }
      swap(&first, &block.channelPool[element.firstChannel])
    }
  }

  /// Replaces a damaged or missing frame.
  mutating func conceal(unit: Int) {
    for index in 0..<channels.count {
      channels[index].conceal(unit: unit, channel: index, into: &scratch)
      swap(&channels[index].lines, &scratch)
      synthesize(index, channels[index].window)
      swap(&channels[index].lines, &scratch)
    }
  }
}

extension CoreDecoder {
  private mutating func predict(_ window: WindowInfo, _ channel: Int) {
    channels[channel].predictBackward(window, offsets: lines.bands.long)
  }

  private mutating func reconstructPair(
    _ first: ParsedChannel, _ second: ParsedChannel, of element: ParsedElement, firstChannel: Int,
    unit: Int
  ) {
    // Moves the second channel's lines out of the array, so that one call can change both channels'
    // lines.
    swap(&scratch, &channels[firstChannel + 1].lines)
    lines.reconstructPair(
      first, second, unit: unit, channel: firstChannel, left: &channels[firstChannel].lines,
      right: &scratch)
    swap(&scratch, &channels[firstChannel + 1].lines)
    predict(first.window, firstChannel)
    predict(second.window, firstChannel + 1)
    swap(&scratch, &channels[firstChannel + 1].lines)
    lines.fillIntensity(
      first, second, of: element, left: channels[firstChannel].lines, right: &scratch)
    swap(&scratch, &channels[firstChannel + 1].lines)
  }

  /// Converts lines to samples.
  private mutating func finish(
    _ block: ParsedBlock, _ parsed: ParsedChannel, of element: ParsedElement, offset: Int,
    channel: Int
  ) {
    couple(block, element, offset: offset, channel: channel, at: .beforeNoiseShaping)
    channels[channel].predictLongTerm(
      parsed, offsets: lines.bands.long, bandLimit: lines.shapingLimit(parsed), table: windows,
      shaping: &lines.shaping)
    lines.shape(parsed, &channels[channel].lines)
    couple(block, element, offset: offset, channel: channel, at: .afterNoiseShaping)
    channels[channel].recover(parsed.window)
    if appliesDynamicRange, let range = block.dynamicRange {
      range.apply(
        channel: channel, isShort: parsed.window.isShort, to: &channels[channel].lines)
    }
    synthesize(channel, parsed.window)
    couple(block, element, offset: offset, channel: channel, at: .samples)
  }

  private mutating func synthesize(_ channel: Int, _ window: WindowInfo) {
    channels[channel].synthesize(window, with: &transform, table: windows, terms: &terms)
  }
}

extension CoreDecoder {
  /// The step of the chain at which a coupling channel is added.
  private enum CouplingPoint {
    case beforeNoiseShaping, afterNoiseShaping, samples
  }

  /// Decodes the coupling channels of a frame before the channels that use them.
  private mutating func prepareCoupling(_ block: inout ParsedBlock, unit: Int) {
    coupled.removeAll(keepingCapacity: true)
    guard !block.couplings.isEmpty else { return }
    while couplingChannels.count < 16 { couplingChannels.append(nil) }
    for element in block.elements where element.kind == .coupling {
      let index = coupled.count
      coupled.append((element.firstChannel, element.tag))
      guard index < block.couplings.count else { break }
      var channel = couplingChannels[element.tag] ?? makeChannel()
      couplingChannels[element.tag] = nil
      let parsed = block.channelPool[element.firstChannel]
      lines.reconstruct(
        parsed, unit: unit, channel: channels.count + element.tag, into: &channel.lines)
      channel.predictBackward(parsed.window, offsets: lines.bands.long)
      lines.shape(parsed, &channel.lines)
      if block.couplings[index].isIndependent {
        channel.synthesize(parsed.window, with: &transform, table: windows, terms: &terms)
      }
      couplingChannels[element.tag] = channel
    }
  }

  /// Adds the coupling channels that target this channel at this point.
  private mutating func couple(
    _ block: ParsedBlock, _ element: ParsedElement, offset: Int, channel: Int,
    at point: CouplingPoint
  ) {
    guard !coupled.isEmpty, element.kind != .lowFrequency else { return }
    for (index, source) in coupled.enumerated() where index < block.couplings.count {
      let coupling = block.couplings[index]
      let own: CouplingPoint =
        coupling.isIndependent
        ? .samples : coupling.isAfterNoiseShaping ? .afterNoiseShaping : .beforeNoiseShaping
      guard own == point, let from = couplingChannels[source.tag] else { continue }
      let parsed = block.channelPool[source.parsed]
      Coupling.forEachTarget(coupling) { target, isSecond, list in
        guard target.isPair == (element.kind == .pair), target.tag == element.tag,
          isSecond == (offset == 1)
        else { return }
        if point == .samples {
          Coupling.addSamples(
            coupling, list: list, from.samples, to: &channels[channel].samples)
        } else {
          Coupling.addLines(
            coupling, list: list, of: parsed, offsets: lines.offsets(parsed), from.lines,
            to: &channels[channel].lines)
        }
      }
    }
  }
}
