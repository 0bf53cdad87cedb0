import AacornCodec
import AacornRecording
import AacornStreaming

extension StreamPlan {
  /// The rendition that outputs of a kind get; HLS gets all of them.
  func rendition(for kind: OutputStatus.Kind) -> Int { renditions[kind] ?? 0 }

  /// The timing of the frames that outputs of a kind count.
  func timing(for kind: OutputStatus.Kind) -> StreamTiming {
    configuration.timing(of: rendition(for: kind))
  }

  /// The renditions that were chosen for outputs, by their kind.
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
          "\(option)-bitrate selects one of --bitrates.", advice: "Add --bitrates, or use -b.")
      }
      guard let index = command.renditions.firstIndex(where: { $0.bitrate == bitrate }) else {
        throw UsageError(
          "\(option)-bitrate is not one of --bitrates.",
          advice: "Choose from \(command.renditions.map(\.name).joined(separator: ", ")).")
      }
      renditions[kind] = index
    }
    if command.hls.isWanted { return renditions }
    // Nothing is encoded for nobody.
    let taken = Set(wanted.filter { $0.isWanted }.map { renditions[$0.kind] ?? 0 })
    for (index, rendition) in command.renditions.enumerated() where !taken.contains(index) {
      throw UsageError(
        "No output gets the \(rendition.name) of --bitrates.",
        advice: "Omit it, or add --hls or --hls-serve.")
    }
    return renditions
  }
}
