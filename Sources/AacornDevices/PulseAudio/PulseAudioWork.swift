#if os(Linux)
import AacornSystem

/// The work of a source's or target's thread: opens, follows, waits for what has gone away, closes.
protocol PulseAudioWork: AnyObject {
  /// A source or sink, as the program tells of it.
  associatedtype Device: Sendable
  /// What samples flow through.
  associatedtype Stream: PulseStream

  /// The server to use; nil means the one in the user's settings.
  var server: String? { get }
  /// The loop that the thread runs.
  var loop: PulseLoop { get }
  /// What the thread tells.
  var status: PulseAudioStatus<Device> { get }
  /// The program's name in the system's mixers.
  var applicationName: String { get }
  /// The name of the chosen device; nil follows the default one.
  var chosenName: String? { get }
  /// The connection, as long as there is one.
  var connection: PulseConnection? { get set }
  /// The stream, as long as there is one.
  var stream: Stream? { get }

  /// Finds the device, opens a stream and lets it flow; after the first time it tells that the
  /// device has returned.
  func open(
    _ connection: PulseConnection, isFirst: Bool, until deadline: Int64
  ) throws(CaptureError)

  /// Queries the device with the index `index`, and reports it.
  ///
  /// - Throws: `unknown` if there is no such device, or if it must not be used.
  func lookAtDevice(
    _ connection: PulseConnection, at index: UInt32, until deadline: Int64
  ) throws(PulseFailure)

  /// Tells that the device or the server is gone.
  func tellLoss()

  /// Lets go of the stream and what belongs to it.
  func letGo()

  /// Does what is left to do when the end was requested.
  func finish()
}

extension PulseAudioWork {
  /// Runs for the thread's whole life.
  func run() {
    defer { status.finish() }
    status.remark(System.raiseThreadPriority())
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
      tellLoss()
      letGo()
      awaitReturn()
    }
    finish()
    close()
  }

  /// What the body gives, or its failure as an error about the chosen device.
  func explaining<Result>(
    _ body: () throws(PulseFailure) -> Result
  ) throws(CaptureError) -> Result {
    do {
      return try body()
    } catch {
      throw error.captureError("open", chosenName ?? "default", loop.library)
    }
  }

  private func open(isFirst: Bool) throws(CaptureError) {
    let deadline = System.nanoseconds + 5_000_000_000
    try open(connect(isFirst: isFirst, until: deadline), isFirst: isFirst, until: deadline)
  }

  private func connect(
    isFirst: Bool, until deadline: Int64
  ) throws(CaptureError) -> PulseConnection {
    if let connection, connection.isGood { return connection }
    connection = nil
    // We do not restart a server that went away: someone may have stopped it on purpose.
    let new = try PulseConnection(
      loop, applicationName: applicationName, server: server, mayStartServer: isFirst,
      until: deadline)
    connection = new
    return new
  }

  /// Goes on until the end is requested, or the device or the server goes away.
  private func follow() {
    guard let connection, let stream else { return }
    var lastCheck = System.nanoseconds
    while !loop.isEnding && connection.isGood && stream.isGood {
      let now = System.nanoseconds
      loop.turn(until: now + (stream.hasBacklog ? 20_000_000 : 1_000_000_000))
      if stream.hasBacklog { stream.serve() }
      if stream.hasMoved, !identifyDevice(connection, stream) { return }
      // Some servers do not report that a stream's device has vanished.
      if stream.isSilent(for: 1000, now: now) && now - lastCheck > 1_000_000_000 {
        lastCheck = now
        if !isDeviceThere(connection, stream) { return }
      }
    }
  }

  /// Identifies the device to which the server moved the stream, and announces it; returns whether to continue.
  ///
  /// The device is reported before the move: the notified code queries the device's name.
  private func identifyDevice(_ connection: PulseConnection, _ stream: Stream) -> Bool {
    let index = stream.deviceIndex
    do {
      try lookAtDevice(connection, at: index, until: System.nanoseconds + 1_000_000_000)
    } catch {
      // The server may have moved the stream once more. Without an answer the question is repeated.
      return error != .unknown || stream.deviceIndex != index
    }
    if stream.deviceIndex == index {
      stream.hasMoved = false
      stream.tellMove()
    }
    return true
  }

  private func isDeviceThere(_ connection: PulseConnection, _ stream: Stream) -> Bool {
    do {
      try lookAtDevice(
        connection, at: stream.deviceIndex, until: System.nanoseconds + 1_000_000_000)
      return true
    } catch {
      return error != .unknown
    }
  }

  /// Tries every quarter of a second until samples flow again or the end is requested.
  private func awaitReturn() {
    while !loop.isEnding {
      let next = System.nanoseconds + 250_000_000
      while !loop.isEnding && System.nanoseconds < next { loop.turn(until: next) }
      if loop.isEnding { return }
      do {
        try open(isFirst: false)
        return
      } catch {
        letGo()
      }
    }
  }

  private func close() {
    letGo()
    connection = nil
  }
}
#endif
