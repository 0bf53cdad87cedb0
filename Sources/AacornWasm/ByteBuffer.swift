/// Bytes at an address that changes only when they have to grow.
@safe
struct ByteBuffer: ~Copyable {
  private(set) var start: UnsafeMutableRawPointer?
  private(set) var capacity = 0

  /// A buffer without memory.
  init() {
    unsafe start = nil
  }

  deinit {
    unsafe start?.deallocate()
  }

  /// Makes room for `byteCount` bytes; the contents are lost if that takes new memory.
  mutating func reserve(_ byteCount: Int) {
    guard byteCount > capacity else { return }
    unsafe start?.deallocate()
    unsafe start = .allocate(byteCount: byteCount, alignment: 16)
    capacity = byteCount
  }

  /// Copies `values` to the start.
  mutating func replace<Value: BitwiseCopyable>(with values: [Value]) {
    reserve(values.count * MemoryLayout<Value>.stride)
    unsafe values.withUnsafeBytes { source in
      if let first = source.baseAddress {
        unsafe start?.copyMemory(from: first, byteCount: source.count)
      }
    }
  }
}
