/// Finds frames that got lost between two blocks of a device, to the frame.
///
/// A device counts its frames (`mSampleTime`). Where the count is ahead of what came, frames are
/// missing, but only if the clock went on as well: voice processing counts in another rate than it
/// delivers, and some devices start their count anew, both without any loss.
struct CoreAudioTimeline {
  private let sampleRate: Double
  /// The device's count at the next frame.
  private var expectedCount: Double?
  /// When the next frame is captured, in nanoseconds.
  private var expectedTime: Int64?
  /// Frames that are known not to have come.
  private var missedCount = 0

  init(sampleRate: Int) {
    self.sampleRate = Double(sampleRate)
  }

  /// How many frames are missing before a block that begins at `time` and has `frameCount` frames.
  mutating func lostFrameCount(before frameCount: Int, count: Double?, time: Int64?) -> Int {
    let lost = missedCount + unseenCount(count, time)
    missedCount = 0
    expectedCount = count
    expectedTime = time
    advance(by: frameCount)
    return lost
  }

  /// Tells that so many frames should have come now and did not.
  mutating func miss(_ frameCount: Int) {
    missedCount += frameCount
    advance(by: frameCount)
  }

  private func unseenCount(_ count: Double?, _ time: Int64?) -> Int {
    guard let count, let time, let expectedCount, let expectedTime else { return 0 }
    let jump = (count - expectedCount).rounded()
    // A day would not be a gap but another way to count. Not a number fails as well.
    guard jump >= 1, jump < sampleRate * 86_400 else { return 0 }
    let passed = Double(time - expectedTime) * 1e-9 * sampleRate
    return passed * 2 > jump ? Int(jump) : 0
  }

  private mutating func advance(by frameCount: Int) {
    expectedCount = expectedCount.map { $0 + Double(frameCount) }
    expectedTime = expectedTime.map { $0 + Int64(Double(frameCount) / sampleRate * 1e9) }
  }
}
