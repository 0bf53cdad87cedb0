// On other platforms, the system provides this function.
#if arch(wasm32)

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
