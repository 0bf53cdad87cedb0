import AacornSignal

/// Sound cut into blocks of one length, for code that does not care for others.
///
/// Frames come back a block later. When a block is full, what is made of it goes to `outgoing`, and
/// `turn` begins the next one.
struct SoundBlocks: Sendable {
  /// Frames of a block, and the latency.
  let length: Int
  /// The number of channels.
  let channelCount: Int
  /// Interleaved frames that came in; those of a whole block if it is full.
  private(set) var incoming: [Float]
  /// Interleaved frames that are given back while the next block comes in.
  var outgoing: [Float]
  private var place = 0

  /// Silence.
  init(length: Int, channelCount: Int) {
    precondition(length > 0 && channelCount > 0)
    self.length = length
    self.channelCount = channelCount
    incoming = [Float](repeating: 0, count: length * channelCount)
    outgoing = incoming
  }

  /// Whether a block has come in.
  var isFull: Bool { place == length }

  /// Exchanges frames from `first` on for earlier ones, to the end or until the block is full; returns
  /// how many.
  mutating func exchange(_ samples: inout MutableSpan<Float>, from first: Int) -> Int {
    let count = min(length - place, samples.count / channelCount - first)
    var index = first * channelCount
    for inside in place * channelCount..<(place + count) * channelCount {
      incoming[inside] = samples[index].heard
      samples[index] = outgoing[inside]
      index += 1
    }
    place += count
    return count
  }

  /// Begins the next block.
  mutating func turn() { place = 0 }

  /// Forgets all sound.
  mutating func reset() {
    for index in incoming.indices {
      incoming[index] = 0
      outgoing[index] = 0
    }
    place = 0
  }
}
