import TestSignals
import Testing

@testable import AacornCodec

/// Sounds that a wrong choice of windows or of bits harms most: pulses of low tones, strokes after
/// silence, and sounds that begin with the file.
@Suite struct SteadyAndSparseSoundTests {
  enum Wave: CaseIterable, Sendable {
    case saw, square
  }

  /// Returns a tone with all harmonics, or the odd ones, up to 18 kHz; it fades in.
  private static func tone(_ wave: Wave, hertz: Double, frames: Int) -> [Float] {
    var sum = [Double](repeating: 0, count: frames)
    for harmonic in 1...Int(18_000 / hertz) where wave == .saw || harmonic % 2 == 1 {
      var oscillator = Oscillator(hertz: hertz * Double(harmonic), rate: 44_100)
      for n in sum.indices { sum[n] += oscillator.next() / Double(harmonic) }
    }
    return sum.enumerated().map { n, value in
      Signals.onGrid(value * 0.15 * min(1, Double(n) / 2205))
    }
  }

  /// The noise of a coded sound relative to its masking threshold, in dB.
  private static func noise(
    _ channels: [[Float]], _ configuration: AACEncoder.Configuration
  ) throws -> Double {
    let coded = try EncodedSound(channels, configuration)
    return NoiseToMask(original: Sound(channels: channels, rate: configuration.sampleRate))
      .decibels(of: try coded.trimmedOutput())
  }

  /// Between the pulses of such tones it is quiet, but that is not the end of a sound.
  @Test(arguments: [65, 98, 131, 220, 330, 440], Wave.allCases)
  func lowTonesWithPulsesAreCodedAsSteady(hertz: Double, wave: Wave) throws {
    let tone = Self.tone(wave, hertz: hertz, frames: 44_100)
    for channelCount in 1...2 {
      let configuration = AACEncoder.Configuration.constant(
        96_000, channels: channelCount, effort: .best)
      let noise = try Self.noise([[Float]](repeating: tone, count: channelCount), configuration)
      #expect(noise < -14, "\(channelCount) channels: \(noise) dB")
    }
  }

  /// Returns strokes of a wood block, three per second, with silence between them.
  private static func strokes(_ frames: Int) -> [Float] {
    var samples = [Float](repeating: 0, count: frames)
    for start in stride(from: 13_230, to: frames - 8820, by: 14_700) {
      let hiss = Signals.noise(4410, amplitude: 1, seed: UInt32(start))
      var oscillator = Oscillator(hertz: 1800, rate: 44_100)
      var (body, stick) = (0.5, 0.15)
      for n in 0..<4410 {
        samples[start + n] = Signals.onGrid(body * oscillator.next() + stick * Double(hiss[n]))
        body *= 0.9985
        stick *= 0.9925
      }
    }
    return samples
  }

  /// A constant rate fills silent frames, and the full reservoir serves the strokes.
  @Test func strokesAfterSilenceGetTheSavedBits() throws {
    let strokes = [[Float]](repeating: Self.strokes(4 * 44_100), count: 2)
    let constant = AACEncoder.Configuration.constant(96_000, channels: 2, effort: .best)
    var average = constant
    average.rateControl = .average(bitsPerSecond: 96_000)
    let (filled, saved) = (try Self.noise(strokes, constant), try Self.noise(strokes, average))
    #expect(filled < saved + 2.5, "constant rate: \(filled) dB; average rate: \(saved) dB")
  }

  /// A filter that follows the pulses of a voice costs more than it gives.
  @Test func pulsesOfAVoiceGetNoNoiseShaping() throws {
    let hiss = Signals.noise(44_100, amplitude: 0.3, seed: 9)
    let pulses = hiss.enumerated().map { n, value in
      Signals.onGrid(Double(value) * (n % 500 < 140 ? 1 : 0.25))
    }
    let blocks = try EncodedSound([pulses], .constant(64_000, channels: 1)).parsed()
    let shaped = blocks.count { $0.channels.contains { $0.hasNoiseShaping } }
    #expect(shaped * 10 < blocks.count && blocks.count > 40, "\(shaped) of \(blocks.count)")
  }

  /// The filter of noise shaping carries noise from line to line.
  ///
  /// It runs toward the loud bands, so that their noise does not reach the quiet ones.
  @Test(arguments: [false, true])
  func noiseShapingRunsTowardLoudBands(isFalling: Bool) throws {
    let hiss = Signals.noise(44_100, amplitude: 0.5, seed: 5)
    var stages = [Double](repeating: 0, count: 8)
    let pulses = hiss.enumerated().map { n, value in
      var sound = Double(value) * (n % 500 < 60 ? 1 : 0.1)
      for index in stages.indices where isFalling || index < 2 {
        let before = stages[index]
        stages[index] = isFalling ? before + (sound - before) * 0.4 : sound
        sound = isFalling ? stages[index] : (sound - before) / 2
      }
      return Signals.onGrid(sound)
    }
    let blocks = try EncodedSound([pulses], .constant(64_000, channels: 1)).parsed()
    let filters = blocks.flatMap { $0.channels.flatMap(\.noiseShapingFilters) }
    #expect(filters.count > 10 && filters.allSatisfy { $0.isDownward == isFalling })
  }

  /// Decoders discard what precedes the first sample, so no noise is audible there.
  @Test func soundAtTheBeginningOfAFileDoesNotCountAsAttack() {
    let samples =
      [Float](repeating: 0, count: 1024)
      + Signals.sine(4096, hertz: 997, rate: 44_100).map { $0 * 32_768 }
    for isFirst in [true, false] {
      var detector = TransientDetector()
      detector.analyze(samples, from: 1536, isFirst: isFirst)
      #expect(detector.next.isAbrupt != isFirst)
      detector.analyze(samples, from: 2560)
      #expect(!detector.next.isAbrupt)
    }
  }

  /// The reservoir fills up soon, but not at the cost of the first frames.
  @Test func firstFramesGetTheirShare() throws {
    let chord = (0..<12).map { note in
      Signals.sine(44_100, hertz: 220 * Double(note + 1) * 1.01, rate: 44_100, amplitude: 0.05)
    }
    let sum = (0..<44_100).map { n in chord.reduce(Float(0)) { $0 + $1[n] } }
    let coded = try EncodedSound([sum, sum], .constant(96_000, channels: 2))
    let sizes = coded.units.prefix(6).map { Double($0.bytes.count) }
    let mean = 96_000 * 1024 / 44_100 / 8.0
    #expect(sizes.reduce(0, +) / 6 > mean * 0.92, "\(sizes)")
  }
}
