import AacornSystem

/// A client's connection to the engine: reads requests one after the other, and answers each
/// before the next.
///
/// What a client sends meanwhile is read ahead, up to a bound, so that its end is noticed.
final class EngineConnection: HTTPConnection, @unchecked Sendable {
  // Unchecked because of the variables, which are used on the carrier's thread only; what other
  // threads may call uses none of them.

  enum Phase {
    /// Requests are read.
    case reading
    /// A request waits for its answer.
    case waiting
    /// An answer is sent.
    case answering
    /// All is said, and what still comes is thrown away for a while.
    case lingering
    case closed
  }

  let number: Int32
  let link: any ByteLink
  let engine: HTTPEngine
  private let address: PeerAddress
  private let carrier: any ByteCarrier
  private let knownPresence = Lock(HTTPPresence.present)

  var phase = Phase.reading
  private(set) var place = 0
  var reader: HTTPRequestReader
  var exchange: HTTPExchange?
  /// Of the request that is read or answered.
  private(set) var head = HTTPHead()
  var outgoing: OutgoingAnswer?
  /// Whether the link is sending.
  var isSending = false
  private var isReceiving = false
  /// Whether the client sends nothing more.
  private(set) var hasEnded = false
  private var isRunning = false
  private var lastActivity = System.nanoseconds
  private var lingerEnd = Int64.max

  /// The most bytes that are read while a request is answered.
  private static let aheadLimit = 16 * 1024
  /// Parts of requests and pieces of answers in a row, however fast the client is.
  private static let mostTurns = 64
  /// Nanoseconds for a client to close after its last answer.
  private static let patience: Int64 = 2_000_000_000

  init(
    _ number: Int32, _ link: any ByteLink, _ address: PeerAddress, _ engine: HTTPEngine,
    _ carrier: any ByteCarrier
  ) {
    self.number = number
    self.link = link
    self.address = address
    self.engine = engine
    self.carrier = carrier
    let memory = max(4096, engine.desk.options.connectionMemory)
    reader = HTTPRequestReader(HTTPRequestReader.Limits(head: memory))
  }

  // MARK: Any thread

  /// Nothing needs to be done: whether it is suspended shows in what it waits for.
  func suspend() {}

  func resume() { carrier.perform { self.goOn() } }

  var presence: HTTPPresence { knownPresence.withLock { $0 } }

  /// Ends it soon.
  func cut() { carrier.perform { self.close() } }

  // MARK: The carrier's thread

  func probeSilence() { link.probeSilence() }

  func start() {
    link.owner = self
    place = engine.desk.enter(number, from: address.neighborhood)
    run()
  }

  /// When it will have been idle for too long.
  func deadline(idle: Int64) -> Int64 {
    switch phase {
    case .reading: lastActivity + idle
    case .answering:
      outgoing?.isWaiting == true && !isSending ? .max : lastActivity + idle
    case .waiting, .closed: .max
    case .lingering: lingerEnd
    }
  }

  /// Does what can be done without waiting.
  func run() {
    // Answers that are sent at once must not pile up calls.
    if isRunning { return }
    isRunning = true
    defer { isRunning = false }
    var turns = 0
    while (phase == .reading ? read() : write()) {
      turns += 1
      if turns == Self.mostTurns {
        // Others have their turn, too.
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

  /// Takes the next part of a request; false if there is none yet.
  private func read() -> Bool {
    switch reader.next() {
    case .more:
      if hasEnded { close() } else { receive() }
      return false
    case .begun:
      head = HTTPHead()
      engine.desk.noteRequest(place)
    case .head(let head): begin(head)
    case .body(let part):
      let isFine = unsafe part.withUnsafeBytes { unsafe exchange?.receive($0) }
      if isFine != true { close() }
    case .end: proceed()
    case .fault(let fault):
      let exchange = exchange ?? makeExchange()
      carryOut(engine.desk.refuse(fault, of: exchange))
    }
    return true
  }

  private func begin(_ head: HTTPHead) {
    self.head = head
    let exchange = makeExchange()
    carryOut(engine.desk.begin(exchange, head, from: address.text))
    // RFC 9110 10.1.1: not to those who have sent the body anyway.
    if phase == .reading, head.expectsContinue, reader.pendingCount == 0,
      HTTPRequestRules.bodySize(head.fields) != 0
    {
      send(HTTPAnswerHead.goAhead)
    }
  }

  private func makeExchange() -> HTTPExchange {
    let exchange = HTTPExchange(self, place, engine.desk.options)
    self.exchange = exchange
    return exchange
  }

  private func proceed() {
    if let exchange { carryOut(engine.desk.proceed(with: exchange)) }
  }

  /// Does what the desk says.
  private func carryOut(_ step: HTTPStep) {
    switch step {
    case .goOn: break
    case .settle: proceed()
    case .wait: phase = .waiting
    case .answer(let answer): begin(answer)
    case .close: close()
    }
  }

  /// Looks at an exchange that somebody has resumed.
  private func goOn() {
    lastActivity = System.nanoseconds
    switch phase {
    case .waiting: proceed()
    case .answering: outgoing?.isWaiting = false
    case .reading, .lingering, .closed: return
    }
    run()
  }

  /// Passes bytes on to the link.
  func send(_ bytes: [UInt8]) {
    switch link.send(bytes) {
    case .done: lastActivity = System.nanoseconds
    case .pending: isSending = true
    case .failed: close()
    }
  }

  /// Reads and throws away what still comes after the last answer, since closing before that makes
  /// many systems discard an answer that the client has not read yet (RFC 9112 9.6).
  func linger() {
    guard !hasEnded, engine.table.beginLingering() else { return close() }
    phase = .lingering
    lingerEnd = System.nanoseconds + Self.patience
    engine.desk.places.leave(place)
    reader = HTTPRequestReader()
    link.finishSending()
    receive()
  }

  /// Ends it, with whatever is going on.
  func close() {
    if phase == .closed { return }
    if phase == .lingering { engine.table.endLingering() }
    phase = .closed
    knownPresence.withLock { $0 = .gone }
    outgoing = nil
    endExchange()
    engine.desk.places.leave(place)
    link.owner = nil
    link.close()
    engine.table.remove(number)
  }

  func endExchange() {
    guard let exchange else { return }
    self.exchange = nil
    engine.desk.complete(exchange)
  }

  // MARK: From the link

  func received(_ bytes: some Collection<UInt8>) {
    isReceiving = false
    if phase == .lingering { return receive() }
    lastActivity = System.nanoseconds
    reader.feed(bytes)
    run()
  }

  /// The client sends nothing more.
  func ended() {
    isReceiving = false
    hasEnded = true
    knownPresence.withLock { if $0 == .present { $0 = .finished } }
    if phase == .lingering { close() } else { run() }
  }

  /// A part of what is being sent is on its way.
  func progressed() { lastActivity = System.nanoseconds }

  /// Everything is on its way.
  func sent() {
    isSending = false
    lastActivity = System.nanoseconds
    run()
  }

  /// The connection is broken.
  func failed() { close() }
}
