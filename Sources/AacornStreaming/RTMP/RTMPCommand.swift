/// A call to the other side, or its answer (RTMP 7.1.1).
struct RTMPCommand: Equatable, Sendable {
  /// The function called; `_result` and `_error` are answers, `onStatus` reports events.
  var name: String
  /// The number that identifies an answer; 0 requests none.
  var transaction: Double
  /// The arguments; the first is the command object, or null.
  var arguments: [AMF0Value]

  init(_ name: String, transaction: Double, _ arguments: [AMF0Value]) {
    self.name = name
    self.transaction = transaction
    self.arguments = arguments
  }

  /// Reads the command in a message; nil if there is none.
  init?(_ message: RTMPMessage) throws(RTMPFault) {
    var payload = message.payload
    switch message.kind {
    case .command: break
    case .extendedCommand:
      // The byte 0 means that AMF 0 follows; nothing else is ever sent to a client that uses AMF 0.
      guard payload.first == 0 else { return nil }
      payload.removeFirst()
    default: return nil
    }
    let values = try AMF0Reader.values(in: payload)
    guard let name = values.first?.text else { throw RTMPFault("a command has no name") }
    self.init(
      name, transaction: values.dropFirst().first?.number ?? 0, Array(values.dropFirst(2)))
  }

  /// The message that contains it.
  func message(streamID: UInt32 = 0) -> RTMPMessage {
    RTMPMessage(
      kind: .command, streamID: streamID,
      payload: AMF0Value.bytes([.string(name), .number(transaction)] + arguments))
  }

  /// The contents of `onStatus`, `_result` and `_error` (RTMP 7.2.1.1, 7.2.2).
  struct Status: Equatable, Sendable {
    /// A name such as `NetStream.Publish.Start`.
    var code: String
    /// Whether it is a failure.
    var isError: Bool
    /// The server's own words.
    var words: String
  }

  /// The status in the command.
  var status: Status {
    let information = arguments.last { $0["code"] != nil }
    return Status(
      code: information?["code"]?.text ?? "",
      isError: name == "_error" || information?["level"]?.text == "error",
      words: information?["description"]?.text ?? "")
  }
}
