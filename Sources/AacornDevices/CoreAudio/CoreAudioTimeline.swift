/// Finds the exact number of frames lost between two blocks of a device.
///
/// A device counts its frames (`mSampleTime`). If the count is ahead of what arrived, frames are
/// missing, but only if the clock advanced as well: voice processing counts at another rate than it
/// delivers, and some devices restart their count, both without any loss.
struct CoreAudioTimeline {
  private let sampleRate: Double
  /// The device's count at the next frame.
  private var expectedCount: Double?
  /// When the next frame is captured, in nanoseconds.
  private var expectedTime: Int64?
  /// Frames known not to have arrived.
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

  /// Records that this many frames should have arrived but did not.
  mutating func miss(_ frameCount: Int) {
    missedCount += frameCount
    advance(by: frameCount)
  }

  private func unseenCount(_ count: Double?, _ time: Int64?) -> Int {
    guard let count, let time, let expectedCount, let expectedTime else { return 0 }
    let jump = (count - expectedCount).rounded()
    // A gap of a day would be another way of counting. NaN fails as well.
    guard jump >= 1, jump < sampleRate * 86_400 else { return 0 }
    let passed = Double(time - expectedTime) * 1e-9 * sampleRate
    return passed * 2 > jump ? Int(jump) : 0
  }

  private mutating func advance(by frameCount: Int) {
    expectedCount = expectedCount.map { $0 + Double(frameCount) }
    expectedTime = expectedTime.map { $0 + Int64(Double(frameCount) / sampleRate * 1e9) }
  }
}
