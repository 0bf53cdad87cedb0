import AacornCodec
import AacornRecording
import AacornStreaming

extension LivePlan {
  /// Returns the index of the rendition for outputs of a kind.
  ///
  /// HLS outputs receive all renditions.
  func rendition(for kind: OutputStatus.Kind) -> Int { renditions[kind] ?? 0 }

  /// Returns the timing of the frames of outputs of a kind.
  func timing(for kind: OutputStatus.Kind) -> StreamTiming {
    configuration.timing(of: rendition(for: kind))
  }

  /// Returns the renditions that options select for kinds of outputs.
  static func renditions(_ command: StreamCommand) throws(UsageError) -> [OutputStatus.Kind: Int] {
    let wanted: [(kind: OutputStatus.Kind, isWanted: Bool)] = [
      (.icecast, !command.icecasts.isEmpty), (.rtmp, !command.rtmps.isEmpty),
      (.save, !command.saves.isEmpty),
    ]
    var renditions: [OutputStatus.Kind: Int] = [:]
    for (kind, isWanted) in wanted {
      guard let bitrate = command.chosenBitrates[kind] else { continue }
      let option = "--\(kind.rawValue)"
      if !isWanted { throw UsageError("\(option)-bitrate is for \(option).") }
      if command.renditions.isEmpty {
        throw UsageError(
          "\(option)-bitrate selects one of --bitrates.", hint: "Add --bitrates, or use -b.")
      }
      guard let index = command.renditions.firstIndex(where: { $0.bitrate == bitrate }) else {
        throw UsageError(
          "\(option)-bitrate is not one of --bitrates.",
          hint: "Choose from \(command.renditions.map(\.name).joined(separator: ", ")).")
      }
      renditions[kind] = index
    }
    if command.hls.isRequested { return renditions }
    // Reject renditions that no output uses.
    let taken = Set(wanted.filter { $0.isWanted }.map { renditions[$0.kind] ?? 0 })
    for (index, rendition) in command.renditions.enumerated() where !taken.contains(index) {
      throw UsageError(
        "No output gets the \(rendition.name) of --bitrates.",
        hint: "Omit it, or add --hls or --hls-serve.")
    }
    return renditions
  }
}
