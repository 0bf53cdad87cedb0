/// Copies the bytes of a property to a program's memory, or returns `tooSmall` if they do not fit.
func give(
  _ bytes: [UInt8], _ size: UnsafeMutablePointer<UInt32>, _ data: UnsafeMutableRawPointer,
  or tooSmall: Int32
) -> Int32 {
  guard unsafe Int(size.pointee) >= bytes.count else { return tooSmall }
  unsafe data.copyMemory(from: bytes, byteCount: bytes.count)
  unsafe size.pointee = UInt32(bytes.count)
  return 0
}
