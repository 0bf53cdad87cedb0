/// A section of a file in memory that moves on demand.
struct FileWindow<Failure: Error> {
  private let read: (UInt64, Int) throws(Failure) -> [UInt8]
  /// The end of the file; earlier than specified if a read returned fewer bytes.
  private(set) var end: UInt64
  private(set) var bytes: [UInt8] = []
  private var offset: UInt64 = 0

  /// The read sizes for sequential access and for random access, in bytes.
  private static var length: Int { 1 << 18 }
  private static var shortLength: Int { 1 << 13 }

  init(byteCount: UInt64, read: @escaping (UInt64, Int) throws(Failure) -> [UInt8]) {
    end = byteCount
    self.read = read
  }

  /// Returns the range in `bytes` of the `count` bytes at `start`, or of the available ones.
  mutating func range(at start: UInt64, count: Int) throws(Failure) -> Range<Int> {
    let wanted = start >= end ? 0 : Int(min(UInt64(count), end - start))
    if wanted == 0 { return 0..<0 }
    if start < offset || start + UInt64(wanted) > offset + UInt64(bytes.count) {
      let isNear =
        start >= offset && start - offset <= UInt64(bytes.count) + UInt64(Self.shortLength)
      let length = max(isNear ? Self.length : Self.shortLength, wanted)
      offset = start
      let ask = Int(min(UInt64(length), end - offset))
      bytes = try read(offset, ask)
      if bytes.count < ask { end = min(end, offset + UInt64(bytes.count)) }
    }
    let first = min(Int(start - offset), bytes.count)
    return first..<min(bytes.count, first + wanted)
  }
}
