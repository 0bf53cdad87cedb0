import AacornRecording
import AacornStreaming

/// The line at the bottom of the terminal while many streams run.
///
///     97 of 100 LIVE  jazz reconnecting  news waiting  talk failed
///
/// Live streams are only counted. The other streams are named, as far as the line has room.
struct ManyStreamsLine {
  var entries: [StreamEntrySnapshot]

  /// Returns the line for a terminal with a number of columns.
  func text(columns: Int) -> String {
    // The last column stays free: some terminals start a new line after it.
    let width = max(1, columns - 1)
    let liveCount = entries.count { $0.state == .running && $0.isHealthy }
    var text = "\(liveCount) of \(entries.count) LIVE"
    if text.count > width { return RecordLine.truncate(text, to: width) }
    let others = entries.compactMap { entry in
      Self.problem(of: entry).map { "\(entry.name) \($0)" }
    }
    for (index, words) in others.enumerated() {
      let rest = others.count - index
      // Reserve room for the number of the remaining streams.
      let more = rest > 1 ? "  and \(rest - 1) more" : ""
      if text.count + 2 + words.count + more.count > width {
        let all = "  and \(rest) more"
        return text.count + all.count <= width ? text + all : text
      }
      text += "  " + words
    }
    return text
  }

  /// Returns the reason why a stream is not live, or nil.
  private static func problem(of entry: StreamEntrySnapshot) -> String? {
    guard entry.state == .running else { return entry.state.keyword }
    let stream = entry.details
    if stream.isHealthy { return stream.outputs.first { $0.state != .live }?.state.keyword }
    if stream.isStopping { return "stopping" }
    if stream.sound.isDeviceLost { return "device lost" }
    if stream.startWallTime == 0 { return "starting" }
    if !stream.isFlowing { return "no sound" }
    return stream.outputs.first { $0.state != .live }?.state.keyword ?? "not live"
  }
}
