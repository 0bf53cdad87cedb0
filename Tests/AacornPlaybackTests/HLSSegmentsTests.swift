import AacornRecording
import AacornSystem
import Simulation
import StreamRigs
import Testing

@testable import AacornPlayback

private let sound = noise(4000)

/// HTTP Live Streaming from servers that follow the specification, and from others.
@Suite(.simulated(seeds: 5)) struct HLSSegmentsTests {
  private static func piece(_ number: Int) -> [UInt8] { Array("segment \(number);".utf8) }

  private static func pieces(_ numbers: ClosedRange<Int>) -> [UInt8] {
    Array(numbers.map { piece($0) }.joined())
  }

  /// Returns the lines of a playlist with a window of segments, `/1` and so on.
  private static func window(_ numbers: ClosedRange<Int>, isComplete: Bool = false) -> [String] {
    let head = [
      "#EXTM3U", "#EXT-X-VERSION:3", "#EXT-X-TARGETDURATION:1",
      "#EXT-X-MEDIA-SEQUENCE:\(numbers.lowerBound)",
    ]
    let segments = numbers.flatMap { ["#EXTINF:1.0,", "\($0)"] }
    return head + segments + (isComplete ? ["#EXT-X-ENDLIST"] : [])
  }

  /// Responds with a segment, selected by its number.
  private static func answer(_ question: WebServer.Question, _ connection: TCPConnection) {
    connection.answer(question, of: piece(Int(question.target.dropFirst()) ?? 0))
  }

  @Test func partsOfAFileFollowTheirBeginning() throws {
    let server = try WebServer { question, connection in
      if question.target != "/list.m3u8" { return connection.answer(question, of: sound) }
      connection.answer([
        "#EXTM3U", "#EXT-X-MAP:URI=\"a.mp4\",BYTERANGE=\"100@0\"", "#EXT-X-BYTERANGE:900@100",
        "a.mp4", "#EXT-X-BYTERANGE:1000", "a.mp4", "#EXT-X-DISCONTINUITY",
        "#EXT-X-MAP:URI=\"a.mp4\",BYTERANGE=\"50@3000\"", "#EXT-X-BYTERANGE:500@3500", "a.mp4",
        "#EXT-X-ENDLIST",
      ])
    }
    let fetched = try FetchedSound(server.address("/list.m3u8"))
    #expect(fetched.bytes == Array(sound[..<2000] + sound[3000..<3050] + sound[3500...]))
    #expect(fetched.damage == nil && fetched.failure == nil && !fetched.isLive)
    #expect(
      server.questions.compactMap(\.range) == [
        "0-99", "100-999", "1000-1999", "3000-3049", "3500-3999",
      ])
  }

  @Test func aServerThatKnowsNoPartsSendsAll() throws {
    let server = try WebServer { question, connection in
      if question.target == "/a" { return connection.answer(sound) }
      connection.answer([
        "#EXTM3U", "#EXT-X-BYTERANGE:10@20", "a", "#EXT-X-BYTERANGE:10@0", "a", "#EXT-X-ENDLIST",
      ])
    }
    let fetched = try FetchedSound(server.address("/list.m3u8"))
    #expect(fetched.bytes == Array(sound[20..<30] + sound[..<10]))
  }

  @Test func brokenSegmentResumesAtItsOffset() throws {
    let server = try WebServer { question, connection in
      if question.target != "/a" {
        return connection.answer(["#EXTM3U", "#EXT-X-BYTERANGE:2000@1000", "a", "#EXT-X-ENDLIST"])
      }
      if question.number > 1 { return connection.answer(question, of: sound) }
      connection.writeHead(
        "206 Partial Content", ["Content-Length: 2000", "Content-Range: bytes 1000-2999/4000"])
      connection.write(Array(sound[1000..<1500]))
    }
    let fetched = try FetchedSound(server.address("/list.m3u8"))
    #expect(fetched.bytes == Array(sound[1000..<3000]))
    #expect(fetched.damage == nil)
    #expect(server.questions.compactMap(\.range) == ["1000-2999", "1500-2999"])
  }

  @Test func missingSegmentIsSkippedAndReported() throws {
    let server = try WebServer { question, connection in
      switch question.target {
      case "/list.m3u8": connection.answer(Self.window(1...5, isComplete: true))
      case "/2", "/4": connection.refuse("404 Not Found")
      default: Self.answer(question, connection)
      }
    }
    let fetched = try FetchedSound(server.address("/list.m3u8"), .shortTimeouts)
    #expect(fetched.bytes == Self.piece(1) + Self.piece(3) + Self.piece(5))
    #expect(fetched.failure == nil)
    #expect(
      fetched.damage
        == "2 segments of the stream did not arrive completely. The others were played.")
    // The segment might have been available a moment later.
    #expect(server.count("/2") == 2)
    // In a file, a missing segment is damage.
    #expect(fetched.lost.isEmpty)
  }

  @Test func missingLiveSegmentIsReportedAsLoss() throws {
    let server = try WebServer { question, connection in
      switch question.target {
      case "/live.m3u8":
        connection.answer(
          question.number == 1 ? Self.window(1...3) : Self.window(2...5, isComplete: true))
      case "/3": connection.refuse("404 Not Found")
      default: Self.answer(question, connection)
      }
    }
    let fetched = try FetchedSound(server.address("/live.m3u8"), .shortTimeouts)
    #expect(fetched.bytes == Self.pieces(1...2) + Self.pieces(4...5))
    #expect(fetched.lost == [.seconds(1)])
    #expect(fetched.failure == nil)
  }

  @Test(arguments: ["404 Not Found", "500 Internal Server Error"])
  func segmentsThatAreAllMissingEndIt(status: String) throws {
    let server = try WebServer { question, connection in
      if question.target != "/list.m3u8" { return connection.refuse(status) }
      connection.answer(Self.window(1...1000, isComplete: true))
    }
    let fetched = try FetchedSound(server.address("/list.m3u8"), .shortTimeouts)
    #expect(fetched.bytes.isEmpty)
    #expect(fetched.failure?.message.contains("(\(status.prefix(3)))") == true)
    #expect(server.questions.count < 20)
  }

  @Test func liveStreamContinuesAcrossPlaylistWindows() throws {
    let server = try WebServer { question, connection in
      if question.target != "/live.m3u8" { return Self.answer(question, connection) }
      switch question.number {
      case 1: connection.answer(Self.window(10...14))
      // The playlist is unchanged, or truncated.
      case 2: connection.answer(Self.window(10...14))
      case 3: connection.writeHead("200 OK", ["Content-Length: 99"])
      case 4: connection.answer(Self.window(13...16))
      // Segments removed from the playlist are lost.
      default: connection.answer(Self.window(19...20, isComplete: true))
      }
    }
    let fetched = try FetchedSound(server.address("/live.m3u8"))
    #expect(fetched.isLive)
    // Playback starts three segments before the end.
    #expect(fetched.bytes == Self.pieces(12...16) + Self.pieces(19...20))
    #expect(fetched.failure == nil)
    // Two segments, of a second each.
    #expect(fetched.lost == [.seconds(2)])
    #expect(fetched.damage == nil)
    #expect(server.count("/live.m3u8") == 5)
    #expect(server.count("/13") == 1)
  }

  @Test func restartedLiveStreamIsFollowed() throws {
    let server = try WebServer { question, connection in
      if question.target != "/live.m3u8" { return Self.answer(question, connection) }
      connection.answer(
        question.number == 1 ? Self.window(500...502) : Self.window(1...2, isComplete: true))
    }
    let fetched = try FetchedSound(server.address("/live.m3u8"))
    #expect(fetched.bytes == Self.pieces(500...502) + Self.pieces(1...2))
    // The duration in between is unknown.
    #expect(fetched.lost.isEmpty)
  }

  @Test(arguments: [
    (true, "its playlist is not updated anymore"), (false, "its playlist is not available anymore"),
  ])
  func liveStreamWithoutNewPlaylistHasEnded(isAvailable: Bool, reason: String) throws {
    let server = try WebServer { question, connection in
      if question.target != "/live.m3u8" { return Self.answer(question, connection) }
      if question.number > 1, !isAvailable { return connection.refuse("404 Not Found") }
      connection.answer(Self.window(1...3))
    }
    let fetched = try FetchedSound(server.address("/live.m3u8"), .shortTimeouts)
    #expect(fetched.bytes == Self.pieces(1...3))
    #expect(fetched.failure?.message.contains(reason) == true)
  }

  @Test(arguments: [(nil, "/high/1"), (100_000, "/low/1"), (1000, "/low/1")] as [(Int?, String)])
  func theVariantThatFitsIsPlayed(limit: Int?, segment: String) throws {
    let server = try WebServer { question, connection in
      switch question.target {
      case "/master.m3u8":
        connection.answer([
          "#EXTM3U", "#EXT-X-STREAM-INF:BANDWIDTH=64000,CODECS=\"mp4a.40.5\"", "low/list.m3u8",
          "#EXT-X-STREAM-INF:BANDWIDTH=128000,CODECS=\"mp4a.40.2\"", "high/list.m3u8",
          "#EXT-X-STREAM-INF:BANDWIDTH=900000,CODECS=\"avc1.42e00a\"", "picture/list.m3u8",
        ])
      case let target where target.hasSuffix("list.m3u8"):
        connection.answer(Self.window(1...1, isComplete: true))
      default: connection.answer(Array(question.target.utf8))
      }
    }
    var configuration = PlayerConfiguration()
    configuration.maximumBitrate = limit
    let fetched = try FetchedSound(
      server.address("/master.m3u8"), HTTPTransferOptions(configuration))
    #expect(String(decoding: fetched.bytes, as: UTF8.self) == segment)
  }

  @Test func variantsWithoutAACAreRefused() throws {
    let server = try WebServer { _, connection in
      connection.answer([
        "#EXTM3U", "#EXT-X-STREAM-INF:BANDWIDTH=1,CODECS=\"avc1.42e00a,ec-3\"", "a.m3u8",
      ])
    }
    #expect(
      FetchedSound.errorText(server.address("/master.m3u8"))
        == "The server 127.0.0.1:\(server.port) offers the audio only in formats other than AAC: "
        + "avc1.42e00a, ec-3. Choose another address for this audio.")
    #expect(server.questions.count == 1)
  }

  @Test(arguments: ["AES-128", "SAMPLE-AES"])
  func encryptedSoundIsRefused(method: String) throws {
    let key = "#EXT-X-KEY:METHOD=\(method),URI=\"key\""
    let server = try WebServer { question, connection in
      switch question.target {
      case "/file.m3u8":
        connection.answer(["#EXTM3U", key, "#EXTINF:1,", "1", "#EXT-X-ENDLIST"])
      case "/live.m3u8" where question.number == 1: connection.answer(Self.window(1...2))
      case "/live.m3u8": connection.answer(Self.window(1...2) + [key, "#EXTINF:1,", "3"])
      default: Self.answer(question, connection)
      }
    }
    let message =
      "The HLS stream of 127.0.0.1:\(server.port) is encrypted (EXT-X-KEY with \(method)), which is "
      + "not supported. Play it in the service's app."
    #expect(FetchedSound.errorText(server.address("/file.m3u8")) == message)
    // An unencrypted stream may continue with encryption.
    let fetched = try FetchedSound(server.address("/live.m3u8"))
    #expect(fetched.bytes == Self.pieces(1...2))
    #expect(fetched.failure?.message == message)
    #expect(server.count("/1") == 1)
    #expect(server.count("/key") + server.count("/3") == 0)
  }

  /// An address without encryption in an encrypted playlist is reported, not counted as a missing segment.
  @Test func aSegmentWithoutEncryptionEndsAnEncryptedSound() throws {
    let lines = ["#EXTM3U", "#EXTINF:1,", "http://radio.example/1", "#EXT-X-ENDLIST"]
    let playlist = try #require(HLSPlaylist(Array(lines.joined(separator: "\n").utf8)))
    let address = try #require(HTTPAddress("https://radio.example/list.m3u8"))
    let segments = try HLSSegments(
      address, playlist, options: .shortTimeouts, interruption: Interruption())
    let transfer = HTTPTransfer(
      address: address, options: .shortTimeouts, descriptor: -1, interruption: Interruption())
    let failure = segments.run(transfer, missing: { Issue.record("missing") }, lost: { _ in })
    #expect(failure?.message.contains("leads to an unencrypted address") == true)
    // The rule also applies to a list of variants.
    let variants = ["#EXTM3U", "#EXT-X-STREAM-INF:BANDWIDTH=1", "http://radio.example/low"]
    let choice = try #require(HLSPlaylist(Array(variants.joined(separator: "\n").utf8)))
    #expect(throws: AACFileError.self) {
      try HLSSegments(address, choice, options: .shortTimeouts, interruption: Interruption())
    }
  }
}
