import AacornCodec
public import AacornRecording

/// Sends a recording to a server while it is made.
///
/// It does not wait for the server: frames go into a bounded queue, and a thread of the connection's
/// own sends them, and connects anew when the connection breaks. Only what trying again cannot mend
/// (a wrong password, a certificate that is not to be trusted, at the first connection) makes the
/// output fail, and it alone.
public struct LiveOutput: PacketOutput {
  /// The way to the server, for its state and for changes of what is being played.
  public let connection: LiveConnection
  private var timeline = LiveTimeline()
  private var isClosed = false

  /// An output to a service.
  ///
  /// `states` is told every change of the connection's state, in order, on the connection's thread;
  /// on the caller's, if it ends before it began.
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

  /// There is nothing to do before the form of the sound is known.
  public mutating func open() throws(OutputError) {}

  /// Begins to connect, if this is the first segment.
  public mutating func begin(_ segment: SegmentStart) throws(OutputError) {
    guard case .aac(let configuration, let timing) = segment.format else {
      throw OutputError(
        .unsupported, "“\(name)” takes AAC only, not uncompressed samples. Choose AAC.")
    }
    try connection.start(configuration, timing)
  }

  /// Puts the packet into the queue; drops the oldest ones if too much waits.
  public mutating func write(_ packet: Packet) throws(OutputError) {
    guard packet.rendition == 0 else { return }
    try connection.send(
      LiveFrame(
        bytes: packet.bytes, position: timeline.place(packet), sampleCount: packet.sampleCount))
  }

  /// A stream has no ledger.
  public mutating func note(_ gap: Gap) throws(OutputError) {}

  /// Nothing ends with a segment: the next one follows in the same stream.
  public mutating func end(_ end: SegmentEnd) throws(OutputError) -> OutputSummary? {
    if let failure = connection.failure { throw failure }
    return nil
  }

  /// Sends what waits, if the connection stands or is being opened and not longer than the options
  /// say, and closes.
  public mutating func abandon() -> OutputSummary? {
    guard !isClosed, connection.stop() else { return nil }
    isClosed = true
    return OutputSummary(
      name: name, sampleCount: connection.sentSampleCount, byteCount: byteCount)
  }
}
