import Testing

@testable import AacornDevices

@Suite struct CoreAudioTimelineTests {
  private static let rate = 48_000

  private func time(atFrame frame: Int) -> Int64 {
    1_000_000_000_000 + Int64(frame) * 1_000_000_000 / Int64(Self.rate)
  }

  @Test(arguments: [1, 37, 512, 48_000 * 60])
  func aJumpOfCountAndClockIsCountedExactly(gap: Int) {
    var timeline = CoreAudioTimeline(sampleRate: Self.rate)
    _ = timeline.lostFrameCount(before: 512, count: 0, time: time(atFrame: 0))
    let position = 512 + gap
    #expect(
      timeline.lostFrameCount(before: 512, count: Double(position), time: time(atFrame: position))
        == gap)
    #expect(
      timeline.lostFrameCount(
        before: 512, count: Double(position + 512), time: time(atFrame: position + 512)) == 0)
  }

  @Test func countAtDifferentRateReportsNoLoss() {
    // Voice processing: the device counts 48 kHz, the blocks have 24 kHz.
    var timeline = CoreAudioTimeline(sampleRate: 24_000)
    for index in 0..<100 {
      let lost = timeline.lostFrameCount(
        before: 240, count: Double(index * 480), time: Int64(index) * 10_000_000)
      #expect(lost == 0)
    }
  }

  @Test func restartedCountReportsNoLoss() {
    var timeline = CoreAudioTimeline(sampleRate: Self.rate)
    _ = timeline.lostFrameCount(before: 512, count: 1e9, time: time(atFrame: 0))
    #expect(timeline.lostFrameCount(before: 512, count: 0, time: time(atFrame: 512)) == 0)
    #expect(timeline.lostFrameCount(before: 512, count: 512, time: time(atFrame: 1024)) == 0)
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity, 1e300])
  func invalidCountReportsNoLoss(count: Double) {
    var timeline = CoreAudioTimeline(sampleRate: Self.rate)
    _ = timeline.lostFrameCount(before: 512, count: 0, time: time(atFrame: 0))
    #expect(timeline.lostFrameCount(before: 512, count: count, time: time(atFrame: 9999)) == 0)
  }

  @Test func missedBlocksCountEvenWithoutACount() {
    var timeline = CoreAudioTimeline(sampleRate: Self.rate)
    _ = timeline.lostFrameCount(before: 512, count: nil, time: nil)
    timeline.miss(100)
    #expect(timeline.lostFrameCount(before: 512, count: nil, time: nil) == 100)
  }
}

@Suite struct HostClockTests {
  @Test func ticksBecomeNanoseconds() {
    #expect(HostClock(numerator: 1, denominator: 1).nanoseconds(ticks: 123) == 123)
    #expect(
      HostClock(numerator: 125, denominator: 3).nanoseconds(ticks: 24_000_000) == 1_000_000_000)
  }

  @Test func yearsOfTicksDoNotOverflow() {
    let clock = HostClock(numerator: 125, denominator: 3)
    let century: UInt64 = 24_000_000 * 86_400 * 36_525
    #expect(clock.nanoseconds(ticks: century) == 86_400 * 36_525 * 1_000_000_000)
    #expect(clock.nanoseconds(ticks: .max) == .max)
    #expect(HostClock(numerator: .max, denominator: 1).nanoseconds(ticks: .max) == .max)
    #expect(HostClock(numerator: 0, denominator: 0).nanoseconds(ticks: 5) == 5)
  }

  @Test func aTimeToComeIsNegative() {
    let clock = HostClock(numerator: 125, denominator: 3)
    #expect(clock.nanoseconds(from: 1_000_000, to: 1_000_003) == 125)
    #expect(clock.nanoseconds(from: 1_000_003, to: 1_000_000) == -125)
    #expect(clock.nanoseconds(from: .max, to: 0) < 0)
  }
}
