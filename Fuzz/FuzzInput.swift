/// The bytes of an input, read one by one for choices; zeros after the end.
struct FuzzInput {
  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  var isEmpty: Bool { position >= bytes.count }

  /// The number of remaining bytes.
  var count: Int { bytes.count - position }

  /// The remaining bytes.
  var rest: [UInt8] { Array(bytes[min(position, bytes.count)...]) }

  mutating func byte() -> UInt8 {
    guard position < bytes.count else { return 0 }
    position += 1
    return bytes[position - 1]
  }

  mutating func word() -> UInt32 {
    var word: UInt32 = 0
    for _ in 0..<4 { word = word << 8 | UInt32(byte()) }
    return word
  }

  /// Returns a choice in `0..<count`.
  mutating func choice(_ count: Int) -> Int { Int(byte()) % count }

  mutating func flag() -> Bool { byte() & 1 == 1 }
}

/// A pseudo-random generator, seeded by the input.
struct FuzzRandom {
  private var state: UInt32

  init(_ bytes: [UInt8]) {
    state = bytes.prefix(64).reduce(2_166_136_261) { ($0 ^ UInt32($1)) &* 16_777_619 }
  }

  init(seed: UInt32) {
    state = seed
  }

  mutating func next() -> UInt32 {
    state = state &* 1_664_525 &+ 1_013_904_223
    return state
  }

  /// Whether to run a slow check: true for one state in eight.
  var isRare: Bool { state >> 8 & 7 == 0 }

  mutating func below(_ bound: Int) -> Int { Int(next() >> 8) % bound }
}

/// Splits bytes into pieces of 1 to 40 bytes, and sometimes longer pieces.
func pieces(of bytes: [UInt8]) -> [[UInt8]] {
  var random = FuzzRandom(bytes)
  var pieces: [[UInt8]] = []
  var start = 0
  while start < bytes.count {
    let length = random.below(8) == 0 ? 1 + random.below(2000) : 1 + random.below(40)
    let end = min(bytes.count, start + length)
    pieces.append(Array(bytes[start..<end]))
    start = end
  }
  return pieces
}
