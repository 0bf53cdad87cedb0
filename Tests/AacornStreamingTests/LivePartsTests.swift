import AacornRecording
import TestSignals
import Testing

@testable import AacornNetwork
@testable import AacornStreaming

@Suite struct LiveQueueTests {
  private func frame(_ number: Int) -> EncodedPacket {
    EncodedPacket(bytes: [UInt8(number & 255)], position: number * 1024, sampleCount: 1024)
  }

  private func drain(_ queue: inout LiveQueue) -> [Int] {
    var positions: [Int] = []
    while let frame = queue.start() {
      positions.append(frame.position / 1024)
      #expect(queue.finish(wasSent: true) == 0)
    }
    return positions
  }

  @Test func framesThatWerePutBackAreNext() {
    var queue = LiveQueue(limit: 5 * 1024)
    for number in 0..<5 { _ = queue.append(frame(number)) }
    for _ in 0..<3 {
      _ = queue.start()
      _ = queue.finish(wasSent: true)
    }
    _ = queue.start()
    _ = queue.finish(wasSent: false)
    #expect(queue.requeue([frame(1), frame(2)]) == 0)
    #expect(queue.count == 4 && queue.sampleCount == 4096)
    // One frame more than the limit.
    #expect(queue.append(frame(5)) == 0)
    #expect(queue.requeue([frame(0)]) == 1)
    #expect(drain(&queue) == [1, 2, 3, 4, 5])
  }

  /// Returns a frame of HE-AAC.
  ///
  /// A decoder can start at every fourth of them.
  private func dependentFrame(_ number: Int) -> EncodedPacket {
    var frame = frame(number)
    frame.isEntry = number % 4 == 0
    return frame
  }

  @Test func queueBeginsWithEntryAfterDroppedFrames() {
    var queue = LiveQueue(limit: 5 * 1024)
    let counts = (0..<12).map { queue.append(dependentFrame($0)) }
    #expect(counts == [0, 0, 0, 0, 0, 4, 0, 0, 0, 4, 0, 0])
    #expect(drain(&queue) == [8, 9, 10, 11])
  }

  @Test func undecodableFramesAreDropped() {
    var queue = LiveQueue(limit: 2 * 1024)
    let counts = (0..<10).map { queue.append(dependentFrame($0)) }
    #expect(counts == [0, 0, 3, 1, 0, 0, 3, 1, 0, 0])
    #expect(queue.count == 2 && queue.sampleCount == 2048)
    #expect(drain(&queue) == [8, 9])
    // No frame was dropped since, so the next frame follows directly.
    #expect(queue.append(dependentFrame(10)) == 0)
    #expect(drain(&queue) == [10])
  }

  @Test func frameAfterFrameInTransitIsEntry() {
    var queue = LiveQueue(limit: 3 * 1024)
    for number in 1..<4 { _ = queue.append(dependentFrame(number)) }
    #expect(queue.start()?.position == 1024)
    #expect(queue.append(dependentFrame(4)) == 2)
    #expect(queue.append(dependentFrame(5)) == 0)
    // To make room, the queue drops the only entry frame after the frame in transit, and with it
    // the frames that depend on the entry frame.
    #expect(queue.append(dependentFrame(6)) == 3)
    #expect(queue.append(dependentFrame(7)) == 1)
    #expect(queue.count == 1)
    #expect(queue.finish(wasSent: true) == 0)
    #expect(queue.beginsWithEntry)
    #expect(queue.append(dependentFrame(8)) == 0)
    #expect(drain(&queue) == [8])
  }

  @Test func framesThatWerePutBackAreDroppedToOneThatADecoderCanBeginWith() {
    var queue = LiveQueue(limit: 5 * 1024)
    for number in 4..<8 { _ = queue.append(dependentFrame(number)) }
    #expect(queue.requeue([dependentFrame(2), dependentFrame(3)]) == 2)
    #expect(drain(&queue) == [4, 5, 6, 7])
  }

  /// Frames that were put back precede a gap, after which a decoder needs an entry frame.
  @Test func frameAfterGapIsEntryAlthoughFramesWerePutBack() {
    var queue = LiveQueue(limit: 2 * 1024)
    #expect((5..<8).map { queue.append(dependentFrame($0)) } == [0, 0, 3])
    #expect(queue.requeue((2..<5).map(dependentFrame)) == 2)
    #expect((9..<13).map { queue.append(dependentFrame($0)) } == [1, 1, 1, 0])
    #expect(drain(&queue) == [4, 12])
  }

  /// Compares the queue with a plain array over many random operations.
  @Test(arguments: [0, 3 * 1024 + 100, 10 * 1024]) func longRunsAgreeWithAPlainList(limit: Int) {
    var random = SeededNumbers(seed: 7)
    var queue = LiveQueue(limit: limit)
    var plain: [Int] = []
    var inTransit: Int?
    var droppedCount = 0
    var plainDroppedCount = 0
    for number in 0..<20_000 {
      switch random.below(8) {
      case 0...4:
        droppedCount += queue.append(frame(number))
        plain.append(number)
      case 5:
        guard inTransit == nil else { continue }
        inTransit = queue.start().map { $0.position / 1024 }
        #expect(inTransit == plain.first)
      default:
        guard inTransit != nil else { continue }
        let wasSent = Bool.random(using: &random)
        droppedCount += queue.finish(wasSent: wasSent)
        if wasSent { plain.removeFirst() }
        inTransit = nil
      }
      // Only whole frames fit. The newest frame stays, however short the limit is.
      while plain.count > max(limit / 1024, inTransit == nil ? 1 : 2) {
        plain.remove(at: inTransit == nil ? 0 : 1)
        plainDroppedCount += 1
      }
      #expect(queue.count == plain.count)
      #expect(queue.sampleCount == plain.count * 1024)
      #expect(droppedCount == plainDroppedCount)
    }
    // A frame that is no longer in transit may be dropped, too.
    plain.removeFirst(queue.finish(wasSent: false))
    #expect(drain(&queue) == plain)
    #expect(droppedCount > 1000)
  }
}

@Suite struct SentFramesTests {
  /// Returns 200 frames of 100 bytes each.
  private func sent(isEncrypted: Bool) -> SentFrames {
    var sent = SentFrames(limit: 1000, isEncrypted: isEncrypted)
    for number in 0..<200 {
      sent.append(
        EncodedPacket(bytes: [UInt8(number)], position: number, sampleCount: 1),
        end: (number + 1) * 100)
    }
    return sent
  }

  @Test(arguments: [
    (0, []), (1, [199]), (100, [199]), (101, [198, 199]), (250, [197, 198, 199]),
    // Only the last 1,000 bytes are remembered.
    (100_000, Array(189...199)),
  ])
  func framesWithAPartInTheEndAreGiven(missingCount: Int, numbers: [Int]) {
    let frames = sent(isEncrypted: false).frames(withinLast: missingCount, of: 20_000)
    #expect(frames.map(\.position) == numbers)
  }

  @Test func theLastFramesAreGivenFromOneThatADecoderCanBeginWith() {
    var sent = SentFrames(limit: 1000, isEncrypted: false)
    #expect(sent.framesSinceEntry.isEmpty)
    for number in 0..<200 {
      sent.append(
        EncodedPacket(
          bytes: [UInt8(number)], position: number, sampleCount: 1, isEntry: number % 8 == 0),
        end: (number + 1) * 100)
    }
    #expect(sent.framesSinceEntry.map(\.position) == Array(192..<200))
    sent.removeLast(3)
    #expect(sent.framesSinceEntry.map(\.position) == Array(192..<197))
    sent.removeLast(5)
    // The preceding frames are no longer remembered.
    #expect(sent.framesSinceEntry.isEmpty)
  }

  @Test func bytesAfterLastFrameYieldNoFrames() {
    let sent = sent(isEncrypted: false)
    #expect(sent.frames(withinLast: 50, of: 20_050).isEmpty)
    #expect(sent.frames(withinLast: 51, of: 20_050).map(\.position) == [199])
  }

  @Test func encryptionMakesFramesLonger() {
    let sent = sent(isEncrypted: true)
    #expect(sent.frames(withinLast: 121, of: 20_000).map(\.position) == [199])
    #expect(sent.frames(withinLast: 122, of: 20_000).map(\.position) == [198, 199])
    #expect(sent.frames(withinLast: 5 * 121, of: 20_000).map(\.position) == Array(195...199))
  }
}

@Suite struct BackOffTests {
  @Test func waitsDifferFromEachOther() {
    let waits = (0..<100).map { seed in
      var backOff = BackOff(first: .seconds(1), longest: .seconds(2), seed: UInt64(seed))
      return backOff.next()
    }
    #expect(Set(waits).count > 20)
    #expect(waits.contains { $0 < 900 } && waits.contains { $0 > 1100 })
  }

  @Test(arguments: 0..<20 as Range<UInt64>) func earlyWaitsAreShort(seed: UInt64) {
    var backOff = BackOff(
      first: .milliseconds(500), longest: .seconds(30), earlyLongest: .seconds(5),
      earlyTime: .seconds(120), seed: seed)
    for _ in 0..<2 {
      var sum = 0
      while sum < 120_000 {
        let wait = backOff.next()
        #expect(wait <= 5000)
        sum += wait
      }
      let later = (0..<10).map { _ in backOff.next() }
      #expect((25_000...30_000).contains(later.max() ?? 0))
      backOff.reset()
    }
  }
}
