/// A buffer of bytes whose address changes only when it grows.
@safe
struct ByteBuffer: ~Copyable {
  private(set) var start: UnsafeMutableRawPointer?
  private(set) var capacity = 0

  init() {
    unsafe start = nil
  }

  deinit {
    unsafe start?.deallocate()
  }

  /// Reserves `byteCount` bytes; growing discards the contents.
  mutating func reserve(_ byteCount: Int) {
    guard byteCount > capacity else { return }
    unsafe start?.deallocate()
    unsafe start = .allocate(byteCount: byteCount, alignment: 16)
    capacity = byteCount
  }

  mutating func replace<Value: BitwiseCopyable>(with values: [Value]) {
    reserve(values.count * MemoryLayout<Value>.stride)
    unsafe values.withUnsafeBytes { source in
      if let first = source.baseAddress {
        unsafe start?.copyMemory(from: first, byteCount: source.count)
      }
    }
  }
}
