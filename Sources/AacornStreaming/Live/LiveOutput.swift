import AacornCodec
public import AacornRecording

/// Sends a recording to a server while it is made.
///
/// It does not wait for the server: frames go into a bounded queue, and the connection's own thread
/// sends them, and reconnects if the connection breaks. Only an error that retrying cannot fix (a
/// wrong password or an untrusted certificate on the first connection) makes the output fail, and
/// only this output.
public struct LiveOutput: PacketOutput {
  /// The connection to the server, with its state and for changing the metadata.
  public let connection: LiveConnection
  private var timeline = LiveTimeline()
  private var isClosed = false

  /// Creates an output to a service.
  ///
  /// `states` is called with every change of the connection's state, in order, on the connection's
  /// thread, or on the caller's if it ends before it began.
  public init(
    _ service: any LiveService, _ options: LiveOptions = LiveOptions(),
    metadata: LiveMetadata = LiveMetadata(),
    states: @escaping @Sendable (LiveState) -> Void = { _ in },
    transports: @escaping TransportFactory = CurlTransport.factory
  ) {
    connection = LiveConnection(
      service, options, metadata: metadata, transports: transports, states: states)
  }

  /// The server's address, without user, password or stream key.
  public var name: String { connection.name }

  /// Bytes sent so far.
  public var byteCount: Int { connection.status.sentByteCount }

  /// Does nothing, since the format is not known yet.
  public mutating func open() throws(OutputError) {}

  /// Starts connecting, if this is the first segment.
  public mutating func begin(_ segment: SegmentStart) throws(OutputError) {
    guard case .aac(let configuration, let timing) = segment.format else {
      throw OutputError(
        .unsupported, "“\(name)” accepts only AAC, not uncompressed samples. Choose AAC.")
    }
    try connection.start(configuration, timing)
  }

  /// Appends the packet to the queue; drops the oldest ones if the queue is too long.
  public mutating func write(_ packet: EncodedPacket) throws(OutputError) {
    guard packet.rendition == 0 else { return }
    try connection.send(
      LiveFrame(
        bytes: packet.bytes, position: timeline.place(packet), sampleCount: packet.sampleCount))
  }

  /// A stream has no ledger.
  public mutating func note(_ gap: RecordingGap) throws(OutputError) {}

  /// Does nothing: the next segment follows in the same stream.
  public mutating func end(_ end: SegmentEnd) throws(OutputError) -> OutputSummary? {
    if let failure = connection.failure { throw failure }
    return nil
  }

  /// Sends queued frames, if a connection is established or being opened, within the limits of the
  /// options, and closes.
  public mutating func abandon() -> OutputSummary? {
    guard !isClosed, connection.stop() else { return nil }
    isClosed = true
    return OutputSummary(
      name: name, sampleCount: connection.sentSampleCount, byteCount: byteCount)
  }
}
