import AacornCodec
public import AacornNetwork
public import AacornRecording
import AacornSystem

/// An output that sends a recording to a server while it is made.
///
/// The output does not wait for the server: frames enter a bounded queue. The thread of the
/// connection sends them, and reconnects after an interruption. The output fails only on an error
/// that retrying cannot fix, such as a wrong password or an untrusted certificate on the first
/// connection. Other outputs are not affected.
public struct LiveOutput: PacketOutput {
  /// The connection to the server, which reports the status and accepts metadata.
  public let connection: LiveConnection
  /// The adaptive bitrate that this output shares; nil if the bitrate is fixed.
  private let bitrate: AdaptiveBitrate?
  /// The index of this output in `bitrate`.
  private let outputIndex: Int
  private var sampleRate = 0
  /// The distance between frames at which a decoder can start, counted from the start of the
  /// segment, because each segment has a new encoder.
  private var entryDistance = 1
  private var frameCount = 0
  private var timeline = LiveTimeline()
  private var isClosed = false

  /// Creates an output to a service.
  ///
  /// The output reports its queued and dropped audio to `bitrate`, which is for outputs that share
  /// one encoding.
  ///
  /// `states` is called with every change of the connection's state, in order. It is called on the
  /// thread of the connection, or on the caller's thread if the connection ends before it began.
  public init(
    _ service: any LiveService, _ options: LiveOptions = LiveOptions(),
    metadata: LiveMetadata = LiveMetadata(), bitrate: AdaptiveBitrate? = nil,
    states: @escaping @Sendable (LiveState) -> Void = { _ in },
    transports: @escaping TransportFactory = SystemTransport.factory
  ) {
    connection = LiveConnection(
      service, options, metadata: metadata, transports: transports, states: states)
    self.bitrate = bitrate
    outputIndex = bitrate?.join() ?? 0
  }

  /// The server's address, without user, password or stream key.
  public var name: String { connection.name }

  /// The time for queued frames, and ten seconds.
  public var closeTimeout: Duration { connection.options.drainTimeout + .seconds(10) }

  /// The number of bytes sent.
  public var byteCount: Int { connection.status.sentByteCount }

  /// Does nothing, because the format is not known yet.
  public mutating func open() throws(OutputError) {}

  /// Starts the connection with the first segment.
  public mutating func begin(_ segment: SegmentStart) throws(OutputError) {
    try check(segment)
    guard case .aac(let configuration, let timing) = segment.format else {
      throw OutputError(
        .unsupported, "“\(name)” accepts only AAC, not uncompressed samples. Choose AAC.")
    }
    sampleRate = timing.sampleRate
    entryDistance = configuration.entryDistance
    frameCount = 0
    try connection.start(configuration, timing)
  }

  /// Appends the packet to the queue.
  ///
  /// Drops the oldest packets if the queue is too long.
  public mutating func write(_ packet: EncodedPacket) throws(OutputError) {
    guard packet.rendition == 0 else { return }
    try check(packet)
    let position = timeline.append(packet)
    let isEntry = frameCount % entryDistance == 0
    frameCount += 1
    do throws(OutputError) {
      // Without the fullness of the bit reservoir: after a packet was dropped, the decoder's buffer
      // holds more than the encoder assumes.
      try connection.send(
        EncodedPacket(
          bytes: packet.bytes, position: position, sampleCount: packet.sampleCount,
          isEntry: isEntry))
    } catch {
      withdrawFromAdaptiveBitrate()
      throw error
    }
    adapt(at: position + packet.sampleCount, frameLength: packet.sampleCount)
  }

  /// Reports the queued and the dropped audio to the adaptive bitrate while the server is
  /// connected.
  ///
  /// `position` is the time in the stream, in samples.
  private func adapt(at position: Int, frameLength: Int) {
    guard let bitrate else { return }
    let status = connection.status
    guard status.state == .live else { return withdrawFromAdaptiveBitrate() }
    bitrate.take(
      BitrateController.Observation(
        queued: status.queuedDuration,
        dropped: Duration(samples: status.droppedFrameCount * frameLength, at: sampleRate),
        at: Duration(samples: position, at: sampleRate)), of: outputIndex)
  }

  /// Withdraws this output from the adaptive bitrate until the server is connected again.
  private func withdrawFromAdaptiveBitrate() { bitrate?.withdraw(outputIndex) }

  /// Does nothing: a live stream does not store gap entries.
  public mutating func record(_ gap: RecordingGap) throws(OutputError) {}

  /// Does nothing: the next segment follows in the same stream.
  public mutating func end(_ end: SegmentEnd) throws(OutputError) -> OutputSummary? {
    try check(end)
    if let failure = connection.failure { throw failure }
    return nil
  }

  /// Sends queued frames if a connection is established or being opened, within the time limits of
  /// the options, and closes.
  public mutating func abandon() -> OutputSummary? {
    withdrawFromAdaptiveBitrate()
    guard !isClosed, connection.stop() else { return nil }
    isClosed = true
    return OutputSummary(
      name: name, sampleCount: connection.sentSampleCount, byteCount: byteCount)
  }
}

/// Maps the packets of a recording to positions in an endless stream that never goes back.
///
/// A segment begins with packets that warm up the decoder. Their positions precede the end of the
/// previous segment. In a live stream every frame is played, so a new segment continues at the end
/// of the last frame.
struct LiveTimeline {
  private var end = 0
  private var shift = 0
  private var segment: Int?

  /// Returns the position of the packet's first sample, counted from the first sample of the
  /// stream.
  mutating func append(_ packet: EncodedPacket) -> Int {
    if segment != packet.segment || packet.position + shift < end {
      shift = end - packet.position
      segment = packet.segment
    }
    let position = packet.position + shift
    end = position + packet.sampleCount
    return position
  }
}
