import AacornCodec
import AacornRecording
import SoundRigs
import Testing

@testable import AacornNetwork
@testable import AacornStreaming

/// A service with a server in memory.
struct RTMPBench {
  var key = "s3cret-key?user=anna&password=pa55word"
  let stream = LiveStream(
    configuration: .stereo48, timing: StreamTiming(.stereo48, nominalBitrate: 96_000),
    metadata: LiveMetadata(title: "Prelude", artist: "Anna"))

  /// Publishes a stream, and returns the service with its transport.
  func publish(
    to server: RTMPTestServer, answerTimeout: Duration = TestTimeout.duration,
    password: String? = nil
  ) throws(NetworkError) -> (RTMPService, any ByteTransport) {
    var configuration = RTMPConfiguration(
      endpoint: NetworkEndpoint(host: "radio.example", port: 1935), application: "live",
      streamKey: key)
    configuration.answerTimeout = answerTimeout
    configuration.user = password == nil ? nil : "anna"
    configuration.password = password
    var service = RTMPService(configuration)
    var transport = server.transport
    try service.open(stream, over: &transport)
    return (service, transport)
  }

  /// Returns the error of publishing to a server with a changed script.
  func rejection(
    answerTimeout: Duration = TestTimeout.duration, _ change: (inout RTMPTestServer.Script) -> Void
  ) -> NetworkError? {
    var script = RTMPTestServer.Script()
    change(&script)
    do throws(NetworkError) {
      _ = try publish(to: RTMPTestServer(script), answerTimeout: answerTimeout)
      return nil
    } catch {
      return error
    }
  }

  /// Returns a frame with a distinct content.
  func frame(_ number: Int) -> EncodedPacket {
    EncodedPacket(
      bytes: (0..<10 + number).map { UInt8(truncatingIfNeeded: $0 + number) },
      position: number * 1024, sampleCount: 1024)
  }
}
