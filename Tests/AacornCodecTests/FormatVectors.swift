import Foundation
import Testing

/// The contents of Fixtures/format-vectors.json.
struct FormatVectors: Decodable {
  /// An AudioSpecificConfig as bytes and as text.
  struct Config: Decodable {
    var desc: String
    var hex: String

    var bytes: [UInt8] {
      let digits = hex.compactMap(\.hexDigitValue)
      return stride(from: 0, to: digits.count, by: 2).map {
        UInt8(digits[$0] << 4 | digits[$0 + 1])
      }
    }
  }

  var configs: [Config]

  enum CodingKeys: String, CodingKey {
    case configs = "audio_specific_config"
  }

  static func load() throws -> FormatVectors {
    let url = Bundle.module.url(
      forResource: "format-vectors", withExtension: "json", subdirectory: "Fixtures")
    return try JSONDecoder().decode(
      FormatVectors.self, from: Data(contentsOf: try #require(url)))
  }

  /// The bytes of the configuration that `desc` describes.
  static func bytes(_ desc: String) throws -> [UInt8] {
    try #require(try load().configs.first { $0.desc == desc }).bytes
  }
}

/// SplitMix64: the same numbers in every run.
struct SeededRandom: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ z >> 30) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ z >> 27) &* 0x94D0_49BB_1331_11EB
    return z ^ z >> 31
  }
}
