import AacornSignal
import Foundation
import Testing

private let rates = [
  (44_100, 44_100), (48_000, 48_000), (44_100, 48_000), (48_000, 44_100), (96_000, 48_000),
  (16_000, 48_000), (44_101, 48_000),
]

struct VariableResamplerTests {
  private func resample(
    _ input: [Float], from inputRate: Int, to outputRate: Int, channels: Int = 1,
    settings: [(frame: Int, parts: Double)] = [(0, 0)], pieces: [Int] = [.max]
  ) throws -> [Float] {
    var resampler = try VariableResampler(from: inputRate, to: outputRate, channelCount: channels)
    var output: [Float] = []
    let ends = settings.dropFirst().map(\.frame) + [input.count / channels]
    for (setting, end) in zip(settings, ends) {
      resampler.partsPerMillion = setting.parts
      let part = Array(input[setting.frame * channels..<end * channels])
      inPieces(part, of: pieces, channelCount: channels) { resampler.process($0, into: &output) }
    }
    resampler.flush(into: &output)
    return output
  }

  /// The error relative to `ideal` at each output's position in the input, in decibels.
  private func error(
    _ output: [Float], at positions: [Double], _ ideal: (Double) -> Double
  ) -> Double {
    var wrong = 0.0
    var right = 0.0
    for index in output.indices.dropFirst(500).dropLast(500) {
      let expected = ideal(positions[index])
      wrong += (Double(output[index]) - expected) * (Double(output[index]) - expected)
      right += expected * expected
    }
    return 10 * log10(wrong / right)
  }

  @Test(arguments: rates, [-1000.0, -100, 0, 100, 1000])
  func resampledSineMatchesTheIdeal(rates: (input: Int, output: Int), parts: Double) throws {
    let nyquist = Double(min(rates.input, rates.output)) / 2
    for part in [0.02, 0.25, 0.5, 0.85] {
      let frequency = part * nyquist
      let input = sine(frequency, rate: rates.input, amplitude: 0.5, count: 8000)
      let output = try resample(input, from: rates.input, to: rates.output, settings: [(0, parts)])
      let step = Double(rates.input) / Double(rates.output) / (1 + parts * 1e-6)
      let error = error(output, at: output.indices.map { Double($0) * step }) {
        0.5 * sin(2 * Double.pi * frequency / Double(rates.input) * $0)
      }
      #expect(error < -108, "\(part) of Nyquist: \(error) dB")
    }
  }

  @Test func aChangeOfTheRatioMakesNoClick() throws {
    // Back and forth between the extremes, every 997 frames.
    let settings = (0..<40).map { (frame: $0 * 997, parts: $0 % 2 == 0 ? 1000.0 : -1000) }
    let input = sine(5000, amplitude: 0.5, count: 40_000)
    let output = try resample(input, from: 48_000, to: 48_000, settings: settings)
    // The positions of the ideal outputs; a change applies from the first output that is not yet
    // computed.
    var resampler = try VariableResampler(from: 48_000, to: 48_000, channelCount: 1)
    var positions: [Double] = [0]
    var computed: [Float] = []
    for (index, setting) in settings.enumerated() {
      resampler.partsPerMillion = setting.parts
      let end = index + 1 < settings.count ? settings[index + 1].frame : input.count
      resampler.process(input.span.extracting(setting.frame..<end), into: &computed)
      if index + 1 == settings.count { resampler.flush(into: &computed) }
      while positions.count <= computed.count {
        positions.append(positions[positions.count - 1] + 1 / (1 + setting.parts * 1e-6))
      }
    }
    #expect(computed == output)
    let error = error(output, at: positions) {
      0.5 * sin(2 * Double.pi * 5000 / 48_000 * $0)
    }
    #expect(error < -105, "\(error) dB")
  }

  @Test(arguments: rates)
  func outputCountIsExact(rates: (input: Int, output: Int)) throws {
    for parts in [-1000, -100, -1, 0, 1, 37, 1000] {
      for count in [0, 1, 2, 100, 441, 12_345, 100_000] {
        let output = try resample(
          [Float](repeating: 0, count: count), from: rates.input, to: rates.output,
          settings: [(0, Double(parts))])
        let divisor = rates.input * 1_000_000
        let exact = (count * rates.output * (1_000_000 + parts) + divisor - 1) / divisor
        #expect(output.count == exact, "\(count) frames, \(parts) millionths")
      }
    }
  }

  @Test func piecesDoNotMatter() throws {
    let input = noise(2 * 20_000, seed: 1)
    let settings = [(frame: 0, parts: 250.0), (frame: 7000, parts: -333.3)]
    let whole = try resample(input, from: 44_100, to: 48_000, channels: 2, settings: settings)
    for pieces in [[1], [1024], [7, 4099, 1, 160]] {
      let cut = try resample(
        input, from: 44_100, to: 48_000, channels: 2, settings: settings, pieces: pieces)
      #expect(cut == whole)
    }
  }

  @Test func unchangedRatioEqualsPlainResampler() throws {
    for (inputRate, outputRate) in [(44_100, 48_000), (48_000, 44_100)] {
      let input = noise(10_000, seed: 1)
      var ordinary = try Resampler(from: inputRate, to: outputRate, channelCount: 1)
      var expected: [Float] = []
      ordinary.process(input.span, into: &expected)
      ordinary.flush(into: &expected)
      let output = try resample(input, from: inputRate, to: outputRate)
      #expect(output.count == expected.count)
      let maximum = zip(output, expected).map { abs($0 - $1) }.max() ?? 1
      #expect(maximum < 2e-6)
    }
  }

  @Test func correctionIsClampedToItsRange() throws {
    var resampler = try VariableResampler(from: 48_000, to: 48_000, channelCount: 1)
    resampler.partsPerMillion = 5000
    #expect(resampler.partsPerMillion == 1000)
    resampler.partsPerMillion = -.infinity
    #expect(resampler.partsPerMillion == -1000)
    resampler.partsPerMillion = .nan
    #expect(resampler.partsPerMillion == 0)
    let input = noise(1000, seed: 1)
    var output: [Float] = []
    resampler.process(input.span, into: &output)
    resampler.flush(into: &output)
    #expect(output.count == 1000)
  }

  @Test func channelsAreIndependentAndInvalidSamplesAreSilent() throws {
    let left = sine(1000, amplitude: 0.5, count: 3000)
    let mixed = left.flatMap { [$0, .nan, 0] }
    let alone = try resample(left, from: 48_000, to: 48_000, settings: [(0, 50)])
    let all = try resample(mixed, from: 48_000, to: 48_000, channels: 3, settings: [(0, 50)])
    #expect(all.count == 3 * alone.count)
    for index in alone.indices {
      #expect(all[3 * index] == alone[index])
      #expect(all[3 * index + 1] == 0 && all[3 * index + 2] == 0)
    }
  }

  @Test func aFlushedResamplerStartsAfresh() throws {
    var resampler = try VariableResampler(from: 44_100, to: 48_000, channelCount: 1)
    resampler.partsPerMillion = 123
    let input = noise(2000, seed: 1)
    var first: [Float] = []
    resampler.process(input.span, into: &first)
    resampler.flush(into: &first)
    var second: [Float] = []
    resampler.process(input.span, into: &second)
    resampler.flush(into: &second)
    #expect(first == second)
    #expect(resampler.partsPerMillion == 123)
  }

  @Test func extremeRatiosKeepTheirLength() throws {
    for (input, output) in [(1000, 768_000), (768_000, 1000), (767_999, 1001)] {
      let count = input / 4
      let result = try resample(
        [Float](repeating: 0.5, count: count), from: input, to: output, settings: [(0, 1000)])
      let divisor = input * 1000
      #expect(result.count == (count * output * 1001 + divisor - 1) / divisor)
      #expect(abs(result[result.count / 2] - 0.5) < 1e-4)
    }
  }

  @Test func outputIsTheSameOnEveryPlatform() throws {
    // The expected hash is a constant, because any change of a coefficient or of the order of
    // additions changes the hash.
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for (input, output) in rates {
      let settings = [(frame: 0, parts: 77.7), (frame: 1500, parts: -12.5)]
      for sample in try resample(noise(3000, seed: 1), from: input, to: output, settings: settings)
      {
        hash = (hash ^ UInt64(sample.bitPattern)) &* 0x100_0000_01B3
      }
    }
    #expect(hash == 14_211_233_296_597_408_607)
  }

  @Test func ratesAndChannelsOutOfRangeAreRefused() {
    #expect(throws: PCMError.unsupportedSampleRate(999)) {
      try VariableResampler(from: 999, to: 48_000, channelCount: 1)
    }
    #expect(throws: PCMError.unsupportedSampleRate(768_001)) {
      try VariableResampler(from: 48_000, to: 768_001, channelCount: 1)
    }
    #expect(throws: PCMError.unsupportedChannelCount(65)) {
      try VariableResampler(from: 48_000, to: 48_000, channelCount: 65)
    }
  }
}
