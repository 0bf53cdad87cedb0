// On other platforms, the system provides these functions.
#if arch(wasm32)

// The C library functions that compiled Swift code calls. Copying and filling become single
// WebAssembly instructions, so these functions do not call themselves.

@c(posix_memalign)
func allocateAligned(
  _ result: UnsafeMutablePointer<UnsafeMutableRawPointer?>, _ alignment: UInt, _ size: UInt
) -> Int32 {
  let pointer = unsafe Allocator.allocate(size, alignment: alignment)
  unsafe result.pointee = pointer
  // ENOMEM
  return unsafe pointer == nil ? 12 : 0
}

// The compiler reserves the name `free`, so the linker redirects calls to this function.
@c(__wrap_free)
func freeMemory(_ pointer: UnsafeMutableRawPointer?) {
  if let pointer = unsafe pointer { unsafe Allocator.free(pointer) }
}

@c(memcpy)
func copyMemory(
  _ target: UnsafeMutableRawPointer, _ source: UnsafeRawPointer, _ count: UInt
) -> UnsafeMutableRawPointer {
  unsafe target.copyMemory(from: source, byteCount: Int(bitPattern: count))
  return unsafe target
}

@c(memmove)
func moveMemory(
  _ target: UnsafeMutableRawPointer, _ source: UnsafeRawPointer, _ count: UInt
) -> UnsafeMutableRawPointer {
  unsafe target.copyMemory(from: source, byteCount: Int(bitPattern: count))
  return unsafe target
}

@c(memset)
func fillMemory(
  _ target: UnsafeMutableRawPointer, _ value: Int32, _ count: UInt
) -> UnsafeMutableRawPointer {
  unsafe target.initializeMemory(
    as: UInt8.self, repeating: UInt8(truncatingIfNeeded: value), count: Int(bitPattern: count))
  return unsafe target
}

// A function of the compiler's runtime library, called where 64-bit multiplications are checked for
// overflow.

/// Multiplies two 128-bit numbers, low halves first, and returns the low 128 bits.
///
/// Uses 32-bit parts without overflow checks, because a checked multiplication calls this function.
@c(__multi3)
func multiplyWide(
  _ result: UnsafeMutablePointer<UInt64>, _ a: UInt64, _ aHigh: UInt64, _ b: UInt64,
  _ bHigh: UInt64
) {
  let mask: UInt64 = 0xFFFF_FFFF
  let lowest = (a & mask) &* (b & mask)
  let middle = (a &>> 32) &* (b & mask) &+ (lowest &>> 32)
  let other = (a & mask) &* (b &>> 32) &+ (middle & mask)
  unsafe result[0] = (other &<< 32) | (lowest & mask)
  let carried = (a &>> 32) &* (b &>> 32) &+ (middle &>> 32) &+ (other &>> 32)
  unsafe result[1] = carried &+ a &* bHigh &+ aHigh &* b
}

#endif
