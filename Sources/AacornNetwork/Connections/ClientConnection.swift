import AacornSystem

/// A client's connection to a server.
///
/// It reads one request at a time, and sends the response before the next one.
///
/// During a response, the input of the client is read ahead, up to a limit, so that its end is
/// detected.
final class ClientConnection: @unchecked Sendable {
  // Unchecked because of the variables, which only the carrier's thread uses. Methods for other
  // threads use none of them.

  enum Phase {
    /// A request is being read.
    case reading
    /// A request waits for its response.
    case waiting
    /// A response is being sent.
    case answering
    /// The response is complete; further input is discarded for a limited time.
    case draining
    case closed
  }

  let number: Int32
  let link: any ByteLink
  let dispatcher: RequestDispatcher
  let address: PeerAddress
  private let carrier: any ByteCarrier
  private let inputHasEnded = Atomic(false)

  var phase = Phase.reading
  private(set) var slot = 0
  var reader: HTTPRequestReader
  var exchange: HTTPExchange?
  /// The head of the request that is read or answered.
  var head = HTTPHead()
  var outgoing: PendingResponse?
  /// Whether the link is sending.
  var isSending = false
  private var isReceiving = false
  private var isRunning = false
  private var lastActivity = System.nanoseconds
  private var drainEnd = Int64.max

  /// The maximum number of bytes to read during a response.
  private static let aheadLimit = 16 * 1024
  /// The maximum number of consecutive steps (parts of requests and pieces of responses), even for
  /// a fast client.
  private static let maxStepCount = 64
  /// The time for a client to close after its last response, in nanoseconds.
  static let drainTimeout: Int64 = 2_000_000_000

  init(
    _ number: Int32, _ link: any ByteLink, _ address: PeerAddress,
    _ dispatcher: RequestDispatcher, _ carrier: any ByteCarrier
  ) {
    self.number = number
    self.link = link
    self.address = address
    self.dispatcher = dispatcher
    self.carrier = carrier
    let memory = max(4096, dispatcher.options.connectionMemory)
    reader = HTTPRequestReader(HTTPRequestReader.Limits(head: memory))
  }

  // MARK: Any thread

  /// Continues with the request on the carrier's thread, unless the carrier has ended.
  func resume() { carrier.perform { self.continueExchange() } }

  /// Whether the client has ended its input.
  ///
  /// It may wait for its response or be disconnected, which cannot be distinguished.
  var hasEnded: Bool { inputHasEnded.load(ordering: .acquiring) }

  /// Closes the connection soon.
  func disconnect() { carrier.perform { self.close() } }

  // MARK: The carrier's thread

  /// Makes the system detect a client that disappears silently.
  func probeSilence() { link.probeSilence() }

  func start() {
    link.owner = self
    slot = dispatcher.limiter.enter(
      number, from: address.neighborhood, at: System.nanoseconds)
    run()
  }

  /// Returns the time at which the connection will have been idle for too long.
  func deadline(idle: Int64) -> Int64 {
    switch phase {
    case .reading: lastActivity + idle
    case .answering:
      outgoing?.isWaiting == true && !isSending ? .max : lastActivity + idle
    case .waiting, .closed: .max
    case .draining: drainEnd
    }
  }

  /// Performs all steps that do not have to wait.
  func run() {
    // A response that is sent immediately must not start a nested call.
    if isRunning { return }
    isRunning = true
    defer { isRunning = false }
    var turns = 0
    while (phase == .reading ? read() : write()) {
      turns += 1
      if turns == Self.maxStepCount {
        // Let other connections take their steps, and then continue.
        carrier.perform { self.run() }
        return
      }
    }
    if phase == .waiting || phase == .answering, reader.pendingCount < Self.aheadLimit {
      receive()
    }
  }

  private func receive() {
    if isReceiving || hasEnded || phase == .closed { return }
    isReceiving = true
    link.receive()
  }

  /// Processes the next part of a request.
  ///
  /// Returns false if there is none yet.
  private func read() -> Bool {
    switch reader.next() {
    case .more:
      if hasEnded { close() } else { receive() }
      return false
    case .begun:
      head = HTTPHead()
      dispatcher.limiter.recordRequestStart(slot, at: System.nanoseconds)
    case .head(let head): begin(head)
    case .body(let part):
      let isFine = unsafe part.withUnsafeBytes { unsafe exchange?.receive($0) }
      if isFine != true { close() }
    case .end: proceed()
    case .fault(let fault): refuse(fault)
    }
    return true
  }

  /// Continues an exchange that a handler has resumed.
  private func continueExchange() {
    lastActivity = System.nanoseconds
    switch phase {
    case .waiting: proceed()
    case .answering: outgoing?.isWaiting = false
    case .reading, .draining, .closed: return
    }
    run()
  }

  /// Sends bytes over the link.
  func send(_ bytes: [UInt8]) {
    switch link.send(bytes) {
    case .done: lastActivity = System.nanoseconds
    case .pending: isSending = true
    case .failed: close()
    }
  }

  /// Discards further input after the last response.
  ///
  /// Closing the connection immediately makes many systems discard a response that the client has
  /// not read yet (RFC 9112 9.6).
  func drain() {
    guard !hasEnded, dispatcher.connections.beginDraining() else { return close() }
    phase = .draining
    drainEnd = System.nanoseconds + Self.drainTimeout
    dispatcher.limiter.leave(slot)
    reader = HTTPRequestReader()
    link.finishSending()
    receive()
  }

  /// Closes the connection in any phase.
  func close() {
    if phase == .closed { return }
    if phase == .draining { dispatcher.connections.endDraining() }
    phase = .closed
    outgoing = nil
    endExchange()
    dispatcher.limiter.leave(slot)
    link.owner = nil
    link.close()
    dispatcher.connections.remove(number)
  }

  func endExchange() {
    guard let exchange else { return }
    self.exchange = nil
    dispatcher.complete(exchange)
  }

  // MARK: From the link

  func received(_ bytes: some Collection<UInt8>) {
    isReceiving = false
    if phase == .draining { return receive() }
    lastActivity = System.nanoseconds
    reader.feed(bytes)
    run()
  }

  /// Handles the end of the client's input.
  func ended() {
    isReceiving = false
    inputHasEnded.store(true, ordering: .releasing)
    if phase == .draining { close() } else { run() }
  }

  /// Handles the progress of a send.
  func progressed() { lastActivity = System.nanoseconds }

  /// Handles the end of a send.
  func sent() {
    isSending = false
    lastActivity = System.nanoseconds
    run()
  }

  /// Handles a broken connection.
  func failed() { close() }
}
