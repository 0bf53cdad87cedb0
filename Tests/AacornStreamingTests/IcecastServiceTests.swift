import AacornCodec
import AacornContainers
import AacornRecording
import AacornSystem
import Simulation
import SoundRigs
import Testing

@testable import AacornNetwork
@testable import AacornStreaming

/// The requests of the service to a server.
@Suite(.simulated(seeds: 4)) struct IcecastServiceTests {
  private let bench = IcecastBench()

  // MARK: Requests

  @Test func requestContainsAllHeaders() throws {
    bench.server.answers = [Array("HTTP/1.0 200 OK\r\n\r\n".utf8)]
    var configuration = try bench.configuration()
    configuration.name = "Radio Käse"
    configuration.description = "Music and talk"
    configuration.genre = "jazz"
    configuration.website = "https://radio.example/"
    configuration.isPublic = true
    configuration.userAgent = "Aacorn/1.2.3"
    _ = try bench.open(configuration)
    #expect(
      bench.text(0) == """
        PUT /live.aac HTTP/1.1\r
        Host: radio.example:8000\r
        Authorization: Basic c291cmNlOmhhY2ttZQ==\r
        User-Agent: Aacorn/1.2.3\r
        Content-Type: audio/aac\r
        Expect: 100-continue\r
        Ice-Public: 1\r
        Ice-Name: Radio Käse\r
        Ice-Description: Music and talk\r
        Ice-Genre: jazz\r
        Ice-URL: https://radio.example/\r
        Ice-Audio-Info: ice-samplerate=48000;ice-bitrate=128;ice-channels=2\r
        \r

        """)
    #expect(bench.server.connections[0].sends.count == 1)
  }

  @Test func anIPv6HostIsInBracketsAndNoBitrateIsGivenIfItVaries() throws {
    let configuration = try IcecastConfiguration(
      address: "icecast://[2001:db8::1]:80/x y.aac", password: "hackme")
    var stream = bench.stream
    stream.timing.nominalBitrate = 0
    let request = String(
      decoding: IcecastRequest(configuration).publish(.source, stream), as: UTF8.self)
    #expect(request.hasPrefix("SOURCE /x%20y.aac ICE/1.0\r\nHost: [2001:db8::1]:80\r\n"))
    #expect(request.contains("Ice-Audio-Info: ice-samplerate=48000;ice-channels=2\r\n"))
    #expect(!request.contains("Expect"))
  }

  @Test func nothingBreaksOutOfAHeader() throws {
    bench.server.answers = [Array("HTTP/1.0 200 OK\r\n\r\n".utf8)]
    let evil = "a\r\nX-Evil: 1\nX-Evil: 2\u{2028}\u{85}\u{0}b"
    var configuration = try bench.configuration()
    configuration.name = evil
    configuration.description = evil
    configuration.genre = "\r\n"
    configuration.website = evil
    configuration.userAgent = evil
    configuration.user = evil
    configuration.mount = "/" + evil
    configuration.endpoint.host = evil
    _ = try bench.open(configuration)
    let request = IcecastRequest(configuration)
    let update = String(
      decoding: request.update(LiveMetadata(title: evil, artist: evil)), as: UTF8.self)
    for text in [bench.text(0), update] {
      #expect(text.hasSuffix("\r\n\r\n"))
      let lines = text.dropLast(4).split(separator: "\r\n", omittingEmptySubsequences: false)
      for line in lines {
        #expect(!line.isEmpty && !line.hasPrefix("X-Evil"))
        #expect(!line.unicodeScalars.contains { $0.value < 32 || $0.value == 0x85 })
      }
    }
    #expect(bench.text(0).contains("\r\nIce-Name: a X-Evil: 1 X-Evil: 2 b\r\n"))
    #expect(!bench.text(0).contains("Ice-Genre"))
    #expect(update.contains("&song=a%20X-Evil%3A%201%20X-Evil%3A%202%20b%20-%20a%20X"))
  }

  @Test func framesGoOutAsADTSInOnePiece() throws {
    bench.server.answers = [Array("HTTP/1.0 200 OK\r\n\r\n".utf8)]
    var (service, transport) = try bench.open()
    let unit: [UInt8] = [0x21, 1, 2, 3, 4]
    try service.send(EncodedPacket(bytes: unit, position: 0, sampleCount: 1024), over: &transport)
    var expected: [UInt8] = []
    var writer = try ADTSWriter(configuration: bench.stream.configuration)
    try writer.append(AccessUnit(bytes: unit), to: &expected)
    #expect(bench.server.connections[0].sends.last == expected)
    #expect(Array(expected.prefix(2)) == [0xFF, 0xF1])
  }

  // MARK: Live

  @Test(arguments: ["401 No", "403 Forbidden"])
  func lateRejectionIsDetected(_ status: String) throws {
    bench.server.answers = [Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)]
    var (service, transport) = try bench.open()
    try service.handleMessages(over: &transport)
    bench.server.say(Array("HTTP/1.0 \(status)\r\nContent-Length: 17\r\n\r\nMountpoint".utf8))
    bench.server.say(Array(" in use".utf8))
    let error = try #require(throws: NetworkError.self) {
      try service.handleMessages(over: &transport)
    }
    #expect(error.kind == (status.hasPrefix("401") ? .unauthorized : .taken))
  }

  @Test func rejectionInChunksIsQuotedWithoutTheirSizes() throws {
    bench.server.answers = [Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)]
    var (service, transport) = try bench.open()
    let head = "HTTP/1.1 500 No\r\nTransfer-Encoding: chunked\r\n\r\n"
    bench.server.say(Array((head + "8\r\nThe disk\r\n8\r\n is full\r\n0\r\n\r\n").utf8))
    let error = try #require(throws: NetworkError.self) {
      try service.handleMessages(over: &transport)
    }
    #expect(error.message.contains(": “The disk is full”"))
  }

  @Test func endlessRejectionIsReadUpToALimit() throws {
    bench.server.answers = [Array("HTTP/1.1 403 No\r\nTransfer-Encoding: chunked\r\n\r\n".utf8)]
    bench.server.withScript { $0.endlessAnswer = Array("A\r\nForbidden \r\n".utf8) }
    // Without the limit, the service would read for a second.
    expectNetworkError(.forbidden, ": “Forbidden Forbidden ") { try bench.open() }
    #expect(400...500 ~= bench.server.connections[0].readCount)
  }

  @Test func lateSuccessAndItsBodyAreAccepted() throws {
    bench.server.answers = [Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)]
    var (service, transport) = try bench.open()
    for piece in ["HTTP/1.1 20", "0 OK\r\nContent-Length: 2\r\n\r\n", "ok", "whatever"] {
      bench.server.say(Array(piece.utf8))
      try service.handleMessages(over: &transport)
    }
    try service.send(EncodedPacket(bytes: [0x20], position: 0, sampleCount: 1024), over: &transport)
    #expect(bench.server.connections[0].sends.count == 2)
  }

  @Test func closedConnectionIsDetected() throws {
    bench.server.answers = [Array("HTTP/1.0 200 OK\r\n\r\n".utf8)]
    var (service, transport) = try bench.open()
    try service.handleMessages(over: &transport)
    bench.server.withScript { $0.closesAfterAnswers = true }
    expectNetworkError(.closed) {
      try service.handleMessages(over: &transport)
    }
  }

  @Test func theReasonForABrokenConnectionIsReadBeforeTheNextFrame() throws {
    bench.server.answers = [Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)]
    var (service, transport) = try bench.open()
    bench.server.withScript {
      $0.sendFaults[0] = (1, .fails(NetworkError(.closed, "It is closed.")))
    }
    let frame = EncodedPacket(bytes: [0x20], position: 0, sampleCount: 1024)
    let plain = try #require(throws: NetworkError.self) {
      try service.send(frame, over: &transport)
    }
    #expect(plain.message == "It is closed.")
    bench.server.say(Array("HTTP/1.0 403 No\r\nContent-Length: 17\r\n\r\nMountpoint in use".utf8))
    expectNetworkError(.taken) {
      try service.send(frame, over: &transport)
    }
  }

  // MARK: Titles

  @Test func titleIsSentOverSeparateConnection() throws {
    bench.server.answers = [Array("HTTP/1.0 200 OK\r\n\r\n".utf8)]
    var configuration = try bench.configuration()
    configuration.mount = "/a b&c.aac"
    configuration.userAgent = "Aacorn/1.2.3"
    var (service, transport) = try bench.open(configuration)
    try service.update(
      LiveMetadata(title: "Où & 50 %+", artist: "Åse"), over: &transport,
      connections: bench.server.factory, stop: StopSignal())
    #expect(bench.server.connections.count == 2)
    #expect(bench.server.connections[1].isClosed && !bench.server.connections[0].isClosed)
    #expect(
      bench.text(1) == """
        GET /admin/metadata?mode=updinfo&mount=/a%20b%26c.aac&charset=UTF-8\
        &song=%C3%85se%20-%20O%C3%B9%20%26%2050%20%25%2B HTTP/1.1\r
        Host: radio.example:8000\r
        Authorization: Basic c291cmNlOmhhY2ttZQ==\r
        User-Agent: Aacorn/1.2.3\r
        Connection: close\r
        \r

        """)
  }

  @Test func rejectedTitleIsReportedAndStreamContinues() throws {
    let yes = Array("HTTP/1.0 200 OK\r\n\r\n".utf8)
    let no = Array("HTTP/1.0 400 Bad Request\r\n\r\nSource does not exist".utf8)
    bench.server.withScript { $0.answersOfConnection = [0: [yes], 1: [no], 2: [yes]] }
    var (service, transport) = try bench.open()
    let error = try #require(throws: NetworkError.self) {
      try update("Pré\u{1B}[2Jlude", of: &service, &transport)
    }
    #expect(
      error.message.hasPrefix(
        "icecast://radio.example:8000/live.aac did not accept the title “Pré [2Jlude”. "))
    #expect(error.message.contains("“Source does not exist”"))
    #expect(!error.message.contains("hackme"))
    #expect(bench.server.connections[1].isClosed)
    try service.send(EncodedPacket(bytes: [0x20], position: 0, sampleCount: 1024), over: &transport)
    #expect(bench.server.connections[0].sends.count == 2)
    try update("Fugue", of: &service, &transport)
    #expect(bench.text(2).contains("&song=Fugue "))
  }

  @Test(arguments: [true, false])
  func aTitleDoesNotHoldUpTheFramesForLong(connects: Bool) throws {
    let yes = Array("HTTP/1.0 200 OK\r\n\r\n".utf8)
    bench.server.withScript { script in
      script.answersOfConnection = [0: [yes], 1: []]
      script.connectFaults = connects ? [] : [nil, .hangs]
    }
    var configuration = try bench.configuration()
    configuration.answerTimeout = .seconds(600)
    var (service, transport) = try bench.open(configuration)
    // Other responses may take ten minutes.
    expectNetworkError(.timeout, "“Prelude”") {
      try expectDuration(1...1.01) { try update("Prelude", of: &service, &transport) }
    }
  }

  private func update(
    _ title: String, of service: inout IcecastService, _ transport: inout any ByteTransport
  ) throws {
    try service.update(
      LiveMetadata(title: title), over: &transport, connections: bench.server.factory,
      stop: StopSignal())
  }
}
