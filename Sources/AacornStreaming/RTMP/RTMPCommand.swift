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
