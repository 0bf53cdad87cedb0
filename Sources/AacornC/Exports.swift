// swift-format-ignore-file: AlwaysUseLowerCamelCase

import AacornCodec
import CAacorn

// The functions of aacorn.h, which says what they do. Their names are those of C, because the
// compiler compares each with its declaration there.

/// The release of the library.
@c @implementation
public func aacorn_version() -> UnsafePointer<CChar>? {
  unsafe UnsafeRawPointer(AacornVersion.number.utf8Start).assumingMemoryBound(to: CChar.self)
}

/// The sentence of an object, or for none what a null pointer means.
func sentence(of handle: Handle?) -> UnsafePointer<CChar>? {
  guard let handle else { return unsafe aacorn_strerror(Status.argument) }
  return unsafe handle.lastSentence()
}
