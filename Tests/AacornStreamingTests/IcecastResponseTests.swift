import AacornCodec
import AacornRecording
import Testing

@testable import AacornNetwork
@testable import AacornStreaming

/// The handling of a server's responses by the service.
@Suite struct IcecastResponseTests {
  private let bench = IcecastBench()

  @Test(arguments: [
    ["HTTP/1.1 100 Continue\r\nContent-Length: 0\r\n\r\n", "HTTP/1.0 200 OK\r\n\r\n"],
    ["HTTP/1.1 100 Continue\r\n\r\nHTTP/1.0 200 OK\r\nServer: x\r\n\r\n"],
    ["HTTP/1.1 100 Continue\r\n\r\n"],
    ["HTTP/1.1 103 Early Hints\r\nLink: <x>\r\n\r\n", "HTTP/1.1 100\r\n\r\n"],
    ["HTTP/1.0 200 OK\r\n\r\n"],
    ["HTTP/1.1 200 OK\nServer: x\n\n"],
    ["ICE/1.0 200 OK\r\n\r\n"],
  ])
  func allSuccessResponsesAreAccepted(_ answers: [String]) throws {
    for isInSingleBytes in [false, true] {
      let bytes = answers.map { Array($0.utf8) }
      bench.server.answers = isInSingleBytes ? bytes.joined().map { [$0] } : bytes
      var (service, transport) = try bench.open()
      try service.handleMessages(over: &transport)
      try service.send(
        EncodedPacket(bytes: [0x20], position: 0, sampleCount: 1024), over: &transport)
      #expect(bench.server.connections.last?.sends.count == 2)
    }
    #expect(bench.server.connections.count == 2)
  }

  @Test(arguments: [
    "HTTP/1.0 400 Bad Request\r\n\r\n", "HTTP/1.0 404 Not Found\r\nContent-Length: 2\r\n\r\nno",
    "HTTP/1.1 405 Method Not Allowed\r\n\r\n", "HTTP/1.1 417 No\r\n\r\n",
    "HTTP/1.1 501 Not Implemented\r\n\r\n", "",
  ])
  func aServerThatKnowsNoPutIsAskedWithSource(_ answer: String) throws {
    let yes = Array("HTTP/1.0 200 OK\r\n\r\n".utf8)
    bench.server.withScript { script in
      script.answersOfConnection = [
        0: answer.isEmpty ? [] : [Array(answer.utf8)], 1: [yes], 2: [yes],
      ]
      script.closesAfterAnswers = true
    }
    var service = IcecastService(try bench.configuration())
    _ = try bench.open(&service)
    #expect(bench.text(0).hasPrefix("PUT /live.aac HTTP/1.1\r\n"))
    #expect(bench.server.connections[0].isClosed)
    #expect(bench.text(1).hasPrefix("SOURCE /live.aac ICE/1.0\r\n"))
    #expect(bench.server.connections[1].endpoint == service.endpoint)
    // The service remembers the method that worked, and so does a copy.
    var copy = service
    _ = try bench.open(&copy)
    #expect(bench.text(2).hasPrefix("SOURCE"))
    #expect(bench.server.connections.count == 3)
  }

  @Test func failingKnownMethodFallsBackToOther() throws {
    let yes = Array("HTTP/1.0 200 OK\r\n\r\n".utf8)
    let no = Array("HTTP/1.0 405 No\r\n\r\n".utf8)
    bench.server.withScript { script in
      script.answersOfConnection = [0: [no], 1: [yes], 2: [no], 3: [yes], 4: [yes]]
      script.closesAfterAnswers = true
    }
    var service = IcecastService(try bench.configuration())
    for _ in 0..<3 { _ = try bench.open(&service) }
    let methods = bench.server.connections.indices.map { bench.text($0).prefix(3) }
    #expect(methods == ["PUT", "SOU", "SOU", "PUT", "PUT"])
  }

  @Test(arguments: [
    ("401 Authentication Required", "You need to authenticate\r\n", "unauthorized", "password"),
    ("403 Forbidden", "Mountpoint in use", "taken", "in use"),
    ("409 Conflict", "<html><head><title>x</title></head><body>y</body>", "taken", "in use"),
    ("403 Forbidden", "too many sources connected", "server-fault", "too many sources connected"),
    ("403 Forbidden", "Content-type not supported", "unsupported", "Content-type not supported"),
    ("403 Forbidden", "<html><body><b>Not\r\n today</b></body></html>", "forbidden", "Not today"),
    ("403 Keep Out", "", "forbidden", "Keep Out"),
    ("404 Not Found", "", "not-found", "mount"),
    ("405 Method Not Allowed", "", "unsupported", "Method Not Allowed"),
    ("301 Moved", "", "unsupported", "redirects"),
    ("500 Oops", "", "server-fault", "Oops"),
    ("503 Service Unavailable", "later", "server-fault", "later"),
    ("451 No", "", "forbidden", "No"), ("408 Request Timeout", "", "timeout", "waited too long"),
    ("421 Misdirected Request", "", "server-fault", "(status 421)"),
    ("425 Too Early", "", "server-fault", "(status 425)"),
    ("429 Too Many Requests", "", "server-fault", "Try again later"),
  ])
  func rejectionYieldsReadableMessage(
    status: String, body: String, kind: String, words: String
  ) throws {
    let error = try bench.rejection("HTTP/1.0 \(status)\r\nServer: Icecast 2.4.4\r\n\r\n\(body)")
    #expect(error.kind.rawValue == kind)
    let address = "icecast://radio.example:8000/live.aac "
    #expect(
      error.message.hasPrefix(address) || error.message.hasPrefix("The server of " + address))
    #expect(error.message.contains(words))
    #expect(error.message.hasSuffix("."))
    #expect(!error.message.contains("hackme"))
  }

  @Test(arguments: ["use", "in", "Mountpoint in use", "point%20in"])
  func rejectionWithPasswordIsClassifiedButNotQuoted(_ password: String) throws {
    bench.server.answers = [Array("HTTP/1.0 403 Forbidden\r\n\r\nMountpoint in use".utf8)]
    var configuration = try bench.configuration()
    configuration.password = password
    let message = expectNetworkError(.taken) { _ = try bench.open(configuration) }
    #expect(!message.contains("“"))
  }

  @Test func rejectionAfterContinueIsReported() throws {
    let error = try bench.rejection(
      "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.0 403 No\r\n\r\nMountpoint in use")
    #expect(error.kind == .taken)
  }

  @Test func wordsOfAServerCannotDoHarm() throws {
    let escapes = try bench.rejection(
      "HTTP/1.0 403 No\r\n\r\n\u{1B}[2J\u{202E}A\u{7}B" + .init(repeating: "x", count: 999))
    #expect(escapes.message.contains("“[2J A Bxxx"))
    #expect(escapes.message.count < 400)
    let mirror = try bench.rejection("HTTP/1.0 403 No\r\n\r\nno to hackme")
    #expect(!mirror.message.contains("hackme"))
    let cut = try bench.rejection(
      "HTTP/1.0 403 No\r\n\r\n" + String(repeating: "x", count: 157) + "hackme")
    #expect(cut.kind == .forbidden)
    #expect(!cut.message.contains("hac"))
    let coded = try bench.rejection("HTTP/1.0 403 No\r\n\r\nno to c291cmNlOmhhY2ttZQ==")
    #expect(!coded.message.contains("c291"))
  }

  @Test(arguments: ["SSH-2.0-OpenSSH_9.2\r\n", "220 mail.example ESMTP\r\n", "HTTP/1.0 ok\r\n\r\n"])
  func nonIcecastResponseIsUnsupported(_ answer: String) throws {
    let error = try bench.rejection(answer)
    #expect(error.kind == .unsupported)
    #expect(error.message.contains("not an Icecast server"))
  }

  @Test func endlessHeadIsUnsupported() throws {
    let error = try bench.rejection(
      "HTTP/1.0 200 OK\r\nX: " + String(repeating: "x", count: 70_000))
    #expect(error.kind == .unsupported)
  }

  @Test func aServerThatOnlyClosesMayComeBack() throws {
    let error = try bench.rejection("")
    #expect(error.kind == .closed)
    #expect(!error.isPermanent)
    #expect(bench.server.connections.count == 2)
  }

  @Test func silentIcecastServerTimesOut() throws {
    var configuration = try bench.configuration()
    configuration.answerTimeout = .milliseconds(100)
    expectNetworkError(.timeout, "icecast://radio.example:8000/live.aac does not answer") {
      try bench.open(configuration)
    }
  }

  @Test func anUnsuitableSoundIsRefusedBeforeAnythingIsSent() throws {
    var service = IcecastService(try bench.configuration())
    var stream = bench.stream
    stream.configuration.sampleRate = 47_000
    var transport = bench.server.factory(StopSignal())
    expectNetworkError(.unsupported) {
      try service.open(stream, over: &transport)
    }
    #expect(bench.server.connections.isEmpty)
  }
}
