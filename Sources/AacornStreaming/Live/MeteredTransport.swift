import AacornNetwork
import AacornSystem

/// A transport that counts sent bytes, and limits the time without progress and the amount of data
/// from the server.
struct MeteredTransport: ByteTransport {
  private var base: any ByteTransport
  /// The server's address for display.
  private let name: String
  private let stallTimeout: Duration
  private let count: (Int) -> Void
  private var allowance = InboundByteBudget()

  init(
    _ base: any ByteTransport, to name: String, stallTimeout: Duration,
    count: @escaping (Int) -> Void
  ) {
    self.base = base
    self.name = name
    self.stallTimeout = stallTimeout
    self.count = count
  }

  var unsentLimit: Int {
    get { base.unsentLimit }
    set { base.unsentLimit = newValue }
  }

  var unacknowledgedByteCount: Int { base.unacknowledgedByteCount }

  mutating func connect(to endpoint: NetworkEndpoint, within time: Duration) throws(NetworkError) {
    try base.connect(to: endpoint, within: time)
    allowance = InboundByteBudget()
  }

  mutating func send(_ bytes: [UInt8], within time: Duration) throws(NetworkError) {
    try base.send(bytes, within: min(time, stallTimeout))
    count(bytes.count)
  }

  mutating func receive(
    into bytes: inout [UInt8], within time: Duration
  ) throws(NetworkError) -> Bool {
    let countBefore = bytes.count
    guard try base.receive(into: &bytes, within: time) else { return false }
    if allowance.take(bytes.count - countBefore, at: System.nanoseconds) { return true }
    close()
    throw .flooding(name)
  }

  mutating func close() { base.close() }
}
