/// The latest input of a resampler, with a section for each channel.
///
///     a channel:  [ half − 1 zeros │ frames … │ free ]
///                   ▲ start                     ▲ filled
struct SampleHistory: Sendable {
  let channelCount: Int
  /// The number of frames for which there is room.
  let capacity: Int
  /// The samples, channel after channel; those of channel c start at c · capacity.
  private(set) var samples: [Float]
  /// The number of frames in use, counted from the start of the section.
  private(set) var filled: Int
  /// The first frame that is still needed: the first tap of the next output.
  var start = 0
  /// The number of zeros before the first frame.
  private let silence: Int

  /// Creates a history for a filter of `tapCount` taps.
  init(channelCount: Int, tapCount: Int) {
    self.channelCount = channelCount
    // Additional room for at least the filter's span, so that frames are rarely moved to the front.
    capacity = tapCount + max(tapCount, 4096)
    samples = Array(repeating: 0, count: channelCount * capacity)
    silence = tapCount / 2 - 1
    filled = silence
  }

  /// The number of frames that can be stored.
  var free: Int { capacity - filled }

  /// Stores frames of interleaved input; infinite and NaN samples become silence.
  mutating func store(_ input: Span<Float>, from first: Int, count: Int) {
    precondition(count <= free)
    for channel in 0..<channelCount {
      var source = first * channelCount + channel
      let target = channel * capacity + filled
      for index in target..<target + count {
        samples[index] = input[source].isFinite ? input[source] : 0
        source += channelCount
      }
    }
    filled += count
  }

  /// Makes room by dropping the frames before `start`, which must not exceed `filled`.
  mutating func moveToFront() {
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
    filled = silence
    start = 0
  }
}
