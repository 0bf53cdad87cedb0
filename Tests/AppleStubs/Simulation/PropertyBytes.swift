/// Gives a program the bytes of a property, or returns `tooSmall` if its memory is too small.
func give(
  _ bytes: [UInt8], _ size: UnsafeMutablePointer<UInt32>, _ data: UnsafeMutableRawPointer,
  or tooSmall: Int32
) -> Int32 {
  guard unsafe Int(size.pointee) >= bytes.count else { return tooSmall }
  unsafe data.copyMemory(from: bytes, byteCount: bytes.count)
  unsafe size.pointee = UInt32(bytes.count)
  return 0
}
