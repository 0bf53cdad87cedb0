import CAacornAtomics

/// A SHA-256 digest, which identifies contents (FIPS 180-4, 6.2), computed incrementally.
package struct SHA256 {
  private var state: [UInt32] = [
    0x6A09_E667, 0xBB67_AE85, 0x3C6E_F372, 0xA54F_F53A, 0x510E_527F, 0x9B05_688C, 0x1F83_D9AB,
    0x5BE0_CD19,
  ]
  /// The words of the loop; empty if the processor digests the blocks, about eight times as fast.
  private var schedule: [UInt32]
  /// The bytes that do not fill a block yet.
  private var rest: [UInt8] = []
  private var byteCount: UInt64 = 0

  private static let blockSize = 64

  /// Creates the digest of no bytes.
  package init() { self.init(usesInstructions: true) }

  /// Creates the digest of no bytes, which uses the instructions of the processor if there are any.
  package init(usesInstructions: Bool) {
    let isLoop = !usesInstructions || !Self.hasInstructions
    schedule = isLoop ? [UInt32](repeating: 0, count: 64) : []
  }

  private static let hasInstructions = aacorn_has_sha256()

  /// Returns the digest of `bytes`.
  package static func digest(of bytes: [UInt8]) -> [UInt8] {
    var digest = SHA256()
    digest.append(bytes[...])
    return digest.finish()
  }

  /// Appends bytes to the digested data.
  package mutating func append(_ bytes: ArraySlice<UInt8>) {
    byteCount += UInt64(bytes.count)
    var bytes = bytes
    if !rest.isEmpty {
      let count = min(Self.blockSize - rest.count, bytes.count)
      rest += bytes.prefix(count)
      bytes = bytes.dropFirst(count)
      if rest.count < Self.blockSize { return }
      unsafe rest.withUnsafeBufferPointer { unsafe Self.mix($0, into: &state, &schedule) }
      rest.removeAll(keepingCapacity: true)
    }
    let whole = bytes.count - bytes.count % Self.blockSize
    unsafe bytes.prefix(whole).withUnsafeBufferPointer {
      unsafe Self.mix($0, into: &state, &schedule)
    }
    rest += bytes.dropFirst(whole)
  }

  /// Returns the 32 bytes of the digest of all appended data.
  package mutating func finish() -> [UInt8] {
    // A one, zeros, and the length in bits fill the last block (FIPS 180-4, 5.1.1).
    let bitCount = byteCount * 8
    var padding: [UInt8] = [0x80]
    while (rest.count + padding.count) % Self.blockSize != 56 { padding.append(0) }
    for shift in stride(from: 56, through: 0, by: -8) {
      padding.append(UInt8(truncatingIfNeeded: bitCount >> UInt64(shift)))
    }
    append(padding[...])
    return state.flatMap { word in
      stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> UInt32($0)) }
    }
  }

  /// Formats a digest as 64 hexadecimal digits.
  package static func text(_ digest: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(
      decoding: digest.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }

  /// Applies the 64 steps for each block (FIPS 180-4, 6.2.2).
  private static func mix(
    _ bytes: UnsafeBufferPointer<UInt8>, into state: inout [UInt32], _ schedule: inout [UInt32]
  ) {
    if schedule.isEmpty, let start = bytes.baseAddress {
      return unsafe aacorn_sha256(
        &state, roundConstants, start, Int64(bytes.count / blockSize))
    }
    unsafe schedule.withUnsafeMutableBufferPointer { words in
      unsafe roundConstants.withUnsafeBufferPointer { constants in
        var start = 0
        while start < bytes.count {
          for index in 0..<16 {
            let offset = start + 4 * index
            unsafe words[index] =
              UInt32(bytes[offset]) << 24 | UInt32(bytes[offset + 1]) << 16
              | UInt32(bytes[offset + 2]) << 8 | UInt32(bytes[offset + 3])
          }
          for index in 16..<64 {
            let (early, late) = unsafe (words[index - 15], words[index - 2])
            let first = early.rotated(7) ^ early.rotated(18) ^ early >> 3
            let second = late.rotated(17) ^ late.rotated(19) ^ late >> 10
            unsafe words[index] = words[index - 16] &+ first &+ words[index - 7] &+ second
          }
          var (a, b, c, d) = (state[0], state[1], state[2], state[3])
          var (e, f, g, h) = (state[4], state[5], state[6], state[7])
          for index in 0..<64 {
            let choice = (e & f) ^ (~e & g)
            let turned = e.rotated(6) ^ e.rotated(11) ^ e.rotated(25)
            let one = unsafe h &+ turned &+ choice &+ constants[index] &+ words[index]
            let majority = (a & b) ^ (a & c) ^ (b & c)
            let two = (a.rotated(2) ^ a.rotated(13) ^ a.rotated(22)) &+ majority
            (h, g, f, e, d, c, b, a) = (g, f, e, d &+ one, c, b, a, one &+ two)
          }
          for (index, value) in [a, b, c, d].enumerated() { state[index] &+= value }
          for (index, value) in [e, f, g, h].enumerated() { state[index + 4] &+= value }
          start += blockSize
        }
      }
    }
  }

  /// The first 32 bits of the fractions of the cube roots of the first 64 primes (FIPS 180-4,
  /// 4.2.2).
  private static let roundConstants: [UInt32] = {
    var constants: [UInt32] = []
    var number: UInt64 = 2
    while constants.count < 64 {
      if (2..<number).allSatisfy({ number % $0 != 0 }) {
        constants.append(fractionOfCubeRoot(number))
      }
      number += 1
    }
    return constants
  }()

  /// Returns the largest `root` with root³ ≤ number · 2⁹⁶, less its integer part.
  private static func fractionOfCubeRoot(_ number: UInt64) -> UInt32 {
    var root: UInt64 = 0
    for bit in stride(from: UInt64(36), through: 0, by: -1) {
      let candidate = root | 1 << bit
      let square = candidate.multipliedFullWidth(by: candidate)
      // root² < 2⁷², so the product needs three words. The comparison does not need the lowest
      // word.
      let low = square.low.multipliedFullWidth(by: candidate)
      let (middle, carry) = low.high.addingReportingOverflow(square.high &* candidate)
      if !carry && middle < number << 32 { root = candidate }
    }
    return UInt32(truncatingIfNeeded: root)
  }
}

extension UInt32 {
  fileprivate func rotated(_ count: UInt32) -> UInt32 { self >> count | self << (32 - count) }
}
