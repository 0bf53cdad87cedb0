import TestSignals
import Testing

@testable import AacornCodec

/// Random frames without noise bands, compared with the reference decoder.
@Suite struct CoreDecoderTests {
  /// Returns a channel with random sections, scale factors, pulses and filters.
  private static func channel(
    _ window: WindowInfo, _ configuration: AudioSpecificConfig, isSecond: Bool,
    _ random: inout SeededNumbers
  ) -> ParsedChannel {
    var channel = ParsedChannel(
      window, frameLength: configuration.frameLength, largest: 12, using: &random)
    for band in 0..<window.bandCount {
      channel.scaleFactors[band] = Int16.random(in: 90...130, using: &random)
      channel.codebooks[band] = UInt8.random(in: 0...11, using: &random)
      guard isSecond, Int.random(in: 0...3, using: &random) == 0 else { continue }
      channel.codebooks[band] = UInt8.random(in: 14...15, using: &random)
      channel.scaleFactors[band] = Int16.random(in: -20...20, using: &random)
      channel.intensityBandCount += 1
    }
    if !window.isShort && Bool.random(using: &random) {
      for _ in 0..<4 {
        channel.pulses.append(
          .init(
            line: Int.random(in: 0..<200, using: &random),
            amplitude: Int.random(in: 0...15, using: &random)))
      }
    }
    for index in 0..<(window.isShort ? 8 : 1) where Bool.random(using: &random) {
      let order = Int.random(in: 0...(window.isShort ? 7 : 12), using: &random)
      channel.noiseShapingFilters.append(
        NoiseShapingFilter(
          window: index, length: Int.random(in: 0...49, using: &random), order: order,
          isDownward: Bool.random(using: &random),
          resolution: Int.random(in: 3...4, using: &random),
          firstCoefficient: channel.noiseShapingCoefficients.count))
      for _ in 0..<order {
        channel.noiseShapingCoefficients.append(Int8.random(in: -1...1, using: &random))
      }
    }
    return channel
  }

  private static func window(_ random: inout SeededNumbers) -> WindowInfo {
    let sequences: [WindowSequence] = [.onlyLong, .longStart, .eightShort, .longStop]
    let groupings: [[UInt8]] = [[8], [1, 2, 3, 2], [1, 1, 1, 1, 1, 1, 1, 1], [4, 4], [7, 1]]
    let sequence = sequences.randomElement(using: &random) ?? .onlyLong
    let bands = sequence == .eightShort ? 0...13 : 0...40
    return WindowInfo(
      sequence, Bool.random(using: &random) ? .sine : .kaiserBesselDerived,
      bands: Int.random(in: bands, using: &random),
      groups: groupings.randomElement(using: &random) ?? [8])
  }

  @Test(arguments: [1024, 960], [8_000, 24_000, 44_100, 96_000])
  func framesFollowTheDefinitions(frameLength: Int, rate: Int) {
    var random = SeededNumbers(seed: UInt64(rate + frameLength))
    let configuration = AudioSpecificConfig.test(rate: rate, channels: 3, frameLength: frameLength)
    let bands = FrameReader(configuration)
    let counts = [false, true].map { bands.bandOffsets(isShort: $0).count - 1 }
    var core = CoreDecoder(configuration, channelCount: 3)
    var reference = ReferenceDecoder(configuration)
    for unit in 0..<30 {
      var block = ParsedBlock()
      let windows = (0..<3).map { _ in
        var window = Self.window(&random)
        window.bandsPerGroup = min(window.bandsPerGroup, counts[window.isShort ? 1 : 0])
        return window
      }
      block.add(.single, [Self.channel(windows[0], configuration, isSecond: false, &random)])
      let masks: [MidSideMask?] = [nil, MidSideMask.none, .perBand, .all]
      let mask = masks[unit % 4]
      var first = Self.channel(windows[1], configuration, isSecond: false, &random)
      let second = Self.channel(
        mask == nil ? windows[2] : windows[1], configuration, isSecond: true, &random)
      if mask == .perBand || mask == .all {
        first.midSideFlags = (0..<windows[1].bandCount).map { _ in
          mask == .all || Bool.random(using: &random)
        }
      }
      block.add(.pair, [first, second], mask: mask)
      let exact = reference.decode(block)
      core.decode(&block, firstChannels: [0, 1], unit: unit)
      for channel in 0..<3 where exact[channel].contains(where: { $0 != 0 }) {
        let worst = Likeness.worst(core.channels[channel].samples, exact[channel])
        #expect(worst < 2e-5, "unit \(unit), channel \(channel)")
      }
    }
  }

  /// Channels share no state.
  @Test func theOrderOfElementsChangesNothing() {
    var random = SeededNumbers(seed: 1)
    let configuration = AudioSpecificConfig.test(channels: 3)
    var (one, other) = (
      CoreDecoder(configuration, channelCount: 3), CoreDecoder(configuration, channelCount: 3)
    )
    for unit in 0..<6 {
      let windows = (0..<2).map { _ in Self.window(&random) }
      var single = Self.channel(windows[0], configuration, isSecond: false, &random)
      if unit % 2 == 1, !single.codebooks.isEmpty {
        single.codebooks[0] = Codebook.noise
        single.noiseBandCount = 1
      }
      let pair = (0..<2).map {
        Self.channel(windows[1], configuration, isSecond: $0 == 1, &random)
      }
      var (first, second) = (ParsedBlock(), ParsedBlock())
      first.add(.single, [single])
      first.add(.pair, pair, mask: MidSideMask.none)
      second.add(.pair, pair, mask: MidSideMask.none)
      second.add(.single, [single])
      one.decode(&first, firstChannels: [0, 1], unit: unit)
      other.decode(&second, firstChannels: [1, 0], unit: unit)
      for channel in 0..<3 {
        #expect(one.channels[channel].samples == other.channels[channel].samples)
      }
    }
  }
}
