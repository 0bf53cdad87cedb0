import AacornCodec
import AacornContainers
import AacornNetwork
import AacornRecording
import AacornStreaming
import AacornSystem
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
    let output = IcecastBroadcast.output(configuration)
    let broadcast = try IcecastBroadcast([output])
    try #require(eventually { output.connection.status.sentFrameCount > 10 })
    let early = try server.listen(to: path)
    try #require(eventually { early.body.count > 60_000 })
    let late = try server.listen(to: path)
    try #require(eventually { late.body.count > 60_000 })

    let arguments = [
      "-v", "error", "-show_entries", "stream=codec_name,profile,sample_rate,channels", "-of",
      "csv=p=0", server.listeningAddress(path),
    ]
    #expect(try Program.ffprobe().run(arguments, in: folder).text == "aac,LC,48000,2\n")
    let status = try #require(try server.status()[mount])
    #expect(status["server_name"] == "Radio Käse")
    #expect(status["server_description"] == "All about <cheese> & more")
    #expect(status["genre"] == "talk")
    #expect(status["server_url"] == "https://radio.example/?a=b")
    #expect(status["server_type"] == "audio/aac")
    for (key, value) in [("bitrate", "128"), ("samplerate", "48000"), ("channels", "2")] {
      #expect(status[key] == value || status["ice-" + key] == value, "\(key)")
    }

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

  /// A proxy rejects PUT, as old servers do, and forwards SOURCE to the real server.
  @Test func serverWithoutPutIsAskedWithSource() throws {
    let target = server.port
    let proxy = try TCPServer { client in
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
    defer { proxy.stop() }
    var configuration = try configuration("/old.aac")
    configuration.endpoint.port = proxy.port
    let output = IcecastBroadcast.output(configuration)
    let broadcast = try IcecastBroadcast([output])
    try #require(eventually { output.connection.status.sentFrameCount > 10 })
    let listener = try server.listen(to: "/old.aac")
    try #require(eventually { listener.body.count > 30_000 })
    broadcast.finish()
    #expect(output.connection.status.reconnectCount == 0)
    #expect(eventually { listener.isEnded })
    expect(listener, hears: broadcast.frames, atLeast: 80)
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
    let good = IcecastBroadcast.output(trusting)
    let bad = IcecastBroadcast.output(doubting)
    let broadcast = try IcecastBroadcast([good, bad])
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

  /// Checks that a listener received a gapless part of the encoded frames.
  private func expect(
    _ listener: IcecastServer.Listener, hears frames: [[UInt8]], atLeast count: Int,
    at location: SourceLocation = #_sourceLocation
  ) {
    let received = units(of: listener.body)
    #expect(received.count >= count, sourceLocation: location)
    let isContained = frames.indices.contains { frames[$0...].starts(with: received) }
    #expect(isContained, "\(received.count) of \(frames.count)", sourceLocation: location)
  }
}
