import AacornCodec
import AacornNetwork
import AacornStreaming
import Testing

/// A service with a scripted server.
struct IcecastBench {
  let server = MockServer()
  let stream = LiveStream(
    configuration: .stereo48, timing: StreamTiming(.stereo48, nominalBitrate: 128_000))

  func configuration() throws -> IcecastConfiguration {
    try IcecastConfiguration(address: "icecast://radio.example/live.aac", password: "hackme")
  }

  /// Opens a service, and returns it with its connection.
  func open(
    _ configuration: IcecastConfiguration? = nil
  ) throws -> (IcecastService, any ByteTransport) {
    var service = IcecastService(try configuration ?? self.configuration())
    let transport = try open(&service)
    return (service, transport)
  }

  func open(_ service: inout IcecastService) throws -> any ByteTransport {
    var transport = server.factory(StopSignal())
    try transport.connect(to: service.endpoint, within: .seconds(1))
    try service.open(stream, over: &transport)
    return transport
  }

  /// Returns the error of `open` if the server sends this response to every request.
  func rejection(_ answer: String) throws -> NetworkError {
    server.answers = [Array(answer.utf8)]
    server.withScript { $0.closesAfterAnswers = true }
    return try #require(throws: NetworkError.self) { _ = try open() }
  }

  func text(_ connection: Int) -> String {
    String(decoding: server.connections[connection].bytes, as: UTF8.self)
  }
}
