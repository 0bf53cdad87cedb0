import AacornCodec
import AacornRecording

@testable import AacornNetwork
@testable import AacornStreaming

// Servers may send anything. No response may crash the program, send control characters to a
// terminal, or reveal a password by repeating it.

private let secret = "hunter2-is-secret"

private let stereo = AudioSpecificConfig(
  objectType: .lowComplexity, sampleRate: 48_000, channelConfiguration: 2)
private let stream = LiveStream(
  configuration: stereo, timing: StreamTiming(stereo, nominalBitrate: 128_000),
  metadata: LiveMetadata(title: "A title"))

/// Calls `pieces(of:)`, which is hidden inside types with a property named `pieces`.
private func cut(_ bytes: [UInt8]) -> [[UInt8]] { pieces(of: bytes) }

/// A server that sends the input in pieces and then closes the connection.
private struct FuzzTransport: ByteTransport {
  /// The data for the remaining connections, the next connection last.
  var connections: [[UInt8]]
  private var pieces: [[UInt8]] = []

  init(_ connections: [[UInt8]]) {
    self.connections = connections.reversed()
    takeConnection()
  }

  private mutating func takeConnection() {
    pieces = (connections.popLast().map { cut($0) } ?? []).reversed()
  }

  mutating func connect(to endpoint: NetworkEndpoint, within time: Duration) throws(NetworkError) {
    takeConnection()
  }

  mutating func send(_ bytes: [UInt8], within time: Duration) throws(NetworkError) {}

  mutating func receive(
    into bytes: inout [UInt8], within time: Duration
  ) throws(NetworkError) -> Bool {
    guard let piece = pieces.popLast() else { throw NetworkError(.closed, "It is closed.") }
    bytes += piece
    return true
  }

  mutating func close() { pieces = [] }
}

/// Runs a complete live stream with a server.
private func visit(_ service: some LiveService, _ connections: [[UInt8]]) {
  var service = service
  var transport: any ByteTransport = FuzzTransport(connections)
  do throws(NetworkError) {
    try service.open(stream, over: &transport)
    let frame = EncodedPacket(bytes: [1, 2, 3], position: 0, sampleCount: 1024)
    for _ in 0..<3 {
      try service.send(frame, over: &transport)
      try service.handleMessages(over: &transport)
    }
    try service.close(over: &transport)
  } catch {
    check(error)
  }
}

/// Uploads a file to a web server and deletes it there.
private func upload(_ connections: [[UInt8]]) {
  var configuration = HLSUploadConfiguration(
    endpoint: NetworkEndpoint(host: "origin.example", port: 80), path: "/live/")
  configuration.password = secret
  // `HTTPUpload` opens its own connection, so the first connection is unused and has no data.
  var upload = HTTPUpload(
    configuration, over: FuzzTransport([[]] + connections), connectTimeout: .seconds(1))
  // Longer than the part that `HTTPUpload` sends before it checks for a rejection.
  let file = [UInt8](repeating: 1, count: 40_000)
  for request in [HTTPUpload.Request.put(file, caching: "no-cache"), .delete] {
    do throws(NetworkError) {
      try upload.send(request, for: "a.m4s")
    } catch {
      check(error)
    }
  }
}

private func check(_ error: NetworkError) {
  for text in [error.message, "\(error)"] {
    require(!text.contains(secret), "a secret is repeated: \(text)")
    require(
      text.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F..<0xA0).contains($0.value) },
      "a message with control characters")
  }
}

func fuzzIcecast(_ bytes: [UInt8]) {
  var configuration = IcecastConfiguration(
    endpoint: NetworkEndpoint(host: "radio.example", port: 8000), mount: "/live.aac",
    password: secret)
  configuration.user = "source"
  let half = bytes.count / 2
  visit(IcecastService(configuration), [bytes])
  visit(IcecastService(configuration), [Array(bytes[..<half]), Array(bytes[half...])])
  upload([bytes])
  upload([Array(bytes[..<half]), Array(bytes[half...])])

  // A response may arrive in any pieces.
  let whole = ServerResponse.read(bytes)
  if case .complete(let answer) = whole {
    require(answer.length <= bytes.count, "a response longer than the input")
    require(
      ServerResponse.read(Array(bytes[..<answer.length])) == whole, "later bytes change a response")
    if answer.length > 0, case .complete = ServerResponse.read(Array(bytes[..<(answer.length - 1)]))
    {
      require(false, "a response that is complete too early")
    }
  }
}

func fuzzRTMP(_ bytes: [UInt8]) {
  fuzzChunks(bytes)
  fuzzValues(bytes)
  var handshake = RTMPHandshake()
  _ = try? handshake.process(bytes)

  var configuration = RTMPConfiguration(
    endpoint: NetworkEndpoint(host: "live.example", port: 1935),
    application: "live?token=\(secret)",
    streamKey: secret)
  configuration.user = "anna"
  configuration.password = secret
  configuration.answerTimeout = .milliseconds(50)
  // Most inputs would fail at the handshake, so insert it.
  let greeting =
    [RTMPHandshake.version] + [UInt8](repeating: 7, count: 2 * RTMPHandshake.packetSize)
  let half = bytes.count / 2
  visit(RTMPService(configuration), [greeting + bytes])
  visit(
    RTMPService(configuration),
    [greeting + Array(bytes[..<half]), greeting + Array(bytes[half...])])
}

private func fuzzChunks(_ bytes: [UInt8]) {
  func messages(_ pieces: [[UInt8]]) -> ([RTMPMessage], hasFailed: Bool) {
    var reader = RTMPChunkReader()
    var messages: [RTMPMessage] = []
    do throws(RTMPFault) {
      for piece in pieces {
        reader.append(piece)
        while let message = try reader.next() { messages.append(message) }
      }
    } catch {
      return (messages, true)
    }
    return (messages, false)
  }

  let whole = messages([bytes])
  require(whole == messages(pieces(of: bytes)), "the messages depend on the pieces")
  require(whole.0.count <= bytes.count, "\(whole.0.count) messages in \(bytes.count) bytes")
  for message in whole.0 {
    _ = message.number
    _ = message.pingTime
    guard let command = try? RTMPCommand(message) else { continue }
    _ = command.status
    let authentication = RTMPAuthentication(user: "anna", password: secret, challenge: "1")
    if let query = authentication.query(answering: command.status.description) {
      require(!query.contains(secret), "the password is sent")
    }
  }
}

private func fuzzValues(_ bytes: [UInt8]) {
  guard let values = try? AMF0Reader.values(in: bytes) else { return }
  require(values.count <= AMF0Reader.countLimit, "too many values")
  let written = AMF0Value.bytes(values)
  // Invalid UTF-8 grows when it is replaced, so that a message may become too long.
  guard let again = try? AMF0Reader.values(in: written) else {
    return require(written.count > 0xFFFF, "what was written cannot be read")
  }
  require(AMF0Value.bytes(again) == written, "values change in a round trip")
}
