import AacornCodec
import AacornRecording
import AacornStreaming
import AacornSystem

extension LivePlan {
  /// Rejects a signaling that the format of an output does not support.
  static func checkSignaling(
    _ configuration: RecordingConfiguration, _ outputs: [Output],
    _ renditions: [OutputStatus.Kind: Int]
  ) throws(UsageError) {
    let codings = [configuration.coding] + configuration.furtherCodings
    for output in outputs {
      guard let option = output.optionForADTS else { continue }
      var taken = codings
      if output.kind != .hls { taken = [codings[renditions[output.kind] ?? 0]] }
      if taken.contains(where: \.isRefusedByADTS) {
        throw UsageError(
          "\(option) means ADTS, which can signal HE-AAC only implicitly.",
          hint: "Omit --signaling, or choose implicit.")
      }
    }
  }
}

extension LivePlan.Output {
  /// The kind of the output, which selects its rendition.
  fileprivate var kind: OutputStatus.Kind {
    switch self {
    case .server(let server): server.kind
    case .hls: .hls
    case .save: .save
    }
  }

  /// The option that causes ADTS headers; nil if the output has none.
  fileprivate var optionForADTS: String? {
    switch self {
    case .server(.icecast): "--icecast"
    case .hls(let hls) where hls.configuration.media == .packedAudio: "--hls-format aac"
    case .save(let path, .aac, _): "--save \(displayed(path))"
    case .server(.rtmp), .hls, .save: nil
    }
  }
}

extension RecordingConfiguration.Coding {
  /// Whether ADTS does not support the requested signaling.
  fileprivate var isRefusedByADTS: Bool {
    guard case .aac(_, _, _, let signaling?) = self else { return false }
    return OutputFormat.aac.rejectionReason(of: signaling) != nil
  }
}
