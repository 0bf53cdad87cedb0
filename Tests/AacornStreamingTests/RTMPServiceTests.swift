import AacornCodec
import AacornRecording
import Simulation
import Testing

@testable import AacornNetwork
@testable import AacornStreaming

/// The messages of the service to a server that accepts the stream.
@Suite(.simulated(seeds: 4)) struct RTMPServiceTests {
  private let bench = RTMPBench()

  // MARK: Start of a stream

  @Test func callsComeInTheOrderThatServersExpect() throws {
    let server = RTMPTestServer()
    _ = try bench.publish(to: server)
    let commands = server.commands
    #expect(
      commands.map(\.name) == [
        "connect", "releaseStream", "FCPublish", "createStream", "publish",
      ])
    #expect(commands.map(\.transaction) == [1, 2, 3, 4, 5])
    #expect(commands[1].arguments == [.null, .string(bench.key)])
    #expect(commands[2].arguments == [.null, .string(bench.key)])
    #expect(commands[3].arguments == [.null])
    #expect(commands[4].arguments == [.null, .string(bench.key), .string("live")])
    #expect(server.fault == nil)
  }

  @Test func theFirstBytesAreThoseOfTheSpecification() throws {
    let server = RTMPTestServer()
    _ = try bench.publish(to: server)
    let sends = server.sends
    #expect(sends[0].count == 1537)
    #expect(sends[0][..<9] == [3, 0, 0, 0, 0, 0, 0, 0, 0])
    #expect(Set(sends[0][9...]).count > 200)
    #expect(sends[1].count == 1536)
    #expect(sends[2] == [2, 0, 0, 0, 0, 0, 4, 1, 0, 0, 0, 0, 0, 0, 0x10, 0])
    var connect: [UInt8] =
      [2, 0, 7] + Array("connect".utf8) + [0, 0x3F, 0xF0, 0, 0, 0, 0, 0, 0, 3]
    for (name, value) in [
      ("app", "live"), ("type", "nonprivate"), ("flashVer", "FMLE/3.0 (compatible; Aacorn)"),
      ("tcUrl", "rtmp://radio.example/live"),
    ] {
      connect += [0, UInt8(name.utf8.count)] + Array(name.utf8)
      connect += [2, 0, UInt8(value.utf8.count)] + Array(value.utf8)
    }
    connect += [0, 0, 9]
    let header: [UInt8] = [3, 0, 0, 0, 0, 0, UInt8(connect.count), 20, 0, 0, 0, 0]
    #expect(sends[3] == header + connect)
  }

  @Test func theSoundIsDescribedBeforeTheFirstFrameAndNotInsteadOfIt() throws {
    let server = RTMPTestServer()
    var (service, transport) = try bench.publish(to: server)
    for number in 0..<7 { try service.send(bench.frame(number), over: &transport) }
    let data = server.messages.drop { $0.kind != .data }
    let description = try #require(data.first)
    #expect(
      try AMF0Reader.values(in: description.payload) == [
        .string("@setDataFrame"), .string("onMetaData"),
        .ecmaArray([
          AMF0Property("audiocodecid", .number(10)), AMF0Property("audiodatarate", .number(96)),
          AMF0Property("audiosamplerate", .number(48_000)),
          AMF0Property("audiosamplesize", .number(16)), AMF0Property("stereo", .boolean(true)),
          AMF0Property("encoder", .string("Aacorn")), AMF0Property("title", .string("Prelude")),
          AMF0Property("artist", .string("Anna")),
        ]),
      ])
    let audio = Array(data.dropFirst())
    #expect(audio.allSatisfy { $0.kind == .audio && $0.streamID == 1 })
    #expect(audio[0].payload == [0xAF, 0, 0x11, 0x90])
    #expect(audio[0].timestamp == 0)
    #expect(audio.dropFirst().map(\.payload) == (0..<7).map { [0xAF, 1] + bench.frame($0).bytes })
    #expect(audio.dropFirst().map(\.timestamp) == [0, 21, 42, 64, 85, 106, 128])
    #expect(server.fault == nil)
  }

  @Test func variableBitrateIsOmittedFromMetadata() {
    var stream = bench.stream
    stream.timing.nominalBitrate = 0
    stream.configuration.channelConfiguration = 1
    let values = stream.rtmpValues(playing: LiveMetadata(), encoderName: "x")
    #expect(values[2]["audiodatarate"] == nil)
    #expect(values[2]["stereo"] == .boolean(false))
    #expect(values[2]["title"] == nil && values[2]["width"] == nil)
  }

  @Test func timesStayTrueForHoursAndRunOver() throws {
    let server = RTMPTestServer()
    var (service, transport) = try bench.publish(to: server)
    // Five hours are more than 2²⁴ ms; fifty days are more than 2³² ms.
    let numbers = [0, 786_431, 786_432, 843_750, 201_326_591, 201_326_592, 202_000_000]
    for number in numbers {
      try service.send(
        EncodedPacket(bytes: [1], position: number * 1024, sampleCount: 1024), over: &transport)
    }
    let times = server.messages.filter { $0.kind == .audio }.dropFirst().map(\.timestamp)
    #expect(times == numbers.map { UInt32($0 * 64 / 3 % (1 << 32)) })
    #expect(times.contains { $0 > 0xFF_FFFF })
    #expect(bench.stream.timing.milliseconds(48_000 * 3600 * 5) == 18_000_000)
  }

  @Test(arguments: [1, 7, 100, 3073]) func bytesMayComeInAnyPieces(pieces: Int) throws {
    for echoes in [true, false] {
      var script = RTMPTestServer.Script()
      (script.pieces, script.echoes) = (pieces, echoes)
      let server = RTMPTestServer(script)
      _ = try bench.publish(to: server)
      #expect(server.commands.last?.name == "publish")
    }
  }

  // MARK: Live

  @Test func pingsAreAnswered() throws {
    let server = RTMPTestServer()
    var (service, transport) = try bench.publish(to: server)
    server.say(RTMPMessage(kind: .userControl, payload: [0, 6, 1, 2, 3, 4]), on: 2)
    server.say(RTMPMessage(kind: .userControl, payload: [0, 0, 0, 0, 0, 1]), on: 2)
    try service.handleMessages(over: &transport)
    let answers = server.messages.filter { $0.kind == .userControl }
    #expect(answers.map(\.payload) == [[0, 7, 1, 2, 3, 4]])
  }

  @Test func bytesAreAcknowledgedWhenTheServersWindowIsFull() throws {
    var script = RTMPTestServer.Script()
    script.window = 1000
    let server = RTMPTestServer(script)
    var (service, transport) = try bench.publish(to: server)
    for _ in 0..<30 {
      server.say(RTMPMessage(kind: .data, streamID: 1, payload: [2, 0, 1, 0x61]))
      server.say(RTMPMessage(kind: .userControl, payload: [UInt8](repeating: 9, count: 100)))
      try service.handleMessages(over: &transport)
    }
    let counts = server.messages.filter { $0.kind == .acknowledgement }.compactMap(\.number)
    let total = server.deliveredCount - 3073
    #expect(counts.count >= 2)
    #expect(zip(counts, counts.dropFirst()).allSatisfy { $1 - $0 >= 1000 && $1 - $0 < 1300 })
    #expect(Int(counts.last ?? 0) <= total && Int(counts.last ?? 0) > total - 1000)
  }

  @Test func theWindowThatTheServerSetsIsTaken() throws {
    var script = RTMPTestServer.Script()
    script.bandwidth = 1_234_567
    let server = RTMPTestServer(script)
    _ = try bench.publish(to: server)
    let sizes = server.messages.filter { $0.kind == .windowAcknowledgementSize }
    #expect(sizes.compactMap(\.number) == [1_234_567, 2_500_000])
  }

  @Test func newTitleIsSentAsDataMessage() throws {
    let server = RTMPTestServer()
    var (service, transport) = try bench.publish(to: server)
    try service.send(bench.frame(3), over: &transport)
    try service.update(
      LiveMetadata(title: "Fugue"), over: &transport, connections: { _ in server.transport },
      stop: StopSignal())
    let message = try #require(server.messages.last)
    #expect(message.kind == .data && message.timestamp == 64)
    let values = try AMF0Reader.values(in: message.payload)
    #expect(values[2]["title"] == .string("Fugue") && values[2]["artist"] == nil)
  }

  @Test func aStreamThatTheServerEndsIsAnError() throws {
    let server = RTMPTestServer()
    var (service, transport) = try bench.publish(to: server)
    server.say(event: "NetStream.Publish.BadName", level: "error", words: "s3cret-key is taken")
    let message = expectNetworkError(.taken) { try service.handleMessages(over: &transport) }
    #expect(!message.contains("s3cret"))

    let other = RTMPTestServer()
    (service, transport) = try bench.publish(to: other)
    other.say(event: "NetStream.Record.Start", level: "status")
    #expect(throws: Never.self) { try service.handleMessages(over: &transport) }
  }

  @Test func unreadableCommandsAreIgnored() throws {
    var script = RTMPTestServer.Script()
    script.pieces = 16
    let server = RTMPTestServer(script)
    var (service, transport) = try bench.publish(to: server)
    func chatter() {
      // A reference, an AMF 3 value, an invalid name, and an empty payload.
      let name: [UInt8] = [2, 0, 1, 0x61, 0, 0, 0, 0, 0, 0, 0, 0, 0]
      for payload in [name + [7, 0, 1], name + [0x11, 4, 1], [5], []] {
        server.say(RTMPMessage(kind: .command, payload: payload))
      }
    }
    chatter()
    server.say(RTMPMessage(kind: .userControl, payload: [0, 6, 1, 2, 3, 4]), on: 2)
    for _ in 0..<100 where !server.isAllRead { try service.handleMessages(over: &transport) }
    #expect(server.messages.last?.payload == [0, 7, 1, 2, 3, 4])
    try service.send(bench.frame(0), over: &transport)
    chatter()
    // The client reads all of these before the server's last response.
    try service.close(over: &transport)
    #expect(server.isAllRead)
    #expect(server.commands.last?.name == "deleteStream")
  }

  @Test(arguments: [true, false]) func closeSendsCommandsBeforeEnd(serverAnswers: Bool) throws {
    var script = RTMPTestServer.Script()
    script.confirmsClose = serverAnswers
    let server = RTMPTestServer(script)
    var (service, transport) = try bench.publish(to: server)
    try service.send(bench.frame(0), over: &transport)
    if !serverAnswers { server.close() }
    try service.close(over: &transport)
    let last = server.commands.suffix(2)
    #expect(last.map(\.name) == ["FCUnpublish", "deleteStream"])
    #expect(last.last?.arguments == [.null, .number(1)])
    #expect(last.first?.arguments == [.null, .string(bench.key)])
  }
}
