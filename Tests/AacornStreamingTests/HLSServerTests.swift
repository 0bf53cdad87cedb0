import AacornSystem
import Foundation
import Simulation
import SoundRigs
import StreamRigs
import Testing

@testable import AacornNetwork
@testable import AacornStreaming

@Suite(.simulated(seeds: 5)) struct HLSServerTests {
  private let store = HLSMemoryStore()
  private let server: HTTPServer

  init() throws {
    let handler = HLSHandler(store, title: "Morning & <Evening>")
    server = try HTTPServer { handler.handle($0, $1) }
  }

  private func publish(
    _ segments: Int, _ growingParts: Int, isComplete: Bool = false
  ) throws {
    try HLSTestPlaylist(
      segments: segments, partsEach: 4, growingParts: growingParts, isComplete: isComplete
    ).publish(in: store)
  }

  @Test func filesAreServedForWhatTheyAre() throws {
    try publish(3, 0)
    try store.put([1, 2, 3], as: "0.m4s")
    try store.put([4], as: "init.mp4")
    try store.put([5], as: "0.aac")
    let playlist = try httpAnswer(server, "/stream.m3u8")
    #expect(playlist.status == 200)
    #expect(playlist.text == HLSTestPlaylist(segments: 3, partsEach: 4, growingParts: 0).text)
    #expect(playlist.headers["content-type"] == "application/vnd.apple.mpegurl")
    #expect(playlist.headers["cache-control"] == "no-cache")
    #expect(playlist.headers["access-control-allow-origin"] == "*")
    let segment = try httpAnswer(server, "/0.m4s")
    #expect(segment.body == [1, 2, 3])
    #expect(segment.headers["content-type"] == "audio/mp4")
    #expect(segment.headers["cache-control"] == "public, max-age=31536000, immutable")
    #expect(try httpAnswer(server, "/0.m4s", headers: ["Range: bytes=1-1"]).body == [2])
    #expect(try httpAnswer(server, "/init.mp4").headers["content-type"] == "audio/mp4")
    #expect(try httpAnswer(server, "/0.aac").headers["content-type"] == "audio/aac")
    let head = try httpAnswer(server, "/0.m4s", method: "HEAD")
    #expect(head.status == 200 && head.headers["content-length"] == "3")
  }

  @Test func errorResponsesAreNotCached() throws {
    try publish(1, 0)
    for (path, status) in [
      ("/1.m4s", 404), ("/other.m3u8", 404), ("/a/0.m4s", 404), ("/favicon.ico", 404),
      ("/stream.m3u8/0.m4s", 404), ("/stream.m3u8?_HLS_msn=x", 400),
      ("/stream.m3u8?_HLS_msn=9", 400),
    ] {
      let answer = try httpAnswer(server, path)
      #expect(answer.status == status && answer.headers["cache-control"] == "no-store", "\(path)")
      #expect(answer.headers["access-control-allow-origin"] == "*", "\(path)")
    }
    #expect(try httpAnswer(server, "/../0.m4s").status == 400)
  }

  /// Returns the number of listeners since the start of the test, and of those that received the
  /// end.
  private func listeners() -> [Int] {
    let (count, finishedCount) = store.listeners(within: TestTimeout.duration)
    return [count, finishedCount]
  }

  @Test func listenersAreCountedWithThoseWhoKnowTheEnd() throws {
    #expect(try httpAnswer(server, "/").status == 200)
    #expect(try httpAnswer(server, "/favicon.ico").status == 404)
    #expect(listeners() == [0, 0])
    try publish(3, 0)
    try store.put([1], as: "0.m4s")
    _ = try httpAnswer(server, "/stream.m3u8", headers: ["User-Agent: one"])
    _ = try httpAnswer(server, "/0.m4s", headers: ["User-Agent: one"])
    let held = try HTTPClient(port: server.port)
    held.ask("/stream.m3u8?_HLS_msn=3", headers: ["User-Agent: two"])
    #expect(eventually { store.waiterCount == 1 })
    #expect(listeners() == [1, 0])
    try publish(3, 0, isComplete: true)
    #expect(try held.receiveAnswer().status == 200)
    #expect(listeners() == [2, 1])
    // A master playlist also has an end, but contains no end tag.
    try store.publish(
      "#EXTM3U\na\n", as: "a.m3u8",
      contents: HLSPlaylistContents(edge: HLSEdge(segment: 2, isComplete: true), names: ["a"]))
    _ = try httpAnswer(server, "/a.m3u8", headers: ["User-Agent: one"])
    #expect(listeners() == [2, 1])
    _ = try httpAnswer(server, "/stream.m3u8", headers: ["User-Agent: one"])
    _ = try httpAnswer(server, "/0.m4s", headers: ["User-Agent: one"])
    #expect(listeners() == [2, 2])
    #expect(eventually { store.listeners(within: .milliseconds(1)).count == 0 })
  }

  @Test func theEndReachesWhoWaitsForIt() throws {
    try publish(3, 0)
    let clients = try (0..<20).map { index in
      try askAndWait("/stream.m3u8?_HLS_msn=3" + (index < 10 ? "" : "&_HLS_part=0"), index + 1)
    }
    try publish(3, 0, isComplete: true)
    #expect(try httpAnswer(server, "/stream.m3u8?_HLS_msn=70").status == 200)
    server.stop()
    for client in clients {
      #expect(try client.receiveAnswer().text.hasSuffix("#EXT-X-ENDLIST\n"))
    }
  }

  @Test func crossOriginReadsAreAllowedAndWritesAreNot() throws {
    let answer = try httpAnswer(server, "/stream.m3u8", method: "OPTIONS")
    #expect(answer.status == 204)
    #expect(answer.headers["access-control-allow-methods"] == "GET, HEAD, OPTIONS")
    let post = try httpAnswer(server, "/stream.m3u8", method: "POST", body: [1])
    #expect(post.status == 405 && post.headers["allow"] == "GET, HEAD, OPTIONS")
    #expect(try httpAnswer(server, "/x", method: "DELETE").status == 405)
  }

  @Test func thePageNamesTheStreamAndLoadsNothingFromElsewhere() throws {
    let page = try httpAnswer(server, "/")
    #expect(page.status == 200)
    #expect(page.headers["content-type"] == "text/html; charset=utf-8")
    #expect(page.headers["content-security-policy"]?.hasPrefix("default-src 'none'") == true)
    #expect(page.text.contains("<h1>Morning &amp; &lt;Evening&gt;</h1>"))
    #expect(page.text.contains("src=\"stream.m3u8\""))
    #expect(!page.text.contains("://"))
  }

  // MARK: Blocking reload

  /// Requests a playlist, and waits until the server has received the request.
  private func askAndWait(_ path: String, _ waiters: Int) throws -> HTTPClient {
    let client = try HTTPClient(port: server.port)
    client.ask(path)
    #expect(eventually { store.waiterCount == waiters })
    return client
  }

  @Test func aReloadIsHeldUntilTheSegmentIsThere() throws {
    try publish(3, 0)
    #expect(try httpAnswer(server, "/stream.m3u8?_HLS_msn=2").status == 200)
    let client = try askAndWait("/stream.m3u8?_HLS_msn=3", 1)
    try publish(3, 1)
    try publish(3, 3)
    // A response to `client` would have been sent before this one.
    #expect(try httpAnswer(server, "/stream.m3u8").status == 200)
    #expect(!client.hasBytes(milliseconds: 0))
    #expect(store.waiterCount == 1)
    try publish(4, 0)
    let answer = try client.receiveAnswer()
    #expect(answer.text == HLSTestPlaylist(segments: 4, partsEach: 4, growingParts: 0).text)
  }

  @Test func aReloadIsHeldUntilThePartIsThere() throws {
    try publish(3, 0)
    #expect(try httpAnswer(server, "/stream.m3u8?_HLS_msn=2&_HLS_part=3").status == 200)
    let first = try askAndWait("/stream.m3u8?_HLS_msn=3&_HLS_part=0", 1)
    let second = try askAndWait("/stream.m3u8?_HLS_msn=3&_HLS_part=1", 2)
    let overflowing = try askAndWait("/stream.m3u8?_HLS_msn=2&_HLS_part=4", 3)
    try publish(3, 1)
    #expect(
      try first.receiveAnswer().text
        == HLSTestPlaylist(segments: 3, partsEach: 4, growingParts: 1).text)
    #expect(try overflowing.receiveAnswer().status == 200)
    #expect(!second.hasBytes(milliseconds: 0))
    try publish(3, 2)
    #expect(
      try second.receiveAnswer().text
        == HLSTestPlaylist(segments: 3, partsEach: 4, growingParts: 2).text)
  }

  @Test func manyReloadsAreHeldAtOnce() throws {
    try publish(1, 0)
    let clients = try HTTPClient.asking(
      150, for: "/stream.m3u8?_HLS_msn=1&_HLS_part=0", port: server.port)
    #expect(eventually { store.waiterCount == 150 })
    for client in clients.prefix(50) { client.close() }
    try publish(1, 1)
    for client in clients.dropFirst(50) { #expect(try client.receiveAnswer().status == 200) }
    #expect(store.waiterCount == 0)
  }

  @Test func directivesThatCannotBeMeantAreRefused() throws {
    try publish(3, 0)
    for query in [
      "_HLS_msn=5", "_HLS_part=0", "_HLS_msn=x", "_HLS_msn=-1", "_HLS_msn=",
      "_HLS_msn=3&_HLS_part=y", "_HLS_msn=3&_HLS_part=6",
      "_HLS_msn=99999999999999999999", "_HLS_msn=9223372036854775807",
    ] {
      #expect(try httpAnswer(server, "/stream.m3u8?\(query)").status == 400, "\(query)")
    }
    #expect(store.waiterCount == 0)
  }

  @Test func lateSegmentIsUnavailableAfterTimeout() throws {
    try store.publish(
      "#EXTM3U\n#EXT-X-TARGETDURATION:1\n", as: "stream.m3u8",
      contents: HLSPlaylistContents(edge: HLSEdge(segment: 0), targetDuration: .seconds(1)))
    // Three target durations, checked four times a second.
    let answer = try expectDuration(3...3.252) {
      try httpAnswer(server, "/stream.m3u8?_HLS_msn=1")
    }
    #expect(answer.status == 503)
    #expect(answer.headers["access-control-allow-origin"] == "*")
  }

  @Test func aHintedPartIsHeldUntilItIsThere() throws {
    try publish(3, 1)
    let client = try askAndWait("/3.1.m4s", 1)
    #expect(try httpAnswer(server, "/3.2.m4s").status == 404)
    try store.put([1, 2, 3], as: "3.1.m4s")
    #expect(try client.receiveAnswer().body == [1, 2, 3])
    try publish(3, 2)
    let disappointed = try askAndWait("/3.2.m4s", 1)
    try publish(4, 0)
    #expect(try disappointed.receiveAnswer().status == 404)
  }

  @Test func aListenerMayComeBeforeTheFirstSegment() throws {
    let client = try askAndWait("/stream.m3u8", 1)
    let directive = try askAndWait("/stream.m3u8?_HLS_msn=0", 2)
    try publish(3, 0)
    #expect(try client.receiveAnswer().status == 200)
    #expect(try directive.receiveAnswer().status == 200)
  }

  @Test func aListenerWhoKnowsNoPartsIsHeldUntilThereAreThreeSegments() throws {
    try publish(0, 1)
    let client = try askAndWait("/stream.m3u8", 1)
    // A request for a part is served immediately.
    #expect(try httpAnswer(server, "/stream.m3u8?_HLS_msn=0&_HLS_part=0").status == 200)
    try publish(2, 3)
    #expect(store.waiterCount == 1)
    try publish(3, 0)
    #expect(
      try client.receiveAnswer().text
        == HLSTestPlaylist(segments: 3, partsEach: 4, growingParts: 0).text)
  }

  @Test func stoppingEndsReloadsThatAreHeld() throws {
    try publish(3, 0)
    let client = try askAndWait("/stream.m3u8?_HLS_msn=3", 1)
    server.stop()
    _ = try client.receiveAll()
    try publish(4, 0)
    #expect(store.waiterCount == 0)
  }
}
