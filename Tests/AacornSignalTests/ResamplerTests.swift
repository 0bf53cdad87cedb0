import AacornSignal
import Foundation
import Testing

struct RatePair: CustomTestStringConvertible, Sendable {
  let input: Int
  let output: Int
  var testDescription: String { "\(input) to \(output)" }
  var lowerNyquist: Double { Double(min(input, output)) / 2 }
}

private let ratePairs = [
  RatePair(input: 44100, output: 48000), RatePair(input: 48000, output: 44100),
  RatePair(input: 96000, output: 48000), RatePair(input: 37800, output: 44100),
  RatePair(input: 44101, output: 48000), RatePair(input: 48000, output: 44101),
  RatePair(input: 8000, output: 48000), RatePair(input: 192000, output: 48000),
  RatePair(input: 191_999, output: 48000), RatePair(input: 768_000, output: 44100),
]

private func resample(
  _ input: [Float], _ rates: RatePair, channels: Int = 1, pieces: [Int] = [.max]
) throws -> [Float] {
  var resampler = try Resampler(from: rates.input, to: rates.output, channelCount: channels)
  var output: [Float] = []
  inPieces(input, of: pieces, channelCount: channels) { resampler.process($0, into: &output) }
  resampler.flush(into: &output)
  return output
}

private func sine(_ frequency: Double, _ rate: Int, count: Int) -> [Float] {
  sine(frequency, rate: rate, amplitude: 0.5, count: count, phase: 0.3)
}

/// Returns the level of the best-fitting sine of this frequency and the level of the residue, both
/// in decibels relative to the test sines, without the edges.
private func measure(
  _ output: [Float], _ frequency: Double, _ rate: Int
) -> (level: Double, residue: Double, delay: Double) {
  let edge = output.count / 4
  var (cc, cs, ss, yc, ys, yy) = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
  for index in edge..<output.count - edge {
    let angle = 2 * Double.pi * frequency / Double(rate) * Double(index)
    let (c, s, y) = (cos(angle), sin(angle), Double(output[index]))
    cc += c * c
    cs += c * s
    ss += s * s
    yc += y * c
    ys += y * s
    yy += y * y
  }
  let determinant = cc * ss - cs * cs
  let a = (yc * ss - ys * cs) / determinant
  let b = (ys * cc - yc * cs) / determinant
  var left = 0.0
  for index in edge..<output.count - edge {
    let angle = 2 * Double.pi * frequency / Double(rate) * Double(index)
    let rest = Double(output[index]) - a * cos(angle) - b * sin(angle)
    left += rest * rest
  }
  let reference = 0.125 * Double(output.count - 2 * edge)
  return (
    10 * log10((a * a + b * b) / 0.25), 10 * log10(left / reference + 1e-30),
    atan2(a, b) - 0.3
  )
}

@Suite struct ResamplerTests {
  @Test(arguments: ratePairs)
  func passBandIsFlatAndFreeOfImages(rates: RatePair) throws {
    let count = rates.input / max(1, min(rates.input, rates.output) / 4000) + 4000
    for part in [0.02, 0.1, 0.25, 0.5, 0.7, 0.8, 0.85, 0.88, 0.9] {
      let frequency = part * rates.lowerNyquist
      let output = try resample(sine(frequency, rates.input, count: count), rates)
      let (level, residue, phase) = measure(output, frequency, rates.output)
      #expect(abs(level) < 0.001, "\(part): \(level) dB")
      #expect(residue < -110, "\(part): residue \(residue) dB")
      #expect(abs(phase) < 1e-5, "\(part): phase \(phase)")
    }
  }

  @Test(arguments: ratePairs.filter { $0.input > $0.output })
  func resamplerSuppressesAliases(rates: RatePair) throws {
    let count = rates.input / max(1, min(rates.input, rates.output) / 4000) + 4000
    let inputNyquist = Double(rates.input) / 2
    for part in [1.0001, 1.01, 1.05, 1.1, 1.5, 1.9, 2.0, 2.1, 3.3, 3.99] {
      let frequency = part * rates.lowerNyquist
      if frequency >= inputNyquist { break }
      let output = try resample(sine(frequency, rates.input, count: count), rates)
      let middle = output[(output.count / 4)..<(output.count * 3 / 4)]
      let power = middle.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(middle.count)
      let level = 10 * log10(power / 0.125 + 1e-30)
      #expect(level < -110, "\(part): \(level) dB")
    }
  }

  @Test(arguments: ratePairs.filter { $0.input < $0.output })
  func imagesOfTheTransitionBandAreSuppressed(rates: RatePair) throws {
    for part in [0.92, 0.95, 0.99, 0.9999] {
      let frequency = part * rates.lowerNyquist
      let output = try resample(sine(frequency, rates.input, count: 24000), rates)
      let (_, residue, _) = measure(output, frequency, rates.output)
      #expect(residue < -110, "\(part): residue \(residue) dB")
    }
  }

  @Test func arraysAreTakenAsSpansAre() throws {
    let input = sine(440, 48_000, count: 6000)
    let mixer = try ChannelMixer(from: 6, to: 2)
    var (stereo, sameStereo): ([Float], [Float]) = ([], [])
    mixer.mix(input.span, into: &stereo)
    mixer.mix(input, into: &sameStereo)
    #expect(stereo.count == 2000 && stereo == sameStereo)
    var resampler = try Resampler(from: 48_000, to: 44_100, channelCount: 2)
    var output: [Float] = []
    resampler.process(stereo, into: &output)
    resampler.flush(into: &output)
    let standard = try resample(stereo, RatePair(input: 48_000, output: 44_100), channels: 2)
    #expect(!output.isEmpty && output == standard)
  }

  @Test(arguments: ratePairs)
  func outputLengthIsExactAndDelayIsZero(rates: RatePair) throws {
    for count in [0, 1, 2, 3, 100, 441, 1000, 5001] {
      let output = try resample([Float](repeating: 0.25, count: count), rates)
      let exact = (count * rates.output + rates.input - 1) / rates.input
      #expect(output.count == exact, "\(count) frames")
    }
    // An impulse at a time at which input and output samples coincide.
    var impulse = [Float](repeating: 0, count: 3 * rates.input / 10)
    impulse[rates.input / 10] = 1
    guard rates.input % 10 == 0 && rates.output % 10 == 0 else { return }
    let output = try resample(impulse, rates)
    let peak = try #require(output.indices.max { abs(output[$0]) < abs(output[$1]) })
    #expect(peak == rates.output / 10)
    // Linear phase: both sides are equal if the taps are.
    for distance in 1..<50 {
      #expect(abs(output[peak - distance] - output[peak + distance]) < 1e-6)
    }
  }

  @Test(arguments: ratePairs)
  func outputIsIndependentOfChunkSize(rates: RatePair) throws {
    let input = noise(2 * 20000, seed: 1)
    let whole = try resample(input, rates, channels: 2)
    #expect(try resample(input, rates, channels: 2, pieces: [1]) == whole)
    #expect(try resample(input, rates, channels: 2, pieces: [1024]) == whole)
    #expect(try resample(input, rates, channels: 2, pieces: [7, 4099, 1, 0, 160]) == whole)
  }

  @Test func channelsAreIndependent() throws {
    let rates = RatePair(input: 44100, output: 48000)
    let left = sine(1000, 44100, count: 3000)
    let right = sine(7000, 44100, count: 3000)
    let both = try resample(zip(left, right).flatMap { [$0, $1, 0] }, rates, channels: 3)
    let (alone, other) = (try resample(left, rates), try resample(right, rates))
    #expect(both.count == 3 * alone.count)
    for index in alone.indices {
      #expect(both[3 * index] == alone[index] && both[3 * index + 1] == other[index])
      #expect(both[3 * index + 2] == 0)
    }
  }

  @Test(arguments: ratePairs)
  func silenceStaysSilent(rates: RatePair) throws {
    let output = try resample([Float](repeating: 0, count: 9000), rates)
    #expect(!output.isEmpty && output.allSatisfy { $0 == 0 })
  }

  @Test func nanSampleDoesNotAffectLaterOutput() throws {
    let rates = RatePair(input: 48000, output: 44100)
    var input = sine(1000, 48000, count: 4000)
    let clean = try resample(input, rates)
    input[1000] = .nan
    input[1001] = .infinity
    input[1002] = -.infinity
    let output = try resample(input, rates)
    #expect(output.allSatisfy { $0.isFinite })
    #expect(output[..<800] == clean[..<800])
    #expect(output[1100...] == clean[1100...])
  }

  @Test func equalRatesPassThrough() throws {
    let rates = RatePair(input: 48000, output: 48000)
    let input = sine(20000, 48000, count: 1000)
    #expect(try resample(input, rates, pieces: [33]) == input)
  }

  @Test func aFlushedResamplerStartsAfresh() throws {
    var resampler = try Resampler(from: 44100, to: 48000, channelCount: 1)
    let input = sine(3000, 44100, count: 2000)
    var first: [Float] = []
    resampler.process(input.span, into: &first)
    resampler.flush(into: &first)
    var second: [Float] = []
    resampler.process(input.span, into: &second)
    resampler.flush(into: &second)
    #expect(first == second)
  }

  @Test func extremeRatiosKeepTheirLength() throws {
    for (input, output) in [(1000, 768_000), (768_000, 1000), (999_9, 767_999), (767_999, 1001)] {
      let rates = RatePair(input: input, output: output)
      let count = input / 8
      let result = try resample([Float](repeating: 0.5, count: count), rates)
      #expect(result.count == (count * output + input - 1) / input)
      #expect(abs(result[result.count / 2] - 0.5) < 1e-4)
    }
  }

  @Test func outputIsTheSameOnEveryPlatform() throws {
    // The expected hash is a constant, because any change of a coefficient or of the order of
    // additions changes the hash.
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for rates in ratePairs {
      var state: UInt32 = 7
      let input = (0..<1000).map { _ in
        state = state &* 1_664_525 &+ 1_013_904_223
        return Float(Int32(bitPattern: state) >> 8) / 8_388_608
      }
      for sample in try resample(input, rates) {
        hash = (hash ^ UInt64(sample.bitPattern)) &* 0x100_0000_01B3
      }
    }
    #expect(hash == 6_385_614_978_045_869_167)
  }

  @Test func ratesAndChannelsOutOfRangeAreRefused() {
    #expect(throws: PCMError.unsupportedSampleRate(999)) {
      try Resampler(from: 999, to: 48000, channelCount: 1)
    }
    #expect(throws: PCMError.unsupportedSampleRate(768_001)) {
      try Resampler(from: 48000, to: 768_001, channelCount: 1)
    }
    #expect(throws: PCMError.unsupportedChannelCount(0)) {
      try Resampler(from: 44100, to: 48000, channelCount: 0)
    }
  }
}
