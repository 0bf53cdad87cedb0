/// Packs bits into bytes, most significant bit first.
///
///     cache    [ pending bits, left-aligned … | free ]   64 bits
///     storage  completed bytes, four at a time | room
///
/// `removeAll()` keeps the storage, so a reused writer does not allocate.
@frozen
public struct BitWriter: BitSink {
  @usableFromInline var storage: [UInt8]
  /// Completed bytes in the storage.
  @usableFromInline var length = 0
  @usableFromInline var cache: UInt64 = 0
  /// Bits pending in the cache, 0…31 between calls.
  @usableFromInline var pending = 0

  /// Creates an empty writer with room for `byteCapacity` bytes, at most 16 MB; it grows if needed.
  public init(byteCapacity: Int = 0) {
    storage = [UInt8](repeating: 0, count: max(16, min(byteCapacity, 1 << 24) + 8))
  }

  /// The number of bits written.
  @inlinable
  public var bitCount: Int { length &* 8 &+ pending }

  /// Appends the low `count` bits of `value`.
  ///
  /// A violated precondition corrupts the output, but no other memory: `flush` checks for room.
  ///
  /// - Precondition: `count` is 0…32, and the higher bits of `value` are 0.
  @inlinable
  public mutating func put(_ value: UInt32, count: Int) {
    assert(count >= 0 && count <= 32, "A field has 0 to 32 bits")
    cache |= UInt64(value) &<< UInt64(truncatingIfNeeded: 64 &- count &- pending)
    pending &+= count
    if pending >= 32 { flush() }
  }

  /// Moves four bytes from the cache to the storage.
  @inlinable
  mutating func flush() {
    if length + 8 > storage.count { grow(toHold: 8) }
    let word = UInt32(truncatingIfNeeded: cache &>> 32).bigEndian
    unsafe storage.withUnsafeMutableBytes {
      unsafe $0.storeBytes(of: word, toByteOffset: length, as: UInt32.self)
    }
    length &+= 4
    cache = cache &<< 32
    pending &-= 32
  }

  @usableFromInline
  mutating func grow(toHold count: Int) {
    let wanted = max(2 * storage.count, length + count)
    storage.append(contentsOf: repeatElement(0, count: wanted - storage.count))
  }

  /// Calls `body` with a cursor that keeps the writer's state in registers.
  ///
  /// `body` may append at most `fieldCount` fields.
  ///
  /// A field completes at most one word of four bytes, and room for all fields is reserved before
  /// the first. The cursor checks nothing: `body` must not exceed the number of fields, whatever
  /// their values.
  @unsafe @inline(__always)
  mutating func withUncheckedCursor(
    fieldCount: Int, _ body: (inout UncheckedCursor) -> Void
  ) {
    let byteCount = 4 * fieldCount
    if length + byteCount > storage.count { grow(toHold: byteCount) }
    precondition(
      fieldCount >= 0 && byteCount <= storage.count - length, "There is no room for the fields")
    let start = length
    let (cache, pending) = (cache, pending)
    (length, self.cache, self.pending) = unsafe storage.withUnsafeMutableBytes { bytes in
      guard let base = bytes.baseAddress else { return (start, cache, pending) }
      var cursor = unsafe UncheckedCursor(destination: base + start, cache: cache, pending: pending)
      body(&cursor)
      assert(
        unsafe cursor.destination - base <= start + byteCount,
        "More fields were written than announced")
      return unsafe (cursor.destination - base, cursor.cache, cursor.pending)
    }
  }

  /// The end of the output, for appending many codewords without checks for room.
  @safe
  struct UncheckedCursor: ~Copyable {
    fileprivate var destination: UnsafeMutableRawPointer
    fileprivate var cache: UInt64
    fileprivate var pending: Int

    fileprivate init(destination: UnsafeMutableRawPointer, cache: UInt64, pending: Int) {
      unsafe self.destination = destination
      self.cache = cache
      self.pending = pending
    }

    /// Appends the low `count` bits of `value`, as `BitWriter.put` does.
    @unsafe @inline(__always)
    mutating func put(_ value: UInt32, count: Int) {
      cache |= UInt64(value) &<< UInt64(truncatingIfNeeded: 64 &- count &- pending)
      pending &+= count
      if pending >= 32 {
        let word = UInt32(truncatingIfNeeded: cache &>> 32).bigEndian
        unsafe destination.storeBytes(of: word, as: UInt32.self)
        unsafe destination += 4
        cache = cache &<< 32
        pending &-= 32
      }
    }
  }

  func put(to bits: inout some BitSink) {
    // Completed bytes are always whole words.
    for start in stride(from: 0, to: length, by: 4) {
      var word: UInt32 = 0
      for index in start..<start + 4 { word = word << 8 | UInt32(storage[index]) }
      bits.put(word, count: 32)
    }
    bits.put(UInt32(truncatingIfNeeded: cache >> UInt64(64 - pending)), count: pending)
  }

  /// Removes all bits but keeps the storage.
  @inlinable
  public mutating func removeAll() {
    length = 0
    cache = 0
    pending = 0
  }

  /// Appends the output, padded with zeros to whole bytes, to `bytes`.
  public func append(to bytes: inout [UInt8]) {
    bytes.append(contentsOf: storage[..<length])
    var rest = cache
    var left = pending
    while left > 0 {
      bytes.append(UInt8(truncatingIfNeeded: rest &>> 56))
      rest = rest &<< 8
      left -= 8
    }
  }

  /// The output, as whole bytes.
  public var bytes: [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity((bitCount + 7) / 8)
    append(to: &result)
    return result
  }
}
