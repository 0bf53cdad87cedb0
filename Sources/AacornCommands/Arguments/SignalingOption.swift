import AacornCodec
import AacornRecording

/// The option `--signaling` of all commands that encode.
enum SignalingOption {
  static var words: [String] { SignalingChoice.allCases.map(\.rawValue) }

  static var help: String {
    "How players are told of HE-AAC. implicit: by its frames alone; compatible: so that plain "
      + "decoders play the lower half; hierarchical: so that they refuse it. auto, the default: "
      + "implicit in ADTS, hierarchical in LATM, else compatible."
  }

  /// Rejects a signaling that AAC-LC was chosen with; nil is chosen by the bitrate.
  static func check(
    _ signaling: AudioSpecificConfig.Signaling?, with profile: AACEncoder.Profile?
  ) throws(UsageError) {
    if signaling != nil && profile == .lowComplexity {
      throw UsageError(
        "AAC-LC has no band replication to signal.",
        advice: "Add --profile he, or leave out --signaling.")
    }
  }

  /// Rejects a signaling that files of a format cannot have.
  static func check(
    _ signaling: AudioSpecificConfig.Signaling?, in format: OutputFormat
  ) throws(UsageError) {
    if let signaling, let problem = format.refusal(of: signaling) {
      throw UsageError(problem, advice: "Leave out --signaling, or use .m4a.")
    }
  }
}
