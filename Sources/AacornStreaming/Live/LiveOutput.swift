import AacornCodec
public import AacornRecording
import AacornSystem

/// Sends a recording to a server while it is made.
///
/// It does not wait for the server: frames go into a bounded queue, and the connection's own thread
/// sends them, and reconnects if the connection breaks. Only an error that retrying cannot fix (a
/// wrong password or an untrusted certificate on the first connection) makes the output fail, and
/// only this output.
public struct LiveOutput: PacketOutput {
  /// The connection to the server, with its state and for changing the metadata.
  public let connection: LiveConnection
  /// Its say in a bitrate that follows the network.
  private let vote: Vote?
  private var sampleRate = 0
  /// Every frame of this number can be entered, counted from the segment's first, as each segment has
  /// its own encoder.
  private var entryDistance = 1
  private var frameCount = 0
  private var timeline = LiveTimeline()
  private var isClosed = false

  /// The number of an output among those that decide on a bitrate.
  private struct Vote {
    let bitrate: AdaptiveBitrate
    let number: Int
  }

  /// Creates an output to a service.
  ///
  /// A bitrate that follows the network learns from this output how the server keeps up; it is for
  /// outputs that get the same coding.
  ///
  /// `states` is called with every change of the connection's state, in order, on the connection's
  /// thread, or on the caller's if it ends before it began.
  public init(
    _ service: any LiveService, _ options: LiveOptions = LiveOptions(),
    metadata: LiveMetadata = LiveMetadata(), bitrate: AdaptiveBitrate? = nil,
    states: @escaping @Sendable (LiveState) -> Void = { _ in },
    transports: @escaping TransportFactory = SystemTransport.factory
  ) {
    connection = LiveConnection(
      service, options, metadata: metadata, transports: transports, states: states)
    vote = bitrate.map { Vote(bitrate: $0, number: $0.join()) }
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
    sampleRate = timing.sampleRate
    entryDistance = configuration.entryDistance
    frameCount = 0
    try connection.start(configuration, timing)
  }

  /// Appends the packet to the queue; drops the oldest ones if the queue is too long.
  public mutating func write(_ packet: EncodedPacket) throws(OutputError) {
    guard packet.rendition == 0 else { return }
    let position = timeline.place(packet)
    let isEntry = frameCount % entryDistance == 0
    frameCount += 1
    do throws(OutputError) {
      try connection.send(
        LiveFrame(
          bytes: packet.bytes, position: position, sampleCount: packet.sampleCount,
          isEntry: isEntry))
    } catch {
      rest()
      throw error
    }
    adapt(at: position + packet.sampleCount, frameLength: packet.sampleCount)
  }

  /// Tells the bitrate how the server keeps up, if it is there, at a position of the stream.
  private func adapt(at position: Int, frameLength: Int) {
    guard let vote else { return }
    let status = connection.status
    guard status.state == .live else { return rest() }
    vote.bitrate.take(
      BitrateController.Observation(
        queued: status.queuedDuration,
        dropped: Duration(samples: status.droppedFrameCount * frameLength, at: sampleRate),
        at: Duration(samples: position, at: sampleRate)), of: vote.number)
  }

  /// Has no say until the server is there again.
  private func rest() {
    guard let vote else { return }
    vote.bitrate.rest(vote.number)
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
    rest()
    guard !isClosed, connection.stop() else { return nil }
    isClosed = true
    return OutputSummary(
      name: name, sampleCount: connection.sentSampleCount, byteCount: byteCount)
  }
}
