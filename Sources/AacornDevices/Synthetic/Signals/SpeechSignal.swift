import AacornSignal
import AacornSystem

/// A speech-like signal: syllables of hiss and hum, in words and sentences, with pauses.
///
/// It has no meaning, but has the properties that matter to a speech coder: a gliding pitch,
/// formants, fricatives, pauses with room noise. It is the same on every platform.
///
///     hum (sawtooth) ──► three formants ─┐
///     noise ──► one wide resonance ──────┴─► level ─► + noise of the room ─► channels
public struct SpeechSignal: SyntheticSignal {
  private enum Sound: Sendable { case pause, hiss, vowel }

  /// Frames per second.
  public let sampleRate: Int
  /// Samples per frame.
  public let channelCount: Int
  private var choice = SplitMix64(seed: 11)
  private var noise = SplitMix64(seed: 12)

  private var sound = Sound.pause
  private var framesLeft = 0
  private var syllablesLeft = 0
  private var wordsLeft = 0
  private var hum = Oscillator()
  private var pitch = 120.0
  private var level = 0.0
  private var formants: [Resonance] = []
  private var hiss: Resonance

  /// The first three formants of five vowels, in hertz.
  private static let vowels = [
    [730.0, 1090, 2440], [530, 1840, 2480], [270, 2290, 3010], [570, 840, 2410], [300, 870, 2240],
  ]

  /// Creates a voice that begins to speak.
  public init(sampleRate: Int, channelCount: Int) {
    self.sampleRate = SampleLimits.sampleRate(sampleRate)
    self.channelCount = SampleLimits.channelCount(channelCount)
    hiss = Resonance(hertz: 4500, bandwidth: 2500, sampleRate: self.sampleRate)
  }

  /// Appends the next frames.
  public mutating func read(into samples: inout [Float], frameCount: Int) -> Int {
    for _ in 0..<max(0, frameCount) {
      if framesLeft <= 0 { beginSound() }
      framesLeft -= 1
      let sample = nextSample()
      for _ in 0..<channelCount { samples.append(Float(sample + 0.0005 * noise.sample())) }
    }
    return max(0, frameCount)
  }

  /// Begins the next sound.
  ///
  /// After a hiss this is the vowel of the syllable, otherwise the next syllable, or a pause
  /// between words or sentences.
  private mutating func beginSound() {
    switch sound {
    case .hiss:
      begin(.vowel, milliseconds: 120...260)
      let vowel = Self.vowels[choice.integer(in: 0...Self.vowels.count - 1)]
      formants = vowel.map {
        Resonance(hertz: $0, bandwidth: 60 + $0 / 25, sampleRate: sampleRate)
      }
    case .vowel where syllablesLeft == 0 && wordsLeft == 0:
      begin(.pause, milliseconds: 500...900)
      wordsLeft = choice.integer(in: 2...5)
      pitch = Double(choice.integer(in: 130...160))
    case .vowel where syllablesLeft == 0:
      begin(.pause, milliseconds: 60...160)
      wordsLeft -= 1
    case .vowel, .pause:
      if sound == .pause { syllablesLeft = choice.integer(in: 1...4) }
      begin(.hiss, milliseconds: 40...90)
      syllablesLeft -= 1
    }
  }

  private mutating func begin(_ sound: Sound, milliseconds: ClosedRange<Int>) {
    self.sound = sound
    framesLeft = sampleRate * choice.integer(in: milliseconds) / 1000
  }

  private mutating func nextSample() -> Double {
    let rate = Double(sampleRate)
    // The level approaches its target within about 15 ms, so that no sound begins with a click.
    level += ((sound == .pause ? 0 : 1) - level) * min(1, 66 / rate)
    // The pitch falls by a seventh each second, until the sentence ends.
    pitch *= 1 - min(0.1, 0.15 / rate)
    if pitch < 85 { pitch = 85 }
    hum.phase &+= Oscillator.step(hertz: pitch, sampleRate: sampleRate)
    let saw = Double(Int32(bitPattern: hum.phase)) * 0x1p-31
    var sum = 0.0
    // In a pause the last vowel fades with the level.
    let voice = sound == .hiss ? 0 : saw
    for index in formants.indices { sum += 0.9 * formants[index].filter(voice) }
    sum += 0.4 * hiss.filter(sound == .hiss ? noise.sample() : 0)
    // Below telephone rates the formants coincide and would overload.
    return min(max(sum * level, -0.95), 0.95)
  }

  /// A two-pole filter with unit gain at its frequency.
  private struct Resonance: Sendable {
    private let gain: Double
    private let first: Double
    private let second: Double
    private var last = 0.0
    private var beforeLast = 0.0

    init(hertz: Double, bandwidth: Double, sampleRate: Int) {
      let rate = Double(sampleRate)
      // e^−x for the radius of the poles, by its continued fraction's third convergent.
      let x = min(2, Double.pi * bandwidth / rate)
      let radius = (12 - 6 * x + x * x) / (12 + 6 * x + x * x)
      let phase = Oscillator.step(hertz: min(hertz, 0.45 * rate), sampleRate: sampleRate)
      let cosine = Oscillator.sine(phase &+ 1 << 30)
      gain = (1 - radius) * 2 * Oscillator.sine(phase)
      first = 2 * radius * cosine
      second = -radius * radius
    }

    mutating func filter(_ input: Double) -> Double {
      // A trace of DC prevents denormal numbers in long pauses.
      let output = gain * input + first * last + second * beforeLast + 1e-20
      beforeLast = last
      last = output
      return output
    }
  }
}
