/// Takes an effect out of the way and back, by a crossfade of 10 ms, and keeps its latency.
///
/// The effect runs all the time, so that it has heard what came before when it comes back. Around it,
///
///     bypass.keep(samples)
///     effect.process(&samples)
///     bypass.blend(into: &samples)
public struct BypassSwitch: Sendable {
  /// The most frames at once.
  public static let pieceLength = 512

  /// Whether the sound passes by the effect; it is so within 10 ms.
  public var isBypassed = false {
    didSet { ramp.aim(at: SIMD8(repeating: isBypassed ? 1 : 0)) }
  }

  private let channelCount: Int
  private let latency: Int
  private var ramp: ParameterRamp
  private var delay: FrameDelay
  /// What passes by, of a piece.
  private var kept: [Float]

  /// A switch beside an effect of this latency, up to 2²⁰ frames; see ``SoundEffect`` for other numbers.
  public init(latency: Int, channelCount: Int, sampleRate: Int) {
    let (channelCount, sampleRate) = SampleLimits.nearest(channelCount, sampleRate)
    let latency = min(max(latency, 0), Self.highestLatency)
    self.latency = latency
    self.channelCount = channelCount
    ramp = ParameterRamp(.zero, sampleRate: sampleRate)
    delay = FrameDelay(frameCount: latency, channelCount: channelCount)
    kept = [Float](repeating: 0, count: Self.pieceLength * channelCount)
  }

  private static let highestLatency = 1 << 20

  /// Whether anything passes by, now or soon.
  private var isUsed: Bool { isBypassed || ramp.values[0] != 0 }

  /// Takes whole frames before the effect gets them; those beyond a piece are ignored.
  public mutating func keep(_ samples: Span<Float>) {
    if latency == 0 && !isUsed { return }
    let frameCount = min(samples.count / channelCount, Self.pieceLength)
    for index in 0..<frameCount * channelCount { kept[index] = samples[index].heard }
    Self.exchange(&kept, frameCount, with: &delay)
  }

  /// Puts what passes by in the place of what came out of the effect, as far as it is bypassed; frames
  /// beyond a piece stay as they are.
  public mutating func blend(into samples: inout MutableSpan<Float>) {
    if !isUsed { return }
    let frameCount = min(samples.count / channelCount, Self.pieceLength)
    var first = 0
    while first < frameCount {
      let count = ramp.advance(frameCount - first)
      let part = Float(ramp.values[0])
      for index in first * channelCount..<(first + count) * channelCount {
        let sample = samples[index]
        samples[index] = part == 1 ? kept[index] : sample + (kept[index] - sample) * part
      }
      first += count
    }
  }

  /// Forgets all sound.
  public mutating func reset() {
    ramp.jump()
    delay.reset()
  }

  // Access to one property through a pointer excludes changing another.
  private static func exchange(
    _ kept: inout [Float], _ frameCount: Int, with delay: inout FrameDelay
  ) {
    unsafe kept.withUnsafeMutableBufferPointer { kept in
      guard let kept = kept.baseAddress else { return }
      unsafe delay.exchange(kept, frameCount)
    }
  }
}
