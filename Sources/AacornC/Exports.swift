// swift-format-ignore-file: AlwaysUseLowerCamelCase

import AacornCodec
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
