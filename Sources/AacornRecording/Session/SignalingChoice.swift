package import AacornCodec

/// How HE-AAC is to be signaled, by the words of options.
package enum SignalingChoice: String, CaseIterable, Sendable {
  /// What suits the container.
  case automatic = "auto"
  /// By its frames alone.
  case implicit
  /// Behind what plain decoders read, so that they play the core.
  case compatible
  /// In front of it, so that plain decoders refuse the stream.
  case hierarchical

  /// The signaling; nil if the container is to choose it.
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
  /// Why HE-AAC cannot be signaled like this in files of this format; nil if it can.
  package func refusal(of signaling: AudioSpecificConfig.Signaling) -> String? {
    switch (self, signaling) {
    case (.m4a, _), (_, .implicit), (.latm, .hierarchical): nil
    case (.aac, _): "ADTS can signal HE-AAC only implicitly."
    case (.latm, .backwardCompatible):
      "LATM can signal HE-AAC implicitly or hierarchically, but not compatibly."
    }
  }
}
