// swift-format-ignore-file: AlwaysUseLowerCamelCase

import AacornCodec
import AacornSignal
import CAacorn

// The functions of aacorn.h, which documents them. They have their C names, because the compiler
// compares each function with its declaration in aacorn.h.

/// Returns the release of the library.
@c @implementation
public func aacorn_version() -> UnsafePointer<CChar>? {
  unsafe UnsafeRawPointer(AacornVersion.number.utf8Start).assumingMemoryBound(to: CChar.self)
}

/// Returns the message of an object, or the message about a null pointer.
func message(of handle: Handle?) -> UnsafePointer<CChar>? {
  guard let handle else { return unsafe aacorn_strerror(Status.argument) }
  return unsafe handle.lastMessage()
}

/// An object that a C program accesses through a pointer, with the message of its last failure.
///
/// Static functions create the subclasses and throw before the object exists: Embedded Swift leaks
/// an object if its initializer throws.
class Handle {
  /// The message, which the program may read until the object is destroyed.
  ///
  /// A program can pass a failing call and the message to one `printf`, so a failure must not move
  /// the message.
  private let message = ByteBuffer()

  /// The maximum length of a message in bytes, as in `aacorn_error`.
  private static let maxMessageByteCount = 251

  init() {
    message.reserve(Self.maxMessageByteCount + 1)
    let none: [UInt8] = [0]
    message.replace(with: none)
  }

  /// Stores the message of a failed call, and returns the code.
  final func fail(_ error: CallError) -> Int32 {
    var text = Array(error.message.utf8.prefix(Self.maxMessageByteCount))
    text.append(0)
    message.replace(with: text)
    return error.code
  }

  /// Stores the message of a failed call, and returns the code.
  final func fail(_ code: Int32, _ message: String) -> Int32 { fail(CallError(code, message)) }

  /// Returns the message of the last failure, terminated by a zero byte.
  final func lastMessage() -> UnsafePointer<CChar>? { unsafe message.pointer(to: CChar.self) }
}

/// Returns a pointer for C that retains a new object until `release`; nil after a failure, which is
/// stored in `error`.
func create(
  _ error: UnsafeMutablePointer<aacorn_error>?, _ make: () throws(CallError) -> Handle
) -> OpaquePointer? {
  do throws(CallError) {
    let object = try make()
    unsafe CallError(Status.ok, "").fill(error)
    return unsafe OpaquePointer(Unmanaged.passRetained(object).toOpaque())
  } catch let failure {
    unsafe failure.fill(error)
    return nil
  }
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
