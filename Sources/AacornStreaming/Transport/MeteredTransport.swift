import AacornSystem
import AacornWeb

/// A transport that counts what is sent, and limits how long nothing may move and how much the
/// server may send.
struct MeteredTransport: ByteTransport {
  private var base: any ByteTransport
  /// The server's address for display.
  private let name: String
  private let stallMilliseconds: Int
  private let count: (Int) -> Void
  private var allowance = TalkAllowance()

  init(
    _ base: any ByteTransport, to name: String, stallMilliseconds: Int,
    count: @escaping (Int) -> Void
  ) {
    self.base = base
    self.name = name
    self.stallMilliseconds = stallMilliseconds
    self.count = count
  }

  var unsentLimit: Int {
    get { base.unsentLimit }
    set { base.unsentLimit = newValue }
  }

  var unacknowledgedByteCount: Int { base.unacknowledgedByteCount }

  mutating func connect(to endpoint: Endpoint, milliseconds: Int) throws(NetworkError) {
    try base.connect(to: endpoint, milliseconds: milliseconds)
    allowance = TalkAllowance()
  }

  mutating func send(_ bytes: [UInt8], milliseconds: Int) throws(NetworkError) {
    try base.send(bytes, milliseconds: min(milliseconds, stallMilliseconds))
    count(bytes.count)
  }

  mutating func receive(
    into bytes: inout [UInt8], milliseconds: Int
  ) throws(NetworkError) -> Bool {
    let countBefore = bytes.count
    guard try base.receive(into: &bytes, milliseconds: milliseconds) else { return false }
    if allowance.take(bytes.count - countBefore, at: System.nanoseconds) { return true }
    close()
    throw .flooding(name)
  }

  mutating func close() { base.close() }
}
