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

extension AACEncoder.Preset {
  /// The name in options and forms.
  package var keyword: String {
    switch self {
    case .smallSpeech: "small-speech"
    case .speech: "speech"
    case .fineSpeech: "fine-speech"
    case .smallRadio: "small-radio"
    case .radio: "radio"
    case .music: "music"
    case .fineMusic: "fine-music"
    }
  }

  /// Creates the preset with this name; nil if there is no such preset.
  package init?(keyword: String) {
    guard let preset = Self.allCases.first(where: { $0.keyword == keyword }) else { return nil }
    self = preset
  }
}

/// The requested signaling of HE-AAC, by its name in options.
package enum SignalingChoice: String, CaseIterable, Sendable {
  /// The signaling that suits the container.
  case automatic = "auto"
  /// No signaling in the configuration: decoders detect HE-AAC in the frames.
  case implicit
  /// The signaling follows the configuration of the core, so that decoders without HE-AAC play the
  /// core.
  case compatible
  /// The signaling precedes the configuration of the core, so that decoders without HE-AAC reject
  /// the stream.
  case hierarchical

  /// The signaling; nil if it depends on the container.
  package var signaling: AudioSpecificConfig.Signaling? {
    switch self {
    case .automatic: nil
    case .implicit: .implicit
    case .compatible: .backwardCompatible
    case .hierarchical: .hierarchical
    }
  }
}

extension OutputFormat {
  /// Returns the reason why files of this format cannot have this signaling; nil if they can.
  package func rejectionReason(of signaling: AudioSpecificConfig.Signaling) -> String? {
    switch (self, signaling) {
    case (.m4a, _), (_, .implicit), (.latm, .hierarchical): nil
    case (.aac, _): "ADTS can signal HE-AAC only implicitly."
    case (.latm, .backwardCompatible):
      "LATM can signal HE-AAC implicitly or hierarchically, but not backward-compatibly."
    }
  }
}
