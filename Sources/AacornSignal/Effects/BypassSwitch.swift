/// Bypasses an effect and restores it with a crossfade of 10 ms, without changing the latency.
///
/// The effect always runs, so its state is current when it is restored. Call the switch before and
/// after the effect:
///
///     bypass.store(samples)
///     effect.process(&samples)
///     bypass.blend(into: &samples)
package struct BypassSwitch: Sendable {
  /// The maximum number of frames per call.
  package static let pieceLength = 512

  /// Whether the effect is bypassed; a change takes 10 ms.
  package var isBypassed = false {
    didSet { ramp.aim(at: SIMD8(repeating: isBypassed ? 1 : 0)) }
  }

  private let latency: Int
  private var ramp: ParameterRamp
  private var delay: FrameDelay
  /// The unprocessed samples of a piece.
  private var unprocessed: [Float]

  /// Creates a switch for an effect with this latency, up to 2²⁰ frames.
  ///
  /// See ``EffectRange`` for values out of range.
  package init(latency: Int, channelCount: Int, sampleRate: Int) {
    let latency = min(max(latency, 0), Self.highestLatency)
    self.latency = latency
    ramp = ParameterRamp(channelCount: channelCount, sampleRate: sampleRate) { _ in .zero }
    delay = FrameDelay(frameCount: latency, channelCount: ramp.channelCount)
    unprocessed = [Float](repeating: 0, count: Self.pieceLength * ramp.channelCount)
  }

  private static let highestLatency = 1 << 20

  /// Whether unprocessed samples are audible or fading.
  private var isUsed: Bool { isBypassed || ramp.values[0] != 0 }

  /// Stores whole frames before the effect processes them; frames after the first `pieceLength` are
  /// ignored.
  package mutating func store(_ samples: Span<Float>) {
    if latency == 0 && !isUsed { return }
    let channelCount = ramp.channelCount
    let frameCount = min(samples.count / channelCount, Self.pieceLength)
    for index in 0..<frameCount * channelCount { unprocessed[index] = samples[index].sanitized }
    Self.exchange(&unprocessed, frameCount, with: &delay)
  }

  /// Mixes the stored samples into the output of the effect; their share depends on the state of
  /// the bypass and its crossfade.
  ///
  /// Frames after the first `pieceLength` stay unchanged.
  package mutating func blend(into samples: inout MutableSpan<Float>) {
    if !isUsed { return }
    let channelCount = ramp.channelCount
    let frameCount = min(samples.count / channelCount, Self.pieceLength)
    var first = 0
    while first < frameCount {
      let count = ramp.advance(frameCount - first)
      let part = Float(ramp.values[0])
      for index in first * channelCount..<(first + count) * channelCount {
        let sample = samples[index]
        samples[index] =
          part == 1 ? unprocessed[index] : sample + (unprocessed[index] - sample) * part
      }
      first += count
    }
  }

  /// Clears all stored audio.
  package mutating func reset() {
    ramp.jump()
    delay.reset()
  }

  // Static, because a method could not change `self.delay` while a pointer to `self.unprocessed`
  // has exclusive access to `self`.
  private static func exchange(
    _ unprocessed: inout [Float], _ frameCount: Int, with delay: inout FrameDelay
  ) {
    unsafe unprocessed.withUnsafeMutableBufferPointer { unprocessed in
      guard let unprocessed = unprocessed.baseAddress else { return }
      unsafe delay.exchange(unprocessed, frameCount)
    }
  }
}

/// Delays interleaved frames by a fixed number of frames.
struct FrameDelay: Sendable {
  private let channelCount: Int
  /// The delayed frames, as a ring.
  private var samples: [Float]
  private var oldestIndex = 0

  /// Creates a delay that outputs silence first.
  init(frameCount: Int, channelCount: Int) {
    self.channelCount = channelCount
    samples = [Float](repeating: 0, count: frameCount * channelCount)
  }

  mutating func reset() {
    for index in samples.indices { samples[index] = 0 }
    oldestIndex = 0
  }

  /// Replaces frames by the delayed ones, each multiplied by its gain.
  mutating func exchange(
    _ frames: Frames, gains: UnsafePointer<Float>
  ) {
    guard !samples.isEmpty else { return }
    unsafe exchange(frames.samples, frames.count)
    var frame = 0
    while unsafe frame < frames.count {
      let here = unsafe frames.upToFour(from: frame)
      var factors = Lanes(repeating: 1)
      for index in unsafe 0..<here.count { factors[index] = unsafe gains[frame &+ index] }
      unsafe here.multiply(by: factors)
      unsafe frame &+= here.count
    }
  }

  mutating func exchange(_ frames: UnsafeMutablePointer<Float>, _ frameCount: Int) {
    let length = samples.count
    var oldestIndex = self.oldestIndex
    let count = frameCount * channelCount
    unsafe samples.withUnsafeMutableBufferPointer { samples in
      guard length > 0, let samples = samples.baseAddress else { return }
      var start = 0
      while start < count {
        // Process up to the end of the ring, so that the loop needs no wraparound.
        let piece = min(count - start, length - oldestIndex)
        let (newer, older) = unsafe (frames + start, samples + oldestIndex)
        for index in 0..<piece {
          let sample = unsafe newer[index]
          unsafe newer[index] = older[index]
          unsafe older[index] = sample
        }
        start &+= piece
        oldestIndex = oldestIndex &+ piece == length ? 0 : oldestIndex &+ piece
      }
    }
    self.oldestIndex = oldestIndex
  }
}
