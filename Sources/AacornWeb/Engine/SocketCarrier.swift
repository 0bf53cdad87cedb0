import AacornSystem

/// Accepts connections at a socket, and carries their bytes on a thread of its own.
final class SocketCarrier: ByteCarrier {
  private struct Inbox {
    var works: [@Sendable () -> Void] = []
    /// What is done last; nil as long as it runs.
    var lastWork: (@Sendable () -> Void)?
    var isOver = false
  }

  let port: Int
  private let listener: Int32
  private let bell: (reading: Int32, writing: Int32)
  private let inbox = Lock(Inbox())
  private let thread = Lock<WorkerThread?>(nil)

  /// Milliseconds until it is tried again to accept somebody, after the system had no descriptors.
  private static let pause = 100
  /// The most who are accepted before those already there are heard: in a crowd they would
  /// otherwise push out each other before anybody has read what they have sent.
  private static let burst = 32

  /// Starts at a listening socket, which belongs to it from now on; nil if the system has no thread
  /// or no descriptors left.
  init?(_ listener: HTTPListener, for engine: HTTPEngine) {
    guard let bell = System.makePipe() else {
      try? System.close(listener.descriptor)
      return nil
    }
    self.bell = bell
    self.listener = listener.descriptor
    port = listener.port
    // It lives until its thread has ended, which the owner waits for.
    let worker = WorkerThread { [self] in run(engine) }
    guard let worker else {
      try? System.close(listener.descriptor)
      return nil
    }
    thread.withLock { $0 = worker }
  }

  deinit {
    try? System.close(bell.reading)
    try? System.close(bell.writing)
  }

  func perform(_ work: @escaping @Sendable () -> Void) {
    inbox.withLock { if !$0.isOver { $0.works.append(work) } }
    System.poke(bell.writing)
  }

  func stop(_ work: @escaping @Sendable () -> Void) {
    inbox.withLock { $0.lastWork = work }
    System.poke(bell.writing)
    let worker = thread.withLock { thread in
      defer { thread = nil }
      return thread
    }
    worker?.join()
  }

  // MARK: The thread

  private func run(_ engine: HTTPEngine) {
    var links: [SocketLink] = []
    var buffer = [UInt8](repeating: 0, count: 64 * 1024)
    var pauseEnd = Int64.min
    while work() {
      let now = System.nanoseconds
      let deadline = engine.checkTimes(at: now)
      links.removeAll(where: \.isClosed)
      let isAccepting = !engine.isFull && now >= pauseEnd
      var list = WaitingList()
      list.add(bell.reading, reading: true, writing: false)
      list.add(listener, reading: isAccepting, writing: false)
      for link in links {
        list.add(link.descriptor, reading: link.isReceiving, writing: link.isSending)
      }
      let next = min(deadline, pauseEnd > now ? pauseEnd : .max)
      // One more millisecond, so that the time is up then.
      list.wait(milliseconds: next == .max ? -1 : Int((next - now) / 1_000_000) + 1)

      System.drain(bell.reading)
      for (index, link) in links.enumerated() where !link.isClosed {
        Self.serve(link, list.outcome(index + 2), &buffer)
      }
      if list.outcome(1).canRead {
        if !accept(engine, &links) {
          pauseEnd = System.nanoseconds + Int64(Self.pause) * 1_000_000
        }
      }
    }
    try? System.close(listener)
  }

  /// Does what others have asked for; false at the end.
  private func work() -> Bool {
    let (works, lastWork) = inbox.withLock { inbox in
      defer { inbox.works = [] }
      if inbox.lastWork != nil { inbox.isOver = true }
      return (inbox.works, inbox.lastWork)
    }
    for work in works { work() }
    lastWork?()
    return lastWork == nil
  }

  private static func serve(
    _ link: SocketLink, _ outcome: (canRead: Bool, canWrite: Bool, isBroken: Bool),
    _ buffer: inout [UInt8]
  ) {
    if link.isSending, outcome.canWrite || outcome.isBroken { link.goOnSending() }
    if link.isClosed { return }
    if link.isReceiving {
      if outcome.canRead || outcome.isBroken { link.take(&buffer, isBroken: outcome.isBroken) }
    } else if outcome.isBroken {
      link.owner?.failed()
    }
  }

  /// Accepts some of those who wait; false if the system has nothing left for them.
  private func accept(_ engine: HTTPEngine, _ links: inout [SocketLink]) -> Bool {
    for _ in 0..<Self.burst where !engine.isFull {
      do throws(SystemError) {
        guard let (socket, address) = try System.accept(listener) else { return true }
        let link = SocketLink(socket)
        links.append(link)
        engine.accept(
          link, from: address.isEmpty ? .file : PeerAddress(address), through: self)
      } catch {
        return false
      }
    }
    return true
  }
}
