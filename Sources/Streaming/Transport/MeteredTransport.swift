/// A transport that counts what is sent, and bounds how long nothing may move.
struct MeteredTransport: ByteTransport {
  private var base: any ByteTransport
  private let stallMilliseconds: Int
  private let count: (Int) -> Void

  init(
    _ base: any ByteTransport, stallMilliseconds: Int, count: @escaping (Int) -> Void
  ) {
    self.base = base
    self.stallMilliseconds = stallMilliseconds
    self.count = count
  }

  var unsentLimit: Int {
    get { base.unsentLimit }
    set { base.unsentLimit = newValue }
  }

  var unacknowledgedByteCount: Int { base.unacknowledgedByteCount }

  mutating func connect(to endpoint: Endpoint, milliseconds: Int) throws(StreamingError) {
    try base.connect(to: endpoint, milliseconds: milliseconds)
  }

  mutating func send(_ bytes: [UInt8], milliseconds: Int) throws(StreamingError) {
    try base.send(bytes, milliseconds: min(milliseconds, stallMilliseconds))
    count(bytes.count)
  }

  mutating func receive(
    into bytes: inout [UInt8], milliseconds: Int
  ) throws(StreamingError) -> Bool {
    try base.receive(into: &bytes, milliseconds: milliseconds)
  }

  mutating func close() { base.close() }
}
