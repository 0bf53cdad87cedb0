import TestSignals

@testable import AacornCodec

/// Makes blocks with every element that has channels, and with every tool of an object type.
struct RandomBlock {
  let configuration: AudioSpecificConfig
  let bands: ScaleFactorBands
  var random: SeededNumbers

  init(_ configuration: AudioSpecificConfig, seed: UInt64) {
    self.configuration = configuration
    bands = ScaleFactorBands(configuration)
    random = SeededNumbers(seed: seed)
  }

  mutating func next() -> ParsedBlock {
    var block = ParsedBlock()
    block.add(.single, tag: 3, [channel(window())])
    let masks: [MidSideMask?] = [nil, MidSideMask.none, .perBand, .all]
    for (tag, mask) in masks.enumerated() { addPair(tag, mask, to: &block) }
    block.add(.lowFrequency, tag: 15, [channel(window())])
    addCoupling(isIndependent: true, to: &block)
    addCoupling(isIndependent: false, to: &block)
    return block
  }

  private mutating func number(_ range: ClosedRange<Int>) -> Int {
    Int.random(in: range, using: &random)
  }

  private mutating func flag() -> Bool { Bool.random(using: &random) }

  private mutating func window() -> WindowInfo {
    let sequences: [WindowSequence] = [.onlyLong, .longStart, .eightShort, .longStop]
    let groupings: [[UInt8]] = [[8], [1, 2, 3, 2], [1, 1, 1, 1, 1, 1, 1, 1], [4, 4], [7, 1]]
    let sequence = sequences[number(0...3)]
    let limit = (sequence == .eightShort ? bands.short : bands.long).count - 1
    var window = WindowInfo(
      sequence, flag() ? .sine : .kaiserBesselDerived, bands: number(0...limit),
      groups: groupings[number(0...4)])
    window.hasReservedBit = number(0...9) == 0
    guard !window.isShort else { return window }
    switch configuration.objectType {
    case .main where flag():
      var prediction = BackwardPrediction()
      prediction.bandCount = min(window.bandsPerGroup, bands.predictionLimit)
      prediction.bands = random.next() & (1 << UInt64(prediction.bandCount) - 1)
      prediction.resetGroup = flag() ? number(1...30) : 0
      window.backwardPrediction = prediction
    case .longTermPrediction: window.longTermPrediction = longTermPrediction(window)
    default: break
    }
    return window
  }

  private mutating func longTermPrediction(_ window: WindowInfo) -> LongTermPrediction? {
    guard flag() else { return nil }
    var prediction = LongTermPrediction()
    prediction.lag = number(0...2047)
    prediction.gainIndex = number(0...7)
    prediction.bands = random.next() & (1 << UInt64(min(window.bandsPerGroup, 40)) - 1)
    return prediction
  }

  private mutating func addPair(_ tag: Int, _ mask: MidSideMask?, to block: inout ParsedBlock) {
    var first = channel(window())
    var other = mask == nil ? window() : first.window
    if mask != nil && configuration.objectType == .longTermPrediction && !other.isShort {
      other.longTermPrediction = longTermPrediction(other)
    }
    let second = channel(other, isSecond: true)
    if mask == .perBand || mask == .all {
      first.midSideFlags = (0..<first.window.bandCount).map { _ in mask == .all || flag() }
    }
    block.add(.pair, tag: tag, [first, second], mask: mask)
    block.elements[block.elements.count - 1].midSideBandCount = first.midSideFlags.count { $0 }
  }

  private mutating func addCoupling(isIndependent: Bool, to block: inout ParsedBlock) {
    var coupling = ParsedCoupling()
    coupling.channel = block.channelCount
    coupling.isIndependent = isIndependent
    coupling.isAfterNoiseShaping = flag()
    coupling.hasSigns = flag()
    coupling.scale = number(0...3)
    var listCount = 0
    for tag in 0..<number(1...8) {
      var target = ParsedCoupling.Target(
        isPair: flag(), tag: tag, usesLeft: false, usesRight: false)
      if target.isPair { (target.usesLeft, target.usesRight) = (flag(), flag()) }
      listCount += target.usesLeft && target.usesRight ? 2 : 1
      coupling.targets.append(target)
    }
    let source = channel(window())
    for list in 0..<listCount {
      let isCommon = list == 0 || isIndependent || flag()
      coupling.isCommon.append(isCommon)
      var gain = isCommon && list > 0 ? number(-60...60) : 0
      for codebook in source.codebooks {
        if !isCommon && codebook != Codebook.zero { gain += number(-60...60) }
        coupling.gains.append(Int16(gain))
      }
    }
    block.add(.coupling, tag: isIndependent ? 1 : 2, [source])
    block.couplings.append(coupling)
  }

  private mutating func channel(_ window: WindowInfo, isSecond: Bool = false) -> ParsedChannel {
    var channel = ParsedChannel()
    channel.window = window
    channel.globalGain = number(100...160)
    addBands(to: &channel, isSecond: isSecond)
    if flag() { addNoiseShaping(to: &channel) }
    if !window.isShort && flag() { addPulses(to: &channel) }
    return channel
  }

  private mutating func addBands(to channel: inout ParsedChannel, isSecond: Bool) {
    let books: [UInt8] = [0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, Codebook.noise, 14, 15]
    var chain = ScaleFactorChain(globalGain: channel.globalGain)
    for _ in 0..<channel.window.bandCount {
      let book = flag() ? channel.codebooks.last ?? 1 : books[number(0...(isSecond ? 15 : 13))]
      channel.codebooks.append(book)
      switch book {
      case Codebook.zero: channel.scaleFactors.append(0)
      case Codebook.noise:
        chain.noiseEnergy += chain.hasNoise ? number(-60...60) : number(-256...255)
        chain.hasNoise = true
        channel.noiseBandCount += 1
        channel.scaleFactors.append(Int16(chain.noiseEnergy))
      case 14, 15:
        chain.intensityPosition += number(-60...60)
        channel.intensityBandCount += 1
        channel.scaleFactors.append(Int16(chain.intensityPosition))
      default:
        chain.scaleFactor = min(max(chain.scaleFactor + number(-60...60), 0), 255)
        channel.scaleFactors.append(Int16(chain.scaleFactor))
      }
    }
    var lines = [Int16](repeating: 0, count: bands.long[bands.long.count - 1])
    var random = random
    channel.window.forEachBand(channel.window.isShort ? bands.short : bands.long) {
      band, range, _ in
      let book = channel.codebooks[band]
      guard Codebook.hasCodewords(book) else { return }
      let largest = book == Codebook.escape ? 8191 : Codebook.largestMagnitude(Int(book))
      for line in range {
        lines[line] = Int16(Int.random(in: -largest...largest, using: &random))
      }
    }
    self.random = random
    channel.spectrum = lines
  }

  private mutating func addNoiseShaping(to channel: inout ParsedChannel) {
    let isShort = channel.window.isShort
    channel.hasNoiseShaping = true
    for window in 0..<(isShort ? 8 : 1) {
      let resolution = number(3...4)
      for _ in 0..<number(0...(isShort ? 1 : 3)) {
        let order = number(0...(isShort ? 7 : 12))
        channel.noiseShapingFilters.append(
          NoiseShapingFilter(
            window: window, length: number(0...(isShort ? 15 : 63)), order: order,
            isDownward: order > 0 && flag(), resolution: resolution,
            firstCoefficient: channel.noiseShapingCoefficients.count))
        let bound = 1 << (resolution - number(1...2))
        for _ in 0..<order {
          channel.noiseShapingCoefficients.append(Int8(number(-bound...bound - 1)))
        }
      }
    }
  }

  private mutating func addPulses(to channel: inout ParsedChannel) {
    var line = bands.long[number(0...bands.long.count / 2)]
    for _ in 0..<number(1...4) {
      line += number(0...31)
      channel.pulses.append(ParsedChannel.Pulse(line: line, amplitude: number(0...15)))
    }
  }
}
