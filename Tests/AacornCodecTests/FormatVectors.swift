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
