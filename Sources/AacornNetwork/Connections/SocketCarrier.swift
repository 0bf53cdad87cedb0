import AacornSystem

/// A carrier that accepts connections at a socket and uses them on a separate thread.
final class SocketCarrier: ByteCarrier {
  private struct Inbox {
    var works: [@Sendable () -> Void] = []
    /// The last work; nil until the carrier is stopped.
    var lastWork: (@Sendable () -> Void)?
    var isFinished = false
  }

  let port: Int
  private let listener: Int32
  private let wakePipe: WakePipe
  private let inbox = Lock(Inbox())
  private let thread = Lock<WorkerThread?>(nil)

  /// The number of milliseconds until the next `accept`, after the system had no descriptors left.
  private static let pause = 100
  /// The maximum time in milliseconds for which `stop` waits for the thread.
  ///
  /// The thread may be reading a file from a disk that does not respond.
  private static let stopTime = 10_000

  /// Starts at a listening socket, which the carrier then owns.
  ///
  /// Returns nil if the system has no thread or descriptor left; then the caller still owns the
  /// socket.
  init?(_ listener: HTTPListener, for dispatcher: RequestDispatcher) {
    guard let wakePipe = WakePipe() else { return nil }
    self.wakePipe = wakePipe
    self.listener = listener.descriptor
    port = listener.port
    // The thread retains the carrier until it ends, even if `stop` has abandoned it.
    let worker = WorkerThread("http server") { [self] in run(dispatcher) }
    guard let worker else { return nil }
    thread.withLock { $0 = worker }
  }

  func perform(_ work: @escaping @Sendable () -> Void) {
    let isFirst = inbox.withLock { inbox in
      if !inbox.isFinished { inbox.works.append(work) }
      return inbox.works.count == 1
    }
    // One wake-up suffices, because the thread performs all queued work.
    if isFirst { wakePipe.wake() }
  }

  func stop(_ work: @escaping @Sendable () -> Void) {
    inbox.withLock { $0.lastWork = work }
    wakePipe.wake()
    let worker = thread.withLock { thread in
      defer { thread = nil }
      return thread
    }
    worker?.join(milliseconds: Self.stopTime)
  }

  // MARK: The thread

  private func run(_ dispatcher: RequestDispatcher) {
    let links = SocketLinks(wake: wakePipe.reading, listener: listener)
    var buffer = [UInt8](repeating: 0, count: 64 * 1024)
    var pauseEnd = Int64.min
    var checkTime = Int64.max
    while work() {
      let now = System.nanoseconds
      if now >= checkTime {
        let latest = dispatcher.connections.count == 0 ? .max : now + dispatcher.checkInterval
        checkTime = min(dispatcher.checkTimes(at: now), latest)
      }
      let next = min(checkTime, pauseEnd > now ? pauseEnd : .max)
      let (ready, hasClient) = links.wait(
        isAccepting: !dispatcher.isFull && now >= pauseEnd,
        // One more millisecond, so that the deadline has passed after the wait.
        milliseconds: next == .max ? -1 : Int((next - now) / 1_000_000) + 1)

      wakePipe.drain()
      for (link, outcome) in ready where !link.isClosed { Self.serve(link, outcome, &buffer) }
      if hasClient {
        if !accept(dispatcher, links) {
          pauseEnd = System.nanoseconds + Int64(Self.pause) * 1_000_000
        }
        checkTime = min(checkTime, System.nanoseconds + dispatcher.checkInterval)
      }
    }
    try? System.close(listener)
  }

  /// Performs the queued work.
  ///
  /// Returns false at the end.
  private func work() -> Bool {
    let (works, lastWork) = inbox.withLock { inbox in
      defer { inbox.works = [] }
      if inbox.lastWork != nil { inbox.isFinished = true }
      return (inbox.works, inbox.lastWork)
    }
    for work in works { work() }
    lastWork?()
    return lastWork == nil
  }

  private static func serve(
    _ link: SocketLink, _ outcome: PollSet.Outcome,
    _ buffer: inout [UInt8]
  ) {
    if link.isSending, outcome.canWrite || outcome.isBroken { link.continueSending() }
    if link.isClosed { return }
    if link.isReceiving {
      if outcome.canRead || outcome.isBroken { link.take(&buffer, isBroken: outcome.isBroken) }
    } else if outcome.isBroken {
      link.owner?.failed()
    }
  }

  /// Accepts some waiting clients.
  ///
  /// Returns false if the system has no resources left for them.
  private func accept(_ dispatcher: RequestDispatcher, _ links: SocketLinks) -> Bool {
    for _ in 0..<Self.burst where !dispatcher.isFull {
      do throws(SystemError) {
        guard let (socket, address) = try System.accept(listener) else { return true }
        dispatcher.accept(
          links.add(socket), from: address.isEmpty ? .file : PeerAddress(address), through: self)
      } catch {
        return false
      }
    }
    return true
  }
}
