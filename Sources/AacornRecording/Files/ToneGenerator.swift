/// A built-in test tone: a sweep with struck notes, in stereo, 16 bits, 44.1 kHz.
///
/// It uses only integer arithmetic, so it is the same on all systems. The oscillators rotate a
/// point on a circle (x += k·y, y −= k·x), which needs neither tables nor sines.
package struct ToneGenerator: Sendable {
  /// Frames per second.
  package static let sampleRate = 44_100
  /// Samples per frame.
  package static let channelCount = 2

  package let frameCount: Int
  private var frame = 0
  private var sweep = Oscillator()
  private var notes: [Note] = []

  /// Frames between notes.
  private static let noteInterval = sampleRate / 2
  /// Frequencies in hertz: a falling and rising figure of fifths and thirds.
  private static let melody = [440, 660, 550, 880, 733, 1100, 587, 990]

  package init(milliseconds: Int) {
    frameCount = milliseconds * Self.sampleRate / 1000
  }

  /// Writes the next frames into `bytes` in little-endian order, and returns the number of bytes.
  package mutating func read(into bytes: inout [UInt8], from offset: Int = 0) -> Int {
    var position = offset
    while position + 4 <= bytes.count && frame < frameCount {
      let (left, right) = nextFrame()
      for sample in [left, right] {
        bytes[position] = UInt8(truncatingIfNeeded: sample)
        bytes[position + 1] = UInt8(truncatingIfNeeded: sample >> 8)
        position += 2
      }
    }
    return position - offset
  }

  private mutating func nextFrame() -> (left: Int, right: Int) {
    if frame % Self.noteInterval == 0 {
      let number = frame / Self.noteInterval
      notes.append(Note(hertz: Self.melody[number % Self.melody.count], isLeft: number % 2 == 0))
      if notes.count > 3 { notes.removeFirst() }
    }
    // Rises from 110 Hz by an octave every 2.2 s, and starts again after six octaves.
    let span = Self.sampleRate * 22 / 10
    let octave = frame / span % 6
    let hertz = (110 << octave) + (110 << octave) * (frame % span) / span
    sweep.turn(step: Oscillator.step(hertz: hertz))
    var left = sweep.y >> 14
    var right = sweep.x >> 14
    for index in notes.indices {
      let sample = notes[index].next()
      left += notes[index].isLeft ? sample : sample / 3
      right += notes[index].isLeft ? sample / 3 : sample
    }
    frame += 1
    return (min(max(left, -32_767), 32_767), min(max(right, -32_767), 32_767))
  }

  /// A point that moves on a circle with a radius of 2^26.
  private struct Oscillator {
    var x = 1 << 26
    var y = 0

    /// Returns 2 sin(π f / rate) in units of 2^−30, from two terms of its series.
    static func step(hertz: Int) -> Int {
      // π · 2^30 / 44100 = 76 491.4; the argument stays below 0.51.
      let angle = hertz * 76_491
      let short = angle >> 15
      let cube = ((short * short) >> 15) * short
      return 2 * (angle - cube / 6)
    }

    mutating func turn(step: Int) {
      x -= (step * y) >> 30
      y += (step * x) >> 30
    }
  }

  /// A struck, decaying note.
  private struct Note {
    let isLeft: Bool
    private let step: Int
    private var oscillator = Oscillator()
    private var loudness = 1 << 20
    /// The noise of the attack, and its level.
    private var noise: UInt32 = 1
    private var strokeLoudness = 1 << 13

    init(hertz: Int, isLeft: Bool) {
      step = Oscillator.step(hertz: hertz)
      self.isLeft = isLeft
    }

    mutating func next() -> Int {
      oscillator.turn(step: step)
      // The level halves in 5678 frames, an eighth of a second.
      loudness -= loudness >> 13
      noise = noise &* 1_664_525 &+ 1_013_904_223
      let stroke = ((Int(noise >> 16) - 32_768) * strokeLoudness) >> 16
      strokeLoudness -= (strokeLoudness >> 7) + (strokeLoudness > 0 ? 1 : 0)
      return (((oscillator.y >> 13) * loudness) >> 20) + stroke
    }
  }
}
