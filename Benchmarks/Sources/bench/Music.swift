import Foundation

/// A signal like music, the same in every run: detuned harmonic voices with envelopes, bursts of
/// noise and clicks.
struct Music {
  static let rate = 44_100

  private var noise = Noise(state: 2024)
  private var voices: [Voice] = []
  private var burst: Float = 0
  private var click = 0
  private var position = 0

  /// One note in both channels: six partials in each channel, a few cents apart.
  private struct Voice {
    var real: SIMD16<Float>
    var imaginary: SIMD16<Float>
    let cosines: SIMD16<Float>
    let sines: SIMD16<Float>
    let levels: SIMD16<Float>
    var level: Float
    let decay: Float

    init(hertz: Double, level: Float, pan: Float, decay: Float) {
      var (real, imaginary) = (SIMD16<Float>.zero, SIMD16<Float>.zero)
      var (cosines, sines) = (SIMD16<Float>(repeating: 1), SIMD16<Float>.zero)
      var levels = SIMD16<Float>.zero
      for channel in 0..<2 {
        for partial in 1...6 {
          let lane = channel * 8 + partial
          let angle =
            2 * Double.pi * hertz * Double(partial) * (1 + 0.0015 * Double(channel))
            / Double(Music.rate)
          if angle > 2.8 { continue }
          let phase = Double(partial + channel)
          (real[lane], imaginary[lane]) = (Float(cos(phase)), Float(sin(phase)))
          (cosines[lane], sines[lane]) = (Float(cos(angle)), Float(sin(angle)))
          levels[lane] = (channel == 0 ? 1 - pan : pan) / Float(partial)
        }
      }
      (self.real, self.imaginary) = (real, imaginary)
      (self.cosines, self.sines, self.levels) = (cosines, sines, levels)
      self.level = level
      self.decay = decay
    }

    @inline(__always)
    mutating func next() -> (left: Float, right: Float) {
      let turned = real * cosines - imaginary * sines
      imaginary = real * sines + imaginary * cosines
      real = turned
      level *= decay
      let sum = imaginary * levels * level
      return (sum.lowHalf.sum(), sum.highHalf.sum())
    }
  }

  /// A linear congruential generator, from −1 to 1.
  private struct Noise {
    var state: UInt32

    @inline(__always)
    mutating func next() -> Float {
      state = state &* 1_664_525 &+ 1_013_904_223
      return Float(Int32(bitPattern: state)) / 2_147_483_648
    }
  }

  private mutating func startVoice() {
    let step = Double((noise.next() + 1) * 18)
    voices.append(
      Voice(
        hertz: 82.4 * pow(2, step.rounded() / 12), level: 0.09 + 0.05 * noise.next(),
        pan: 0.5 + 0.35 * noise.next(), decay: 1 - (2 + noise.next()) / Float(Music.rate)))
    if voices.count > 5 { voices.removeFirst() }
  }

  /// Returns the next frame of two channels.
  mutating func next() -> (left: Float, right: Float) {
    if position % (Music.rate * 2 / 7) == 0 { startVoice() }
    if position % (Music.rate / 2) == Music.rate / 8 { burst = 0.25 }
    if position % (Music.rate * 7 / 3) == Music.rate { click = 12 }
    position += 1
    var (left, right): (Float, Float) = (0, 0)
    for index in voices.indices {
      let pair = voices[index].next()
      left += pair.left
      right += pair.right
    }
    burst *= 1 - 30 / Float(Music.rate)
    let level = burst + 0.0015
    left += level * noise.next()
    right += level * (0.5 * noise.next())
    if click > 0 {
      click -= 1
      left += click % 2 == 0 ? 0.5 : -0.5
      right += click % 2 == 0 ? 0.4 : -0.4
    }
    return (left, right)
  }

  /// Returns interleaved 16-bit samples.
  mutating func samples(frames: Int) -> [Int16] {
    var samples: [Int16] = []
    samples.reserveCapacity(frames * 2)
    for _ in 0..<frames {
      let (left, right) = next()
      samples.append(Int16(max(-32_768, min(32_767, left * 32_768))))
      samples.append(Int16(max(-32_768, min(32_767, right * 32_768))))
    }
    return samples
  }

  /// Writes a WAV file of this many minutes.
  static func write(minutes: Int, to path: String) throws {
    var music = Music()
    let seconds = minutes * 60
    let size = seconds * rate * 4
    var header: [UInt8] = []
    func put(_ value: Int, _ count: Int) {
      for shift in 0..<count { header.append(UInt8(truncatingIfNeeded: value >> (8 * shift))) }
    }
    header += Array("RIFF".utf8)
    put(36 + size, 4)
    header += Array("WAVEfmt ".utf8)
    for (value, count) in [(16, 4), (1, 2), (2, 2), (rate, 4), (rate * 4, 4), (4, 2), (16, 2)] {
      put(value, count)
    }
    header += Array("data".utf8)
    put(size, 4)
    guard FileManager.default.createFile(atPath: path, contents: Data(header)) else {
      throw Failure("cannot write \(path)")
    }
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    try file.seekToEnd()
    for _ in 0..<seconds {
      let samples = music.samples(frames: rate)
      try file.write(contentsOf: samples.withUnsafeBytes { Data($0) })
    }
    try file.close()
  }
}

/// An error that prevents the measurements.
struct Failure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}
