import TestSignals
import Testing

@testable import AacornCodec

/// The decoder's filters of temporal noise shaping (4.6.9).
@Suite struct NoiseShapingSynthesisTests {
  private static let bands = ScaleFactorBands(rateIndex: 4)

  private static func channel(_ window: WindowInfo, seed: UInt64) -> ParsedChannel {
    var random = SeededNumbers(seed: seed)
    var channel = ParsedChannel(window, using: &random)
    for window in 0..<(window.isShort ? 8 : 1) where window != 3 {
      for _ in 0...Int.random(in: 0...2, using: &random) {
        let resolution = Int.random(in: 3...4, using: &random)
        let order = Int.random(in: 0...(channel.window.isShort ? 7 : 12), using: &random)
        channel.noiseShapingFilters.append(
          NoiseShapingFilter(
            window: window, length: Int.random(in: 0...25, using: &random), order: order,
            isDownward: Bool.random(using: &random), resolution: resolution,
            firstCoefficient: channel.noiseShapingCoefficients.count))
        // Small coefficients keep the gains moderate.
        for _ in 0..<order {
          channel.noiseShapingCoefficients.append(Int8.random(in: -2...2, using: &random))
        }
      }
    }
    return channel
  }

  @Test(
    arguments: 0..<20,
    [
      WindowInfo(.onlyLong, bands: 49), WindowInfo(.onlyLong, bands: 30),
      .init(.eightShort, bands: 13),
    ])
  func filtersFollowTheDefinition(seed: Int, window: WindowInfo) {
    let channel = Self.channel(window, seed: UInt64(seed))
    let offsets = Self.bands.offsets(isShort: window.isShort)
    let limit = Self.bands.noiseShapingLimit(isShort: window.isShort)
    var reference = ReferenceSpectrum(channel, offsets: offsets, noiseShapingLimit: limit)
    var lines = reference.lines.map { Float($0) }
    let original = lines
    reference.shapeNoise()
    var shaping = NoiseShapingSynthesis()
    shaping.apply(.synthesis, channel, offsets: offsets, bandLimit: limit, to: &lines)
    #expect(Likeness.worst(lines, reference.lines) < 1e-5)
    // The analysis inverts the synthesis because no two filters of a window overlap.
    shaping.apply(.analysis, channel, offsets: offsets, bandLimit: limit, to: &lines)
    #expect(Likeness.worst(lines, original.map(Double.init)) < 1e-4)
  }

  /// The filters with the maximum gain.
  @Test(arguments: [Int8(7), -8])
  func sharpestFiltersStayFinite(index: Int8) {
    var random = SeededNumbers(seed: 1)
    var channel = ParsedChannel(
      WindowInfo(.onlyLong, bands: 49), scaleFactor: 255, largest: 8191, using: &random)
    channel.noiseShapingFilters = [
      NoiseShapingFilter(
        window: 0, length: 49, order: 20, isDownward: false, resolution: 4, firstCoefficient: 0)
    ]
    channel.noiseShapingCoefficients = [Int8](repeating: index, count: 20)
    var block = ParsedBlock()
    block.add(.single, [channel])
    var core = CoreDecoder(.test(.main), channelCount: 1)
    for unit in 0..<5 {
      core.decode(&block, firstChannels: [0], unit: unit)
      #expect(core.channels[0].samples.allSatisfy { $0.magnitude < 0x1p40 })
    }
  }
}
