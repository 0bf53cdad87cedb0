import AacornWeb

/// Messages both ways over a transport, with all that keeps a connection alive: chunks,
/// acknowledgements and pings.
struct RTMPConnection {
  /// Which chunk stream a message goes on.
  ///
  /// Control messages have to go on 2 (RTMP 5.4). Audio has one for itself, so that every frame has
  /// a short header.
  private enum ChunkStream {
    static let control: UInt8 = 2
    static let command: UInt8 = 3
    static let audio: UInt8 = 4
    static let data: UInt8 = 5
  }

  /// Bytes of our messages in a chunk: a frame of sound fits into one.
  static let chunkSize: UInt32 = 4096
  /// After how many bytes we want to be told that they have come.
  static let window: UInt32 = 2_500_000

  /// The server's address for people.
  let name: String
  /// How long an answer may take.
  let patience: Int
  private var reader = RTMPChunkReader()
  private var writer = RTMPChunkWriter()
  /// Bytes received after the handshake.
  private var receivedCount = 0
  private var acknowledgedCount = 0
  /// After how many bytes the server wants to be told that they have come; nil until it says so.
  private var serverWindow: Int?
  private var ownWindow: UInt32?

  init(name: String, patience: Int) {
    self.name = name
    self.patience = patience
  }

  /// Says the first words, and hears the server's (RTMP 5.2).
  mutating func shakeHands(over transport: inout any ByteTransport) throws(NetworkError) {
    var handshake = RTMPHandshake()
    try transport.send(handshake.opening, milliseconds: patience)
    let deadline = Deadline(milliseconds: patience)
    while true {
      var bytes: [UInt8] = []
      let rest = deadline.rest
      guard try transport.receive(into: &bytes, milliseconds: rest) || rest > 0 else {
        throw NetworkError(
          .timeout,
          "“\(name)” takes the connection but does not speak RTMP. Check host and port, and "
            + "whether it wants rtmps.")
      }
      let reply: (reply: [UInt8], rest: [UInt8])?
      do throws(RTMPFault) {
        reply = try handshake.take(bytes)
      } catch {
        throw malformed(error)
      }
      if let (reply, rest) = reply {
        take(rest)
        return try transport.send(reply, milliseconds: patience)
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
    try transport.send(writer.bytes(of: message, on: stream), milliseconds: patience)
  }

  /// Tells how large our chunks will be (RTMP 5.4.1).
  ///
  /// After how many bytes we want to hear of them is told later, as an answer to what the server
  /// says of it, once it has taken the connection (RTMP 7.2.1.1).
  mutating func introduce(over transport: inout any ByteTransport) throws(NetworkError) {
    try send(.control(.setChunkSize, Self.chunkSize), over: &transport)
  }

  /// The next message that is not only about the connection; nil if none comes in time.
  ///
  /// Waits for at most so many milliseconds, however many messages about the connection come.
  mutating func next(
    over transport: inout any ByteTransport, milliseconds: Int
  ) throws(NetworkError) -> RTMPMessage? {
    let deadline = Deadline(milliseconds: milliseconds)
    var isOver = false
    while true {
      while let message = try read() {
        if try !answer(message, over: &transport) { return message }
      }
      if isOver { return nil }
      // One look when the time is over, and not more, however much comes.
      let rest = deadline.rest
      isOver = rest == 0
      var bytes: [UInt8] = []
      if try transport.receive(into: &bytes, milliseconds: rest) {
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

  /// Deals with a message about the connection; false if it is none.
  private mutating func answer(
    _ message: RTMPMessage, over transport: inout any ByteTransport
  ) throws(NetworkError) -> Bool {
    switch message.kind {
    case .windowAcknowledgementSize:
      if let size = message.number { serverWindow = size > 0 ? Int(size) : nil }
    case .setPeerBandwidth:
      // Answered with the window, if that is not what it was already (RTMP 5.4.5).
      if let size = message.number { try setWindow(size, over: &transport) }
    case .userControl:
      if let time = message.pingTime { try send(.pingResponse(time), over: &transport) }
    case .acknowledgement, .audio: break
    default: return false
    }
    return true
  }

  /// Tells after how many bytes of ours we want to hear of it (RTMP 5.4.4).
  mutating func setWindow(
    _ size: UInt32, over transport: inout any ByteTransport
  ) throws(NetworkError) {
    guard size > 0, size != ownWindow else { return }
    ownWindow = size
    try send(.control(.windowAcknowledgementSize, size), over: &transport)
  }

  /// Tells how many bytes have come, modulo 2³², when it is time (RTMP 5.4.3).
  private mutating func acknowledge(
    over transport: inout any ByteTransport
  ) throws(NetworkError) {
    guard let serverWindow, receivedCount - acknowledgedCount >= serverWindow else { return }
    acknowledgedCount = receivedCount
    let count = UInt32(truncatingIfNeeded: receivedCount)
    try send(.control(.acknowledgement, count), over: &transport)
  }

  /// What is said of bytes that are no RTMP.
  func malformed(_ fault: RTMPFault) -> NetworkError {
    NetworkError(
      .malformed,
      "“\(name)” sends what RTMP does not allow: \(fault.words). Check host and port: something "
        + "else than an RTMP server may be there.")
  }
}
