import TestSignals
import Testing

@testable import AacornCodec

/// The conversion of quantized values to spectral lines.
@Suite struct DequantizerTests {
  private static let offsets = ScaleFactorBands(rateIndex: 4).long

  @Test func everyMagnitudeFollowsTheFormula() {
    for q in -8191...8191 {
      let exact = ReferenceSpectrum.dequantize(q, 100)
      let error = Double(Dequantizer.power(Int32(q))) - exact
      #expect(error.magnitude <= 1e-7 * exact.magnitude)
    }
  }

  @Test func everyGainFollowsTheFormula() {
    for index in -400...400 {
      let exact = ReferenceSpectrum.dequantize(1, index + 100)
      #expect((Double(Dequantizer.gain(index)) - exact).magnitude <= 1e-7 * exact)
    }
    #expect(Dequantizer.gain(1 << 40) == Dequantizer.gain(400))
    #expect(Dequantizer.gain(-1 << 40) == Dequantizer.gain(-400))
  }

  @Test func onlyBandsWithCodewordsHaveLines() {
    var random = SeededNumbers(seed: 1)
    let dequantizer = Dequantizer()
    var channel = ParsedChannel(WindowInfo(.onlyLong, bands: 40), largest: 8191, using: &random)
    for (band, book) in [11, 0, 13, 14, 15, 11].enumerated() {
      channel.codebooks[band] = UInt8(book)
    }
    for band in 0..<40 { channel.scaleFactors[band] = Int16.random(in: 0...255, using: &random) }
    var lines = [Float](repeating: 7, count: 1024)
    dequantizer.apply(channel, offsets: Self.offsets, into: &lines)
    for band in 0..<40 {
      for line in Self.offsets[band]..<Self.offsets[band + 1] {
        let exact =
          (1...4).contains(band)
          ? 0
          : ReferenceSpectrum.dequantize(
            Int(channel.spectrum[line]), Int(channel.scaleFactors[band]))
        #expect((Double(lines[line]) - exact).magnitude <= 2e-7 * exact.magnitude)
      }
    }
    #expect(lines[Self.offsets[40]...].allSatisfy { $0 == 0 })
  }

  @Test func bandsOfShortWindowsAreThoseOfTheirGroup() {
    var random = SeededNumbers(seed: 2)
    let offsets = ScaleFactorBands(rateIndex: 4).short
    var channel = ParsedChannel(WindowInfo(.eightShort, bands: 12), largest: 12, using: &random)
    for band in 0..<48 {
      channel.codebooks[band] = band % 2 == 0 ? 9 : 11
      channel.scaleFactors[band] = Int16(90 + band)
    }
    var lines = [Float](repeating: 7, count: 1024)
    Dequantizer().apply(channel, offsets: offsets, into: &lines)
    let reference = ReferenceSpectrum(channel, offsets: offsets, noiseShapingLimit: 0)
    #expect(Likeness.worst(lines, reference.lines) < 2e-7)
  }

  /// A pulse increases the magnitude of a line; a line of zero becomes negative (4.6.3.3).
  @Test func pulsesAddToMagnitudes() throws {
    var random = SeededNumbers(seed: 3)
    var channel = ParsedChannel(
      WindowInfo(.onlyLong, bands: 20), codebook: 9, largest: 0, using: &random)
    channel.spectrum[3] = 5
    channel.spectrum[4] = -5
    channel.pulses = [(3, 15), (4, 3), (5, 1), (5, 15), (900, 9)].map {
      ParsedChannel.Pulse(line: $0, amplitude: $1)
    }
    var block = ParsedBlock()
    block.add(.single, [channel])
    var core = CoreDecoder(.test(), channelCount: 1)
    core.decode(&block, firstChannels: [0], unit: 0)
    let expected = [3: 20, 4: -8, 5: -16]
    for line in 0..<1024 {
      let exact = ReferenceSpectrum.dequantize(expected[line] ?? 0, 120)
      #expect((Double(core.channels[0].lines[line]) - exact).magnitude <= 1e-6 * exact.magnitude)
    }
  }
}
