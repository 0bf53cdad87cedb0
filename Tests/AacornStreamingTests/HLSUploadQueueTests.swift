import AacornWeb
import StreamRigs
import Testing

@testable import AacornRecording
@testable import AacornStreaming

/// What is uploaded when, and where to.
struct HLSUploadQueueTests {
  private static func playlist(_ numbers: ClosedRange<Int>, isComplete: Bool = false) -> String {
    var text = "#EXTM3U\n#EXT-X-VERSION:6\n#EXT-X-TARGETDURATION:4\n"
    text += "#EXT-X-MEDIA-SEQUENCE:\(numbers.lowerBound)\n#EXT-X-MAP:URI=\"a-init0.mp4\"\n"
    for number in numbers { text += "#EXTINF:4.000000,\na-\(number).m4s\n" }
    return text + (isComplete ? "#EXT-X-ENDLIST\n" : "")
  }

  private static func add(_ numbers: ClosedRange<Int>, to queue: inout HLSUploadQueue) {
    queue.put([UInt8(numbers.upperBound)], as: "a-\(numbers.upperBound).m4s")
    queue.publish(
      playlist(numbers), as: "a.m3u8",
      contents: HLSPlaylistContents(
        edge: HLSEdge(segment: numbers.upperBound), names: numbers.map { "a-\($0).m4s" },
        targetDuration: .seconds(4)))
  }

  private static func addMaster(to queue: inout HLSUploadQueue) {
    queue.publish(
      "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\na.m3u8\n", as: "all.m3u8",
      contents: HLSPlaylistContents(edge: HLSEdge(segment: 0), names: ["a.m3u8"]))
  }

  /// Does the next step and returns it in a word.
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

  private static func steps(_ queue: inout HLSUploadQueue) -> [String] {
    var steps: [String] = []
    while let step = step(&queue) { steps.append(step) }
    return steps
  }

  @Test func aPlaylistEndsWhereTheServersFilesEnd() {
    var queue = HLSUploadQueue(capacity: 1000)
    queue.put([0], as: "a-init0.mp4")
    for number in 0...2 { Self.add(0...number, to: &queue) }
    Self.addMaster(to: &queue)
    #expect(!queue.isComplete)
    #expect(
      Self.steps(&queue) == [
        "a-init0.mp4", "a-0.m4s", "a.m3u8 a-0.m4s", "all.m3u8", "a-1.m4s", "a.m3u8 a-0.m4s a-1.m4s",
        "a-2.m4s", "a.m3u8 a-0.m4s a-1.m4s a-2.m4s",
      ])
    #expect(queue.isComplete && queue.sentSegmentCount == 3 && queue.waitingByteCount == 0)
  }

  @Test func theEndIsNotSaidBeforeItIsThere() {
    var queue = HLSUploadQueue(capacity: 1000)
    Self.add(0...0, to: &queue)
    Self.add(0...1, to: &queue)
    queue.publish(
      Self.playlist(0...1, isComplete: true), as: "a.m3u8",
      contents: HLSPlaylistContents(
        edge: HLSEdge(segment: 1, isComplete: true), names: ["a-0.m4s", "a-1.m4s"],
        targetDuration: .seconds(4)))
    var ends: [Bool] = []
    while let step = queue.next() {
      if case .playlist(_, let text, _) = step { ends.append(text.hasSuffix("#EXT-X-ENDLIST\n")) }
      queue.confirm(step)
    }
    #expect(ends == [false, true])
  }

  @Test func whatLeftThePlaylistDoesNotWait() {
    var queue = HLSUploadQueue(capacity: 1000)
    queue.put([0], as: "a-init0.mp4")
    for number in 0...9 { Self.add(max(0, number - 2)...number, to: &queue) }
    #expect(queue.droppedSegmentCount == 7 && queue.waitingDepth == 3)
    #expect(
      Self.steps(&queue) == [
        "a-init0.mp4", "a-7.m4s", "a.m3u8 a-7.m4s", "a-8.m4s", "a.m3u8 a-7.m4s a-8.m4s", "a-9.m4s",
        "a.m3u8 a-7.m4s a-8.m4s a-9.m4s",
      ])
  }

  @Test func whatIsOnItsWayIsNotDropped() throws {
    var queue = HLSUploadQueue(capacity: 1000)
    Self.add(0...0, to: &queue)
    let next = queue.next()
    let step = try #require(next)
    for number in 1...3 { Self.add(number...number, to: &queue) }
    #expect(queue.droppedSegmentCount == 2)
    queue.confirm(step)
    #expect(queue.sentSegmentCount == 1)
    // One that did not arrive has no such right.
    _ = queue.next()
    queue.fail()
    Self.add(4...4, to: &queue)
    #expect(queue.droppedSegmentCount == 3)
    #expect(Self.steps(&queue) == ["a-4.m4s", "a.m3u8 a-4.m4s"])
  }

  @Test func whatIsMissingInsideIsMarked() {
    var queue = HLSUploadQueue(capacity: 3)
    queue.put([0], as: "a-init0.mp4")
    Self.add(0...0, to: &queue)
    #expect(Self.steps(&queue) == ["a-init0.mp4", "a-0.m4s", "a.m3u8 a-0.m4s"])
    // An event lists all of them; three bytes may wait.
    for number in 1...5 { Self.add(0...number, to: &queue) }
    #expect(queue.droppedSegmentCount == 2)
    #expect(
      Self.steps(&queue) == [
        "a.m3u8 a-0.m4s -a-1.m4s -a-2.m4s", "a-3.m4s",
        "a.m3u8 a-0.m4s -a-1.m4s -a-2.m4s a-3.m4s", "a-4.m4s",
        "a.m3u8 a-0.m4s -a-1.m4s -a-2.m4s a-3.m4s a-4.m4s", "a-5.m4s",
        "a.m3u8 a-0.m4s -a-1.m4s -a-2.m4s a-3.m4s a-4.m4s a-5.m4s",
      ])
    #expect(queue.isComplete)
  }

  @Test func sectionsAreNeverDropped() {
    var queue = HLSUploadQueue(capacity: 2)
    queue.put([0, 0, 0, 0], as: "a-init0.mp4")
    Self.add(0...0, to: &queue)
    Self.add(0...1, to: &queue)
    #expect(Self.steps(&queue) == ["a-init0.mp4", "a-1.m4s", "a.m3u8 -a-0.m4s a-1.m4s"])
  }

  @Test func onlyWhatIsThereIsRemoved() {
    var queue = HLSUploadQueue(capacity: 1000)
    Self.add(0...0, to: &queue)
    _ = Self.steps(&queue)
    queue.put([1], as: "a-init1.mp4")
    for removes in [true, false] {
      queue.remove("a-0.m4s", removes: removes)
      queue.remove("a-init1.mp4", removes: removes)
    }
    #expect(Self.steps(&queue) == ["remove a-0.m4s"])
  }

  @Test(
    arguments: [
      ("https://h", "https://h/", "/x.m4s", nil),
      ("https://h:443/live", "https://h/live/", "/live/x.m4s", nil),
      ("http://h:8080/a/b/", "http://h:8080/a/b/", "/a/b/x.m4s", nil),
      ("https://u:p%40q@h/ö?sig=1", "https://h/%C3%B6/", "/%C3%B6/x.m4s?sig=1", "dTpwQHE="),
      ("https://h/up?cid=K&file=", "https://h/up", "/up?cid=K&file=x.m4s", nil),
      ("https://u@[::1]:8443/a%20b", "https://[::1]:8443/a%20b/", "/a%20b/x.m4s", "dTo="),
    ] as [(String, String, String, String?)])
  func addressesLeadToFiles(
    text: String, shown: String, target: String, credentials: String?
  ) throws {
    let configuration = try HLSUploadConfiguration(address: text)
    #expect(configuration.address == shown)
    #expect(configuration.target(of: "x.m4s") == target)
    #expect(configuration.credentials == credentials)
    #expect("\(configuration)" == shown)
  }

  @Test(arguments: [
    "ftp://h/", "https:///x", "https://h:0/", "https://u:p#q@h/", "https://h/a#b", "https://h/a@b/",
    "https://u%3Ax@h/",
  ])
  func aWrongAddressIsNotRepeated(text: String) throws {
    let error = #expect(throws: NetworkError.self) {
      try HLSUploadConfiguration(address: text)
    }
    #expect(error?.kind == .unsupported)
    #expect(error?.sentence.hasPrefix("The address of the HLS server is wrong: ") == true)
    #expect(error?.sentence.contains(text) == false)
  }
}
