/// Memory that a C program may read until the next `replace`.
@safe
struct BorrowedBytes: ~Copyable {
  private var start: UnsafeMutableRawPointer?
  private var capacity = 0

  /// Creates an empty value without memory.
  init() {
    unsafe start = nil
  }

  deinit {
    unsafe start?.deallocate()
  }

  mutating func replace<Value: BitwiseCopyable>(with values: [Value]) {
    reserve(values.count * MemoryLayout<Value>.stride)
    unsafe values.withUnsafeBytes { source in
      if let first = source.baseAddress {
        unsafe start?.copyMemory(from: first, byteCount: source.count)
      }
    }
  }

  /// Returns a pointer to the values, or nil before the first `replace`.
  func pointer<Value>(to type: Value.Type) -> UnsafePointer<Value>? {
    guard let start = unsafe start else { return nil }
    return unsafe UnsafePointer(start.assumingMemoryBound(to: type))
  }

  /// Reserves space for `byteCount` bytes.
  ///
  /// A new allocation discards the contents.
  private mutating func reserve(_ byteCount: Int) {
    guard byteCount > capacity else { return }
    unsafe start?.deallocate()
    unsafe start = .allocate(byteCount: byteCount, alignment: 16)
    capacity = byteCount
  }
}
