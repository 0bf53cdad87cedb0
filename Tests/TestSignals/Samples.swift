// This module is optimized, unlike most modules of tests, so its loops over samples are fast.

/// Returns numbered samples: frame n is n / 2^21, exactly.
package func ramp(_ range: Range<Int>) -> [Float] { range.map { Float($0) / 2_097_152 } }

/// Reads 16-bit samples in little-endian order.
package func int16Samples(_ bytes: [UInt8]) -> [Int16] {
  stride(from: 0, to: bytes.count - 1, by: 2).map { index in
    Int16(bitPattern: UInt16(bytes[index]) | UInt16(bytes[index + 1]) << 8)
  }
}
