import AacornDevices
import AacornSystem
import Testing

@testable import AacornRecording

extension Timeline {
  /// Returns the decision about a block, and discards the changes to the block.
  fileprivate mutating func accept(_ block: CaptureBlock) -> BlockDecision {
    var block = block
    return accept(&block)
  }

  /// Accepts blocks until one is not held, and returns the last decision and the number of blocks.
  fileprivate mutating func decide(
    _ blocks: [CaptureBlock]
  ) -> (decision: BlockDecision, count: Int) {
    for (index, block) in blocks.enumerated() {
      let decision = accept(block)
      if decision != .hold { return (decision, index + 1) }
    }
    return (.hold, blocks.count)
  }
}

@Suite struct TimelineTests {
  private func block(_ index: Int, late: Double = 0, isReliable: Bool = true) -> CaptureBlock {
    CaptureBlock(
      frameCount: 480, channelCount: 2, sampleRate: 48_000,
      time: Int64((Double(index) * 0.01 + late) * 1e9), isTimeReliable: isReliable)
  }

  /// A timeline after one second of a device without faults.
  private func settled() -> Timeline {
    var timeline = Timeline()
    for index in 0..<100 {
      #expect(timeline.accept(block(index)) == .pass(lost: 0, .unexplained))
    }
    return timeline
  }

  @Test func oneLateBlockIsJitter() {
    var timeline = settled()
    #expect(timeline.accept(block(100, late: 0.08)) == .hold)
    #expect(timeline.accept(block(101)) == .release(lost: 0, .unexplained))
  }

  @Test func consistentBlocksAreAccepted() {
    var timeline = settled()
    let (decision, count) = timeline.decide((100..<150).map { block($0, late: 0.5) })
    #expect(decision == .release(lost: 24_000, .unexplained))
    #expect(count == 10)
    #expect(timeline.accept(block(110, late: 0.5)) == .pass(lost: 0, .unexplained))
  }

  /// At least three blocks with a tenth of a second of audio confirm a loss.
  @Test(arguments: [(480, 10), (1600, 3), (1601, 3), (2880, 3), (9600, 3)])
  func lossNeedsThreeBlocksAndATenthOfASecond(frameCount: Int, blockCount: Int) {
    var timeline = settled()
    let (decision, count) = timeline.decide(
      (0..<20).map { index in
        var block = block(100, late: 0.5 + Double(index * frameCount) / 48_000)
        block.frameCount = frameCount
        return block
      })
    #expect(count == blockCount && decision == .release(lost: 24_000, .unexplained))
  }

  /// A clock with large jitter tolerates six times its mean, and twice its mean after an announced
  /// loss.
  @Test(arguments: [(0.005, 0.03, 0.01), (0.01, 0.05, 0.02)])
  func jitterIncreasesTheTolerance(jitter: Double, tolerance: Double, announced: Double) {
    var timeline = settled()
    for index in 100..<10_100 {
      #expect(
        timeline.accept(block(index, late: index % 2 == 0 ? jitter : -jitter))
          == .pass(lost: 0, .unexplained))
    }
    for (limit, isAnnounced) in [(tolerance, false), (announced, true)] {
      if isAnnounced { timeline.expectLoss(.deviceLost) }
      for (share, isHeld) in [(0.95, false), (1.05, true), (-0.95, false), (-1.05, true)] {
        var copy = timeline
        let decision = copy.accept(block(10_100, late: share * limit))
        #expect(decision == (isHeld ? .hold : .pass(lost: 0, .unexplained)))
      }
    }
  }

  @Test func endUsesHeldDelayBeyondTheTolerance() {
    for (late, isAnnounced, lost) in [
      (0.013, false, 624), (-0.013, false, 0), (0.005, true, 240), (-0.005, true, 0),
    ] {
      var timeline = settled()
      if isAnnounced { timeline.expectLoss(.deviceLost) }
      #expect(timeline.accept(block(100, late: late)) == .hold)
      let end = timeline.finish()
      #expect(end == (lost, isAnnounced ? .deviceLost : .unexplained))
    }
  }

  /// Blocks that disagree are used after a second, and blocks without reliable times after three.
  @Test func undecidedBlocksAreHeldForALimitedTime() {
    for isReliable in [true, false] {
      var timeline = settled()
      let (decision, count) = timeline.decide(
        (100..<600).map { block($0, late: $0 % 2 == 0 ? 0.1 : 0.3, isReliable: isReliable) })
      #expect(count == (isReliable ? 101 : 301))
      #expect(decision == .release(lost: isReliable ? 4800 : 0, .unexplained))
    }
  }

  /// After an announced loss, 4 ms instead of 12 ms are a difference, for five seconds.
  @Test func announcementsExpire() {
    for (late, isAnnounced, decision) in [
      (0.0119, false, Timeline.BlockDecision.pass(lost: 0, .unexplained)), (0.0121, false, .hold),
      (0.0039, true, .pass(lost: 0, .unexplained)), (0.0041, true, .hold),
    ] {
      var timeline = settled()
      // The clock's estimate of the jitter becomes small.
      for index in 100..<1100 { _ = timeline.accept(block(index)) }
      if isAnnounced { timeline.expectLoss(.deviceLost) }
      #expect(timeline.accept(block(1100, late: late)) == decision)
    }
    for (count, decision) in [
      (499, Timeline.BlockDecision.hold), (501, .pass(lost: 0, .unexplained)),
    ] {
      var timeline = settled()
      timeline.expectLoss(.deviceLost)
      for index in 100..<100 + count { _ = timeline.accept(block(index)) }
      #expect(timeline.accept(block(100 + count, late: 0.008)) == decision)
    }
  }

  @Test func repeatedAudioIsDistinguishedFromSurplus() {
    for isAnnounced in [true, false] {
      var timeline = settled()
      if isAnnounced { timeline.expectLoss(.deviceLost) }
      let (decision, count) = timeline.decide((100..<150).map { block($0, late: -0.2) })
      #expect(decision == .surplus(9600, isRepeated: isAnnounced))
      #expect(timeline.accept(block(100 + count, late: -0.2)) == .pass(lost: 0, .unexplained))
    }
  }

  @Test func unreliableTimesKeepBlocksHeld() {
    var timeline = settled()
    for index in 100..<200 {
      #expect(timeline.accept(block(index, late: 5, isReliable: false)) == .hold)
    }
    #expect(timeline.accept(block(200)) == .release(lost: 0, .unexplained))
  }

  @Test func silenceUntilATimeIsCountedInFrames() {
    var timeline = settled()
    #expect(timeline.frames(until: 1_500_000_000) == 24_000)
    #expect(timeline.frames(until: 1_500_000_000) == 0)
    timeline.expectLoss(.deviceLost)
    let (decision, _) = timeline.decide((160..<200).map { block($0) })
    // A tenth of a second (4800 frames) of the absence was not filled yet.
    #expect(decision == .release(lost: 4800, .deviceLost))
  }

  /// A device that returns at about the end of the inserted silence would otherwise stay off by a
  /// few milliseconds.
  @Test(arguments: [(0.003, 144), (0.0001, 5), (-0.0001, -5), (-0.003, -144)])
  func audioAfterSilenceContinuesAtItsTime(late: Double, frameCount: Int) {
    var timeline = settled()
    timeline.expectLoss(.deviceLost)
    #expect(timeline.frames(until: 1_600_000_000) == 28_800)
    let (decision, count) = timeline.decide((160..<200).map { block($0, late: late) })
    #expect(
      decision
        == (frameCount > 0
          ? .release(lost: frameCount, .deviceLost) : .surplus(-frameCount, isRepeated: true)))
    #expect(timeline.accept(block(160 + count, late: late)) == .pass(lost: 0, .unexplained))
    // A later block may have a little jitter.
    #expect(timeline.accept(block(161 + count, late: 0)) == .pass(lost: 0, .unexplained))
  }

  @Test func filledTimeIsSubtractedFromReportedLoss() {
    var timeline = settled()
    timeline.expectLoss(.suspended)
    #expect(timeline.frames(until: 1_500_000_000) == 24_000)
    var block = block(160)
    block.lostFrameCount = 28_800
    var decision = timeline.accept(&block)
    #expect(block.lostFrameCount == 4800)
    for index in 161..<180 where decision == .hold { decision = timeline.accept(self.block(index)) }
    #expect(decision == .pass(lost: 0, .unexplained))
  }

  @Test func filledTimeIsConvertedToNewSampleRate() {
    var timeline = settled()
    timeline.expectLoss(.deviceLost)
    #expect(timeline.frames(until: 11_000_000_000) == 480_000)
    var block = CaptureBlock(
      frameCount: 441, channelCount: 2, sampleRate: 44_100, time: 11_100_000_000,
      lostFrameCount: 445_410)
    _ = timeline.accept(&block)
    #expect(block.lostFrameCount == 4410, "A tenth of a second is not filled yet.")
  }

  @Test func theEndDecidesAboutWhatIsHeld() {
    var timeline = settled()
    #expect(timeline.accept(block(100, late: 0.5)) == .hold)
    #expect(timeline.finish().lost == 24_000)
  }
}

@Suite struct TimestampTests {
  @Test func datesAreThoseOfTheCalendar() {
    #expect(Timestamp.iso8601(0) == "1970-01-01T00:00:00.000Z")
    #expect(Timestamp.iso8601(951_782_399_999_000_000) == "2000-02-28T23:59:59.999Z")
    #expect(Timestamp.iso8601(951_868_799_000_000_000) == "2000-02-29T23:59:59.000Z")
    #expect(Timestamp.iso8601(1_795_168_800_123_456_789) == "2026-11-20T10:00:00.123Z")
    #expect(Timestamp.iso8601(-1_000_000) == "1969-12-31T23:59:59.999Z")
    #expect(FileWriter.movieSeconds(0) == 2_082_844_800)
  }
}
