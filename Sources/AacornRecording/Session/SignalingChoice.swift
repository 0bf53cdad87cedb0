package import AacornCodec

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
