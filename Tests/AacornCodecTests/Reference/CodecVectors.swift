import Foundation
import TestSignals
import Testing

@testable import AacornCodec

private func fixture<Content: Decodable>(_ name: String) throws -> Content {
  let url = Bundle.module.url(forResource: name, withExtension: "json", subdirectory: "Fixtures")
  return try JSONDecoder().decode(Content.self, from: Data(contentsOf: try #require(url)))
}

/// The hand-checkable vectors of Fixtures/codec-vectors.json.
struct CodecVectors: Decodable {
  struct HuffmanTuple: Decodable {
    var book: Int
    var tuple: [Int]
    var bits: String
  }

  struct ScaleFactorDelta: Decodable {
    var delta: Int
    var bits: String
  }

  struct NoiseShaping: Decodable {
    var coefficientResolution: Int
    var indices: [Int]
    var reflection: [Double]
    var prediction: [Double]
  }

  struct Quantizer: Decodable {
    var x: Double
    var sf: Int
    var q: Int
    var dequant: Double
  }

  struct Transform: Decodable {
    var first16: [Double]?
    var from8: [Double]?
    var from4: [Double]?
  }

  struct IntensityScale: Decodable {
    var position: Int
    var factor: Double
  }

  struct NoiseEnergy: Decodable {
    var energy: Int
    var sumOfSquares: Double
  }

  struct WindowSamples: Decodable {
    struct Indices: Decodable {
      var long: [Int]
      var short: [Int]
    }
    var longSine: [Double]
    var shortSine: [Double]
    var longKaiser: [Double]
    var shortKaiser: [Double]
    var indices: Indices
  }

  struct Stream: Decodable {
    var name: String
    var hex: String
    var frames: Int
    var channels: Int
    var rms: [[Double]]?
    var referenceFrame: Int?
    var referencePCM: [String]?
    var variance: Double?
  }

  private struct Streams: Decodable {
    var streams: [Stream]
  }

  var huffmanTuples: [HuffmanTuple]
  var scaleFactorDeltas: [ScaleFactorDelta]
  var windowSamples: WindowSamples
  var transform: [Transform]
  var quantizer: [Quantizer]
  var noiseShaping: [NoiseShaping]
  var intensityScale: [IntensityScale]
  var noiseEnergy: [NoiseEnergy]
  var streams: [Stream]

  static func load() throws -> CodecVectors { try fixture("codec-vectors") }

  static func stream(_ name: String) throws -> Stream {
    try #require(try load().streams.first { $0.name == name })
  }

  /// The streams with band replication from Fixtures/replication-vectors.json.
  static func replicationStreams() throws -> [Stream] {
    let content: Streams = try fixture("replication-vectors")
    return content.streams
  }

  static func replicationStream(_ name: String) throws -> Stream {
    try #require(try replicationStreams().first { $0.name == name })
  }
}

struct FormatVectors: Decodable {
  struct Config: Decodable {
    var desc: String
    var hex: String

    var bytes: [UInt8] { [UInt8](hex: hex) }
  }

  var configs: [Config]

  static func load() throws -> FormatVectors { try fixture("format-vectors") }

  static func bytes(_ desc: String) throws -> [UInt8] {
    try #require(try load().configs.first { $0.desc == desc }).bytes
  }
}

extension [UInt8] {
  fileprivate init(hex: String) {
    let digits = hex.compactMap(\.hexDigitValue)
    self = stride(from: 0, to: digits.count, by: 2).map {
      UInt8(digits[$0] << 4 | digits[$0 + 1])
    }
  }
}

/// The bytes of an ADTS stream with one block per frame.
struct ADTSStream {
  let bytes: [UInt8]

  /// The configuration in the first header.
  var configuration: AudioSpecificConfig {
    let rate = SamplingFrequency(index: Int(bytes[2] >> 2 & 15))?.hertz ?? 0
    return AudioSpecificConfig(
      objectType: AudioObjectType(rawValue: bytes[2] >> 6 + 1), sampleRate: rate,
      channelConfiguration: Int(bytes[2] & 1) << 2 | Int(bytes[3] >> 6))
  }

  var units: [[UInt8]] {
    var units: [[UInt8]] = []
    var start = 0
    while start + 7 <= bytes.count {
      let length =
        Int(bytes[start + 3] & 3) << 11 | Int(bytes[start + 4]) << 3 | Int(bytes[start + 5] >> 5)
      let header = bytes[start + 1] & 1 == 1 ? 7 : 9
      // The last frame may be incomplete.
      if length <= header || start + length > bytes.count { break }
      units.append(Array(bytes[start + header..<start + length]))
      start += length
    }
    return units
  }
}

extension CodecVectors.Stream {
  var bytes: [UInt8] { [UInt8](hex: hex) }
  var configuration: AudioSpecificConfig { ADTSStream(bytes: bytes).configuration }
  var units: [[UInt8]] { ADTSStream(bytes: bytes).units }

  func blocks() throws -> [ParsedBlock] {
    var reader = FrameReader(configuration)
    return try units.map { unit in
      try reader.read(unit)
      return reader.block
    }
  }

  /// The decoded samples of `referenceFrame`, by channel, in 16-bit scale.
  var referenceSamples: [[Double]] {
    (referencePCM ?? []).map { text in
      let data = Data(base64Encoded: text) ?? Data()
      return Sound.channels(ofFloats: data, count: 1)[0].map(Double.init)
    }
  }
}
