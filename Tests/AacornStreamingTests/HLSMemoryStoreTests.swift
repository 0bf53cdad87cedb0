import AacornRecording
import AacornSystem
import Testing

@testable import AacornNetwork
@testable import AacornStreaming

@Suite struct HLSMemoryStoreTests {
  @Test func filesComeAndGo() throws {
    let store = HLSMemoryStore()
    try store.put([1, 2, 3], as: "one.m4s")
    try store.put([4], as: "two.m4s")
    #expect(store.file("one.m4s") == [1, 2, 3])
    #expect(store.byteCount == 4)
    store.remove("one.m4s")
    store.remove("never.m4s")
    #expect(store.file("one.m4s") == nil)
    #expect(store.byteCount == 1)
    #expect(store.servesParts)
  }

  @Test func thereIsABoundForWhatIsKept() throws {
    let store = HLSMemoryStore(capacity: 2 << 20)
    try store.put([UInt8](repeating: 0, count: 2 << 20), as: "one.m4s")
    let error = #expect(throws: OutputError.self) { try store.put([1], as: "two.m4s") }
    #expect(error?.message.contains("more than the 2 MB of memory") == true)
    #expect(store.file("two.m4s") == nil)
    store.remove("one.m4s")
    try store.put([1], as: "two.m4s")
    #expect(store.byteCount == 1)
  }

  @Test func theTargetDurationIsKnownBeforeThereIsAPlaylist() throws {
    let store = HLSMemoryStore()
    #expect(store.targetDuration == .seconds(6))
    var configuration = HLSConfiguration()
    configuration.segmentDuration = .milliseconds(60_001)
    var output = HLSOutput(configuration, stores: [store], name: "test")
    try output.open()
    #expect(store.targetDuration == .seconds(61))
    try HLSTestPlaylist(segments: 1, partsEach: 4, growingParts: 0).publish(in: store)
    #expect(store.targetDuration == .seconds(2))
  }

  @Test func inventedListenersFillNoMemory() {
    var listeners = HLSListeners()
    let hour: Int64 = 3_600_000_000_000
    for index in 0..<2 * HLSListeners.limit {
      let request = HTTPRequest(headers: [HTTPField("User-Agent", "\(index)")])
      listeners.record(request, at: Int64(index))
    }
    #expect(listeners.count(since: 0).count == HLSListeners.limit)
    listeners.record(HTTPRequest(remoteAddress: "late"), at: 2 * hour)
    #expect(listeners.count(since: 0).count == 1)
  }

  /// The playlist has three segments of four parts, and parts of the fourth segment.
  @Test(
    arguments: [
      (2, 1, nil, true), (2, 2, nil, true), (2, 3, nil, false), (2, 2, 3, true), (2, 3, 1, true),
      (2, 3, 2, false), (2, 4, 0, false),
      // A part after the last one is the first of the next segment.
      (0, 2, 3, true), (0, 2, 4, false), (1, 2, 4, true),
    ] as [(Int, Int, Int?, Bool)])
  func aPlaylistReachesItsSegmentsAndParts(parts: Int, segment: Int, part: Int?, isReached: Bool) {
    let playlist = HLSTestPlaylist(segments: 3, partsEach: 4, growingParts: parts).published
    #expect(playlist.reaches(segment: segment, part: part) == isReached)
    #expect(playlist.hints(at: "3.\(parts).m4s") && !playlist.hints(at: "3.\(parts + 1).m4s"))
  }

  @Test func requestFarBeyondLiveEdgeIsTooFar() {
    let playlist = HLSTestPlaylist(segments: 3, partsEach: 4, growingParts: 2).published
    #expect(!playlist.isTooFar(segment: 4, part: nil))
    #expect(playlist.isTooFar(segment: 5, part: nil))
    #expect(!playlist.isTooFar(segment: 0, part: 90))
    // The limit is three seconds of parts of 0.5 s.
    #expect(!playlist.isTooFar(segment: 3, part: 7))
    #expect(playlist.isTooFar(segment: 3, part: 8))
    let end = HLSTestPlaylist(segments: 3, partsEach: 4, growingParts: 0, isComplete: true)
    #expect(!end.published.isTooFar(segment: 90, part: nil))
    #expect(end.published.reaches(segment: 90, part: 3))
    #expect(!end.published.hints(at: "3.0.m4s"))
    // The duration of a part is unrealistically short.
    let odd = PublishedPlaylist(
      "", HLSPlaylistContents(edge: HLSEdge(segment: 2, partCount: 2), partTarget: .nanoseconds(1)))
    #expect(odd.isTooFar(segment: 3, part: 5) && !odd.isTooFar(segment: 3, part: 4))
  }

  @Test func emptyPlaylistIsNotPlayable() {
    let playlist = PublishedPlaylist("", HLSPlaylistContents(edge: HLSEdge(segment: -1)))
    #expect(!playlist.isPlayable && !playlist.isEnded)
    #expect(!playlist.reaches(segment: 0, part: nil) && !playlist.hints(at: ""))
  }

  @Test func waitersAreWokenOnceByWhatTheyNeed() throws {
    let store = HLSMemoryStore()
    try HLSTestPlaylist(segments: 1, partsEach: 2, growingParts: 0).publish(in: store)
    let woken = Lock<[String]>([])
    func wait(_ need: HLSMemoryStore.PendingItem, _ name: String) {
      store.wait(for: need, unless: { false }) { found in
        let word =
          switch found {
          case .nothing: "nothing"
          case .file(let bytes): "\(bytes)"
          case .playlist(let playlist): "\(playlist.edge.segment).\(playlist.edge.partCount)"
          }
        woken.withLock { $0.append("\(name): \(word)") }
      }
    }
    wait(.reach("stream.m3u8", segment: 1, part: 0), "part")
    wait(.reach("stream.m3u8", segment: 1, part: nil), "segment")
    wait(.file("1.0.m4s"), "hint")
    wait(.playlist("other.m3u8"), "other")
    #expect(woken.withLock { $0 }.isEmpty)
    wait(.file("9.m4s"), "unknown")
    wait(.reach("stream.m3u8", segment: 0, part: 1), "old")
    #expect(woken.withLock { $0 } == ["unknown: nothing", "old: 0.0"])
    try store.put([7], as: "1.0.m4s")
    #expect(woken.withLock { $0.last } == "hint: [7]")
    try HLSTestPlaylist(segments: 1, partsEach: 2, growingParts: 1).publish(in: store)
    #expect(woken.withLock { $0.last } == "part: 0.1")
    try HLSTestPlaylist(segments: 2, partsEach: 2, growingParts: 0).publish(in: store)
    #expect(woken.withLock { $0.last } == "segment: 1.0")
    try store.publish(
      "#EXTM3U\n", as: "other.m3u8", contents: HLSPlaylistContents(edge: HLSEdge(segment: -1)))
    #expect(store.waiterCount == 1)
    try store.publish(
      "#EXTM3U\nstream.m3u8\n", as: "other.m3u8",
      contents: HLSPlaylistContents(edge: HLSEdge(segment: 0), names: ["stream.m3u8"]))
    #expect(woken.withLock { $0.count } == 6)
    #expect(store.waiterCount == 0)
  }

  @Test func unfulfilledHintEndsWait() throws {
    let store = HLSMemoryStore()
    try HLSTestPlaylist(segments: 1, partsEach: 2, growingParts: 0).publish(in: store)
    let found = Lock<HLSMemoryStore.Found?>(nil)
    store.wait(for: .file("1.0.m4s"), unless: { false }) { word in found.withLock { $0 = word } }
    #expect(found.withLock { $0 == nil })
    try HLSTestPlaylist(segments: 1, partsEach: 2, growingParts: 0, isComplete: true)
      .publish(in: store)
    let word = found.withLock { $0 }
    guard case .nothing? = word else {
      Issue.record("The wait for a part that does not come ended with \(String(describing: word)).")
      return
    }
  }

  @Test func abandonedRequestsDoNotAccumulate() throws {
    let store = HLSMemoryStore()
    try HLSTestPlaylist(segments: 1, partsEach: 2, growingParts: 0).publish(in: store)
    let haveLeft = Lock(true)
    for _ in 0..<1000 {
      store.wait(
        for: .file("1.0.m4s"), unless: { haveLeft.withLock { $0 } },
        answer: { _ in Issue.record("A disconnected client received a response.") })
    }
    #expect(store.waiterCount == 1)
    try store.put([1], as: "1.0.m4s")
    #expect(store.waiterCount == 0)
  }
}

/// An artificial low-latency playlist: segments of 2 s with parts of 0.5 s.
struct HLSTestPlaylist {
  var segments: Int
  var partsEach: Int
  var growingParts: Int
  var isComplete = false

  private var hint: String { "\(segments).\(growingParts).m4s" }

  var contents: HLSPlaylistContents {
    HLSPlaylistContents(
      edge: HLSEdge(segment: segments - 1, partCount: growingParts, isComplete: isComplete),
      names: (0..<segments).map { "\($0).m4s" }, targetDuration: .seconds(2),
      partTarget: .milliseconds(500),
      lastSegmentPartCount: segments > 0 ? partsEach : 0, nextPart: isComplete ? nil : hint)
  }

  var text: String {
    var text = """
      #EXTM3U
      #EXT-X-VERSION:9
      #EXT-X-TARGETDURATION:2
      #EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,PART-HOLD-BACK=1.5
      #EXT-X-PART-INF:PART-TARGET=0.5
      #EXT-X-MEDIA-SEQUENCE:0

      """
    for segment in 0..<segments {
      for part in 0..<partsEach { text += Self.part(segment, part) }
      text += "#EXTINF:2.00000,\n\(segment).m4s\n"
    }
    for part in 0..<growingParts { text += Self.part(segments, part) }
    return text
      + (isComplete ? "#EXT-X-ENDLIST\n" : "#EXT-X-PRELOAD-HINT:TYPE=PART,URI=\"\(hint)\"\n")
  }

  private static func part(_ segment: Int, _ part: Int) -> String {
    "#EXT-X-PART:DURATION=0.50000,URI=\"\(segment).\(part).m4s\",INDEPENDENT=YES\n"
  }

  var published: PublishedPlaylist { PublishedPlaylist(text, contents) }

  func publish(in store: HLSMemoryStore, as name: String = "stream.m3u8") throws {
    try store.publish(text, as: name, contents: contents)
  }
}
