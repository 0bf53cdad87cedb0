import TestSignals
import Testing

@testable import AacornCodec

/// Noise substitution in the decoder (4.6.13).
@Suite struct NoiseSynthesisTests {
  private static let offsets = ScaleFactorBands(rateIndex: 4)

  private static func lines(
    _ channel: ParsedChannel, unit: Int = 5, channel number: Int = 0, first: Int = 0,
    shared: [Bool] = []
  ) -> [Float] {
    var lines = [Float](repeating: 3, count: 1024)
    NoiseSubstitution.undo(
      channel, offsets: channel.window.isShort ? offsets.short : offsets.long, unit: unit,
      channel: number, first: first, shared: shared, into: &lines)
    return lines
  }

  @Test(arguments: [WindowInfo(.onlyLong, bands: 45), WindowInfo(.eightShort, bands: 13)])
  func everyBandOfEveryWindowHasItsEnergy(window: WindowInfo) {
    var random = SeededNumbers(seed: 1)
    var channel = ParsedChannel(window, codebook: Codebook.noise, using: &random)
    for band in 0..<window.bandCount { channel.scaleFactors[band] = Int16(4 * band % 90 - 20) }
    channel.codebooks[2] = 5
    let lines = Self.lines(channel)
    window.forEachBand(window.isShort ? Self.offsets.short : Self.offsets.long) { band, range, _ in
      if band == 2 {
        #expect(lines[range].allSatisfy { $0 == 3 })
        return
      }
      let energy = lines[range].reduce(0) { $0 + Double($1) * Double($1) }
      let exact = ReferenceSpectrum.noiseEnergy(Int(channel.scaleFactors[band]))
      #expect((energy / exact - 1).magnitude < 1e-5)
    }
  }

  @Test func noiseDiffersBetweenUnitsAndChannels() {
    var random = SeededNumbers(seed: 1)
    let channel = ParsedChannel(
      WindowInfo(.onlyLong, bands: 45), codebook: Codebook.noise, using: &random)
    let lines = Self.lines(channel)
    #expect(Self.lines(channel) == lines)
    for other in [Self.lines(channel, unit: 6), Self.lines(channel, channel: 1)] {
      let product = zip(lines, other).reduce(0) { $0 + Double($1.0) * Double($1.1) }
      let energy = lines.reduce(0) { $0 + Double($1) * Double($1) }
      #expect(product.magnitude < 0.15 * energy)
    }
  }

  /// An M/S flag makes both channels of a pair use the same noise (4.6.13.3).
  @Test func aPairSharesNoiseWhereItsFlagsSaySo() {
    var random = SeededNumbers(seed: 1)
    let window = WindowInfo(.eightShort, bands: 13)
    var channel = ParsedChannel(window, codebook: Codebook.noise, using: &random)
    let left = Self.lines(channel)
    for band in 0..<window.bandCount { channel.scaleFactors[band] += 4 }
    let flags = (0..<window.bandCount).map { $0 % 3 != 0 }
    let right = Self.lines(channel, channel: 1, first: 0, shared: flags)
    window.forEachBand(Self.offsets.short) { band, range, _ in
      // Four steps are a factor of two in amplitude.
      let isShared = zip(left[range], right[range]).allSatisfy {
        (2 * $0 - $1).magnitude <= 1e-5 * $1.magnitude
      }
      #expect(isShared == flags[band])
    }
  }

  @Test func noiseGeneratorIsWhiteAndUniform() {
    for index in 0..<40 {
      var generator = AacornCodec.NoiseGenerator(
        unit: index / 7, channel: index % 3, bandIndex: index)
      var (sum, square, product, last) = (0.0, 0.0, 0.0, 0.0)
      for _ in 0..<4000 {
        let value = Double(generator.next()) * 0x1p-31
        #expect(value.magnitude <= 1)
        sum += value
        square += value * value
        product += value * last
        last = value
      }
      #expect((sum / 4000).magnitude < 0.05)
      #expect((square / 4000 - 1.0 / 3).magnitude < 0.03)
      #expect((product / 4000).magnitude < 0.03)
    }
  }
}
