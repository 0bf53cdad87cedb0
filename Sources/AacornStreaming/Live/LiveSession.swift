import AacornCodec
import AacornSystem
import AacornWeb

/// What the thread of a connection does: connect, send, and connect anew.
struct LiveSession {
  private let connection: LiveConnection
  private let options: LiveOptions
  private let configuration: AudioSpecificConfig
  private let timing: StreamTiming
  private var backOff: BackOff
  /// When the present connection went live, or the last one.
  private var liveSince: Int64?
  private var wasLive = false
  /// What was sent over the present connection.
  private var sent: SentFrames

  /// How long the server may have to wait for attention.
  private static let attentionMilliseconds = 100

  init(_ connection: LiveConnection, _ configuration: AudioSpecificConfig, _ timing: StreamTiming) {
    self.connection = connection
    self.configuration = configuration
    self.timing = timing
    options = connection.options
    sent = SentFrames(limit: 0, isEncrypted: false)
    backOff = BackOff(options, seed: UInt64(bitPattern: System.nanoseconds))
  }

  /// Runs until the end that was asked for, or an error that trying again cannot mend.
  mutating func run() {
    connection.change(to: .connecting)
    connection.setObstacle(.unreached(connection.name))
    while true {
      liveSince = nil
      guard let failure = runConnection() else { return connection.conclude() }
      if let liveSince, Self.milliseconds(since: liveSince) >= options.stableMilliseconds {
        backOff.reset()
      }
      if let reason = end(after: failure) {
        connection.dropRest()
        return connection.change(to: .failed(reason))
      }
      let delay = backOff.next()
      connection.change(to: .reconnecting(failure, attempt: backOff.attemptCount))
      if connection.signal.wait(milliseconds: delay) { return connection.conclude() }
    }
  }

  /// Why there is no further attempt; nil if there is one.
  private func end(after failure: NetworkError) -> NetworkError? {
    if isFinal(failure) { return failure }
    guard let limit = options.attemptLimit, backOff.attemptCount >= limit else { return nil }
    if limit == 0 { return failure }
    let attempts = limit == 1 ? "one attempt" : "\(limit) attempts"
    return NetworkError(
      failure.kind, failure.sentence + " After \(attempts) to connect anew it was given up.")
  }

  /// Whether trying again cannot help.
  ///
  /// A server that has taken the stream once may take it again: what stands in for it while it is
  /// restarted, and a clock that is set meanwhile, refuse for a while only.
  private func isFinal(_ failure: NetworkError) -> Bool {
    failure.kind == .libraryMissing || (failure.isPermanent && !wasLive)
  }

  /// How many bytes the system may hold: some two seconds of sound, and more than enough where the
  /// rate varies.
  ///
  /// More would be late, and a server that takes nothing would be found out late.
  private var unsentLimit: Int {
    timing.nominalBitrate > 0 ? max(8192, timing.nominalBitrate / 8 * 2) : 65_536
  }

  /// Connects and sends; says why the connection was lost, or nil at the end that was asked for.
  private mutating func runConnection() -> NetworkError? {
    var service = connection.service
    var transport: any ByteTransport = MeteredTransport(
      connection.transports(connection.signal), to: connection.name,
      stallMilliseconds: options.stallMilliseconds
    ) { [connection] in connection.count($0) }
    transport.unsentLimit = unsentLimit
    // The system may hold twice as much, and no more than the rest of a piece beyond it.
    sent = SentFrames(limit: unsentLimit * 4, isEncrypted: service.endpoint.isSecure)
    connection.setOpening(true)
    defer {
      connection.setOpening(false)
      transport.close()
    }
    do throws(NetworkError) {
      try transport.connect(
        to: service.endpoint, milliseconds: options.connectMilliseconds)
      connection.setObstacle(.unanswered(connection.name))
      let (metadata, edition) = connection.metadata
      let stream = LiveStream(configuration: configuration, timing: timing, metadata: metadata)
      try service.open(stream, over: &transport)
      goLive()
      let isUntold = service.tellsMetadataApart && metadata.line != nil
      try sendFrames(by: &service, over: &transport, edition: isUntold ? nil : edition)
      try service.close(over: &transport)
      return nil
    } catch {
      transport.close()
      if !connection.signal.isRaised { connection.setObstacle(error) }
      // Once the signal is raised nothing is broken, and what the system holds may yet arrive.
      let missingCount = connection.signal.isRaised ? 0 : transport.unacknowledgedByteCount
      if missingCount > 0 {
        connection.takeBack(
          sent.frames(withinLast: missingCount, of: connection.sentByteCount))
      }
      return connection.isEnding ? nil : error
    }
  }

  private mutating func goLive() {
    liveSince = System.nanoseconds
    connection.setObstacle(.untaken(connection.name))
    if wasLive { connection.countReconnection() }
    wasLive = true
    connection.change(to: .live)
    connection.setOpening(false)
  }

  /// Sends what there is, until the end that was asked for; `edition` of the metadata is told.
  private mutating func sendFrames(
    by service: inout any LiveService, over transport: inout any ByteTransport, edition: Int?
  ) throws(NetworkError) {
    var schedule = MetadataSchedule(
      told: edition, firstDelayMilliseconds: options.metadataDelayMilliseconds)
    var start: Int?
    var lastAttention = System.nanoseconds
    while !connection.isDrainOver {
      let idle = Self.milliseconds(since: lastAttention)
      if idle >= Self.attentionMilliseconds {
        try service.attend(to: &transport)
        lastAttention = System.nanoseconds
      }
      try tellMetadata(by: &service, over: &transport, schedule: &schedule)
      guard let frame = connection.startFrame() else {
        if connection.isEnding { return }
        _ = connection.wake.wait(milliseconds: max(1, Self.attentionMilliseconds - idle))
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

  /// Tells what is being played, if it has changed, or could not be told before.
  private func tellMetadata(
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
      // Over the same transport it is the connection of the frames that broke.
      guard service.tellsMetadataApart else { throw error }
      schedule.fail(at: System.nanoseconds)
      connection.setMetadataError(error)
    }
  }

  /// Makes the ways to the server on which no frames go, and whose bytes are not the stream's.
  private var sideConnections: TransportFactory {
    { [transports = connection.transports, name = connection.name, options] stop in
      MeteredTransport(
        transports(stop), to: name, stallMilliseconds: options.stallMilliseconds, count: { _ in })
    }
  }

  private static func milliseconds(since time: Int64) -> Int {
    Int((System.nanoseconds - time) / 1_000_000)
  }
}
