/// The latest input of a resampler, with a section for each channel.
///
///     a channel:  [ frames … │ free ]
///                   ▲ start    ▲ filled
struct SampleHistory: Sendable {
  let channelCount: Int
  /// The number of frames for which there is room.
  let capacity: Int
  /// The samples, channel after channel; those of channel c start at c · capacity.
  private(set) var samples: [Float]
  /// The number of frames in use, counted from the start of the section.
  private(set) var filled: Int
  /// The first frame that is still needed.
  var start = 0

  /// Creates a history that begins with `silence` frames of zeros.
  init(channelCount: Int, capacity: Int, silence: Int) {
    self.channelCount = channelCount
    self.capacity = capacity
    samples = Array(repeating: 0, count: channelCount * capacity)
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

  /// Clears everything and restarts with `silence` frames of zeros.
  mutating func clear(silence: Int) {
    for index in 0..<samples.count { samples[index] = 0 }
    filled = silence
    start = 0
  }
}
