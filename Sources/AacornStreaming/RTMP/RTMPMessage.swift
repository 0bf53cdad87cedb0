/// A complete message.
///
/// It is split into chunks for transmission.
struct RTMPMessage: Equatable, Sendable {
  /// The type of a message (RTMP 5.4, 6.2, 7.1).
  struct Kind: RawRepresentable, Equatable, Sendable {
    let rawValue: UInt8

    static let setChunkSize = Kind(rawValue: 1)
    static let abort = Kind(rawValue: 2)
    static let acknowledgement = Kind(rawValue: 3)
    static let userControl = Kind(rawValue: 4)
    static let windowAcknowledgementSize = Kind(rawValue: 5)
    static let setPeerBandwidth = Kind(rawValue: 6)
    static let audio = Kind(rawValue: 8)
    /// A command whose first byte states the format of the remaining bytes.
    static let extendedCommand = Kind(rawValue: 17)
    static let data = Kind(rawValue: 18)
    static let command = Kind(rawValue: 20)
  }

  var kind: Kind
  /// The message stream within the connection; 0 is the connection itself.
  var streamID: UInt32 = 0
  /// The time in milliseconds, modulo 2³².
  var timestamp: UInt32 = 0
  var payload: [UInt8]
}

extension RTMPMessage {
  /// Creates a control message with one number (RTMP 5.4).
  static func control(_ kind: Kind, _ number: UInt32) -> RTMPMessage {
    var payload: [UInt8] = []
    payload.append(bigEndian: number)
    return RTMPMessage(kind: kind, payload: payload)
  }

  /// Creates the response to a ping: event 7 with the time of the ping (RTMP 7.1.7).
  static func pingResponse(_ time: UInt32) -> RTMPMessage {
    var payload: [UInt8] = [0, 7]
    payload.append(bigEndian: time)
    return RTMPMessage(kind: .userControl, payload: payload)
  }

  /// The number in a control message; nil if the payload is too short.
  var number: UInt32? {
    payload.count >= 4 ? UInt32(payload.bigEndian(at: 0, byteCount: 4)) : nil
  }

  /// The server's time in a ping, to be sent back (user control event 6, RTMP 7.1.7); nil for other
  /// messages.
  var pingTime: UInt32? {
    guard kind == .userControl, payload.count >= 6, payload[0] == 0, payload[1] == 6 else {
      return nil
    }
    return UInt32(payload.bigEndian(at: 2, byteCount: 4))
  }
}

/// A violation of the RTMP format.
///
/// The connection adds the address of the server.
struct RTMPFault: Error, Equatable {
  /// The violation, as the end of a message.
  var text: String

  init(_ text: String) { self.text = text }
}

extension [UInt8] {
  /// Appends a number in network byte order.
  mutating func append(bigEndian number: some FixedWidthInteger & UnsignedInteger) {
    append(bigEndian: number, byteCount: number.bitWidth / 8)
  }

  /// Appends the lowest `byteCount` bytes of a number, most significant byte first.
  mutating func append(
    bigEndian number: some FixedWidthInteger & UnsignedInteger, byteCount: Int
  ) {
    for shift in stride(from: 8 * (byteCount - 1), through: 0, by: -8) {
      append(UInt8(truncatingIfNeeded: number >> shift))
    }
  }

  /// Returns the big-endian number in the `byteCount` bytes at `index`, which must exist.
  func bigEndian(at index: Int, byteCount: Int) -> UInt64 {
    var number: UInt64 = 0
    for byte in self[index..<index + byteCount] { number = number << 8 | UInt64(byte) }
    return number
  }
}

/// A call to the peer, or the peer's response (RTMP 7.1.1).
struct RTMPCommand: Equatable, Sendable {
  /// The function name.
  ///
  /// `_result` and `_error` are responses, `onStatus` reports events.
  var name: String
  /// The number that associates a response with a call; 0 requests no response.
  var transaction: Double
  /// The arguments.
  ///
  /// The first one is the command object, or null.
  var arguments: [AMF0Value]

  init(_ name: String, transaction: Double, _ arguments: [AMF0Value]) {
    self.name = name
    self.transaction = transaction
    self.arguments = arguments
  }

  /// Parses the command in a message.
  ///
  /// Returns nil for other messages.
  init?(_ message: RTMPMessage) throws(RTMPFault) {
    var payload = message.payload
    switch message.kind {
    case .command: break
    case .extendedCommand:
      // The byte 0 announces AMF 0. Servers send nothing else to clients that use AMF 0.
      guard payload.first == 0 else { return nil }
      payload.removeFirst()
    default: return nil
    }
    let values = try AMF0Reader.values(in: payload)
    guard let name = values.first?.text else { throw RTMPFault("a command has no name") }
    self.init(
      name, transaction: values.dropFirst().first?.number ?? 0, Array(values.dropFirst(2)))
  }

  /// Returns the message that contains the command.
  func message(streamID: UInt32 = 0) -> RTMPMessage {
    RTMPMessage(
      kind: .command, streamID: streamID,
      payload: AMF0Value.bytes([.string(name), .number(transaction)] + arguments))
  }

  /// The contents of `onStatus`, `_result` and `_error` (RTMP 7.2.1.1, 7.2.2).
  struct Status: Equatable, Sendable {
    /// A name such as `NetStream.Publish.Start`.
    var code: String
    /// Whether the status is a failure.
    var isError: Bool
    /// The description by the server.
    var description: String
  }

  /// The status in the arguments of the command.
  var status: Status {
    let information = arguments.last { $0["code"] != nil }
    return Status(
      code: information?["code"]?.text ?? "",
      isError: name == "_error" || information?["level"]?.text == "error",
      description: information?["description"]?.text ?? "")
  }
}
