#if os(Linux)
import AacornSystem

/// The work of a source's or target's thread: opens, follows and closes its device.
///
/// It also waits for a device or server that has become unavailable.
protocol PulseAudioWorker: AnyObject {
  /// The stream through which samples flow.
  associatedtype Stream: PulseStream

  /// The server to use; nil means the server in the user's settings.
  var server: String? { get }
  /// The loop that the thread runs.
  var loop: PulseLoop { get }
  /// The program's name in the system's mixers.
  var applicationName: String { get }
  /// The name of the chosen device; nil follows the default one.
  var chosenName: String? { get }
  /// The connection, while one exists.
  var connection: PulseConnection? { get set }
  /// The stream, while one exists.
  var stream: Stream? { get }

  /// Finds the device, opens a stream and starts its flow.
  ///
  /// Unless `isFirst`, it reports that the device has returned.
  func open(
    _ connection: PulseConnection, isFirst: Bool, until deadline: Int64
  ) throws(DeviceError)

  /// Queries the device with the index `index`, and reports it.
  ///
  /// - Throws: `unknown` if no such device exists, or if it must not be used.
  func queryDevice(
    _ connection: PulseConnection, at index: UInt32, until deadline: Int64
  ) throws(PulseFailure)

  /// Reports that the device or the server is unavailable.
  func reportLoss()

  /// Releases the stream and its objects.
  func releaseStream()

  /// Finishes the transfer after the end was requested.
  func finish()
}

extension PulseAudioWorker {
  /// The status that the thread reports.
  var status: DeviceStatus { loop.status }

  /// Runs for the thread's entire life.
  func run() {
    status.addDiagnostic(System.raiseThreadPriority())
    do {
      try open(isFirst: true)
    } catch {
      close()
      status.finishOpening(error)
      return
    }
    status.finishOpening(nil)
    while true {
      follow()
      if loop.isEnding { break }
      reportLoss()
      releaseStream()
      awaitReturn()
    }
    finish()
    close()
  }

  /// Returns the result of the body; converts its failure to an error about the chosen device.
  func explaining<Result>(
    _ body: () throws(PulseFailure) -> Result
  ) throws(DeviceError) -> Result {
    do {
      return try body()
    } catch {
      throw error.deviceError(in: "open", of: chosenName ?? "default", loop.library)
    }
  }

  private func open(isFirst: Bool) throws(DeviceError) {
    let deadline = PulseConnection.deadline
    try open(connect(isFirst: isFirst, until: deadline), isFirst: isFirst, until: deadline)
  }

  private func connect(
    isFirst: Bool, until deadline: Int64
  ) throws(DeviceError) -> PulseConnection {
    if let connection, connection.isGood { return connection }
    connection = nil
    // A server that has stopped is not restarted: a user may have stopped it on purpose.
    let new = try PulseConnection(
      loop, applicationName: applicationName, server: server, mayStartServer: isFirst,
      until: deadline)
    connection = new
    return new
  }

  /// Serves the stream until the end is requested, or the device or the server becomes unavailable.
  private func follow() {
    guard let connection, let stream else { return }
    var lastCheck = System.nanoseconds
    while !loop.isEnding && connection.isGood && stream.isGood {
      let now = System.nanoseconds
      loop.turn(until: now + (stream.waitingByteCount > 0 ? 20_000_000 : 1_000_000_000))
      if stream.waitingByteCount > 0 { stream.serve() }
      if stream.hasMoved, stream.byteCountBeforeMove == 0, !checkDevice(connection, stream) {
        return
      }
      // Some servers do not report that a stream's device has vanished.
      if stream.isSilent(for: 1000, now: now) && now - lastCheck > 1_000_000_000 {
        lastCheck = now
        if !checkDevice(connection, stream) { return }
      }
    }
  }

  /// Identifies the device, and announces it if the server has moved the stream to it.
  ///
  /// Returns whether the stream can continue. The device is reported before the move, because the
  /// receiver of the move queries the device's name.
  private func checkDevice(_ connection: PulseConnection, _ stream: Stream) -> Bool {
    let index = stream.deviceIndex
    do {
      try queryDevice(connection, at: index, until: System.nanoseconds + 1_000_000_000)
    } catch {
      // If the device is unknown, the server may have moved the stream again. If the server did not
      // respond, the query is repeated.
      return error != .unknown || stream.deviceIndex != index
    }
    if stream.hasMoved && stream.deviceIndex == index {
      stream.hasMoved = false
      stream.reportDeviceChange()
    }
    return true
  }

  /// Retries every 250 ms until samples flow again or the end is requested.
  private func awaitReturn() {
    while !loop.isEnding {
      let next = System.nanoseconds + 250_000_000
      while !loop.isEnding && System.nanoseconds < next { loop.turn(until: next) }
      if loop.isEnding { return }
      do {
        try open(isFirst: false)
        return
      } catch {
        releaseStream()
      }
    }
  }

  private func close() {
    releaseStream()
    connection = nil
  }
}
#endif
