// The functions that JavaScript calls. What it makes is known by handles, 1 and up; a handle that
// names nothing, or something else than the call is for, gets `Failure.unknownHandle` and does no
// harm. Numbers that may exceed 32 bits are Doubles.
//
// Bytes go in and out through memory of the session:
//
//     bytes → memory at aacorn_input(handle, byteCount), then the call that takes them
//     length = a call that puts something out, then bytes ← memory at aacorn_output(handle)
//
// Growing memory detaches JavaScript's views of it: take a new view after every call.

/// The version of this interface.
@c(aacorn_version)
func interfaceVersion() -> Int32 { 2 }

/// Memory for `byteCount` bytes, aligned for any samples; null if there is no such session, or for
/// more than 64 MiB.
///
/// It stays the same until this function is called again for more bytes.
@c(aacorn_input)
func inputBuffer(_ handle: Int32, _ byteCount: Int32) -> UnsafeMutableRawPointer? {
  unsafe Sessions[handle]?.inputBuffer(byteCount: Int(byteCount))
}

/// Where the bytes are that were put out last; valid until the next call.
@c(aacorn_output)
func outputBuffer(_ handle: Int32) -> UnsafeMutableRawPointer? {
  unsafe Sessions[handle]?.outputStart
}

/// Forgets a session and gives its memory back.
@c(aacorn_close)
func close(_ handle: Int32) {
  Sessions.remove(handle)
}

/// A count of bytes or samples that JavaScript named.
func wholeNumber(_ value: Double) -> UInt64? {
  // Up to here every whole number is a Double; a comparison with a NaN is false.
  value >= 0 && value <= 9_007_199_254_740_992 ? UInt64(value) : nil
}
