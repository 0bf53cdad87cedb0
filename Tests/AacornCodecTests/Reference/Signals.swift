import AacornSignal

@testable import AacornCodec

/// Sounds for tests, with one array of samples in −1…1 per channel.
///
/// All samples are multiples of 1/32768, so that 16-bit integers represent them exactly.
enum Signals {
  static func onGrid(_ value: Double) -> Float {
    let scaled = (value * 32_768).rounded()
    return Float(min(32_767, max(-32_768, scaled)) / 32_768)
  }

  static func silence(_ frames: Int, channels: Int = 1) -> [[Float]] {
    [[Float]](repeating: [Float](repeating: 0, count: frames), count: channels)
  }

  static func sine(_ frames: Int, hertz: Double, rate: Int, amplitude: Double = 0.5) -> [Float] {
    var oscillator = Oscillator(hertz: hertz, rate: rate)
    return (0..<frames).map { _ in onGrid(amplitude * oscillator.next()) }
  }

  static func noise(_ frames: Int, amplitude: Double = 0.3, seed: UInt32 = 1) -> [Float] {
    var generator = NoiseGenerator(state: seed)
    return (0..<frames).map { _ in onGrid(amplitude * generator.next()) }
  }

  /// Returns a sine that rises from `from` to `to` hertz.
  static func sweep(
    _ frames: Int, from: Double, to: Double, rate: Int, amplitude: Double = 0.5
  ) -> [Float] {
    var phase = 0.0
    return (0..<frames).map { n in
      let hertz = from + (to - from) * Double(n) / Double(frames)
      phase += hertz / Double(rate)
      phase -= phase.rounded(.down)
      return onGrid(amplitude * ElementaryFunctions.sinCosPi(2 * phase).sin)
    }
  }

  static func square(_ frames: Int, period: Int, amplitude: Double = 1) -> [Float] {
    (0..<frames).map { onGrid($0 % period < period / 2 ? amplitude : -amplitude) }
  }

  /// Returns silence except for one sample.
  static func impulse(_ frames: Int, at position: Int, amplitude: Double = 0.9) -> [Float] {
    var samples = [Float](repeating: 0, count: frames)
    samples[position] = onGrid(amplitude)
    return samples
  }

  /// Returns short decaying bursts at uneven distances, similar to castanets.
  static func castanets(_ frames: Int, rate: Int, seed: UInt32 = 7) -> [Float] {
    var generator = NoiseGenerator(state: seed)
    var level = 0.0
    var next = rate / 50
    return (0..<frames).map { n in
      if n == next {
        level = 0.8
        next += rate / 16 + Int((generator.next() + 1) * Double(rate) / 20)
      }
      level *= 1 - 180 / Double(rate)
      return onGrid(level * generator.next())
    }
  }

  /// Returns a music-like signal: detuned, decaying harmonic voices and bursts of noise.
  ///
  /// Channels share the tune, but differ in level and detuning.
  static func music(_ frames: Int, rate: Int, channels: Int = 2, seed: UInt32 = 3) -> [[Float]] {
    (0..<channels).map { channel in
      var voices = Voices(rate: rate, channel: channel, seed: seed)
      return (0..<frames).map { _ in onGrid(voices.next()) }
    }
  }

  private struct Voices {
    private let rate: Int
    private let channel: Int
    private var choices: NoiseGenerator
    private var hiss: NoiseGenerator
    private var notes: [(partials: [Oscillator], level: Double)] = []
    private var burst = 0.0
    private var position = 0

    init(rate: Int, channel: Int, seed: UInt32) {
      self.rate = rate
      self.channel = channel
      // All channels make the same choices, but have different background noise.
      choices = NoiseGenerator(state: seed)
      hiss = NoiseGenerator(state: seed &+ UInt32(channel) &* 977)
    }

    mutating func next() -> Double {
      if position % (rate / 3) == 0 { startNote() }
      if position % (rate / 2) == rate / 5 { burst = 0.2 }
      var sum = 0.0
      for index in notes.indices {
        var note = 0.0
        for partial in notes[index].partials.indices {
          note += notes[index].partials[partial].next() / Double(partial + 1)
        }
        sum += note * notes[index].level
        notes[index].level *= 1 - 1.5 / Double(rate)
      }
      sum += (burst + 0.002) * hiss.next()
      burst *= 1 - 25 / Double(rate)
      position += 1
      return sum
    }

    private mutating func startNote() {
      let step = (choices.next() + 1) * 12
      let loudness = 0.1 + 0.05 * choices.next()
      // Semitones from 110 Hz upward.
      var hertz = 110.0
      for _ in 0..<Int(step) { hertz *= 1.0594630943592953 }
      hertz *= 1 + 0.002 * Double(channel)
      let partials = (1...6).filter { hertz * Double($0) < Double(rate) * 0.45 }.map {
        Oscillator(hertz: hertz * Double($0), rate: rate, phase: 0.1 * Double($0 + channel))
      }
      notes.append((partials, loudness * (channel % 2 == 0 ? 1 : 0.7)))
      if notes.count > 5 { notes.removeFirst() }
    }
  }
}
