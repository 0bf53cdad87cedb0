// The functions that JavaScript calls. Objects are identified by handles, counted from 1. A call
// with an unknown handle, or with a handle of another kind, returns `Failure.unknownHandle` and has
// no effect. Numbers that may exceed 32 bits are Doubles.
//
// Bytes are exchanged through the session's memory:
//
//     bytes → memory at aacorn_input(handle, byteCount), then the call that reads them
//     length = a call that outputs something, then bytes ← memory at aacorn_output(handle)
//
// Growing memory detaches JavaScript's views of it: take a new view after every call.

/// Returns the version of this interface.
@c(aacorn_version)
func interfaceVersion() -> Int32 { 4 }

/// Returns memory for `byteCount` bytes, aligned for any samples; null for an unknown session, or
/// for more than 64 MiB.
///
/// The address stays valid until this function is called again for more bytes.
@c(aacorn_input)
func inputBuffer(_ handle: Int32, _ byteCount: Int32) -> UnsafeMutableRawPointer? {
  unsafe Sessions[handle]?.inputBuffer(byteCount: Int(byteCount))
}

/// Returns the address of the last output; valid until the next call.
@c(aacorn_output)
func outputBuffer(_ handle: Int32) -> UnsafeMutableRawPointer? {
  unsafe Sessions[handle]?.outputStart
}

/// Closes a session and frees its memory.
@c(aacorn_close)
func close(_ handle: Int32) {
  Sessions.remove(handle)
}

/// Converts a number of bytes or samples from JavaScript.
func wholeNumber(_ value: Double) -> UInt64? {
  // Up to here, a Double represents every integer. A comparison with NaN is false.
  value >= 0 && value <= 9_007_199_254_740_992 ? UInt64(value) : nil
}
