/// A delay: repeats audio after a time, once or as fading echoes.
///
/// A new time takes effect by a crossfade of 10 ms, without a change of pitch.
public struct DelayEffect: Sendable {
  /// The settings of a delay.
  public struct Settings: Equatable, Sendable {
    /// The time between two echoes, in milliseconds.
    public var time: Double
    /// The fraction of an echo that is repeated.
    public var feedback: Double
    /// The fraction of echoes in the result.
    public var mix: Double

    /// Creates settings; the defaults are an echo.
    public init(time: Double = 300, feedback: Double = 0.3, mix: Double = 0.3) {
      self.time = time
      self.feedback = feedback
      self.mix = mix
    }
  }

  /// The settings; see ``AudioEffect`` for changes.
  public var settings: Settings {
    didSet {
      ramp.aim(at: Self.values(settings))
      targetLength = Self.length(settings, ramp.sampleRate)
    }
  }

  private var ramp: ParameterRamp
  /// The last frames, as a ring with room for the maximum time.
  private var memory: [Float]
  private let capacity: Int
  private var writeIndex = 0
  /// The current delay in frames, the delay it fades from, and the next one.
  private var length: Int
  private var earlierLength: Int
  private var targetLength: Int
  /// The number of remaining frames of the crossfade.
  private var fadeFramesLeft = 0
  private let fadeLength: Int

  /// Creates the effect for interleaved channels.
  public init(_ settings: Settings = Settings(), channelCount: Int, sampleRate: Int) {
    self.settings = settings
    ramp = ParameterRamp(channelCount: channelCount, sampleRate: sampleRate) { _ in
      Self.values(settings)
    }
    let maxDelay = EffectRange.delay.upperBound
    capacity = EffectMath.frames(milliseconds: maxDelay, sampleRate: ramp.sampleRate) + 1
    memory = [Float](repeating: 0, count: capacity * ramp.channelCount)
    length = Self.length(settings, ramp.sampleRate)
    earlierLength = length
    targetLength = length
    fadeLength = max(1, ramp.sampleRate / 100)
  }

  /// The latency in frames: always 0.
  public var latency: Int { 0 }

  /// Processes whole interleaved frames in place.
  public mutating func process(_ samples: inout MutableSpan<Float>) {
    let channelCount = ramp.channelCount
    let end = samples.wholeCount(channelCount)
    var start = 0
    while start < end {
      _ = ramp.advance(1)
      let (feedback, mix) = (Float(ramp.values[0]), Float(ramp.values[1]))
      if fadeFramesLeft == 0 && length != targetLength {
        earlierLength = length
        length = targetLength
        fadeFramesLeft = fadeLength
      }
      let part = Float(fadeFramesLeft) / Float(fadeLength)
      let echo = base(of: length)
      let earlierEcho = base(of: earlierLength)
      let here = writeIndex * channelCount
      for channel in 0..<channelCount {
        let sample = samples[start + channel].sanitized
        var delayed = length == 0 ? sample : memory[echo + channel]
        if fadeFramesLeft > 0 {
          let earlier = earlierLength == 0 ? sample : memory[earlierEcho + channel]
          delayed += (earlier - delayed) * part
        }
        // Without a delay there is no echo.
        let again = length == 0 ? 0 : delayed * feedback
        // Decayed values must not become subnormal, which would only cost time.
        let kept = sample + (again.magnitude > 1e-15 ? again : 0)
        memory[here + channel] = kept.sanitized
        samples[start + channel] = sample * (1 - mix) + delayed * mix
      }
      if fadeFramesLeft > 0 { fadeFramesLeft -= 1 }
      writeIndex = writeIndex + 1 == capacity ? 0 : writeIndex + 1
      start += channelCount
    }
  }

  /// Clears all stored audio; the settings are kept and apply immediately.
  public mutating func reset() {
    ramp.jump()
    for index in memory.indices { memory[index] = 0 }
    writeIndex = 0
    length = targetLength
    earlierLength = targetLength
    fadeFramesLeft = 0
  }

  /// Returns the start of the frame `length` frames ago.
  private func base(of length: Int) -> Int {
    let frame = writeIndex - length
    return (frame < 0 ? frame + capacity : frame) * ramp.channelCount
  }

  private static func length(_ settings: Settings, _ sampleRate: Int) -> Int {
    EffectMath.frames(
      milliseconds: EffectRange.delay.nearest(to: settings.time), sampleRate: sampleRate)
  }

  private static func values(_ settings: Settings) -> SIMD8<Double> {
    SIMD8(
      EffectRange.feedback.nearest(to: settings.feedback),
      EffectRange.fraction.nearest(to: settings.mix), 0, 0, 0, 0, 0, 0)
  }
}
