import AacornCodec
import AacornRecording
import AacornStreaming
import AacornSystem

extension StreamPlan {
  /// Rejects a signaling that an output cannot have in a rendition that it gets.
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
          advice: "Omit --signaling, or choose implicit.")
      }
    }
  }
}

extension StreamPlan.Output {
  /// What it is counted as, by which its rendition is chosen.
  fileprivate var kind: OutputStatus.Kind {
    switch self {
    case .server(let server): server.kind
    case .hls: .hls
    case .save: .save
    }
  }

  /// The option because of which frames have ADTS headers; nil if they have none.
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
  /// Whether it has a signaling that ADTS has no place for; AAC-LC has none.
  fileprivate var isRefusedByADTS: Bool {
    guard case .aac(_, _, _, let signaling?) = self else { return false }
    return OutputFormat.aac.refusal(of: signaling) != nil
  }
}
