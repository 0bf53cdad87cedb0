import AacornNetwork
import AacornStreaming
import AacornSystem
import Testing

/// A server scripted by a test, without a network.
///
/// All transports of a server share its script.
///
///     let server = MockServer()
///     server.answers = [Array("HTTP/1.1 200 OK\r\n\r\n".utf8)]
///     var transport: any ByteTransport = server.factory(StopSignal())
///
/// The server records the sent bytes of each connection, delivers the scripted responses, and fails
/// where the script says so.
final class MockServer: Sendable {
  /// The failure of a step of a connection.
  enum Fault: Sendable, Equatable {
    /// The step fails with this error.
    case fails(NetworkError)
    /// The step waits for the stop signal or its own timeout.
    case hangs
    /// The step fails after this time whether or not it is stopped, like the lookup of a name.
    case ignores(seconds: Int)
  }

  /// One connection.
  struct Connection: Sendable {
    var endpoint: NetworkEndpoint?
    /// All sent bytes.
    var bytes: [UInt8] = []
    /// The sent bytes of each call.
    var sends: [[UInt8]] = []
    var isClosed = false
    /// The limit of unsent bytes that the transport requested.
    var unsentLimit = 0
    /// The times at which connecting began, and the transport was closed, in seconds.
    var begin = 0.0
    var end: Double?
    /// The number of bytes at the end that have not arrived, once the transport has reported it.
    var lostByteCount = 0
    /// The number of times that the client has tried to read a piece.
    var readCount = 0
    fileprivate var answers: [[UInt8]] = []
  }

  /// The script and the recorded connections.
  struct Script: Sendable {
    /// The pieces that each new connection can read immediately.
    var answers: [[UInt8]] = []
    /// The pieces for single connections instead of `answers`, by the number of the connection,
    /// counted from 0.
    var answersOfConnection: [Int: [[UInt8]]] = [:]
    /// The piece that connections can read again and again after the others.
    var endlessAnswer: [UInt8]?
    /// The faults of the first connection attempts; nil means success.
    var connectFaults: [Fault?] = []
    /// The fault of sending after `afterCalls` successful calls, by the number of the connection.
    var sendFaults: [Int: (afterCalls: Int, fault: Fault)] = [:]
    /// Whether the server closes a connection after the last response.
    ///
    /// Otherwise it stays silent.
    var closesAfterAnswers = false
    /// The time for which each sending waits, in milliseconds.
    var sendDelay = 0
    /// The number of unacknowledged bytes at the end of a connection, by its number.
    var unacknowledged: [Int: Int] = [:]
    var connections: [Connection] = []
  }

  private let script = Lock(Script())

  /// Reads or changes the script.
  func withScript<Result>(_ body: (inout Script) -> Result) -> Result { script.withLock(body) }

  /// The pieces that every connection can read.
  var answers: [[UInt8]] {
    get { script.withLock(\.answers) }
    set { script.withLock { $0.answers = newValue } }
  }

  /// The connections, in order.
  var connections: [Connection] { script.withLock(\.connections) }

  /// Appends bytes that a connection can read.
  func say(_ bytes: [UInt8], on connection: Int = 0) {
    script.withLock { $0.connections[connection].answers.append(bytes) }
  }

  var factory: TransportFactory { { MockTransport(self, stop: $0) } }

  fileprivate func open(_ endpoint: NetworkEndpoint, unsentLimit: Int) -> (Int, Fault?) {
    script.withLock { script in
      let number = script.connections.count
      var connection = Connection(endpoint: endpoint)
      (connection.unsentLimit, connection.begin) = (unsentLimit, System.seconds)
      connection.answers = script.answersOfConnection[number] ?? script.answers
      script.connections.append(connection)
      return (number, number < script.connectFaults.count ? script.connectFaults[number] : nil)
    }
  }

  fileprivate func take(_ bytes: [UInt8], on number: Int) -> Fault? {
    script.withLock { script in
      if let (calls, fault) = script.sendFaults[number],
        script.connections[number].sends.count >= calls
      {
        return fault
      }
      script.connections[number].bytes += bytes
      script.connections[number].sends.append(bytes)
      return nil
    }
  }

  /// Returns the next response or nil, and whether the server has then closed the connection.
  fileprivate func answer(on number: Int) -> ([UInt8]?, isClosed: Bool) {
    script.withLock { script in
      script.connections[number].readCount += 1
      if !script.connections[number].answers.isEmpty {
        return (script.connections[number].answers.removeFirst(), false)
      }
      return (script.endlessAnswer, script.closesAfterAnswers)
    }
  }

  fileprivate func close(_ number: Int) {
    script.withLock { script in
      script.connections[number].isClosed = true
      script.connections[number].end = System.seconds
    }
  }

  /// Returns the number of unacknowledged bytes, which do not arrive.
  fileprivate func lose(_ number: Int) -> Int {
    script.withLock { script in
      let sentByteCount = script.connections[number].bytes.count
      let count = min(script.unacknowledged[number] ?? 0, sentByteCount)
      script.connections[number].lostByteCount = count
      return count
    }
  }
}

/// A transport to a scripted server.
struct MockTransport: ByteTransport {
  private let server: MockServer
  private let stop: StopSignal
  private var number: Int?
  private var lastNumber: Int?
  var unsentLimit = 65_536

  init(_ server: MockServer, stop: StopSignal) {
    self.server = server
    self.stop = stop
  }

  mutating func connect(to endpoint: NetworkEndpoint, within time: Duration) throws(NetworkError) {
    let (number, fault) = server.open(endpoint, unsentLimit: unsentLimit)
    self.number = number
    lastNumber = number
    try meet(fault, time)
  }

  mutating func send(_ bytes: [UInt8], within time: Duration) throws(NetworkError) {
    let number = try connected()
    let delay = server.withScript(\.sendDelay)
    if delay > 0, stop.wait(milliseconds: delay) {
      throw NetworkError(.closed, "It was stopped.")
    }
    try meet(server.take(bytes, on: number), time)
  }

  mutating func receive(
    into bytes: inout [UInt8], within time: Duration
  ) throws(NetworkError) -> Bool {
    let number = try connected()
    let deadline = System.nanoseconds + time.nanoseconds
    while true {
      let (answer, isClosed) = server.answer(on: number)
      if let answer {
        bytes += answer
        return true
      }
      if isClosed { throw NetworkError(.closed, "The scripted server has closed.") }
      if System.nanoseconds >= deadline { return false }
      if stop.wait(milliseconds: 1) { throw NetworkError(.closed, "It was stopped.") }
    }
  }

  mutating func close() {
    if let number { server.close(number) }
    number = nil
  }

  var unacknowledgedByteCount: Int {
    guard number == nil, let lastNumber else { return 0 }
    return server.lose(lastNumber)
  }

  private func connected() throws(NetworkError) -> Int {
    guard let number else { throw NetworkError(.closed, "There is no connection.") }
    return number
  }

  private func meet(_ fault: MockServer.Fault?, _ time: Duration) throws(NetworkError) {
    switch fault {
    case nil: return
    case .fails(let error): throw error
    case .hangs:
      if stop.wait(milliseconds: time.millisecondsToWait) {
        throw NetworkError(.closed, "It was stopped.")
      }
      throw NetworkError(.timeout, "The scripted server does not answer.")
    case .ignores(let seconds):
      System.sleep(milliseconds: 1000 * seconds)
      throw NetworkError(.unreachable, "The name has no address.")
    }
  }
}

/// Expects an error of this kind, with these words in its message, and returns the message.
@discardableResult
func expectNetworkError<Result>(
  _ kind: NetworkError.Kind, _ words: String = "",
  sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Result
) -> String {
  let error = #expect(throws: NetworkError.self, sourceLocation: sourceLocation) { _ = try body() }
  let message = error?.message ?? ""
  #expect(error?.kind == kind, "\(message)", sourceLocation: sourceLocation)
  let hasWords = words.isEmpty || message.contains(words)
  #expect(hasWords, "\(message)", sourceLocation: sourceLocation)
  return message
}
