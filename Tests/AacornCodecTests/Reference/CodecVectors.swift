import AacornCodec
import Foundation

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
    struct Case: Decodable {
      var coefficientResolution: Int
      var indices: [Int]
      var reflection: [Double]
      var prediction: [Double]

      enum CodingKeys: String, CodingKey {
        case coefficientResolution = "coef_res"
        case indices = "index"
        case reflection = "parcor"
        case prediction = "lpc_a0_first"
      }
    }
    var cases: [Case]
  }

  struct Quantizer: Decodable {
    struct Case: Decodable {
      var x: Double
      var sf: Int
      var q: Int
      var dequant: Double
    }
    var cases: [Case]
  }

  struct Transform: Decodable {
    struct Case: Decodable {
      var first16: [Double]?
      var from8: [Double]?
      var from4: [Double]?

      enum CodingKeys: String, CodingKey {
        case first16
        case from8 = "coef8_23"
        case from4 = "coef4_19"
      }
    }
    var cases: [Case]
  }

  struct IntensityScale: Decodable {
    var position: Int
    var factor: Double
  }

  struct NoiseEnergy: Decodable {
    var energy: Int
    var sumOfSquares: Double

    enum CodingKeys: String, CodingKey {
      case energy = "noise_nrg"
      case sumOfSquares = "band_energy_sum_of_squares"
    }
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

    enum CodingKeys: String, CodingKey {
      case longSine = "sine_2048"
      case shortSine = "sine_256"
      case longKaiser = "kbd_2048_alpha4"
      case shortKaiser = "kbd_256_alpha6"
      case indices
    }
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

    enum CodingKeys: String, CodingKey {
      case name, hex, frames, channels
      case rms = "frame_rms"
      case referenceFrame = "ref_frame"
      case referencePCM = "ref_pcm_f32le_base64_per_channel"
      case variance = "variance_ffmpeg"
    }
  }

  var huffmanTuples: [HuffmanTuple]
  var scaleFactorDeltas: [ScaleFactorDelta]
  var windowSamples: WindowSamples
  var transform: Transform
  var quantizer: Quantizer
  var noiseShaping: NoiseShaping
  var intensityScale: [IntensityScale]
  var noiseEnergy: [NoiseEnergy]
  var streams: [Stream]

  enum CodingKeys: String, CodingKey {
    case huffmanTuples = "huffman_tuples"
    case scaleFactorDeltas = "scalefactor_deltas"
    case windowSamples = "window_samples"
    case transform = "mdct"
    case quantizer
    case noiseShaping = "tns"
    case intensityScale = "intensity_scale"
    case noiseEnergy = "pns_energy"
    case streams
  }

  /// Reads the fixture.
  static func load() throws -> CodecVectors {
    struct MissingFixture: Error {}
    guard
      let url = Bundle.module.url(
        forResource: "codec-vectors", withExtension: "json", subdirectory: "Fixtures")
    else { throw MissingFixture() }
    return try JSONDecoder().decode(CodecVectors.self, from: Data(contentsOf: url))
  }

  /// Returns the stream with this name.
  static func stream(_ name: String) throws -> Stream {
    struct NoSuchStream: Error {}
    guard let stream = try load().streams.first(where: { $0.name == name }) else {
      throw NoSuchStream()
    }
    return stream
  }
}

extension CodecVectors.Stream {
  /// The bytes of the ADTS stream.
  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    var high: UInt8?
    for digit in hex.compactMap(\.hexDigitValue) {
      if let first = high {
        bytes.append(first << 4 | UInt8(digit))
        high = nil
      } else {
        high = UInt8(digit)
      }
    }
    return bytes
  }

  /// The configuration in the first ADTS header.
  var configuration: AudioSpecificConfig {
    let header = bytes
    let rate = SamplingFrequency(index: Int(header[2] >> 2 & 15))?.hertz ?? 0
    return AudioSpecificConfig(
      objectType: AudioObjectType(rawValue: header[2] >> 6 + 1), sampleRate: rate,
      channelConfiguration: Int(header[2] & 1) << 2 | Int(header[3] >> 6))
  }

  /// The raw_data_blocks.
  var units: [[UInt8]] {
    let bytes = self.bytes
    var units: [[UInt8]] = []
    var start = 0
    while start + 7 <= bytes.count {
      let length =
        Int(bytes[start + 3] & 3) << 11 | Int(bytes[start + 4]) << 3 | Int(bytes[start + 5] >> 5)
      let header = bytes[start + 1] & 1 == 1 ? 7 : 9
      units.append(Array(bytes[start + header..<start + length]))
      start += length
    }
    return units
  }

  /// The decoded samples of `referenceFrame`, by channel, in 16-bit scale.
  var referenceSamples: [[Double]] {
    (referencePCM ?? []).map { text in
      let data = [UInt8](Data(base64Encoded: text) ?? Data())
      return stride(from: 0, to: data.count, by: 4).map { index in
        var word: UInt32 = 0
        for offset in (0..<4).reversed() { word = word << 8 | UInt32(data[index + offset]) }
        return Double(Float(bitPattern: word))
      }
    }
  }
}
