package import AacornCodec

/// The requested AAC profile, by its name in options and forms.
package enum ProfileChoice: String, CaseIterable, Sendable {
  /// AAC-LC.
  case lowComplexity = "lc"
  /// HE-AAC.
  case highEfficiency = "he"
  /// HE-AAC v2.
  case highEfficiencyV2 = "he2"
  /// The profile that suits the bitrate.
  case automatic = "auto"

  /// The profile; nil if it depends on the bitrate.
  package var profile: AACEncoder.Profile? {
    switch self {
    case .lowComplexity: .lowComplexity
    case .highEfficiency: .highEfficiency
    case .highEfficiencyV2: .highEfficiencyV2
    case .automatic: nil
    }
  }
}

extension AACEncoder.Profile {
  /// The name in options and JSON.
  package var keyword: String {
    switch self {
    case .lowComplexity: "lc"
    case .highEfficiency: "he"
    case .highEfficiencyV2: "he2"
    }
  }

  /// The common name.
  package var name: String {
    switch self {
    case .lowComplexity: "AAC-LC"
    case .highEfficiency: "HE-AAC"
    case .highEfficiencyV2: "HE-AAC v2"
    }
  }
}
