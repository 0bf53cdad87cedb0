import AacornCodec
public import AacornNetwork
public import AacornRecording

/// Publishes to an RTMP server, such as nginx with its RTMP module or a streaming platform.
///
///     handshake ─► connect ─► releaseStream, FCPublish, createStream ─► publish
///       ─► onMetaData ─► sequence header ─► frames … ─► FCUnpublish, deleteStream
public struct RTMPService: LiveService {
  /// The destination and credentials.
  public let configuration: RTMPConfiguration
  private var connection: RTMPConnection
  /// The message stream ID that the server has assigned.
  private var streamID: UInt32 = 0
  private var stream: LiveStream?
  private var transaction = 0.0
  /// The timestamp of the last frame in milliseconds.
  private var timestamp: UInt32 = 0

  /// The maximum wait for the server's confirmation of the end.
  private static let leaveTimeout = Duration.milliseconds(700)

  /// The time after the first frame during which the server may still reject the stream, in
  /// milliseconds of audio.
  private static let earlyMilliseconds = 1000
  /// The maximum number of messages read per call, so that a server with many messages does not
  /// delay the audio.
  private static let maxMessageCount = 50

  /// Creates a publisher.
  public init(_ configuration: RTMPConfiguration) {
    self.configuration = configuration
    connection = RTMPConnection(
      name: configuration.address, answerTimeout: configuration.answerTimeout)
  }

  /// The address, without user, password and stream key.
  public var name: String { configuration.address }

  /// The host and port to connect to.
  public var endpoint: NetworkEndpoint { configuration.endpoint }

  /// Performs the handshake, connects to the application, publishes, and describes the audio.
  public mutating func open(
    _ stream: LiveStream, over transport: inout any ByteTransport
  ) throws(NetworkError) {
    try reachApplication(over: &transport)
    try explainingClose(at: .publish) { service throws(NetworkError) in
      try service.createStream(over: &transport)
      try service.publish(over: &transport)
    }
    self.stream = stream
    try explainingClose(at: .publish) { service throws(NetworkError) in
      try service.describe(stream.metadata, over: &transport)
      // The sequence header precedes the first frame and does not replace it.
      try service.sendAudio(FLVAudioTag.sequenceHeader(stream.configuration), over: &transport)
    }
  }

  /// Sends a frame with the timestamp of its first sample.
  public mutating func send(
    _ frame: EncodedPacket, over transport: inout any ByteTransport
  ) throws(NetworkError) {
    guard let stream else { return }
    // Timestamps are 0, 21, 42, 64 … ms for frames at 48 kHz, modulo 2³². Each is computed from the
    // sample position, so that rounding errors do not accumulate.
    timestamp = UInt32(truncatingIfNeeded: stream.timing.milliseconds(frame.position))
    try explainingClose(at: step) { service throws(NetworkError) in
      try service.sendAudio(FLVAudioTag.frame(frame.bytes), over: &transport)
    }
  }

  /// The step to which a problem is attributed: `publish` in the first second, then `live`.
  ///
  /// Some servers accept a stream first, and close the connection after checking it.
  private var step: Step { timestamp < Self.earlyMilliseconds ? .publish : .live }

  /// Responds to pings.
  ///
  /// Throws if the server has ended the stream.
  public mutating func handleMessages(over transport: inout any ByteTransport) throws(NetworkError)
  {
    for _ in 0..<Self.maxMessageCount {
      var next: RTMPMessage?
      try explainingClose(at: step) { service throws(NetworkError) in
        next = try service.connection.next(over: &transport, within: .zero)
      }
      guard let message = next else { return }
      guard let command = command(in: message) else { continue }
      switch command.name {
      case "onStatus" where command.status.isError:
        throw rejection(command.status, at: step)
      case "close": throw closed(at: step)
      default: break
      }
    }
  }

  /// Sends the description of the audio again, with the new metadata.
  public mutating func update(
    _ metadata: LiveMetadata, over transport: inout any ByteTransport,
    connections: TransportFactory, stop: StopSignal
  ) throws(NetworkError) {
    try describe(metadata, over: &transport)
  }

  /// Ends the stream, and waits up to 700 ms for the server's confirmation.
  ///
  /// Closing a connection with unread bytes from the server may discard bytes that are still in
  /// transit to it.
  public mutating func close(over transport: inout any ByteTransport) throws(NetworkError) {
    try call("FCUnpublish", [.string(configuration.streamKey)], over: &transport)
    try call("deleteStream", [.number(Double(streamID))], over: &transport)
    let deadline = Deadline(after: Self.leaveTimeout)
    do throws(NetworkError) {
      while let message = try connection.next(over: &transport, within: deadline.remaining) {
        let code = command(in: message)?.status.code
        if code == "NetStream.Unpublish.Success" || deadline.hasPassed { return }
      }
    } catch {
      // All frames were sent. A server that closes without a message has finished.
    }
  }
}

// MARK: - Calls

extension RTMPService {
  /// Performs the handshake and connects.
  ///
  /// Repeats both after each rejection that requests authentication.
  private mutating func reachApplication(
    over transport: inout any ByteTransport
  ) throws(NetworkError) {
    var application = configuration.application
    let authentication = configuration.user.map {
      RTMPAuthentication(user: $0, password: configuration.password ?? "")
    }
    var rejectionCount = 0
    while true {
      try explainingClose(at: .handshake) { service throws(NetworkError) in
        try service.connection.performHandshake(over: &transport)
        // Our acknowledgment window follows later, after the server has sent its own and accepted
        // the connection (RTMP 7.2.1.1).
        try service.connection.send(
          .control(.setChunkSize, RTMPConnection.chunkSize), over: &transport)
      }
      var refused: RTMPCommand.Status?
      try explainingClose(at: .connect) { service throws(NetworkError) in
        refused = try service.connect(to: application, over: &transport)
      }
      guard let status = refused else { break }
      rejectionCount += 1
      guard rejectionCount <= RTMPAuthentication.rejectionLimit,
        let query = authentication?.query(answering: status.description)
      else { throw rejection(status, at: .connect) }
      let mark = configuration.application.contains("?") ? "&" : "?"
      application = configuration.application + mark + query
      transport.close()
      try transport.connect(to: endpoint, within: configuration.answerTimeout)
      self = RTMPService(configuration)
    }
    try connection.setWindow(RTMPConnection.window, over: &transport)
  }

  /// Connects to an application.
  ///
  /// Returns the server's rejection, or nil if it accepts.
  private mutating func connect(
    to application: String, over transport: inout any ByteTransport
  ) throws(NetworkError) -> RTMPCommand.Status? {
    let number = try call(
      "connect",
      object: .object([
        AMF0Property("app", .string(application)),
        AMF0Property("type", .string("nonprivate")),
        // Servers recognize publishers by the prefix “FMLE/”.
        AMF0Property(
          "flashVer", .string("FMLE/3.0 (compatible; \(configuration.encoderName))")),
        AMF0Property("tcUrl", .string(configuration.address(of: application))),
      ]), [], over: &transport)
    let answer = try answer(to: number, at: .connect, over: &transport)
    return answer.status.isError ? answer.status : nil
  }

  private mutating func createStream(
    over transport: inout any ByteTransport
  ) throws(NetworkError) {
    // With these two calls, some servers release the stream's name after a broken connection, or
    // prepare the stream. Other servers respond with an error, or not at all.
    let key = AMF0Value.string(configuration.streamKey)
    try call("releaseStream", [key], over: &transport)
    try call("FCPublish", [key], over: &transport)
    let number = try call("createStream", [], over: &transport)
    let result = try answer(to: number, at: .publish, over: &transport)
    if result.status.isError { throw rejection(result.status, at: .publish) }
    guard let id = result.arguments.dropFirst().first?.number, let id = UInt32(exactly: id) else {
      throw connection.malformed(RTMPFault("it did not assign a stream ID"))
    }
    streamID = id
  }

  private mutating func publish(over transport: inout any ByteTransport) throws(NetworkError) {
    let number = try call(
      "publish", [.string(configuration.streamKey), .string("live")], streamID: streamID,
      over: &transport)
    let answer = try answer(
      to: number, event: "NetStream.Publish.Start", at: .publish, over: &transport)
    if answer.status.isError { throw rejection(answer.status, at: .publish) }
  }

  /// Calls a function of the server.
  ///
  /// Returns the transaction number of the response.
  @discardableResult
  private mutating func call(
    _ name: String, object: AMF0Value = .null, _ arguments: [AMF0Value], streamID: UInt32 = 0,
    over transport: inout any ByteTransport
  ) throws(NetworkError) -> Double {
    transaction += 1
    let command = RTMPCommand(name, transaction: transaction, [object] + arguments)
    try connection.send(command.message(streamID: streamID), over: &transport)
    return transaction
  }

  /// Waits for the response to a call, or for the event that replaces it.
  ///
  /// Either of them may be a rejection.
  private mutating func answer(
    to number: Double, event: String? = nil, at step: Step, over transport: inout any ByteTransport
  ) throws(NetworkError) -> RTMPCommand {
    let deadline = Deadline(after: configuration.answerTimeout)
    while true {
      let remaining = deadline.remaining
      guard let message = try connection.next(over: &transport, within: remaining) else {
        throw silence(at: step)
      }
      if let command = try readCommand(in: message) {
        switch command.name {
        case "_result" where command.transaction == number && event == nil: return command
        case "_error" where command.transaction == number: return command
        case "onStatus" where command.status.isError || command.status.code == event:
          return command
        case "close": throw closed(at: step)
        default: break
        }
      }
      // A server that only sends other messages has not responded either.
      if remaining == .zero { throw silence(at: step) }
    }
  }

  /// Returns the command in a message.
  ///
  /// Throws if it is unreadable, because it may be the only response.
  private func readCommand(in message: RTMPMessage) throws(NetworkError) -> RTMPCommand? {
    do throws(RTMPFault) {
      return try RTMPCommand(message)
    } catch {
      throw connection.malformed(error)
    }
  }

  /// Returns the command in a message, or nil if there is no command or it is unreadable.
  ///
  /// An unreadable command during the stream is ignored.
  private func command(in message: RTMPMessage) -> RTMPCommand? { try? RTMPCommand(message) }

  private mutating func describe(
    _ metadata: LiveMetadata, over transport: inout any ByteTransport
  ) throws(NetworkError) {
    guard let stream else { return }
    let values = stream.rtmpValues(
      playing: metadata, encoderName: configuration.encoderName)
    try connection.send(
      RTMPMessage(
        kind: .data, streamID: streamID, timestamp: timestamp, payload: AMF0Value.bytes(values)),
      over: &transport)
  }

  private mutating func sendAudio(
    _ body: [UInt8], over transport: inout any ByteTransport
  ) throws(NetworkError) {
    try connection.send(
      RTMPMessage(kind: .audio, streamID: streamID, timestamp: timestamp, payload: body),
      over: &transport)
  }

  /// Runs `body`, and replaces the error for a closed connection by an explanation of the probable
  /// reason.
  private mutating func explainingClose(
    at step: Step, _ body: (inout Self) throws(NetworkError) -> Void
  ) throws(NetworkError) {
    do throws(NetworkError) {
      try body(&self)
    } catch {
      throw error.kind == .closed && step != .live ? closed(at: step) : error
    }
  }
}

extension LiveStream {
  /// Returns the description of the audio for servers and players (FLV 10.1, E.5): the values of a
  /// data message that the server stores for later listeners.
  func rtmpValues(playing metadata: LiveMetadata, encoderName: String) -> [AMF0Value] {
    // The code of AAC in the list of sound formats (E.4.2.1).
    var properties = [AMF0Property("audiocodecid", .number(10))]
    if timing.nominalBitrate > 0 {
      // In kilobits per second, like the video bitrate.
      properties.append(
        AMF0Property("audiodatarate", .number(Double(timing.nominalBitrate) / 1000)))
    }
    properties += [
      AMF0Property("audiosamplerate", .number(Double(timing.sampleRate))),
      AMF0Property("audiosamplesize", .number(16)),
      AMF0Property("stereo", .boolean(configuration.outputChannelCount >= 2)),
      AMF0Property("encoder", .string(encoderName)),
    ]
    if let title = metadata.title { properties.append(AMF0Property("title", .string(title))) }
    if let artist = metadata.artist { properties.append(AMF0Property("artist", .string(artist))) }
    return [.string("@setDataFrame"), .string("onMetaData"), .ecmaArray(properties)]
  }
}
