import StreamRigs
import Testing

@testable import AacornRecording
@testable import AacornStreaming

/// The order of uploads.
struct HLSUploadQueueTests {
  private static func playlist(_ numbers: ClosedRange<Int>) -> String {
    var text = "#EXTM3U\n#EXT-X-VERSION:6\n#EXT-X-TARGETDURATION:4\n"
    text += "#EXT-X-MEDIA-SEQUENCE:\(numbers.lowerBound)\n#EXT-X-MAP:URI=\"a-init0.mp4\"\n"
    for number in numbers { text += "#EXTINF:4.000000,\na-\(number).m4s\n" }
    return text
  }

  /// Adds a segment, larger than any playlist of these tests, and the playlist that lists it.
  private static func add(
    _ numbers: ClosedRange<Int>, to queue: inout HLSUploadQueue, size: Int = 1000,
    target: Duration = .seconds(4)
  ) {
    queue.put([UInt8](repeating: 1, count: size), as: "a-\(numbers.upperBound).m4s")
    publish(playlist(numbers), numbers, to: &queue, target: target)
  }

  private static func publish(
    _ text: String, _ numbers: ClosedRange<Int>, to queue: inout HLSUploadQueue,
    target: Duration = .seconds(4), isComplete: Bool = false
  ) {
    queue.publish(
      text, as: "a.m3u8",
      contents: HLSPlaylistContents(
        edge: HLSEdge(segment: numbers.upperBound, isComplete: isComplete),
        names: numbers.map { "a-\($0).m4s" }, targetDuration: target))
  }

  /// Returns a queue whose server has the initialization section.
  private static func begun(capacity: Int = 100_000, removesOldFiles: Bool = true) -> HLSUploadQueue
  {
    var queue = HLSUploadQueue(capacity: capacity, removesOldFiles: removesOldFiles)
    queue.put([0], as: "a-init0.mp4")
    _ = steps(&queue)
    return queue
  }

  /// Performs the next step and returns its description.
  private static func step(_ queue: inout HLSUploadQueue) -> String? {
    guard let step = queue.next() else { return nil }
    queue.confirm(step)
    switch step {
    case .file(let name, _): return name
    case .playlist(let name, let text, _):
      let names = HLSPlaylistText(text).segments.map { ($0.isGap ? "-" : "") + ($0.name ?? "") }
      return ([name] + names).joined(separator: " ")
    case .removal(let name): return "remove \(name)"
    }
  }

  private static func next(_ queue: inout HLSUploadQueue) -> HLSUploadQueue.Step? { queue.next() }

  private static func steps(_ queue: inout HLSUploadQueue) -> [String] {
    var steps: [String] = []
    while let step = step(&queue) { steps.append(step) }
    return steps
  }

  @Test func aPlaylistEndsWhereTheServersFilesEnd() {
    var queue = HLSUploadQueue(capacity: 100_000)
    queue.put([0], as: "a-init0.mp4")
    for number in 0...2 { Self.add(0...number, to: &queue) }
    queue.publish(
      "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\na.m3u8\n", as: "all.m3u8",
      contents: HLSPlaylistContents(edge: HLSEdge(segment: 0), names: ["a.m3u8"]))
    #expect(!queue.isComplete)
    #expect(
      Self.steps(&queue) == [
        "a-init0.mp4", "a-0.m4s", "a.m3u8 a-0.m4s", "all.m3u8", "a-1.m4s", "a.m3u8 a-0.m4s a-1.m4s",
        "a-2.m4s", "a.m3u8 a-0.m4s a-1.m4s a-2.m4s",
      ])
    #expect(queue.isComplete && queue.sentSegmentCount == 3 && queue.waitingByteCount == 0)
  }

  @Test func endTagIsSentOnlyAfterLastSegment() {
    var queue = Self.begun()
    Self.add(0...0, to: &queue)
    Self.add(0...1, to: &queue)
    Self.publish(Self.playlist(0...1) + "#EXT-X-ENDLIST\n", 0...1, to: &queue, isComplete: true)
    var ends: [Bool] = []
    while let step = queue.next() {
      if case .playlist(_, let text, _) = step { ends.append(text.hasSuffix("#EXT-X-ENDLIST\n")) }
      queue.confirm(step)
    }
    #expect(ends == [false, true])
  }

  @Test func expiredSegmentsAreDroppedFromQueue() {
    var queue = HLSUploadQueue(capacity: 100_000)
    queue.put([0], as: "a-init0.mp4")
    for number in 0...9 { Self.add(max(0, number - 2)...number, to: &queue) }
    #expect(queue.droppedSegmentCount == 7 && queue.waitingDepth == 3)
    #expect(
      Self.steps(&queue) == [
        "a-init0.mp4", "a-7.m4s", "a.m3u8 a-7.m4s", "a-8.m4s", "a.m3u8 a-7.m4s a-8.m4s", "a-9.m4s",
        "a.m3u8 a-7.m4s a-8.m4s a-9.m4s",
      ])
  }

  @Test func segmentInTransitIsNotDropped() throws {
    var queue = Self.begun()
    Self.add(0...0, to: &queue)
    let step = try #require(Self.next(&queue))
    for number in 1...3 { Self.add(number...number, to: &queue) }
    #expect(queue.droppedSegmentCount == 2)
    queue.confirm(step)
    #expect(queue.sentSegmentCount == 1)
    // A segment that did not arrive may be dropped.
    _ = queue.next()
    queue.fail()
    Self.add(4...4, to: &queue)
    #expect(queue.droppedSegmentCount == 3)
    #expect(Self.steps(&queue) == ["a-4.m4s", "a.m3u8 a-4.m4s"])
  }

  @Test func missingSegmentsAreMarkedAsGaps() {
    var queue = HLSUploadQueue(capacity: 3000)
    queue.put([0], as: "a-init0.mp4")
    Self.add(0...0, to: &queue)
    #expect(Self.steps(&queue) == ["a-init0.mp4", "a-0.m4s", "a.m3u8 a-0.m4s"])
    // An event lists all segments; three segments may wait.
    for number in 1...5 { Self.add(0...number, to: &queue) }
    #expect(queue.droppedSegmentCount == 2)
    #expect(
      Self.steps(&queue) == [
        "a-3.m4s",
        "a.m3u8 a-0.m4s -a-1.m4s -a-2.m4s a-3.m4s", "a-4.m4s",
        "a.m3u8 a-0.m4s -a-1.m4s -a-2.m4s a-3.m4s a-4.m4s", "a-5.m4s",
        "a.m3u8 a-0.m4s -a-1.m4s -a-2.m4s a-3.m4s a-4.m4s a-5.m4s",
      ])
    #expect(queue.isComplete)
  }

  @Test func removedSegmentsAreCountedOncePerRenditionSet() {
    var queue = HLSUploadQueue(capacity: 100_000)
    for name in ["init0.mp4", "0.m4s", "1.m4s"] {
      queue.put([0], as: "a-" + name)
      queue.put([0], as: "b-" + name)
    }
    queue.put([0], as: "a-2.m4s")
    let count = queue.removeAll()
    #expect(count == 3 && queue.lostSegmentCount == 3 && queue.droppedSegmentCount == 5)
    let rest = queue.removeAll()
    #expect(rest == 0 && queue.lostSegmentCount == 3 && queue.droppedSegmentCount == 5)
  }

  @Test func lostCountIncludesDroppedAndWaitingSegments() {
    var queue = Self.begun(capacity: 3000)
    // Three segments may wait, and the playlist lists six.
    for number in 0...9 { Self.add(max(0, number - 5)...number, to: &queue) }
    #expect(queue.waitingSegmentCount == 3 && queue.lostSegmentCount == 7)
    let steps = Self.steps(&queue)
    #expect(steps.contains("a-9.m4s") && queue.lostSegmentCount == 7)
    Self.add(5...10, to: &queue)
    let count = queue.removeAll()
    #expect(count == 1 && queue.lostSegmentCount == 8 && queue.droppedSegmentCount == 8)
  }

  @Test func sectionsAreNeverDropped() {
    var queue = HLSUploadQueue(capacity: 2)
    queue.put([0, 0, 0, 0], as: "a-init0.mp4")
    Self.add(0...0, to: &queue)
    Self.add(0...1, to: &queue)
    #expect(Self.steps(&queue) == ["a-init0.mp4", "a-1.m4s", "a.m3u8 -a-0.m4s a-1.m4s"])
  }

  @Test func segmentInServerPlaylistIsNotRemoved() {
    var queue = Self.begun()
    for number in 0...1 { Self.add(0...number, to: &queue) }
    _ = Self.steps(&queue)
    Self.add(1...2, to: &queue)
    Self.add(2...3, to: &queue)
    // A folder store would remove the file now, one segment after it left the playlist.
    queue.remove("a-0.m4s")
    #expect(
      Self.steps(&queue) == [
        "a-2.m4s", "a.m3u8 a-0.m4s a-1.m4s a-2.m4s", "a-3.m4s", "a.m3u8 a-2.m4s a-3.m4s",
      ])
    // On a slow connection, segments always wait. Old files must be removed nevertheless.
    Self.add(3...4, to: &queue)
    Self.add(4...5, to: &queue)
    queue.remove("a-1.m4s")
    #expect(
      Self.steps(&queue) == [
        "remove a-0.m4s", "a-4.m4s", "a.m3u8 a-2.m4s a-3.m4s a-4.m4s", "remove a-1.m4s", "a-5.m4s",
        "a.m3u8 a-4.m4s a-5.m4s",
      ])
  }

  @Test(arguments: [true, false])
  func segmentExpiredInTransitIsRemoved(arrives: Bool) throws {
    var queue = Self.begun()
    Self.add(0...0, to: &queue)
    _ = Self.steps(&queue)
    Self.add(0...1, to: &queue)
    let step = try #require(Self.next(&queue))
    for number in 2...3 { Self.add(number...number, to: &queue) }
    queue.remove("a-1.m4s")
    if arrives { queue.confirm(step) } else { queue.fail() }
    #expect(queue.droppedSegmentCount == (arrives ? 1 : 2))
    Self.add(4...4, to: &queue)
    Self.add(5...5, to: &queue)
    #expect(Self.steps(&queue) == ["a-5.m4s", "a.m3u8 a-5.m4s"])
    Self.add(6...6, to: &queue)
    let steps = Self.steps(&queue)
    #expect(steps.contains("remove a-1.m4s") == arrives)
    #expect(!steps.contains("a-1.m4s"))
  }

  @Test func aPlaylistThatLagsKeepsThreeTargetDurations() {
    var queue = Self.begun()
    for number in 0...3 { Self.add(0...number, to: &queue) }
    _ = Self.steps(&queue)
    for number in 4...6 { Self.add(number - 3...number, to: &queue) }
    var texts: [String] = [Self.playlist(0...3)]
    var steps: [String] = []
    while let step = Self.next(&queue) {
      if case .playlist(_, let text, _) = step { texts.append(text) }
      if let word = Self.step(&queue) { steps.append(word) }
    }
    #expect(
      steps == [
        // The queue skips an unchanged playlist.
        "a-4.m4s", "a.m3u8 a-2.m4s a-3.m4s a-4.m4s",
        "a-5.m4s", "a.m3u8 a-3.m4s a-4.m4s a-5.m4s",
        "a-6.m4s", "a.m3u8 a-3.m4s a-4.m4s a-5.m4s a-6.m4s",
      ])
    #expect(texts.last == Self.playlist(3...6))
    for (old, new) in zip(texts, texts.dropFirst()) {
      #expect(HLSRules.faults(inMedia: new, after: old) == [])
    }
  }

  @Test func anEarlierPartOfAPlaylistHasItsOwnNumbersAndSections() {
    let old = """
      #EXTM3U
      #EXT-X-MEDIA-SEQUENCE:7
      #EXT-X-DISCONTINUITY-SEQUENCE:2
      #EXT-X-MAP:URI="a-init0.mp4"
      #EXT-X-PROGRAM-DATE-TIME:2026-11-20T10:00:00.000Z
      #EXTINF:4.000000,
      a-7.m4s
      #EXT-X-DISCONTINUITY
      #EXT-X-MAP:URI="a-init1.mp4"
      #EXT-X-PROGRAM-DATE-TIME:2026-11-20T10:00:09.000Z
      #EXTINF:4.000000,
      a-8.m4s
      #EXTINF:4.000000,
      a-9.m4s

      """
    let new = HLSPlaylistParts(
      """
      #EXTM3U
      #EXT-X-MEDIA-SEQUENCE:9
      #EXT-X-DISCONTINUITY-SEQUENCE:3
      #EXT-X-MAP:URI="a-init1.mp4"
      #EXTINF:4.000000,
      a-9.m4s
      #EXTINF:4.000000,
      a-10.m4s
      #EXT-X-ENDLIST

      """)
    let earlier = HLSPlaylistParts(old).segments.prefix(2)
    let text = new.text(count: 1, after: earlier) { $0.name != "a-8.m4s" }
    #expect(text == old.replacing("a-8.m4s", with: "#EXT-X-GAP\na-8.m4s"))
  }

  @Test func nothingIsListedWithoutItsSection() {
    var queue = Self.begun(capacity: 6000)
    for number in 0...5 { queue.put([UInt8](repeating: 1, count: 1000), as: "a-\(number).m4s") }
    _ = Self.steps(&queue)
    queue.put([1], as: "a-init1.mp4")
    for number in 6...7 { queue.put([UInt8](repeating: 1, count: 5000), as: "a-\(number).m4s") }
    #expect(queue.droppedSegmentCount == 1)
    let text = Self.playlist(0...7).replacing(
      "#EXTINF:4.000000,\na-6", with: "#EXT-X-MAP:URI=\"a-init1.mp4\"\n#EXTINF:4.000000,\na-6")
    Self.publish(text, 0...7, to: &queue)
    let there = (0...5).map { "a-\($0).m4s" }.joined(separator: " ")
    #expect(
      Self.steps(&queue) == [
        "a.m3u8 \(there)", "a-init1.mp4", "a-7.m4s", "a.m3u8 \(there) -a-6.m4s a-7.m4s",
      ])
    #expect(queue.isComplete)
  }

  @Test func catchUpSendsFewPlaylists() {
    // The queue sends a playlist again after segments of at least its size, or after some time.
    for (target, count) in [(Duration.seconds(4), 3), (.zero, 20)] {
      var queue = Self.begun()
      for number in 0...19 { Self.add(0...number, to: &queue, size: 50, target: target) }
      let steps = Self.steps(&queue)
      #expect(steps.count { $0.hasPrefix("a.m3u8") } == count, "\(steps)")
      #expect(queue.isComplete)
    }
  }
}
