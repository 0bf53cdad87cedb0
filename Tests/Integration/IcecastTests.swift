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
@Suite(.tags(.smoke)) struct IcecastTests {
  @Test func listenersReceiveEncodedFrames() throws {
    let server = try IcecastServer()
    defer { server.stop() }
    let folder = WorkFolder()
    let mount = "/pröbe 1.aac"
    let path = "/pr%C3%B6be%201.aac"
    var configuration = try IcecastConfiguration(
      address: server.address(path), password: IcecastServer.password)
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
    for listener in [early, late] {
      let received = units(of: listener.body)
      #expect(received.count >= 150)
      let isContained = broadcast.frames.indices.contains {
        broadcast.frames[$0...].starts(with: received)
      }
      #expect(isContained, "\(received.count) of \(broadcast.frames.count)")
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
}
