import AacornCodec
import AacornContainers
public import AacornNetwork
public import AacornRecording
import AacornSystem

/// Publishes to an Icecast server: a request, a response, and then ADTS frames until the connection
/// closes.
///
///     PUT /live.aac HTTP/1.1 …  ─►
///                               ◄─  HTTP/1.1 100 Continue
///                               ◄─  HTTP/1.0 200 OK         (some servers: at the very end)
///     frame, frame, frame …     ─►
///
/// If a server does not support `PUT`, the service tries again with the older method `SOURCE`. A
/// title is sent in a separate request over a separate connection.
public struct IcecastService: LiveService {
  private let configuration: IcecastConfiguration
  private let request: IcecastRequest
  private let serverProfile = ServerProfile()
  private var writer: ADTSWriter?
  private var inbox: [UInt8] = []
  private var frame: [UInt8] = []

  /// The properties of the server detected so far.
  ///
  /// All copies share them, because every connection begins with a copy of the service.
  private final class ServerProfile: Sendable {
    let wantsSource = Atomic(false)
  }

  /// The maximum wait for the final status after “100 Continue”.
  private static let confirmationTimeout = Duration.seconds(1)
  /// The maximum number of bytes to read of the body of a rejection.
  private static let rejectionBodyLimit = 4096
  /// The maximum wait for the body of a rejection.
  private static let rejectionBodyTimeout = Duration.seconds(1)
  /// The maximum time that sending a title may delay the frames: for connecting, and again for the
  /// response.
  private static let updateTimeout = Duration.seconds(1)

  /// Creates a service that publishes to a mount.
  public init(_ configuration: IcecastConfiguration) {
    self.configuration = configuration
    request = IcecastRequest(configuration)
  }

  /// The address, without user and password.
  public var name: String { configuration.address }

  /// The server.
  public var endpoint: NetworkEndpoint { configuration.endpoint }

  /// True: a title can be set only after the mount exists.
  public var sendsMetadataSeparately: Bool { true }

  /// Requests the mount.
  ///
  /// Tries the method that worked before, or else `PUT`, and then the other one.
  public mutating func open(
    _ stream: LiveStream, over transport: inout any ByteTransport
  ) throws(NetworkError) {
    do throws(ContainerError) {
      writer = try ADTSWriter(configuration: stream.configuration)
    } catch {
      throw NetworkError(
        .unsupported,
        "\(name) cannot receive this audio: ADTS does not support its sampling rate, channels or "
          + "profile. Choose AAC-LC at 48000 Hz in stereo.")
    }
    let wantsSource = serverProfile.wantsSource.load(ordering: .relaxed)
    var rejection: NetworkError?
    for method in wantsSource ? [.source, .put] : [.put, .source] as [IcecastRequest.Method] {
      if rejection != nil {
        transport.close()
        try transport.connect(to: endpoint, within: configuration.answerTimeout)
      }
      guard let error = try requestMount(method, stream, &transport) else {
        serverProfile.wantsSource.store(method == .source, ordering: .relaxed)
        return
      }
      // The response to the first method is more informative than the response to the other one.
      rejection = rejection ?? error
    }
    if let rejection { throw rejection }
  }

  /// Sends a frame with its ADTS header in one piece.
  public mutating func send(
    _ frame: EncodedPacket, over transport: inout any ByteTransport
  ) throws(NetworkError) {
    self.frame.removeAll(keepingCapacity: true)
    do throws(ContainerError) {
      try writer?.append(frame.accessUnit, to: &self.frame)
    } catch {
      throw NetworkError(
        .unsupported, "\(name) cannot receive a frame this long. Choose a lower bitrate.")
    }
    // A server states the reason before it closes the connection. The service reads the reason
    // before each frame, because after a send error it could not be read.
    try handleMessages(over: &transport)
    try transport.send(self.frame, within: configuration.answerTimeout)
  }

  /// Reads pending responses, and throws if the server rejects the stream now.
  public mutating func handleMessages(over transport: inout any ByteTransport) throws(NetworkError)
  {
    for _ in 0..<16 {
      guard try transport.receive(into: &inbox, within: .zero) else { return }
      try handleResponses(&transport)
    }
  }

  /// Changes the title for listeners.
  ///
  /// An error means that the title was not accepted; the stream itself is unaffected.
  public mutating func update(
    _ metadata: LiveMetadata, over transport: inout any ByteTransport,
    connections: TransportFactory, stop: StopSignal
  ) throws(NetworkError) {
    var connection = connections(stop)
    defer { connection.close() }
    do throws(NetworkError) {
      try sendMetadata(metadata, over: &connection)
    } catch {
      let title = SanitizedLine.of(metadata.line ?? "", limit: 100)
      throw NetworkError(
        error.kind, "\(name) did not accept the title “\(title)”. \(error.message)")
    }
  }

  /// Reads the received bytes.
  ///
  /// Unread bytes would turn the close into a reset, which discards the last frames.
  public mutating func close(over transport: inout any ByteTransport) throws(NetworkError) {
    _ = try? transport.receive(into: &inbox, within: .zero)
  }
}

// MARK: - Responses

extension IcecastService {
  /// Sends the metadata over a new connection.
  func sendMetadata(
    _ metadata: LiveMetadata, over connection: inout any ByteTransport
  ) throws(NetworkError) {
    try connection.connect(to: endpoint, within: Self.updateTimeout)
    let deadline = Deadline(after: Self.updateTimeout)
    try connection.send(request.update(metadata), within: deadline.remaining)
    var bytes: [UInt8] = []
    let answer = try answer(in: &bytes, &connection, until: deadline)
    guard let answer, answer.status >= 300 else { return }
    throw readRejection(answer, bytes, &connection, until: deadline).icecastError(name)
  }

  /// Requests the mount with one method.
  ///
  /// Returns an error if the other method may work, and throws an error that applies to both.
  private mutating func requestMount(
    _ method: IcecastRequest.Method, _ stream: LiveStream, _ transport: inout any ByteTransport
  ) throws(NetworkError) -> NetworkError? {
    inbox = []
    do throws(NetworkError) {
      try transport.send(request.publish(method, stream), within: configuration.answerTimeout)
      let deadline = Deadline(after: configuration.answerTimeout)
      let answer = try answer(in: &inbox, &transport, until: deadline)
      guard let answer, answer.status >= 300 else { return nil }
      let rejection = readRejection(answer, inbox, &transport)
      if rejection.suggestsOtherMethod { return rejection.icecastError(name) }
      throw rejection.icecastError(name)
    } catch {
      guard error.kind == .closed else { throw error }
      return NetworkError(
        .closed,
        "\(name) closed the connection without answering. Check whether this is the port of an "
          + "Icecast server, with or without encryption.")
    }
  }

  /// Receives the head of the server's response, and removes it from `bytes`.
  ///
  /// Returns nil if the server sent “100 Continue” and no final status soon after.
  private func answer(
    in bytes: inout [UInt8], _ transport: inout any ByteTransport, until deadline: Deadline
  ) throws(NetworkError) -> ServerResponse? {
    let arrival = try ServerResponse.receive(
      into: &bytes, over: &transport, until: deadline, interimTimeout: Self.confirmationTimeout)
    switch arrival {
    case .final(let answer): return answer
    case .interim: return nil
    case .missing:
      throw NetworkError(
        .timeout, "\(name) does not answer. Check whether this is the port of an Icecast server.")
    case .foreign:
      throw NetworkError(
        .unsupported, "The server at \(name) is not an Icecast server. Check the port.")
    }
  }

  /// Reads the body of a rejection, which explains the reason, if it arrives in time.
  private func readRejection(
    _ answer: ServerResponse, _ bytes: [UInt8], _ transport: inout any ByteTransport,
    until deadline: Deadline = Deadline(after: rejectionBodyTimeout)
  ) -> ServerRejection {
    var reader = ServerResponseReader(bodyOf: answer)
    let (body, _) = reader.receiveBody(
      after: bytes, limit: Self.rejectionBodyLimit, over: &transport, until: deadline)
    return ServerRejection(
      answer, body: body,
      secrets: [
        configuration.password, PercentCoding.encode(configuration.password), request.credentials,
      ])
  }

  /// Reads the server's responses while frames are sent.
  ///
  /// Throws if a response is a rejection.
  private mutating func handleResponses(_ transport: inout any ByteTransport) throws(NetworkError) {
    while true {
      switch ServerResponse.read(inbox) {
      case .incomplete: return
      // The bytes belong to the body of a response that was already handled.
      case .foreign: return inbox = []
      case .complete(let answer):
        inbox.removeFirst(answer.length)
        if answer.status >= 300 {
          throw readRejection(answer, inbox, &transport).icecastError(name)
        }
      }
    }
  }
}
