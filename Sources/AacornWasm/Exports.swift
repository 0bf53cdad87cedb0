// The functions that JavaScript calls. Objects are identified by handles, 1 and up; a handle that
// is unknown, or of the wrong kind for the call, gets `Failure.unknownHandle` and does no harm.
// Numbers that may exceed 32 bits are Doubles.
//
// Bytes go in and out through the session's memory:
//
//     bytes → memory at aacorn_input(handle, byteCount), then the call that takes them
//     length = a call that outputs something, then bytes ← memory at aacorn_output(handle)
//
// Growing memory detaches JavaScript's views of it: take a new view after every call.

/// The version of this interface.
@c(aacorn_version)
func interfaceVersion() -> Int32 { 4 }

/// Memory for `byteCount` bytes, aligned for any samples; null if there is no such session, or if
/// it is more than 64 MiB.
///
/// It stays where it is until this function is called again for more bytes.
@c(aacorn_input)
func inputBuffer(_ handle: Int32, _ byteCount: Int32) -> UnsafeMutableRawPointer? {
  unsafe Sessions[handle]?.inputBuffer(byteCount: Int(byteCount))
}

/// The address of the last output; valid until the next call.
@c(aacorn_output)
func outputBuffer(_ handle: Int32) -> UnsafeMutableRawPointer? {
  unsafe Sessions[handle]?.outputStart
}

/// Closes a session and frees its memory.
@c(aacorn_close)
func close(_ handle: Int32) {
  Sessions.remove(handle)
}

/// A count of bytes or samples passed by JavaScript.
func wholeNumber(_ value: Double) -> UInt64? {
  // Up to here a Double holds every whole number; a comparison with a NaN is false.
  value >= 0 && value <= 9_007_199_254_740_992 ? UInt64(value) : nil
}
