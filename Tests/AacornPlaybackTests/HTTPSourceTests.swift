import AacornNetwork
import AacornRecording
import AacornSystem
import Simulation
import SoundRigs
import StreamRigs
import Testing

@testable import AacornPlayback

private let sound = noise(200_000)

/// Files and live streams from servers with typical behavior.
@Suite(.simulated(seeds: 5)) struct HTTPSourceTests {
  @Test func fileIsFetchedCompletely() throws {
    let server = try WebServer { question, connection in
      switch question.target {
      case "/length": connection.answer(sound)
      case "/chunks":
        connection.writeHead("200 OK", ["Transfer-Encoding: chunked"])
        connection.writeChunks(sound, by: 777)
        connection.write(Array("0\r\n\r\n".utf8))
      default:
        connection.writeHead("200 OK")
        connection.write(sound)
      }
    }
    for target in ["/length", "/chunks", "/end"] {
      let fetched = try FetchedSound(server.address(target))
      #expect(fetched.bytes == sound, "\(target)")
      #expect(fetched.failure == nil)
      #expect(!fetched.isLive)
      #expect(server.count(target) == 1)
    }
  }

  @Test(arguments: ["/parts", "/early", "/whole", "/chunks"])
  func brokenTransferResumesAtItsOffset(target: String) throws {
    let server = try WebServer { question, connection in
      switch (question.target, question.number) {
      case ("/chunks", 1):
        connection.writeHead("200 OK", ["Transfer-Encoding: chunked"])
        connection.writeChunks(Array(sound[..<80_000]), by: 1000)
      case (_, 1):
        connection.answer(sound, brokenAfter: 80_000)
      case ("/whole", _): connection.answer(sound)
      case ("/early", _):
        // A server may send more than the requested range if its headers say so.
        connection.answer(
          Array(sound[70_000...]), "206 Partial Content",
          ["Content-Range: bytes 70000-\(sound.count - 1)/\(sound.count)"])
      default: connection.answer(question, of: sound)
      }
    }
    let fetched = try FetchedSound(server.address(target))
    #expect(fetched.bytes == sound)
    #expect(fetched.failure == nil)
    #expect(server.questions.map(\.range) == [nil, "80000-"])
  }

  @Test(arguments: [
    ("/longer", "changed during playback"), ("/shorter", "changed during playback"),
    ("/later", "it sends another part than requested"),
    ("/gone", "it has no such file or stream (404)"),
  ])
  func remainderOfChangedFileIsRejected(target: String, reason: String) throws {
    let server = try WebServer { question, connection in
      if question.number == 1 { return connection.answer(sound, brokenAfter: 1000) }
      switch question.target {
      case "/longer": connection.answer(question, of: sound + [1])
      case "/shorter": connection.refuse("416 Range Not Satisfiable")
      case "/gone": connection.refuse("404 Not Found")
      default:
        connection.answer(
          Array(sound[2000...]), "206 Partial Content",
          ["Content-Range: bytes 2000-\(sound.count - 1)/\(sound.count)"])
      }
    }
    let fetched = try FetchedSound(server.address(target), .shortTimeouts)
    #expect(fetched.bytes == Array(sound[..<1000]))
    #expect(fetched.failure?.message.contains(reason) == true)
    if target == "/gone" { #expect(server.count(target) == 2) }
  }

  @Test(arguments: [false, true])
  func aSilentServerIsGivenUp(saysLength: Bool) throws {
    let server = try WebServer { question, connection in
      connection.writeHead("200 OK", saysLength ? ["Content-Length: 9"] : [])
      if question.number == 1 { connection.write([1, 2, 3]) }
      connection.stall()
    }
    // Two silent responses, and a wait between them.
    let fetched = try expectDuration(4.03...4.2) {
      try FetchedSound(server.address("/a"), .shortTimeouts)
    }
    // Without a length, the audio would end with the connection, but a stalled server is an error.
    #expect(fetched.bytes == [1, 2, 3])
    #expect(fetched.failure?.message.contains("it stopped sending data") == true)
    #expect(server.count("/a") == 2)
  }

  @Test func repeatedBreakAtSameOffsetEndsFile() throws {
    let server = try WebServer { _, connection in
      connection.writeHead("200 OK")
      connection.write([1, 2, 3])
      connection.stall()
    }
    let fetched = try expectDuration(4.03...4.2) {
      try FetchedSound(server.address("/a"), .shortTimeouts)
    }
    #expect(fetched.bytes == [1, 2, 3])
    #expect(fetched.failure == nil)
    #expect(server.questions.map(\.range) == [nil, "3-"])
  }

  @Test func aServerThatNeverAnswersIsGivenUp() throws {
    let server = try WebServer { _, connection in connection.stall() }
    let errorText = expectDuration(2...2.06) {
      FetchedSound.errorText(server.address("/a"), .shortTimeouts)
    }
    #expect(errorText?.contains("it stopped sending data") == true)
  }

  /// One byte at a time, each before the timeout for a silent server.
  @Test(arguments: ["/head", "/hints", "/list.m3u8", "/size", "/body", "/file"])
  func anAnswerThatTricklesIsGivenUp(target: String) throws {
    let server = try WebServer { question, connection in
      var drop = Array("x".utf8)
      switch question.target {
      case "/head": connection.write(Array("HTTP/1.1 200 OK\r\nX-A: ".utf8))
      case "/hints": drop = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)
      case "/list.m3u8", "/body": connection.writeHead("200 OK")
      case "/file": connection.writeHead("200 OK", ["Content-Length: 9000"])
      default:
        connection.writeHead("200 OK", ["Transfer-Encoding: chunked"])
        connection.write(Array("1\r\na\r\n5;".utf8))
      }
      while connection.write(drop) { System.sleep(milliseconds: 20) }
    }
    var options = HTTPTransferOptions(silenceTimeout: .seconds(2))
    options.attemptLimit = 0
    // There is no retry before the first audio.
    if ["/body", "/file"].contains(target) { options.attemptLimit = 1 }
    // Two seconds, and more in proportion to the received bytes.
    let message: String? = try expectDuration(2...2.2) {
      switch target {
      case "/file":
        let address = try #require(HTTPAddress(server.address(target)))
        return #expect(throws: AACFileError.self) {
          try FetchedFile(address, options, interruption: Interruption())
        }?.message
      case "/size", "/body":
        let fetched = try FetchedSound(server.address(target), options)
        #expect(target == "/body" || fetched.bytes == Array("a".utf8))
        return fetched.failure?.message
      default: return FetchedSound.errorText(server.address(target), options)
      }
    }
    #expect(message?.contains("it sends data too slowly") == true, "\(message ?? "")")
    #expect(server.count(target) == 1)
  }

  @Test(arguments: [
    ("401 Unauthorized", "it requires a user name and a password, which is not supported (401)"),
    ("403 Forbidden", "it does not allow access (403)"),
    ("404 Not Found", "it has no such file or stream (404)"),
    ("410 Gone", "it has no such file or stream (410)"),
    ("503 Service Unavailable", "it is overloaded or has an error (503). Try again later."),
    ("418 I'm a teapot", "it responds with an unexpected status (418)"),
  ])
  func rejectedRequestExplainsTheStatus(status: String, reason: String) throws {
    let server = try WebServer { _, connection in connection.refuse(status) }
    let errorText = FetchedSound.errorText(server.address("/a"))
    #expect(errorText?.contains(reason) == true, "\(errorText ?? "")")
    #expect(errorText?.contains("127.0.0.1:\(server.port)") == true)
  }

  @Test func answersThatLeadElsewhereAreFollowed() throws {
    let other = try WebServer { question, connection in
      connection.answer(question.target == "/b/c?d" ? sound : [])
    }
    let goal = other.address("/b/c?d")
    let server = try WebServer { question, connection in
      let location =
        switch question.target {
        case "/": "x/y/../z"
        case "/x/z": "/far#part"
        case "/far": goal
        case "/circle": "/circle"
        default: "ftp://127.0.0.1/a"
        }
      connection.answer([], "302 Found", ["Location: \(location)"])
    }
    #expect(try FetchedSound(server.address("/")).bytes == sound)
    #expect(server.questions.map(\.target) == ["/", "/x/z", "/far"])
    #expect(
      FetchedSound.errorText(server.address("/circle"))?.contains("redirects too often") == true)
    #expect(
      FetchedSound.errorText(server.address("/ftp"))?.contains("does not lead to a web address")
        == true)
  }

  @Test(.tags(.smoke), .realTime) func redirectFromHTTPSToHTTPIsRejected() throws {
    let certificates = try TestCertificates()
    let server = try WebServer { question, connection in
      if question.target == "/a" { return connection.answer(sound) }
      connection.answer([], "302 Found", ["Location: http://127.0.0.1:1/a"])
    }
    let wrapped = try TLSServer(certificates.server, to: server.port)
    defer { wrapped.stop() }
    var options = HTTPTransferOptions()
    options.certificateFile = certificates.authority
    let origin = "https://localhost:\(wrapped.port)"
    #expect(try FetchedSound(origin + "/a", options).bytes == sound)
    let errorText = FetchedSound.errorText(origin + "/b", options)
    #expect(
      errorText?.contains("it leads to an unencrypted address, http://127.0.0.1:1/a") == true)
  }

  @Test(arguments: [1, 7, 300, 5000])
  func titlesAreTakenOutOfABroadcastWhateverItsChunks(size: Int) throws {
    let sound = Array(sound[..<1024])
    let server = try WebServer { question, connection in
      // Like a live stream, the second connection continues at the live edge.
      let name = question.number == 1 ? "one" : "two"
      let title = icyTitle(name)
      let pieces: [[UInt8]] = [
        Array(sound[..<256]), title, Array(sound[256..<512]), title, Array(sound[512..<768]), [0],
        Array(sound[768...]),
      ]
      connection.writeHead(
        "200 OK", ["Transfer-Encoding: chunked", "icy-name: Radio", "icy-metaint: 256"])
      connection.writeChunks(Array(pieces.joined()), by: size)
    }
    let fetched = try FetchedSound(server.address("/live"), .shortTimeouts)
    #expect(fetched.isLive)
    #expect(fetched.bytes == sound + sound)
    // An unchanged title is not reported again.
    #expect(fetched.titles == ["one", "two"])
    #expect(fetched.failure?.message.contains("the audio ended early") == true)
    #expect(server.questions.map(\.range) == [nil, nil])
  }

  @Test func listsOfAddressesAreFollowed() throws {
    let server = try WebServer { question, connection in
      switch question.target {
      case "/radio.pls":
        connection.answer(Array("[playlist]\nFile1=list?x\n".utf8))
      case "/list?x":
        connection.answer(
          Array("# stations\n../sound\n".utf8), "200 OK", ["Content-Type: audio/x-mpegurl"])
      case "/empty.m3u": connection.answer(Array("# nothing\n".utf8))
      case "/self.m3u": connection.answer(Array("self.m3u\n".utf8))
      default: connection.answer(sound)
      }
    }
    #expect(try FetchedSound(server.address("/radio.pls")).bytes == sound)
    #expect(
      FetchedSound.errorText(server.address("/empty.m3u"))?.contains(
        "does not lead to a web address")
        == true)
    #expect(
      FetchedSound.errorText(server.address("/self.m3u"))?.contains("many other playlists") == true)
  }

  /// A host name may resolve to any address, so the check must use the connected address.
  @Test func publicAddressResolvingToPrivateServerIsRejected() throws {
    let server = try WebServer { _, connection in connection.answer(noise(9)) }
    var address = try #require(HTTPAddress(server.address("/a")))
    let user = try HTTPDownload.send(to: address, HTTPTransferOptions(), Interruption())
    #expect(user.address.isPrivate)
    address.isPrivate = false
    address.mayBePrivate = false
    let error = #expect(throws: AACFileError.self) {
      try HTTPDownload.send(to: address, HTTPTransferOptions(), Interruption())
    }
    #expect(error?.message.contains("it is in a private network") == true)
    #expect(server.count("/a") == 1)
  }

  @Test func silenceHasLimits() {
    #expect(HTTPTransferOptions(silenceTimeout: .zero).silenceTimeout == .milliseconds(50))
    #expect(HTTPTransferOptions(silenceTimeout: .seconds(-1)).shortRetryDelay(after: 1) == 1)
    #expect(
      HTTPTransferOptions(silenceTimeout: .seconds(1_000_000)).silenceTimeout == .seconds(3600))
    let defaults = HTTPTransferOptions(PlayerConfiguration())
    var backOff = defaults.makeBackOff()
    for wait in [500, 1000, 2000, 4000, 8000, 15_000, 15_000, 15_000] {
      let next = backOff.next()
      #expect((wait * 3 / 4...wait * 5 / 4).contains(next))
    }
    #expect(backOff.attemptCount == defaults.attemptLimit)
    #expect(defaults.endTimeout(ofSegments: 6) == 60_000_000_000)
  }
}
