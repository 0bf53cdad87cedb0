import AacornStreaming
import AacornSystem
import AacornWeb

/// A connection to nowhere, as a test scripts it; every transport that it makes shares the script.
///
///     let server = MockServer()
///     server.answers = [Array("HTTP/1.1 200 OK\r\n\r\n".utf8)]
///     var transport: any ByteTransport = server.factory(StopSignal())
///
/// It records what is sent over which connection, hands out what it was given to say, and fails
/// where it is told to.
final class MockServer: Sendable {
  /// What happens at a step of a connection.
  enum Fault: Sendable, Equatable {
    /// The step fails with this error.
    case fails(NetworkError)
    /// The step waits until the stop signal is raised, or its own time is over.
    case hangs
  }

  /// One connection.
  struct Connection: Sendable {
    var endpoint: NetworkEndpoint?
    /// All that was sent over it.
    var bytes: [UInt8] = []
    /// The same, call by call.
    var sends: [[UInt8]] = []
    var isClosed = false
    /// What the system was to hold.
    var unsentLimit = 0
    fileprivate var answers: [[UInt8]] = []
  }

  /// The script and what has come of it.
  struct Script: Sendable {
    /// What each new connection gets to read, piece by piece, at once.
    var answers: [[UInt8]] = []
    /// What only the connection of this number gets to read, counted from 0.
    var answersOfConnection: [Int: [[UInt8]]] = [:]
    /// How connecting fails, for the first connections; empty works.
    var connectFaults: [Fault?] = []
    /// A fault of sending, once, after so many successful calls on a connection of this number.
    var sendFaults: [Int: (afterCalls: Int, fault: Fault)] = [:]
    /// What a connection does when all answers are read: closed by the server, or silence.
    var closesAfterAnswers = false
    /// Bytes that nobody has acknowledged at the end of the connection of this number.
    var unacknowledged: [Int: Int] = [:]
    var connections: [Connection] = []
  }

  private let script = Lock(Script())

  /// Reads or changes the script.
  func withScript<Result>(_ body: (inout Script) -> Result) -> Result { script.withLock(body) }

  /// What every connection gets to read.
  var answers: [[UInt8]] {
    get { script.withLock(\.answers) }
    set { script.withLock { $0.answers = newValue } }
  }

  /// The connections so far, in their order.
  var connections: [Connection] { script.withLock(\.connections) }

  /// Gives a connection more to read.
  func say(_ bytes: [UInt8], on connection: Int = 0) {
    script.withLock { $0.connections[connection].answers.append(bytes) }
  }

  var factory: TransportFactory { { MockTransport(self, stop: $0) } }

  fileprivate func open(_ endpoint: NetworkEndpoint, unsentLimit: Int) -> (Int, Fault?) {
    script.withLock { script in
      let number = script.connections.count
      var connection = Connection(endpoint: endpoint)
      connection.unsentLimit = unsentLimit
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

  /// The next answer; nil if there is none, and whether the server has closed then.
  fileprivate func answer(on number: Int) -> ([UInt8]?, isClosed: Bool) {
    script.withLock { script in
      if script.connections[number].answers.isEmpty { return (nil, script.closesAfterAnswers) }
      return (script.connections[number].answers.removeFirst(), false)
    }
  }

  fileprivate func close(_ number: Int) {
    script.withLock { $0.connections[number].isClosed = true }
  }
}

/// A transport that leads to a scripted server.
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
    try meet(server.take(bytes, on: try connected()), time)
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
    return server.withScript { $0.unacknowledged[lastNumber] ?? 0 }
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
    }
  }
}
