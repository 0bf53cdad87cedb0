/// The latest input of a resampler, with a section for each channel.
///
///     a channel:  [ half − 1 zeros │ frames … │ free ]
///                   ▲ start                     ▲ filled
struct SampleHistory: Sendable {
  private let channelCount: Int
  private let tapCount: Int
  /// The number of frames for which there is room.
  private let capacity: Int
  /// The samples, channel after channel; those of channel c start at c · capacity.
  private var samples: [Float]
  /// The number of frames in use, counted from the start of the section.
  private var filled: Int
  /// The first frame that is still needed: the first tap of the next output.
  ///
  /// One step is far shorter than the filter, so this never exceeds `filled`.
  var start = 0

  /// Creates a history for a filter of `tapCount` taps.
  init(channelCount: Int, tapCount: Int) {
    self.channelCount = channelCount
    self.tapCount = tapCount
    // Additional room for at least the filter's span, so that frames are rarely moved to the front.
    capacity = tapCount + max(tapCount, 4096)
    samples = Array(repeating: 0, count: channelCount * capacity)
    filled = tapCount / 2 - 1
  }

  /// Whether the stored frames suffice for the next output.
  var isReady: Bool { start + tapCount <= filled }

  /// The interleaved zeros that complete the remaining outputs.
  ///
  /// An output at time t needs the input up to ⌊t⌋ + half. So `half` zeros after n samples complete
  /// exactly the outputs with t < n.
  var trailingSilence: [Float] { [Float](repeating: 0, count: tapCount / 2 * channelCount) }

  /// Stores whole frames of interleaved input from `first` on, up to the free room.
  ///
  /// Infinite and NaN samples become silence. Advances `first`; returns false if there are no more
  /// frames. Before the next call, the caller must use all taps that are ready.
  mutating func store(_ input: Span<Float>, from first: inout Int) -> Bool {
    let remaining = input.count / channelCount - first
    guard remaining > 0 else { return false }
    if filled == capacity { moveToFront() }
    let count = min(remaining, capacity - filled)
    for channel in 0..<channelCount {
      var source = first * channelCount + channel
      let target = channel * capacity + filled
      for index in target..<target + count {
        samples[index] = input[source].isFinite ? input[source] : 0
        source += channelCount
      }
    }
    filled += count
    first += count
    return true
  }

  /// Appends a frame of output: the taps of each channel times the coefficients from `first` on.
  @inline(__always)
  func filter(_ coefficients: Span<Float>, from first: Int = 0, into output: inout [Float]) {
    for channel in 0..<channelCount {
      output.append(
        DotProduct.of(
          samples.span, at: channel * capacity + start, coefficients, at: first, count: tapCount))
    }
  }

  /// Makes room by dropping the frames before `start`.
  private mutating func moveToFront() {
    let kept = filled - start
    for channel in 0..<channelCount {
      let base = channel * capacity
      for index in base..<base + kept { samples[index] = samples[index + start] }
    }
    filled = kept
    start = 0
  }

  /// Clears everything.
  mutating func clear() {
    for index in 0..<samples.count { samples[index] = 0 }
    filled = tapCount / 2 - 1
    start = 0
  }
}
