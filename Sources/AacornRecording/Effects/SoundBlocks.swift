import AacornSignal

/// Splits audio into blocks of a fixed length, for effects that require complete blocks.
///
/// Frames are returned one block later. The client processes a full block, and writes the result to
/// `outgoing`, before the next exchange begins another block.
struct SoundBlocks: Sendable {
  /// Frames of a block, also the latency in frames.
  let length: Int
  let channelCount: Int
  /// Interleaved input frames of the current block; all of them are new if `isFull` is true.
  private(set) var incoming: [Float]
  /// Interleaved frames to return during the next block.
  var outgoing: [Float]
  private var position = 0

  init(length: Int, channelCount: Int) {
    precondition(length > 0 && channelCount > 0)
    self.length = length
    self.channelCount = channelCount
    incoming = [Float](repeating: 0, count: length * channelCount)
    outgoing = incoming
  }

  var isFull: Bool { position == length }

  /// Stores frames from `first` on in the block and replaces them by delayed frames, until the end
  /// or a full block; returns their number.
  mutating func exchange(_ samples: inout MutableSpan<Float>, from first: Int) -> Int {
    if isFull { position = 0 }
    let count = min(length - position, samples.count / channelCount - first)
    var index = first * channelCount
    for inside in position * channelCount..<(position + count) * channelCount {
      incoming[inside] = samples[index].sanitized
      samples[index] = outgoing[inside]
      index += 1
    }
    position += count
    return count
  }

  mutating func reset() {
    for index in incoming.indices {
      incoming[index] = 0
      outgoing[index] = 0
    }
    position = 0
  }
}
