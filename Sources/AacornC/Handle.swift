/// An object that a C program accesses through a pointer, with the message of its last failure.
///
/// Static functions create the subclasses and throw before the object exists: Embedded Swift leaks
/// an object if its initializer throws.
class Handle {
  private var message = BorrowedBytes()

  init() {
    let none: [UInt8] = [0]
    message.replace(with: none)
  }

  /// Stores the message of a failed call, and returns the code.
  final func fail(_ error: CallError) -> Int32 {
    var text = Array(error.message.utf8)
    text.append(0)
    message.replace(with: text)
    return error.code
  }

  /// Stores the message of a failed call, and returns the code.
  final func fail(_ code: Int32, _ message: String) -> Int32 { fail(CallError(code, message)) }

  /// Returns the message of the last failure, terminated by a zero byte.
  final func lastMessage() -> UnsafePointer<CChar>? { unsafe message.pointer(to: CChar.self) }
}

/// Returns a pointer for C that retains the object until `release`.
func pointer(keeping object: Handle) -> OpaquePointer {
  unsafe OpaquePointer(Unmanaged.passRetained(object).toOpaque())
}

/// Returns the object at a pointer from C, or nil for a null pointer.
func object<Object: Handle>(_ pointer: OpaquePointer?, as type: Object.Type) -> Object? {
  guard let pointer = unsafe pointer else { return nil }
  return unsafe Unmanaged<Object>.fromOpaque(UnsafeRawPointer(pointer)).takeUnretainedValue()
}

func release(_ pointer: OpaquePointer?) {
  guard let pointer = unsafe pointer else { return }
  unsafe Unmanaged<Handle>.fromOpaque(UnsafeRawPointer(pointer)).release()
}

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
