// On other platforms the system provides all of this.
#if arch(wasm32)

// A function of the compiler's runtime library, called where 64-bit products are checked for
// overflow.

/// Multiplies two 128-bit numbers, low halves first, and keeps the low 128 bits.
///
/// It works with 32-bit parts and without overflow checks, or it would call itself.
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
