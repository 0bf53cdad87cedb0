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
    _ frames: UnsafeMutablePointer<Float>, _ frameCount: Int, gains: UnsafePointer<Float>
  ) {
    guard !samples.isEmpty else { return }
    unsafe exchange(frames, frameCount)
    var frame = 0
    while frame < frameCount {
      let count = min(4, frameCount - frame)
      let here = unsafe frames + frame &* channelCount
      var factors = Lanes(repeating: 1)
      for index in 0..<count { factors[index] = unsafe gains[frame &+ index] }
      unsafe FrameLevels.multiply(here, count, channelCount, by: factors)
      frame &+= count
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
