/// Packs bits into bytes, most significant bit first.
///
///     cache   [ pending bits, left-aligned … | free ]   64 bits
///     words   completed big-endian 32-bit words
///
/// Words, not bytes, are stored because one append of four bytes costs a third of four appends of
/// one. Storage is kept by `removeAll()`, so a writer that is used again does not allocate.
@frozen
public struct BitWriter: BitSink {
  @usableFromInline var words: [UInt32] = []
  @usableFromInline var cache: UInt64 = 0
  /// Bits waiting in the cache, 0…31 between calls.
  @usableFromInline var pending = 0

  /// An empty writer with room for `byteCapacity` bytes.
  public init(byteCapacity: Int = 0) {
    words.reserveCapacity((byteCapacity + 3) / 4)
  }

  /// Bits written so far.
  @inlinable
  public var bitCount: Int { words.count &* 32 &+ pending }

  /// Appends the low `count` bits of `value`.
  ///
  /// `count` is 0…32, and the higher bits of `value` must be 0.
  @inlinable
  public mutating func put(_ value: UInt32, count: Int) {
    cache |= UInt64(value) &<< UInt64(truncatingIfNeeded: 64 &- count &- pending)
    pending &+= count
    if pending >= 32 {
      words.append(UInt32(truncatingIfNeeded: cache &>> 32).bigEndian)
      cache = cache &<< 32
      pending &-= 32
    }
  }

  /// Forgets everything and keeps the storage.
  @inlinable
  public mutating func removeAll() {
    words.removeAll(keepingCapacity: true)
    cache = 0
    pending = 0
  }

  /// Appends what was written, filled up to whole bytes with zeros, to `bytes`.
  public func append(to bytes: inout [UInt8]) {
    unsafe words.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
    var rest = cache
    var left = pending
    while left > 0 {
      bytes.append(UInt8(truncatingIfNeeded: rest &>> 56))
      rest = rest &<< 8
      left -= 8
    }
  }

  /// What was written, as whole bytes.
  public var bytes: [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity((bitCount + 7) / 8)
    append(to: &result)
    return result
  }
}
