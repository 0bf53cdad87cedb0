/// What a program in C holds by a pointer, and the sentence about its last failure.
///
/// Its kinds are created by functions that may throw before there is an object: one whose initializer
/// throws stays in memory where this is compiled as Embedded Swift.
class Handle {
  private var sentence = LentBytes()

  /// An object that has not failed.
  init() {
    let none: [UInt8] = [0]
    sentence.replace(with: none)
  }

  /// Notes why a call failed; returns the code.
  final func fail(_ refusal: Refusal) -> Int32 {
    var text = Array(refusal.sentence.utf8)
    text.append(0)
    sentence.replace(with: text)
    return refusal.code
  }

  /// Notes why a call failed; returns the code.
  final func fail(_ code: Int32, _ sentence: String) -> Int32 { fail(Refusal(code, sentence)) }

  /// The sentence about the last failure, with a zero at its end.
  final func lastSentence() -> UnsafePointer<CChar>? { unsafe sentence.pointer(to: CChar.self) }
}

/// A pointer for C to an object, which keeps it until `release`.
func pointer(keeping object: Handle) -> OpaquePointer {
  unsafe OpaquePointer(Unmanaged.passRetained(object).toOpaque())
}

/// The object behind a pointer from C; nil for a null pointer.
func object<Object: Handle>(_ pointer: OpaquePointer?, as type: Object.Type) -> Object? {
  guard let pointer = unsafe pointer else { return nil }
  return unsafe Unmanaged<Object>.fromOpaque(UnsafeRawPointer(pointer)).takeUnretainedValue()
}

/// Lets go of the object behind a pointer from C.
func release(_ pointer: OpaquePointer?) {
  guard let pointer = unsafe pointer else { return }
  unsafe Unmanaged<Handle>.fromOpaque(UnsafeRawPointer(pointer)).release()
}
