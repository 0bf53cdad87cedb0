/// A gain: amplifies or attenuates audio.
public struct GainEffect: Sendable {
  /// The gain in decibels; see ``EffectRange`` for changes.
  public var decibels: Double {
    didSet { ramp.aim(at: Self.values(decibels)) }
  }

  private var ramp: ParameterRamp

  /// Creates the effect for interleaved channels.
  public init(decibels: Double, channelCount: Int, sampleRate: Int) {
    self.decibels = decibels
    ramp = ParameterRamp(channelCount: channelCount, sampleRate: sampleRate) { _ in
      Self.values(decibels)
    }
  }

  /// The latency in frames: always 0.
  public var latency: Int { 0 }

  /// Processes whole interleaved frames in place.
  public mutating func process(_ samples: inout MutableSpan<Float>) {
    unsafe ramp.forEachPiece(of: &samples) { frames, values in
      let factor = Float(values[0])
      for index in unsafe 0..<frames.count * frames.channelCount {
        unsafe frames.samples[index] = frames.samples[index].sanitized * factor
      }
    }
  }

  /// Clears all stored audio; the settings are kept and apply immediately.
  public mutating func reset() { ramp.jump() }

  private static func values(_ decibels: Double) -> SIMD8<Double> {
    SIMD8(repeating: Decibels.amplitude(EffectRange.gain.nearest(to: decibels)))
  }
}
