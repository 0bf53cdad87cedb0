import AacornCodec
import AacornRecording
import AacornStreaming
import AacornSystem

/// The line at the bottom of the terminal while a stream is running.
///
///     LIVE 0:12.3  ######|--- -12  icecast live 128 kb/s  rtmp reconnecting (3)  -18.3 LUFS
///
/// A narrow terminal omits items, the least important first.
struct StreamLine: Equatable {
  var stream: LiveSnapshot
  /// The reason why no audio arrives, or nil.
  var problem: RecordLine.InputProblem?
  /// The hint about keys, if there are any.
  var hint: String?

  /// Returns the line for a terminal with a number of columns.
  func text(columns: Int) -> String {
    // The last column stays free: some terminals start a new line after it.
    let width = max(1, columns - 1)
    let head = state + " " + QuantityText.duration(stream.seconds)
    let long = stream.outputs.map { Self.outputText($0, bitrate(of: $0)) }
    let short = stream.outputs.map { $0.id + " " + Self.state($0) }
    let meters = problem == nil ? stream.levels : []
    let loudest = meters.isEmpty ? [] : [LevelMeterDisplay.Reading.loudest(of: meters)]
    let middle = listeners + (problem.map { [$0.text] } ?? [])
    let most = middle + long + gaps
    let all = most + loudness
    let hinted: [RecordLine.Layout] =
      hint == nil
      ? []
      : [hint ?? "", RecordKey.shortHint].flatMap { hint in
        [(meters, all + [hint]), (loudest, all + [hint]), (loudest, most + [hint])]
      }
    let tails: [RecordLine.Layout] = [
      (meters, all), (loudest, all), (meters, most), (loudest, most), (loudest, middle + long),
      ([], middle + long), (loudest, middle + short), ([], middle + short),
      (loudest, middle + [summary]), ([], middle + [summary]), ([], [summary]),
    ]
    return RecordLine.fit(head, hinted + tails, width)
  }

  private var state: String {
    if stream.isStopping { return "STOPPING" }
    if stream.sound.isMuted { return "MUTED" }
    return liveCount > 0 ? "LIVE" : "WAITING"
  }

  private var liveCount: Int { stream.outputs.count { $0.state == .live } }

  /// The number of live outputs, such as “2 of 4 outputs live”.
  private var summary: String {
    "\(liveCount) of \(QuantityText.count(stream.outputs.count, "output")) live"
  }

  private var listeners: [String] {
    let count = stream.lastListenerCount
    return count > 0 ? [QuantityText.count(count, "listener")] : []
  }

  /// The loudness while audio arrives, such as “-18.3 LUFS”.
  private var loudness: [String] {
    guard problem == nil, let text = stream.sound.loudness.currentText else { return [] }
    return [text]
  }

  private var gaps: [String] {
    guard stream.sound.gapCount > 0 else { return [] }
    let seconds = stream.timing.seconds(stream.sound.filledSampleCount)
    return [RecordLine.gaps(stream.sound.gapCount, seconds: seconds)]
  }

  /// Returns the bits per second of an output: the current bitrate if it adapts to the network,
  /// otherwise the average.
  private func bitrate(of output: OutputStatus) -> Double? {
    stream.bitrate.map { Double($0) } ?? output.bitrate(stream.timing(of: output))
  }

  /// Returns a short text about an output.
  private static func outputText(_ output: OutputStatus, _ bitrate: Double?) -> String {
    var parts = [output.id]
    switch (output.kind, output.state) {
    case (.hls, .live): parts.append(QuantityText.count(output.segmentCount ?? 0, "segment"))
    case (.save, .live): parts.append(QuantityText.size(output.byteCount))
    case (_, .live):
      parts.append(state(output))
      if let bitrate {
        parts.append(QuantityText.fixed(bitrate / 1000, decimals: 0) + " kb/s")
      }
    default: parts.append(state(output))
    }
    if output.droppedCount > 0 { parts.append("\(output.droppedCount) dropped") }
    return parts.joined(separator: " ")
  }

  private static func state(_ output: OutputStatus) -> String {
    if case .reconnecting(_, let attempt) = output.state { return "reconnecting (\(attempt))" }
    return output.state.keyword
  }
}
