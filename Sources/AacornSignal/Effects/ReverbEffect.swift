/// A reverb: a feedback delay network of eight lines.
///
/// It follows “Digital delay networks for designing artificial reverberators” (90th AES Convention,
/// 1991).
///
///     in ─┬─► 8 delays ─► damping ─► decay ─┬─► left: even lines, right: odd lines
///         ▲                                 │
///         └──────── Hadamard matrix ◄───────┘
///
/// The lengths are prime numbers, so that echoes do not coincide. A line of d frames loses
/// 60·d/(rate·time) dB at any length, and the matrix loses nothing.
public struct ReverbEffect: Sendable {
  /// The settings of a reverb.
  public struct Settings: Equatable, Sendable {
    /// The time in which low frequencies fall by 60 dB, in milliseconds.
    public var decay: Double
    /// The damping of high frequencies, from 0 to 1; higher values shorten their decay.
    public var damping: Double
    /// The fraction of reverberation in the result.
    public var mix: Double

    /// Creates settings; the defaults are a room.
    public init(decay: Double = 1200, damping: Double = 0.3, mix: Double = 0.2) {
      self.decay = decay
      self.damping = damping
      self.mix = mix
    }
  }

  /// The settings; see ``AudioEffect`` for changes.
  public var settings: Settings {
    didSet {
      decays.aim(at: Self.decays(settings, lengths, decays.sampleRate))
      parts.aim(at: Self.parts(settings))
    }
  }

  /// The number of frames in each line, and the start of the line in `memory`.
  private let lengths: [Int]
  private let starts: [Int]
  private var positions: [Int]
  private var memory: [Float]
  /// The states of the damping filters.
  private var low = SIMD8<Float>.zero
  private var decays: ParameterRamp
  private var parts: ParameterRamp

  /// Creates the effect for interleaved channels.
  public init(_ settings: Settings = Settings(), channelCount: Int, sampleRate: Int) {
    self.settings = settings
    parts = ParameterRamp(channelCount: channelCount, sampleRate: sampleRate) { _ in
      Self.parts(settings)
    }
    var lengths: [Int] = []
    var starts: [Int] = []
    var end = 0
    for milliseconds in [29.7, 37.1, 41.3, 43.9, 47.3, 53.1, 59.9, 67.3] {
      let frames = EffectMath.frames(milliseconds: milliseconds, sampleRate: parts.sampleRate)
      let length = Self.prime(from: max(2, frames))
      starts.append(end)
      lengths.append(length)
      end += length
    }
    self.lengths = lengths
    self.starts = starts
    positions = [Int](repeating: 0, count: lengths.count)
    memory = [Float](repeating: 0, count: end)
    decays = ParameterRamp(channelCount: channelCount, sampleRate: sampleRate) { [lengths] in
      Self.decays(settings, lengths, $0)
    }
  }

  /// The latency in frames: always 0.
  public var latency: Int { 0 }

  /// Processes whole interleaved frames in place.
  public mutating func process(_ samples: inout MutableSpan<Float>) {
    let channelCount = parts.channelCount
    let end = samples.wholeCount(channelCount)
    let share = 1 / Float(channelCount)
    var start = 0
    while start < end {
      _ = decays.advance(1)
      _ = parts.advance(1)
      let (damping, mix) = (Float(parts.values[0]), Float(parts.values[1]))
      var sum: Float = 0
      for channel in 0..<channelCount {
        let sample = samples[start + channel].sanitized
        samples[start + channel] = sample
        sum += sample * share
      }
      let lines = advance(sum, damping: damping)
      for channel in 0..<channelCount {
        // Further channels use the same lines with alternating signs, so that they differ.
        let half = channel % 2 == 0 ? lines.evenHalf : lines.oddHalf
        let room = channel % 4 < 2 ? half.total : (half * Lanes(1, -1, 1, -1)).total
        let sample = samples[start + channel]
        samples[start + channel] = sample + (room - sample) * mix
      }
      start += channelCount
    }
  }

  /// Clears all stored audio; the settings are kept and apply immediately.
  public mutating func reset() {
    decays.jump()
    parts.jump()
    for index in memory.indices { memory[index] = 0 }
    for line in positions.indices { positions[line] = 0 }
    low = .zero
  }

  /// Advances the network by one frame, and returns the outputs of its lines.
  private mutating func advance(_ input: Float, damping: Float) -> SIMD8<Float> {
    var out = SIMD8<Float>.zero
    for line in 0..<8 { out[line] = memory[starts[line] + positions[line]] }
    low = out + (low - out) * damping
    // Decayed values must not become subnormal, which would only cost time.
    low = low.replacing(with: 0, where: low * low .< SIMD8(repeating: 1e-30))
    let lines = low * SIMD8<Float>(decays.values)
    let mixed = Self.mixed(lines) + 0.353_553_4 * input
    for line in 0..<8 {
      memory[starts[line] + positions[line]] = mixed[line]
      let next = positions[line] + 1
      positions[line] = next == lengths[line] ? 0 : next
    }
    return lines
  }

  /// Returns the product with a Hadamard matrix, in three rounds of sums and differences.
  private static func mixed(_ lines: SIMD8<Float>) -> SIMD8<Float> {
    let (a, b) = (lines.lowHalf + lines.highHalf, lines.lowHalf - lines.highHalf)
    let (aa, ab) = (a.lowHalf + a.highHalf, a.lowHalf - a.highHalf)
    let (ba, bb) = (b.lowHalf + b.highHalf, b.lowHalf - b.highHalf)
    let all = SIMD8(
      aa[0] + aa[1], aa[0] - aa[1], ab[0] + ab[1], ab[0] - ab[1], ba[0] + ba[1], ba[0] - ba[1],
      bb[0] + bb[1], bb[0] - bb[1])
    // 1 / √8, so that the product has the same energy.
    return all * 0.353_553_4
  }

  /// Returns the smallest prime number from `number` on.
  private static func prime(from number: Int) -> Int {
    var candidate = number
    while true {
      var divisor = 2
      while divisor * divisor <= candidate && candidate % divisor != 0 { divisor += 1 }
      if divisor * divisor > candidate { return candidate }
      candidate += 1
    }
  }

  /// Returns the factor by which each line attenuates its output.
  private static func decays(
    _ settings: Settings, _ lengths: [Int], _ sampleRate: Int
  ) -> SIMD8<Double> {
    let frames = EffectRange.decay.nearest(to: settings.decay) * Double(sampleRate) / 1000
    var values = SIMD8<Double>.zero
    for (line, length) in lengths.enumerated() {
      values[line] = Decibels.amplitude(-60 * Double(length) / frames)
    }
    return values
  }

  private static func parts(_ settings: Settings) -> SIMD8<Double> {
    // With a damping of 1 nothing would pass the filters.
    SIMD8(
      0.95 * EffectRange.fraction.nearest(to: settings.damping),
      EffectRange.fraction.nearest(to: settings.mix), 0, 0, 0, 0, 0, 0)
  }
}
