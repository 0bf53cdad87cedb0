/// Computes the number of frames that a device has lost between two blocks.
///
/// A device counts its frames (`mSampleTime`). A count that is larger than the number of received
/// frames means lost frames, but only if the clock advanced as well. Voice processing counts at
/// another rate than it delivers, and some devices restart their count, both without any loss.
struct CoreAudioTimeline {
  private let sampleRate: Double
  /// The device's count at the next frame.
  private var expectedCount: Double?
  /// The capture time of the next frame, in nanoseconds.
  private var expectedTime: Int64?
  /// The number of frames known to be lost since the last block.
  private var missedCount = 0

  init(sampleRate: Int) {
    self.sampleRate = Double(sampleRate)
  }

  /// Returns the number of frames missing before a block of `frameCount` frames that begins at
  /// `time`.
  mutating func lostFrameCount(before frameCount: Int, count: Double?, time: Int64?) -> Int {
    let lost = missedCount + unseenCount(count, time)
    missedCount = 0
    expectedCount = count
    expectedTime = time
    advance(by: frameCount)
    return lost
  }

  /// Records that this many frames were lost.
  mutating func miss(_ frameCount: Int) {
    missedCount += frameCount
    advance(by: frameCount)
  }

  private func unseenCount(_ count: Double?, _ time: Int64?) -> Int {
    guard let count, let time, let expectedCount, let expectedTime else { return 0 }
    let jump = (count - expectedCount).rounded()
    // A gap of a day or more means that the count restarted elsewhere. NaN fails as well.
    guard jump >= 1, jump < sampleRate * 86_400 else { return 0 }
    let passed = Double(time - expectedTime) * 1e-9 * sampleRate
    return passed * 2 > jump ? Int(jump) : 0
  }

  private mutating func advance(by frameCount: Int) {
    expectedCount = expectedCount.map { $0 + Double(frameCount) }
    expectedTime = expectedTime.map { $0 + Int64(Double(frameCount) / sampleRate * 1e9) }
  }
}
