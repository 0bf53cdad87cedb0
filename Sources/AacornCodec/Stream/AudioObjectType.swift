/// The kind of AAC in a stream (ISO/IEC 14496-3, 1.5.1).
public struct AudioObjectType: RawRepresentable, Equatable, Sendable {
  /// The number as stored in an AudioSpecificConfig.
  public let rawValue: UInt8

  /// Creates a type from any number; only a few have names here.
  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// AAC Main, with backward prediction.
  public static let main = AudioObjectType(rawValue: 1)
  /// AAC Low Complexity, used in nearly every file.
  public static let lowComplexity = AudioObjectType(rawValue: 2)
  /// AAC Scalable Sampling Rate.
  public static let scalableSamplingRate = AudioObjectType(rawValue: 3)
  /// AAC Long Term Prediction.
  public static let longTermPrediction = AudioObjectType(rawValue: 4)
  /// Spectral band replication (HE-AAC) on top of another type.
  public static let spectralBandReplication = AudioObjectType(rawValue: 5)
  /// Error-resilient AAC-LC.
  public static let errorResilientLowComplexity = AudioObjectType(rawValue: 17)
  /// Parametric stereo (HE-AAC v2) on top of SBR.
  public static let parametricStereo = AudioObjectType(rawValue: 29)

  /// A short human-readable name.
  public var name: StaticString {
    switch rawValue {
    case 1: "Main"
    case 2: "LC"
    case 3: "SSR"
    case 4: "LTP"
    case 5: "HE-AAC"
    case 6: "Scalable"
    case 17: "ER LC"
    case 19: "ER LTP"
    case 20: "ER Scalable"
    case 22: "ER BSAC"
    case 23: "LD"
    case 29: "HE-AAC v2"
    case 39: "ELD"
    case 42: "USAC"
    default: "unknown"
    }
  }
}

extension AudioObjectType: CustomStringConvertible {
  /// The name as other programs print it, such as “AAC LC”; a number if it has no name.
  public var description: String {
    switch rawValue {
    case 5, 29, 42: name.description
    case 1...4, 6, 17, 19, 20, 22, 23, 39: "AAC " + name.description
    default: "audio object type \(rawValue)"
    }
  }
}
