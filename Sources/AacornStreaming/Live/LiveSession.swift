import AacornCodec
import AacornNetwork
import AacornRecording
import AacornSystem

/// The work of the connection's thread: it connects, sends, and reconnects.
struct LiveSession {
  private let connection: LiveConnection
  private let options: LiveOptions
  private let configuration: AudioSpecificConfig
  private let timing: StreamTiming
  private var backOff: BackOff
  /// The end of the minimum duration of a stable connection; nil until the connection is live.
  private var stableTime: Deadline?
  private var wasLive = false
  /// The frames sent over the current connection, or over the last one until the current one is
  /// live.
  private var sent: SentFrames

  /// The maximum time between two checks for messages of the server.
  private static let messageCheckMilliseconds = 100

  init(_ connection: LiveConnection, _ configuration: AudioSpecificConfig, _ timing: StreamTiming) {
    self.connection = connection
    self.configuration = configuration
    self.timing = timing
    options = connection.options
    sent = SentFrames(limit: 0, isEncrypted: false)
    backOff = options.makeBackOff(longest: options.maxReconnectDelay)
  }

  /// Runs until the requested end, or an error that retrying cannot fix.
  mutating func run() {
    connection.change(to: .connecting)
    connection.setFinalError(.unreached(connection.name))
    while true {
      stableTime = nil
      guard let failure = runConnection() else { return connection.enterFinalState() }
      if stableTime?.hasPassed == true { backOff.reset() }
      if let reason = options.end(
        after: failure, attemptCount: backOff.attemptCount, wasLive: wasLive)
      {
        connection.dropRemainingFrames()
        return connection.change(to: .failed(reason))
      }
      let delay = backOff.next()
      connection.change(to: .reconnecting(failure, attempt: backOff.attemptCount))
      if connection.signal.wait(milliseconds: delay) { return connection.enterFinalState() }
    }
  }

  /// The maximum number of unsent bytes in the system's buffer: about two seconds of audio, or 64
  /// KiB for a variable bitrate.
  ///
  /// A larger buffer would add delay, and a stalled server would be detected late.
  private var unsentLimit: Int {
    timing.nominalBitrate > 0 ? max(8192, timing.nominalBitrate / 8 * 2) : 65_536
  }

  /// Connects and sends.
  ///
  /// Returns the reason why the connection was lost, or nil at the requested end.
  private mutating func runConnection() -> NetworkError? {
    var service = connection.service
    var transport: any ByteTransport = MeteredTransport(
      connection.transports(connection.signal), to: connection.name,
      stallTimeout: options.stallTimeout
    ) { [connection] in connection.count($0) }
    transport.unsentLimit = unsentLimit
    connection.setOpening(true)
    defer {
      connection.setOpening(false)
      transport.close()
    }
    do throws(NetworkError) {
      try transport.connect(to: service.endpoint, within: options.connectTimeout)
      connection.setFinalError(.unanswered(connection.name))
      let (metadata, edition) = connection.metadata
      let stream = LiveStream(configuration: configuration, timing: timing, metadata: metadata)
      try service.open(stream, over: &transport)
      goLive(isEncrypted: service.endpoint.isSecure)
      let isUnsent = service.sendsMetadataSeparately && metadata.line != nil
      try sendFrames(by: &service, over: &transport, edition: isUnsent ? nil : edition)
      try service.close(over: &transport)
      return nil
    } catch {
      transport.close()
      if !connection.signal.isRaised { connection.setFinalError(error) }
      // Once the signal is raised, errors are expected, and bytes in the system's buffer may still
      // arrive.
      let missingCount = connection.signal.isRaised ? 0 : transport.unacknowledgedByteCount
      if missingCount > 0 && stableTime != nil {
        let missing = sent.frames(withinLast: missingCount, of: connection.sentByteCount)
        sent.removeLast(missing.count)
        connection.requeue(missing)
      }
      return connection.isEnding ? nil : error
    }
  }

  private mutating func goLive(isEncrypted: Bool) {
    stableTime = Deadline(after: options.stableDuration)
    // Decoders either continue with the new connection or start there, so the new connection begins
    // with an entry point.
    if !connection.beginsWithEntry { connection.requeue(sent.framesSinceEntry) }
    // The system may buffer twice the limit and a further piece of a frame, so four times the limit
    // is enough.
    sent = SentFrames(limit: unsentLimit * 4, isEncrypted: isEncrypted)
    connection.setFinalError(.untaken(connection.name))
    if wasLive { connection.countReconnection() }
    wasLive = true
    connection.change(to: .live)
    connection.setOpening(false)
  }

  /// Sends the queued frames until the requested end.
  ///
  /// `edition` is the edition of the metadata already sent.
  private mutating func sendFrames(
    by service: inout any LiveService, over transport: inout any ByteTransport, edition: Int?
  ) throws(NetworkError) {
    var schedule = MetadataSchedule(acceptedEdition: edition, firstDelay: options.metadataDelay)
    var start: Int?
    var lastMessageCheck = System.nanoseconds
    while !connection.isDrainExpired {
      if Self.milliseconds(since: lastMessageCheck) >= Self.messageCheckMilliseconds {
        try service.handleMessages(over: &transport)
        lastMessageCheck = System.nanoseconds
      }
      try sendMetadata(by: &service, over: &transport, schedule: &schedule)
      // Frames may arrive until the end is requested, so look for the request first.
      let isEnding = connection.isEnding
      guard let frame = connection.startFrame() else {
        if isEnding { return }
        let idle = Self.milliseconds(since: lastMessageCheck)
        _ = connection.wake.wait(milliseconds: Self.messageCheckMilliseconds - idle)
        continue
      }
      var placed = frame
      placed.position -= start ?? frame.position
      start = start ?? frame.position
      do throws(NetworkError) {
        try service.send(placed, over: &transport)
      } catch {
        connection.finish(frame, wasSent: false)
        throw error
      }
      connection.finish(frame, wasSent: true)
      sent.append(frame, end: connection.sentByteCount)
    }
  }

  /// Sends the metadata if it has changed, or if sending failed before.
  private func sendMetadata(
    by service: inout any LiveService, over transport: inout any ByteTransport,
    schedule: inout MetadataSchedule
  ) throws(NetworkError) {
    let (metadata, edition) = connection.metadata
    guard schedule.isDue(edition, at: System.nanoseconds) else { return }
    do throws(NetworkError) {
      try service.update(
        metadata, over: &transport, connections: sideConnections, stop: connection.signal)
      schedule.succeed(edition)
      connection.setMetadataError(nil)
    } catch {
      // The update used the connection of the frames, so that connection has failed.
      guard service.sendsMetadataSeparately else { throw error }
      schedule.fail(at: System.nanoseconds)
      connection.setMetadataError(error)
    }
  }

  /// Creates separate connections to the server.
  ///
  /// Their bytes do not count as bytes of the stream.
  private var sideConnections: TransportFactory {
    { [transports = connection.transports, name = connection.name, options] stop in
      MeteredTransport(
        transports(stop), to: name, stallTimeout: options.stallTimeout, count: { _ in })
    }
  }

  private static func milliseconds(since time: Int64) -> Int {
    Int((System.nanoseconds - time) / 1_000_000)
  }
}

/// A schedule for sending metadata: once after each change, and again at growing intervals while
/// sending fails.
///
/// A server may accept frames but no titles. Attempts must be rare then, because each of them
/// delays the frames.
struct MetadataSchedule {
  /// The last edition of the metadata that the server has accepted; nil before the first.
  private var acceptedEdition: Int?
  private var backOff: BackOff
  /// The earliest time of the next attempt, in nanoseconds.
  private var time = Int64.min

  private static let maxDelay = Duration.seconds(60)

  init(acceptedEdition: Int?, firstDelay: Duration) {
    self.acceptedEdition = acceptedEdition
    backOff = BackOff(
      first: firstDelay, longest: max(Self.maxDelay, firstDelay))
  }

  /// Returns whether an edition must be sent now.
  func isDue(_ edition: Int, at now: Int64) -> Bool { edition != acceptedEdition && now >= time }

  /// Records that the server has accepted an edition.
  mutating func succeed(_ edition: Int) {
    acceptedEdition = edition
    backOff.reset()
  }

  /// Records a failure.
  ///
  /// The next attempt must wait, even with a newer edition.
  mutating func fail(at now: Int64) {
    time = now + Int64(backOff.next()) * 1_000_000
  }
}

/// Errors of live streams, for all protocols.
extension NetworkError {
  static func flooding(_ name: String) -> NetworkError {
    NetworkError(
      .malformed,
      "“\(name)” sent more than \(InboundByteBudget.burst / 1000) kB of unexpected data, and the "
        + "connection was closed. Check the host and port: it may not be a streaming server.")
  }

  // MARK: Streams that end before the server accepted audio

  static func unreached(_ name: String) -> NetworkError {
    NetworkError(
      .unreachable,
      "“\(name)” was not reached before the end of the stream. Check the address and the port, and "
        + "the network.")
  }

  static func unanswered(_ name: String) -> NetworkError {
    NetworkError(
      .timeout,
      "“\(name)” accepted the connection but did not answer before the end. Check the port, and "
        + "whether the server is working.")
  }

  static func untaken(_ name: String) -> NetworkError {
    NetworkError(
      .timeout,
      "“\(name)” accepted the stream but none of its audio before the end. Check whether the "
        + "server is working and the network is fast enough for the bitrate.")
  }
}
