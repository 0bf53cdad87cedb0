package import AacornCodec

/// Which profile of AAC was asked for, by the words of options and forms.
package enum ProfileChoice: String, CaseIterable, Sendable {
  /// AAC-LC.
  case lowComplexity = "lc"
  /// HE-AAC.
  case highEfficiency = "he"
  /// What suits the bitrate.
  case automatic = "auto"

  /// The profile; nil if the bitrate is to choose it.
  package var profile: AACEncoder.Profile? {
    switch self {
    case .lowComplexity: .lowComplexity
    case .highEfficiency: .highEfficiency
    case .automatic: nil
    }
  }
}

extension AACEncoder.Profile {
  /// The word for it in options and JSON.
  package var word: String {
    switch self {
    case .lowComplexity: "lc"
    case .highEfficiency: "he"
    }
  }

  /// What people call it.
  package var name: String {
    switch self {
    case .lowComplexity: "AAC-LC"
    case .highEfficiency: "HE-AAC"
    }
  }
}
