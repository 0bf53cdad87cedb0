import AacornSignal
import AacornSystem

/// A short melody of struck notes, two per second, that moves from channel to channel.
///
/// It has attacks, pure tones and silence in between, so faults are easy to see in a spectrum and
/// to hear. It is the same on every platform.
public struct ToneSignal: SyntheticSignal {
  /// Frames per second.
  public let sampleRate: Int
  /// Samples per frame.
  public let channelCount: Int
  private var noteNumber = 0
  private var framesToNextNote = 0
  private var notes: [Note] = []
  private var noise = SplitMix64(seed: 7)

  /// Frequencies in hertz: a figure of fifths and thirds that rises and falls.
  private static let melody = [440.0, 660, 550, 880, 733, 1100, 587, 990]

  /// Creates a melody that begins with its first note.
  public init(sampleRate: Int, channelCount: Int) {
    self.sampleRate = SampleLimits.sampleRate(sampleRate)
    self.channelCount = SampleLimits.channelCount(channelCount)
  }

  /// Appends the next frames.
  public mutating func read(into samples: inout [Float], frameCount: Int) -> Int {
    for _ in 0..<max(0, frameCount) {
      if framesToNextNote <= 0 { strike() }
      framesToNextNote -= 1
      let first = samples.count
      samples.append(contentsOf: repeatElement(0, count: channelCount))
      for index in notes.indices {
        let sample = Float(notes[index].next(&noise))
        let home = notes[index].number % channelCount
        for channel in 0..<channelCount {
          samples[first + channel] += channel == home ? sample : sample * (1 / 3)
        }
      }
    }
    return max(0, frameCount)
  }

  private mutating func strike() {
    let hertz = Self.melody[noteNumber % Self.melody.count]
    notes.append(Note(number: noteNumber, hertz: hertz, sampleRate: sampleRate))
    if notes.count > 3 { notes.removeFirst() }
    noteNumber += 1
    framesToNextNote = max(1, sampleRate / 2)
  }

  /// A decaying note: three partials, where higher ones decay faster, and the noise of the attack.
  private struct Note: Sendable {
    let number: Int
    private var partials: [Partial] = []
    private var strokeLevel = 0.06
    private let strokeDecay: Double

    private struct Partial: Sendable {
      var oscillator = Oscillator()
      let step: UInt32
      var level: Double
      let decay: Double
    }

    init(number: Int, hertz: Double, sampleRate: Int) {
      self.number = number
      let rate = Double(sampleRate)
      // 0.693 = ln 2: levels fall by half in the given seconds.
      strokeDecay = 1 - min(0.5, 0.693 / (0.002 * rate))
      for (order, level, seconds) in [(1.0, 0.32, 0.25), (2.0, 0.16, 0.12), (3.0, 0.08, 0.06)]
      where order * hertz < 0.45 * rate {
        partials.append(
          Partial(
            step: Oscillator.step(hertz: order * hertz, sampleRate: sampleRate), level: level,
            decay: 1 - min(0.5, 0.693 / (seconds * rate))))
      }
    }

    mutating func next(_ noise: inout SplitMix64) -> Double {
      var sum = 0.0
      for index in partials.indices {
        partials[index].oscillator.phase &+= partials[index].step
        sum += partials[index].level * Oscillator.sine(partials[index].oscillator.phase)
        partials[index].level *= partials[index].decay
      }
      // Below −120 dB it is inaudible, and denormal numbers would only cost time.
      if strokeLevel > 1e-6 {
        sum += strokeLevel * noise.sample()
        strokeLevel *= strokeDecay
      }
      return sum
    }
  }
}

/// A sine that rises by an octave a second from 20 Hz to nearly half the rate, repeatedly.
///
/// Neighboring channels are a quarter of a turn apart.
public struct SweepSignal: SyntheticSignal {
  /// Frames per second.
  public let sampleRate: Int
  /// Samples per frame.
  public let channelCount: Int
  private var oscillator = Oscillator()
  private var frameOfOctave = 0
  private var lowest = SweepSignal.start

  private static let start = 20.0
  private static let amplitude = 0.5

  /// Creates a sweep that begins at 20 Hz.
  public init(sampleRate: Int, channelCount: Int) {
    self.sampleRate = SampleLimits.sampleRate(sampleRate)
    self.channelCount = SampleLimits.channelCount(channelCount)
  }

  /// Appends the next frames.
  public mutating func read(into samples: inout [Float], frameCount: Int) -> Int {
    for _ in 0..<max(0, frameCount) {
      // Linear within an octave, which is close enough to exponential.
      let hertz = lowest * (1 + Double(frameOfOctave) / Double(sampleRate))
      _ = oscillator.next(hertz: hertz, sampleRate: sampleRate)
      for channel in 0..<channelCount {
        let turned = oscillator.phase &+ UInt32(truncatingIfNeeded: channel) << 30
        samples.append(Float(Self.amplitude * Oscillator.sine(turned)))
      }
      frameOfOctave += 1
      if frameOfOctave >= sampleRate {
        frameOfOctave = 0
        lowest *= 2
      }
      if hertz >= 0.45 * Double(sampleRate) || hertz >= 20_000 {
        frameOfOctave = 0
        lowest = Self.start
      }
    }
    return max(0, frameCount)
  }
}

/// A sine wave with a frequency that may change at any time without a click.
///
/// The phase is an integer, so it neither drifts nor loses precision. The sine is a polynomial, so
/// it is the same on every platform.
struct Oscillator: Sendable {
  /// The phase in units of 2^−32 turns.
  var phase: UInt32 = 0

  /// Advances by one frame and returns the sine.
  mutating func next(hertz: Double, sampleRate: Int) -> Double {
    phase &+= Self.step(hertz: hertz, sampleRate: sampleRate)
    return Self.sine(phase)
  }

  /// Returns the phase step per frame; `hertz` is below the rate.
  static func step(hertz: Double, sampleRate: Int) -> UInt32 {
    UInt32(min(hertz / Double(sampleRate), 0.999) * 0x1p32)
  }

  /// Returns the sine of a phase, to within 10^−9.
  static func sine(_ phase: UInt32) -> Double {
    var x = Double(Int32(bitPattern: phase)) * 0x1p-31
    if x > 0.5 { x = 1 - x } else if x < -0.5 { x = -1 - x }
    // Taylor's series at πx, |πx| ≤ π/2; the first omitted term is (π/2)^15 / 15!.
    let angle = x * Double.pi
    let square = angle * angle
    var sum = 1 - square * (1 / 156)
    sum = 1 - square * (1 / 110) * sum
    sum = 1 - square * (1 / 72) * sum
    sum = 1 - square * (1 / 42) * sum
    sum = 1 - square * (1 / 20) * sum
    return angle * (1 - square * (1 / 6) * sum)
  }
}
