import AacornWeb

/// Messages in both directions over a transport, with everything that keeps a connection alive:
/// chunks, acknowledgments and pings.
struct RTMPConnection {
  /// The chunk stream for a message.
  ///
  /// Control messages must use 2 (RTMP 5.4). Audio has its own, so that every frame has a short
  /// header.
  private enum ChunkStream {
    static let control: UInt8 = 2
    static let command: UInt8 = 3
    static let audio: UInt8 = 4
    static let data: UInt8 = 5
  }

  /// Bytes of our messages in a chunk, which holds a whole audio frame.
  static let chunkSize: UInt32 = 4096
  /// After how many bytes we want an acknowledgment.
  static let window: UInt32 = 2_500_000

  /// The server's address for display.
  let name: String
  /// How long an answer may take.
  let patience: Duration
  private var reader = RTMPChunkReader()
  private var writer = RTMPChunkWriter()
  /// Bytes received after the handshake.
  private var receivedCount = 0
  private var acknowledgedCount = 0
  /// After how many bytes the server wants an acknowledgment; nil until it says so.
  private var serverWindow: Int?
  private var ownWindow: UInt32?

  init(name: String, patience: Duration) {
    self.name = name
    self.patience = patience
  }

  /// Performs the handshake (RTMP 5.2).
  mutating func shakeHands(over transport: inout any ByteTransport) throws(NetworkError) {
    var handshake = RTMPHandshake()
    try transport.send(handshake.opening, within: patience)
    let deadline = Deadline(after: patience)
    while true {
      var bytes: [UInt8] = []
      let rest = deadline.rest
      guard try transport.receive(into: &bytes, within: rest) || rest > .zero else {
        throw NetworkError(
          .timeout,
          "“\(name)” accepts the connection but does not speak RTMP. Check the host and port, and "
            + "whether it requires rtmps.")
      }
      let reply: (reply: [UInt8], rest: [UInt8])?
      do throws(RTMPFault) {
        reply = try handshake.take(bytes)
      } catch {
        throw malformed(error)
      }
      if let (reply, rest) = reply {
        take(rest)
        return try transport.send(reply, within: patience)
      }
    }
  }

  /// Sends a message.
  mutating func send(
    _ message: RTMPMessage, over transport: inout any ByteTransport
  ) throws(NetworkError) {
    let stream =
      switch message.kind {
      case .command: ChunkStream.command
      case .audio: ChunkStream.audio
      case .data: ChunkStream.data
      default: ChunkStream.control
      }
    try transport.send(writer.bytes(of: message, on: stream), within: patience)
  }

  /// Announces the size of our chunks (RTMP 5.4.1).
  ///
  /// Our acknowledgment window is sent later, in answer to the server's, once it has accepted the
  /// connection (RTMP 7.2.1.1).
  mutating func introduce(over transport: inout any ByteTransport) throws(NetworkError) {
    try send(.control(.setChunkSize, Self.chunkSize), over: &transport)
  }

  /// The next message that does not only concern the connection; nil if none comes in time.
  ///
  /// Waits for at most this time, however many connection messages come.
  mutating func next(
    over transport: inout any ByteTransport, within time: Duration
  ) throws(NetworkError) -> RTMPMessage? {
    let deadline = Deadline(after: time)
    var isOver = false
    while true {
      while let message = try read() {
        if try !answer(message, over: &transport) { return message }
      }
      if isOver { return nil }
      // One more look when the time is up, but only one, however much comes.
      let rest = deadline.rest
      isOver = rest == .zero
      var bytes: [UInt8] = []
      if try transport.receive(into: &bytes, within: rest) {
        take(bytes)
        try acknowledge(over: &transport)
      }
    }
  }

  private mutating func take(_ bytes: [UInt8]) {
    receivedCount += bytes.count
    reader.append(bytes)
  }

  private mutating func read() throws(NetworkError) -> RTMPMessage? {
    do throws(RTMPFault) {
      return try reader.next()
    } catch {
      throw malformed(error)
    }
  }

  /// Handles a message about the connection; false if it is not one.
  private mutating func answer(
    _ message: RTMPMessage, over transport: inout any ByteTransport
  ) throws(NetworkError) -> Bool {
    switch message.kind {
    case .windowAcknowledgementSize:
      if let size = message.number { serverWindow = size > 0 ? Int(size) : nil }
    case .setPeerBandwidth:
      // Answered with the window if it has changed (RTMP 5.4.5).
      if let size = message.number { try setWindow(size, over: &transport) }
    case .userControl:
      if let time = message.pingTime { try send(.pingResponse(time), over: &transport) }
    case .acknowledgement, .audio: break
    default: return false
    }
    return true
  }

  /// Announces after how many of our bytes we want an acknowledgment (RTMP 5.4.4).
  mutating func setWindow(
    _ size: UInt32, over transport: inout any ByteTransport
  ) throws(NetworkError) {
    guard size > 0, size != ownWindow else { return }
    ownWindow = size
    try send(.control(.windowAcknowledgementSize, size), over: &transport)
  }

  /// Acknowledges received bytes, modulo 2³², when it is time (RTMP 5.4.3).
  private mutating func acknowledge(
    over transport: inout any ByteTransport
  ) throws(NetworkError) {
    guard let serverWindow, receivedCount - acknowledgedCount >= serverWindow else { return }
    acknowledgedCount = receivedCount
    let count = UInt32(truncatingIfNeeded: receivedCount)
    try send(.control(.acknowledgement, count), over: &transport)
  }

  /// The error for bytes that are not RTMP.
  func malformed(_ fault: RTMPFault) -> NetworkError {
    NetworkError(
      .malformed,
      "“\(name)” violates the RTMP protocol: \(fault.words). Check the host and port: it may not "
        + "be an RTMP server.")
  }
}
