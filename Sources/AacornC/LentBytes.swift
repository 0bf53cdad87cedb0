/// Memory that a program in C may read until something else is put there.
@safe
struct LentBytes: ~Copyable {
  private var start: UnsafeMutableRawPointer?
  private var capacity = 0

  /// No memory.
  init() {
    unsafe start = nil
  }

  deinit {
    unsafe start?.deallocate()
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

  /// Where the values are; nil before the first.
  func pointer<Value>(to type: Value.Type) -> UnsafePointer<Value>? {
    guard let start = unsafe start else { return nil }
    return unsafe UnsafePointer(start.assumingMemoryBound(to: type))
  }

  /// Makes room for `byteCount` bytes; the contents are lost if that takes new memory.
  private mutating func reserve(_ byteCount: Int) {
    guard byteCount > capacity else { return }
    unsafe start?.deallocate()
    unsafe start = .allocate(byteCount: byteCount, alignment: 16)
    capacity = byteCount
  }
}
