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

/// The limit of the data that a server may send to a publisher: a low continuous rate, with bursts.
///
/// A server that a stream is published to sends some kilobytes when it accepts the stream, and then
/// a few bytes a minute. Endless data would have to be read, decrypted and handled, which would
/// occupy a core of this machine.
struct InboundByteBudget {
  /// The maximum number of bytes in a burst.
  static let burst = 128_000
  /// The maximum number of bytes per second in the long run.
  static let bytesPerSecond = 16_000

  private var remainingByteCount = burst
  /// The time of the last update of `remainingByteCount`, in nanoseconds; nil before the first bytes.
  private var time: Int64?

  /// Counts received bytes.
  ///
  /// Returns false if the limit is exceeded.
  mutating func take(_ count: Int, at now: Int64) -> Bool {
    if let time {
      // Eight seconds fill the budget. With a longer time, the product could overflow.
      let elapsed = max(0, min(now - time, 10_000_000_000))
      remainingByteCount = min(
        Self.burst, remainingByteCount + Int(elapsed * Int64(Self.bytesPerSecond) / 1_000_000_000))
    }
    time = now
    remainingByteCount -= count
    return remainingByteCount >= 0
  }
}
