import AacornContainers
import AacornSystem

@testable import AacornNetwork
@testable import AacornStreaming

/// An RTMP server in memory, scripted by a test.
///
/// By default it responds like nginx. It stores the received messages.
final class RTMPTestServer: Sendable {
  /// The response to a request.
  enum Answer: Sendable, Equatable {
    case accepts
    /// Responds with `_error` or `onStatus`, a code and a description.
    case refuses(String, String)
    case closes
    case isSilent
    /// Sends other messages continuously for 20 s.
    case floods
    /// Responds with a command of these bytes.
    case says([UInt8])
    /// Requires a user and a password, as with `authmod=adobe`.
    case authenticates(user: String, password: String)
  }

  /// The behavior of the server.
  struct Script: Sendable {
    var connect = Answer.accepts
    var publish = Answer.accepts
    /// The first byte that the server sends.
    var version: UInt8 = 3
    /// Whether S2 repeats C1.
    var echoes = true
    /// The bytes sent instead of a handshake.
    var babble: [UInt8]?
    /// The maximum number of bytes per delivery.
    var pieces = Int.max
    /// The number of bytes after which the client must acknowledge.
    var window: UInt32 = 5_000_000
    var bandwidth: UInt32 = 5_000_000
    var confirmsClose = true
    var streamNumber = AMF0Value.number(1)
  }

  private struct State {
    var script: Script
    var input: [UInt8] = []
    /// The step of the handshake: 0 waits for C0 and C1, 1 waits for C2, 2 reads messages.
    var stage = 0
    var opening: [UInt8] = []
    var reader = RTMPChunkReader()
    var writer = RTMPChunkWriter()
    var output: [UInt8] = []
    var isClosed = false
    /// The end of the continuous messages.
    var chatter: Deadline?
    var deliveredCount = 0
    var sends: [[UInt8]] = []
    var messages: [RTMPMessage] = []
    var fault: RTMPFault?
    var connectionCount = 0
  }

  private let state: Lock<State>

  init(_ script: Script = Script()) { state = Lock(State(script: script)) }

  /// All received messages, in order.
  var messages: [RTMPMessage] { state.withLock(\.messages) }

  /// All received commands, in order.
  var commands: [RTMPCommand] {
    messages.compactMap { message in (try? RTMPCommand(message)).flatMap { $0 } }
  }

  /// The bytes of each call of `send`.
  var sends: [[UInt8]] { state.withLock(\.sends) }

  /// The number of delivered bytes, including the handshake.
  var deliveredCount: Int { state.withLock(\.deliveredCount) }

  /// Whether the client has read all bytes of the server.
  var isAllRead: Bool { state.withLock(\.output.isEmpty) }

  /// The parsing error of the received bytes.
  var fault: RTMPFault? { state.withLock(\.fault) }

  /// Sends a message.
  func say(_ message: RTMPMessage, on chunkStream: UInt8 = 3) {
    state.withLock { $0.output += $0.writer.bytes(of: message, on: chunkStream) }
  }

  /// Sends a status event of the stream.
  func say(event code: String, level: String, words: String = "") {
    say(Self.status(code, level: level, words: words).message(streamID: 1))
  }

  /// Closes the connection after the pending bytes.
  func close() { state.withLock { $0.isClosed = true } }

  /// A transport to this server.
  var transport: any ByteTransport { RTMPTestTransport(server: self) }

  /// The number of connections.
  var connectionCount: Int { state.withLock(\.connectionCount) }

  fileprivate func accept() {
    state.withLock { state in
      state.connectionCount += 1
      state.stage = 0
      state.input = []
      state.output = []
      state.isClosed = false
      state.reader = RTMPChunkReader()
      state.writer = RTMPChunkWriter()
    }
  }

  fileprivate func take(_ bytes: [UInt8]) {
    state.withLock { state in
      state.sends.append(bytes)
      state.input += bytes
      if let babble = state.script.babble {
        if state.output.isEmpty { state.output = babble }
        return
      }
      Self.proceed(&state)
    }
  }

  fileprivate func deliver() throws(NetworkError) -> [UInt8] {
    try state.withLock { state throws(NetworkError) in
      if let chatter = state.chatter, state.output.isEmpty {
        let message = RTMPMessage(kind: .data, streamID: 1, payload: [2, 0, 1, 0x61])
        state.output = state.writer.bytes(of: message, on: 5)
        state.isClosed = chatter.hasPassed
      }
      let bytes = Array(state.output.prefix(state.script.pieces))
      if state.isClosed && (bytes.isEmpty || state.chatter != nil) {
        throw NetworkError(.closed, "The connection has ended.")
      }
      state.output.removeFirst(bytes.count)
      state.deliveredCount += bytes.count
      return bytes
    }
  }

  private static func proceed(_ state: inout State) {
    if state.stage == 0, state.input.count >= 1537 {
      state.opening = Array(state.input[1..<1537])
      state.input.removeFirst(1537)
      let own = (0..<1536).map { UInt8(truncatingIfNeeded: $0 &* 7) }
      let echo = state.script.echoes ? state.opening : [UInt8](repeating: 9, count: 1536)
      state.output += [state.script.version] + own + echo
      state.stage = 1
    }
    if state.stage == 1, state.input.count >= 1536 {
      let own = (0..<1536).map { UInt8(truncatingIfNeeded: $0 &* 7) }
      if Array(state.input[..<1536]) != own { state.fault = RTMPFault("C2 is not S1") }
      state.input.removeFirst(1536)
      state.stage = 2
    }
    guard state.stage == 2 else { return }
    state.reader.append(state.input)
    state.input = []
    do throws(RTMPFault) {
      while let message = try state.reader.next() {
        state.messages.append(message)
        if let command = try RTMPCommand(message) { react(to: command, &state) }
      }
    } catch {
      state.fault = error
    }
  }

  private static func react(to command: RTMPCommand, _ state: inout State) {
    func say(_ message: RTMPMessage, on chunkStream: UInt8 = 3) {
      state.output += state.writer.bytes(of: message, on: chunkStream)
    }
    func result(_ arguments: [AMF0Value], _ name: String = "_result") {
      say(RTMPCommand(name, transaction: command.transaction, arguments).message())
    }
    switch command.name {
    case "connect":
      var answer = state.script.connect
      if case .authenticates(let user, let password) = answer {
        let application = command.arguments.first?["app"]?.text ?? ""
        answer = Self.answer(to: application, user: user, password: password)
      }
      switch answer {
      case .accepts:
        say(.control(.windowAcknowledgementSize, state.script.window), on: 2)
        var bandwidth = RTMPMessage.control(.setPeerBandwidth, state.script.bandwidth)
        bandwidth.payload.append(2)
        say(bandwidth, on: 2)
        say(.control(.setChunkSize, 4000), on: 2)
        result([
          .object([AMF0Property("fmsVer", .string("FMS/3,0,1,123"))]),
          information("NetConnection.Connect.Success", "status", "Connection succeeded."),
        ])
        say(RTMPCommand("onBWDone", transaction: 0, [.null]).message())
      case .refuses(let code, let words):
        result([.null, information(code, "error", words)], "_error")
        state.isClosed = true
      case .closes: state.isClosed = true
      case .floods: state.chatter = Deadline(after: .seconds(20))
      case .says(let bytes): say(RTMPMessage(kind: .command, payload: bytes))
      case .isSilent, .authenticates: break
      }
    case "releaseStream", "FCPublish":
      result([.null, information("NetConnection.Call.Failed", "error", "No such call")], "_error")
    case "createStream": result([.null, state.script.streamNumber])
    case "publish":
      switch state.script.publish {
      case .accepts:
        say(
          status("NetStream.Publish.Start", level: "status", words: "Start publishing")
            .message(streamID: 1))
      case .refuses(let code, let words):
        say(status(code, level: "error", words: words).message(streamID: 1))
      case .closes: state.isClosed = true
      case .floods: state.chatter = Deadline(after: .seconds(20))
      case .says(let bytes): say(RTMPMessage(kind: .command, payload: bytes))
      case .isSilent, .authenticates: break
      }
    case "deleteStream" where state.script.confirmsClose:
      say(
        status("NetStream.Unpublish.Success", level: "status", words: "Stop publishing")
          .message(streamID: 1))
    default: break
    }
  }

  /// Returns the response of a server that requires a user and a password after the application.
  private static func answer(
    to application: String, user: String, password: String
  ) -> Answer {
    let rejected = "NetConnection.Connect.Rejected"
    let words = "[ AccessManager.Reject ] : "
    let start = "live?authmod=adobe&user=\(user)"
    if !application.contains("?") {
      return .refuses(rejected, words + "[ code=403 need auth; authmod=adobe ] : ")
    }
    if application == start {
      return .refuses(
        rejected,
        words + "[ authmod=adobe ] : ?reason=needauth&user=\(user)&salt=SA==&challenge=CH&opaque=CH"
      )
    }
    let challenge = application.dropFirst(start.count + "&challenge=".count).prefix(8)
    let salted = Base64.encode(MD5.digest(of: Array("\(user)SA==\(password)".utf8)))
    let response = Base64.encode(MD5.digest(of: Array("\(salted)CH\(challenge)".utf8)))
    if application == start + "&challenge=\(challenge)&response=\(response)&opaque=CH" {
      return .accepts
    }
    return .refuses(
      rejected, words + "[ authmod=adobe ] : ?reason=authfailed&opaque=CH")
  }

  private static func information(_ code: String, _ level: String, _ words: String) -> AMF0Value {
    .object([
      AMF0Property("level", .string(level)), AMF0Property("code", .string(code)),
      AMF0Property("description", .string(words)),
    ])
  }

  private static func status(_ code: String, level: String, words: String) -> RTMPCommand {
    RTMPCommand("onStatus", transaction: 0, [.null, information(code, level, words)])
  }
}

/// A transport to a test server.
private struct RTMPTestTransport: ByteTransport {
  let server: RTMPTestServer

  mutating func connect(to endpoint: NetworkEndpoint, within time: Duration) throws(NetworkError) {
    server.accept()
  }

  mutating func send(_ bytes: [UInt8], within time: Duration) throws(NetworkError) {
    server.take(bytes)
  }

  mutating func receive(
    into bytes: inout [UInt8], within time: Duration
  ) throws(NetworkError) -> Bool {
    let new = try server.deliver()
    bytes += new
    // The server runs within these calls, so a long wait would be useless.
    if new.isEmpty && time > .zero { System.sleep(milliseconds: 1) }
    return !new.isEmpty
  }

  mutating func close() {}
}
