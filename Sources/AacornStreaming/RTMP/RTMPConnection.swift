import AacornNetwork

/// A connection that sends and receives messages over a transport.
///
/// It handles chunks, acknowledgments and pings.
struct RTMPConnection {
  /// The numbers of the chunk streams for the kinds of messages.
  ///
  /// Control messages must use stream 2 (RTMP 5.4). Audio has a separate stream, so that every
  /// frame has a short header.
  private enum ChunkStreamNumber {
    static let control: UInt8 = 2
    static let command: UInt8 = 3
    static let audio: UInt8 = 4
    static let data: UInt8 = 5
  }

  /// The chunk size for sent messages in bytes.
  ///
  /// A chunk holds a whole audio frame.
  static let chunkSize: UInt32 = 4096
  /// The number of sent bytes after which the server must acknowledge them.
  static let window: UInt32 = 2_500_000

  /// The server's address for display.
  let name: String
  /// The maximum wait for a response.
  let answerTimeout: Duration
  private var reader = RTMPChunkReader()
  private var writer = RTMPChunkWriter()
  /// The number of bytes received after the handshake.
  private var receivedCount = 0
  private var acknowledgedCount = 0
  /// The number of received bytes after which the server expects an acknowledgment; nil until the
  /// server sets it.
  private var serverWindow: Int?
  private var ownWindow: UInt32?

  init(name: String, answerTimeout: Duration) {
    self.name = name
    self.answerTimeout = answerTimeout
  }

  /// Performs the handshake (RTMP 5.2).
  mutating func performHandshake(over transport: inout any ByteTransport) throws(NetworkError) {
    var handshake = RTMPHandshake()
    try transport.send(handshake.opening, within: answerTimeout)
    let deadline = Deadline(after: answerTimeout)
    while true {
      var bytes: [UInt8] = []
      let remaining = deadline.remaining
      guard try transport.receive(into: &bytes, within: remaining) || remaining > .zero else {
        throw NetworkError(
          .timeout,
          "“\(name)” accepts the connection but does not speak RTMP. Check the host and port, and "
            + "whether it requires rtmps.")
      }
      let reply: (reply: [UInt8], rest: [UInt8])?
      do throws(RTMPFault) {
        reply = try handshake.process(bytes)
      } catch {
        throw malformed(error)
      }
      if let (reply, rest) = reply {
        append(rest)
        return try transport.send(reply, within: answerTimeout)
      }
    }
  }

  /// Sends a message.
  mutating func send(
    _ message: RTMPMessage, over transport: inout any ByteTransport
  ) throws(NetworkError) {
    let stream =
      switch message.kind {
      case .command: ChunkStreamNumber.command
      case .audio: ChunkStreamNumber.audio
      case .data: ChunkStreamNumber.data
      default: ChunkStreamNumber.control
      }
    try transport.send(writer.bytes(of: message, on: stream), within: answerTimeout)
  }

  /// Returns the next message that is not about the connection itself, or nil after the timeout.
  ///
  /// The wait ends after `time`, however many connection messages arrive.
  mutating func next(
    over transport: inout any ByteTransport, within time: Duration
  ) throws(NetworkError) -> RTMPMessage? {
    let deadline = Deadline(after: time)
    var isTimedOut = false
    while true {
      while let message = try read() {
        if try !answer(message, over: &transport) { return message }
      }
      if isTimedOut { return nil }
      // One final check after the timeout, but only one, however much data arrives.
      let remaining = deadline.remaining
      isTimedOut = remaining == .zero
      var bytes: [UInt8] = []
      if try transport.receive(into: &bytes, within: remaining) {
        append(bytes)
        try acknowledge(over: &transport)
      }
    }
  }

  private mutating func append(_ bytes: [UInt8]) {
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

  /// Handles a message about the connection.
  ///
  /// Returns false for other messages.
  private mutating func answer(
    _ message: RTMPMessage, over transport: inout any ByteTransport
  ) throws(NetworkError) -> Bool {
    switch message.kind {
    case .windowAcknowledgementSize:
      if let size = message.number { serverWindow = size > 0 ? Int(size) : nil }
    case .setPeerBandwidth:
      // The response is our window size, if it changes (RTMP 5.4.5).
      if let size = message.number { try setWindow(size, over: &transport) }
    case .userControl:
      if let time = message.pingTime { try send(.pingResponse(time), over: &transport) }
    case .acknowledgement, .audio: break
    default: return false
    }
    return true
  }

  /// Announces the number of sent bytes after which the server must acknowledge them (RTMP 5.4.4).
  mutating func setWindow(
    _ size: UInt32, over transport: inout any ByteTransport
  ) throws(NetworkError) {
    guard size > 0, size != ownWindow else { return }
    ownWindow = size
    try send(.control(.windowAcknowledgementSize, size), over: &transport)
  }

  /// Acknowledges received bytes, modulo 2³², when the server's window is full (RTMP 5.4.3).
  private mutating func acknowledge(
    over transport: inout any ByteTransport
  ) throws(NetworkError) {
    guard let serverWindow, receivedCount - acknowledgedCount >= serverWindow else { return }
    acknowledgedCount = receivedCount
    let count = UInt32(truncatingIfNeeded: receivedCount)
    try send(.control(.acknowledgement, count), over: &transport)
  }

  /// Returns the error for bytes that are not valid RTMP.
  func malformed(_ fault: RTMPFault) -> NetworkError {
    NetworkError(
      .malformed,
      "“\(name)” violates the RTMP protocol: \(fault.text). Check the host and port: it may not "
        + "be an RTMP server.")
  }
}

/// The handshake of a connection: three packets each way (RTMP 5.2).
///
///     client ─► version:8 (C0)  time:32 zero:32 random:1528 bytes (C1)
///     server ─► version:8 (S0)  time:32 zero:32 random:1528 bytes (S1)  echo of C1 (S2)
///     client ─► echo of S1 (C2)
struct RTMPHandshake {
  /// The version of RTMP used here.
  static let version: UInt8 = 3
  /// The size of C1, C2, S1 and S2 in bytes.
  static let packetSize = 1536

  /// The first bytes from the client: C0 and C1.
  let opening: [UInt8]
  private var received: [UInt8] = []

  /// Creates an opening with random bytes.
  init() {
    var generator = SystemRandomNumberGenerator()
    self.init(random: &generator)
  }

  /// Creates an opening with random bytes from a generator.
  init(random generator: inout some RandomNumberGenerator) {
    // Our time begins at 0. The four zero bytes after it mark the simple handshake.
    var opening: [UInt8] = [Self.version] + [UInt8](repeating: 0, count: 8)
    while opening.count < 1 + Self.packetSize { opening.append(bigEndian: generator.next()) }
    self.opening = opening
  }

  /// Processes received bytes.
  ///
  /// Returns C2 and the surplus bytes after the handshake once it is complete, and nil before.
  ///
  /// S2 is not checked, because some servers do not send a correct echo.
  mutating func process(_ bytes: [UInt8]) throws(RTMPFault) -> (reply: [UInt8], rest: [UInt8])? {
    received += bytes
    guard let first = received.first else { return nil }
    guard first == Self.version else {
      throw RTMPFault("its first byte is \(first), not \(Self.version)")
    }
    guard received.count >= 1 + 2 * Self.packetSize else { return nil }
    // C2 may contain the time at which S1 was read, but servers that check it expect S1 unchanged.
    return (
      Array(received[1..<1 + Self.packetSize]), Array(received[(1 + 2 * Self.packetSize)...])
    )
  }
}
