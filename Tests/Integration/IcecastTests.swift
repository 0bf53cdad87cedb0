import AacornCodec
import AacornContainers
import AacornRecording
import AacornStreaming
import AacornSystem
import AacornWeb
import Foundation
import SoundRigs
import StreamRigs
import Testing

/// A recording that is sent to a real Icecast server and received by listeners.
@Suite(.serialized, .tags(.smoke)) struct IcecastTests {
  let server: IcecastServer
  let folder = WorkFolder()

  init() throws {
    server = try IcecastServer()
  }

  // MARK: Audio

  @Test func listenersReceiveEncodedFrames() throws {
    let mount = "/pröbe 1.aac"
    let path = "/pr%C3%B6be%201.aac"
    var configuration = try configuration(path)
    configuration.name = "Radio Käse"
    configuration.description = "All about <cheese> & more"
    configuration.genre = "talk"
    configuration.website = "https://radio.example/?a=b"
    let output = IcecastBroadcast.Output(configuration)
    let broadcast = try IcecastBroadcast([output.live])
    try #require(eventually { output.connection.status.sentFrameCount > 10 })
    let early = try server.listen(to: path)
    try #require(eventually { early.body.count > 60_000 })
    let late = try server.listen(to: path)
    try #require(eventually { late.body.count > 60_000 })

    #expect(try probe(path) == "aac,LC,48000,2\n")
    let status = try #require(try server.status()[mount])
    #expect(status["server_name"] == "Radio Käse")
    #expect(status["server_description"] == "All about <cheese> & more")
    #expect(status["genre"] == "talk")
    #expect(status["server_url"] == "https://radio.example/?a=b")
    #expect(status["server_type"] == "audio/aac")
    expect(status, hasBitrate: "128")

    broadcast.finish()
    #expect(output.connection.status.state == .stopped)
    #expect(output.connection.status.sentFrameCount == broadcast.frames.count)
    #expect(output.connection.status.droppedFrameCount == 0)
    // The server disconnects its listeners after the source.
    #expect(eventually { early.isEnded && late.isEnded })
    #expect(early.header("content-type") == "audio/aac")
    #expect(early.header("icy-name") == "Radio Käse")
    // The test does not require the last frames: the server disconnects listeners with the source,
    // before they have received everything.
    for listener in [early, late] { expect(listener, hears: broadcast.frames, atLeast: 150) }
  }

  /// One capture in two profiles, each at its own mount.
  @Test func listenersReceiveProfile() throws {
    let log = HLSTests.FrameLog()
    let plain = IcecastBroadcast.Output(try configuration("/high.aac"))
    let doubled = IcecastBroadcast.Output(try configuration("/low.aac"))
    let broadcast = try IcecastBroadcast(
      [plain.live, RenditionOutput(doubled.live, rendition: 1), log],
      codings: [HLSTests.coding(128_000), HLSTests.coding(48_000, .highEfficiency)])
    let outputs = [plain, doubled]
    try #require(eventually { outputs.allSatisfy { $0.connection.status.sentFrameCount > 10 } })
    let listeners = try ["/high.aac", "/low.aac"].map { try server.listen(to: $0) }
    try #require(eventually { listeners.allSatisfy { $0.body.count > 20_000 } })
    let status = try server.status()
    #expect(status["/high.aac"]?["server_type"] == "audio/aac")
    let low = try #require(status["/low.aac"])
    #expect(low["server_type"] == "audio/aacp")
    expect(low, hasBitrate: "48")
    #expect(try probe("/low.aac") == "aac,HE-AAC,48000,2\n")

    broadcast.finish()
    #expect(eventually { listeners.allSatisfy(\.isEnded) })
    #expect(listeners.map { $0.header("content-type") } == ["audio/aac", "audio/aacp"])
    for (rendition, listener) in listeners.enumerated() {
      let frames = log.frames.withLock { $0[rendition] ?? [] }
      #expect(outputs[rendition].connection.status.sentFrameCount == frames.count)
      expect(listener, hears: frames, atLeast: 50)
    }
  }

  @Test func serverWithoutPutReceivesSameFrames() throws {
    let target = server.port
    let old = try TCPServer { client in
      guard let head = client.read(through: "\r\n\r\n") else { return }
      if head.starts(with: Array("PUT".utf8)) {
        client.write(Array("HTTP/1.0 405 Method Not Allowed\r\n\r\nno PUT here".utf8))
        return
      }
      guard let server = TCPConnection(toPort: target) else { return }
      server.write(head)
      if let answer = server.read(through: "\r\n\r\n") { client.write(answer) }
      while let bytes = client.read() { if !server.write(bytes) { break } }
      server.close()
    }
    defer { old.stop() }
    var configuration = try configuration("/old.aac")
    configuration.endpoint.port = old.port
    let output = IcecastBroadcast.Output(configuration)
    let broadcast = try IcecastBroadcast([output.live])
    try #require(eventually { output.connection.status.sentFrameCount > 10 })
    let listener = try server.listen(to: "/old.aac")
    try #require(eventually { listener.body.count > 30_000 })
    broadcast.finish()
    #expect(output.connection.status.reconnectCount == 0)
    #expect(eventually { listener.isEnded })
    expect(listener, hears: broadcast.frames, atLeast: 80)
  }

  @Test func titlesReachTheListeners() throws {
    let output = IcecastBroadcast.Output(
      try configuration("/live.aac"), metadata: LiveMetadata(title: "Prélude 1", artist: "Åse"))
    let broadcast = try IcecastBroadcast([output.live])
    #expect(eventually { (try? server.status())?["/live.aac"]?["title"] == "Åse - Prélude 1" })
    let listener = try server.listen(to: "/live.aac", withTitles: true)
    #expect(eventually { listener.titles.contains { $0.contains("Åse - Prélude 1") } })
    output.connection.update(LiveMetadata(title: "50 % & more\r\n; 'quoted'"))
    #expect(
      eventually { (try? server.status())?["/live.aac"]?["title"] == "50 % & more ; 'quoted'" })
    #expect(eventually { listener.titles.contains { $0.contains("50 % & more") } })
    #expect(output.connection.status.reconnectCount == 0)
    #expect(output.connection.status.droppedFrameCount == 0)
    // A restarted server has forgotten the title.
    try server.restart()
    #expect(
      eventually { (try? server.status())?["/live.aac"]?["title"] == "50 % & more ; 'quoted'" })
    broadcast.finish()
  }

  // MARK: Failures

  @Test func aServerThatIsRestartedCostsFramesThatAreCounted() throws {
    let output = IcecastBroadcast.Output(try configuration("/live.aac"))
    let broadcast = try IcecastBroadcast([output.live])
    try #require(eventually { output.connection.status.sentFrameCount > 50 })
    let before = try server.listen(to: "/live.aac")
    try #require(eventually { before.body.count > 20_000 })
    server.kill()
    try #require(eventually { output.states.contains { $0.isReconnecting } })
    try server.start()
    try #require(eventually { output.connection.status.reconnectCount == 1 })
    let after = try server.listen(to: "/live.aac")
    try #require(eventually { after.body.count > 20_000 })
    broadcast.finish()

    let status = output.connection.status
    #expect(status.state == .stopped)
    #expect(status.sentFrameCount + status.droppedFrameCount == broadcast.frames.count)
    #expect(status.queuedFrameCount == 0)
    #expect(eventually { after.isEnded })
    let first = try #require(expect(before, hears: broadcast.frames, atLeast: 50))
    let second = try #require(expect(after, hears: broadcast.frames, atLeast: 50))
    #expect(first.lowerBound < second.lowerBound && first.upperBound < second.upperBound)
  }

  @Test func aWrongPasswordEndsOneOutputOnly() throws {
    var configuration = try configuration("/live.aac")
    configuration.password = "hunter2"
    let wrong = IcecastBroadcast.Output(configuration)
    let right = IcecastBroadcast.Output(try self.configuration("/other.aac"))
    let path = folder.path("save.aac")
    let broadcast = try IcecastBroadcast([wrong.live, right.live, FileOutput(path, .aac)])
    try #require(eventually { !broadcast.failures.isEmpty })
    let status = wrong.connection.status
    guard case .failed(let error) = status.state else {
      Issue.record("The state is \(status.state).")
      return
    }
    #expect(error.kind == .unauthorized)
    #expect(error.message.hasPrefix("\(server.address("/live.aac")) does not accept"))
    #expect(!error.message.contains("hunter2"))
    #expect(broadcast.failures == [error.message])
    #expect(status.sentFrameCount == 0)
    #expect(wrong.states == [.connecting, .failed(error)])
    try #require(eventually { right.connection.status.sentFrameCount > 20 })
    broadcast.finish()
    #expect(right.connection.status.sentFrameCount == broadcast.frames.count)
    let isSame = try units(of: folder.read("save.aac")) == broadcast.frames
    #expect(isSame)
  }

  @Test func connectionRetriesUntilMountIsFree() throws {
    let first = IcecastBroadcast.Output(try configuration("/live.aac"))
    let firstBroadcast = try IcecastBroadcast([first.live])
    try #require(eventually { first.connection.status.sentFrameCount > 0 })
    let second = IcecastBroadcast.Output(try configuration("/live.aac"))
    let secondBroadcast = try IcecastBroadcast([second.live])
    try #require(eventually { second.states.contains { $0.isReconnecting } })
    let taken = second.states.first(where: \.isReconnecting)
    guard case .reconnecting(let error, attempt: 1)? = taken else {
      Issue.record("The state is \(String(describing: taken)).")
      return
    }
    #expect(error.kind == .taken)
    #expect(error.message.contains("in use"))
    firstBroadcast.finish()
    #expect(eventually { second.connection.status.state == .live })
    secondBroadcast.finish()
    #expect(first.connection.status.sentFrameCount == firstBroadcast.frames.count)
    #expect(first.connection.status.reconnectCount == 0)
    let status = second.connection.status
    #expect(
      status.sentFrameCount + status.droppedFrameCount == secondBroadcast.frames.count)
  }

  @Test func tlsServerStreamsAndBadCertificateIsRejected() throws {
    let certificates = try TestCertificates()
    let server = try IcecastServer(
      certificate: String(contentsOfFile: certificates.server.both, encoding: .utf8))
    var trusting = try configuration("/live.aac", of: server, isSecure: true)
    trusting.endpoint.certificateFile = certificates.authority
    var doubting = trusting
    doubting.endpoint.certificateFile = certificates.foreignAuthority
    doubting.mount = "/other.aac"
    let good = IcecastBroadcast.Output(trusting)
    let bad = IcecastBroadcast.Output(doubting)
    let broadcast = try IcecastBroadcast([good.live, bad.live])
    try #require(eventually { good.connection.status.sentFrameCount > 10 })
    let listener = try server.listen(to: "/live.aac")
    #expect(eventually { listener.body.count > 30_000 })
    #expect(eventually { broadcast.failures.count == 1 })
    guard case .failed(let error) = bad.connection.status.state else {
      Issue.record("The state is \(bad.connection.status.state).")
      return
    }
    #expect(error.kind == .certificate)
    #expect(try server.status().keys.sorted() == ["/live.aac"])
    broadcast.finish()
    #expect(good.connection.status.sentFrameCount == broadcast.frames.count)
    #expect(eventually { listener.isEnded })
    expect(listener, hears: broadcast.frames, atLeast: 80)
  }

  // MARK: - Helpers

  private func configuration(
    _ path: String, of server: IcecastServer? = nil, isSecure: Bool = false
  ) throws -> IcecastConfiguration {
    try IcecastConfiguration(
      address: (server ?? self.server).address(path, isSecure: isSecure),
      password: IcecastServer.password)
  }

  /// The codec, profile, rate and channels of a mount that ffprobe finds.
  private func probe(_ path: String) throws -> String {
    let arguments = [
      "-v", "error", "-show_entries", "stream=codec_name,profile,sample_rate,channels", "-of",
      "csv=p=0", server.listeningAddress(path),
    ]
    return try Program.ffprobe().run(arguments, in: folder).text
  }

  private func expect(_ status: [String: String], hasBitrate bitrate: String) {
    for (key, value) in [("bitrate", bitrate), ("samplerate", "48000"), ("channels", "2")] {
      #expect(status[key] == value || status["ice-" + key] == value, "\(key)")
    }
  }

  /// The access units in an ADTS stream that may start and end within a frame.
  private func units(of bytes: [UInt8]) -> [[UInt8]] {
    var reader = ADTSReader()
    reader.append(bytes)
    reader.finish()
    var units: [[UInt8]] = []
    while let event = reader.next() {
      if case .frame(let frame) = event { units.append(frame.payload) }
    }
    return units
  }

  /// Checks that a listener received a gapless part of the encoded frames, and returns its range.
  @discardableResult
  private func expect(
    _ listener: IcecastServer.Listener, hears frames: [[UInt8]], atLeast count: Int,
    at location: SourceLocation = #_sourceLocation
  ) -> Range<Int>? {
    let received = units(of: listener.body)
    #expect(received.count >= count, sourceLocation: location)
    let start = frames.indices.first { frames[$0...].starts(with: received) }
    #expect(start != nil, "\(received.count) of \(frames.count)", sourceLocation: location)
    return start.map { $0..<$0 + received.count }
  }
}
