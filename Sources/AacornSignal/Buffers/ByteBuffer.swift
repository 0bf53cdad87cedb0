/// Bytes for programs in other languages, at an address that changes only when the buffer grows.
///
/// This is a class because Embedded Swift supports noncopyable types with a deinitializer only within
/// their module.
@safe
package final class ByteBuffer {
  /// The address of the bytes; nil before the first reservation.
  @usableFromInline package private(set) var start: UnsafeMutableRawPointer?
  /// The number of bytes for which there is room.
  package private(set) var capacity = 0

  /// Creates a buffer without memory.
  package init() {
    unsafe start = nil
  }

  deinit {
    unsafe start?.deallocate()
  }

  /// Returns the address as a pointer to values.
  @inlinable
  package func pointer<Value>(to type: Value.Type) -> UnsafePointer<Value>? {
    guard let start = unsafe start else { return nil }
    return unsafe UnsafePointer(start.assumingMemoryBound(to: type))
  }

  /// Reserves `byteCount` bytes; growing discards the contents.
  @usableFromInline
  package func reserve(_ byteCount: Int) {
    guard byteCount > capacity else { return }
    unsafe start?.deallocate()
    unsafe start = .allocate(byteCount: byteCount, alignment: 16)
    capacity = byteCount
  }

  /// Replaces the contents with these values.
  @inlinable
  package func replace<Value: BitwiseCopyable>(with values: [Value]) {
    reserve(values.count * MemoryLayout<Value>.stride)
    unsafe values.withUnsafeBytes { source in
      if let first = source.baseAddress {
        unsafe start?.copyMemory(from: first, byteCount: source.count)
      }
    }
  }
}
