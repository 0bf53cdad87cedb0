import AacornCodec
import AacornRecording

/// The option `--signaling` of all commands that encode.
enum SignalingOption {
  static var keywords: [String] { SignalingChoice.allCases.map(\.rawValue) }

  static var help: String {
    "Announcement of HE-AAC to players (default auto). implicit: in its frames only. compatible: "
      + "decoders without HE-AAC play the lower half of the spectrum. hierarchical: such decoders "
      + "reject it. auto: implicit in ADTS, hierarchical in LATM, otherwise compatible."
  }

  /// Rejects a signaling option with AAC-LC; if `profile` is nil, the bitrate determines the
  /// profile.
  static func check(
    _ signaling: AudioSpecificConfig.Signaling?, with profile: AACEncoder.Profile?
  ) throws(UsageError) {
    if signaling != nil && profile == .lowComplexity {
      throw UsageError(
        "AAC-LC has no band replication to signal.",
        hint: "Add --profile he, or omit --signaling.")
    }
  }

  /// Rejects a signaling that a format does not support.
  static func check(
    _ signaling: AudioSpecificConfig.Signaling?, in format: OutputFormat
  ) throws(UsageError) {
    if let signaling, let problem = format.rejectionReason(of: signaling) {
      throw UsageError(problem, hint: "Omit --signaling, or use .m4a.")
    }
  }
}
