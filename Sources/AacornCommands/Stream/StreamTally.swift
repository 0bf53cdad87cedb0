import AacornRecording
import AacornStreaming

/// What has happened in a stream so far, as needed for later sentences and the report.
struct StreamTally {
  /// The audio, and the completed files.
  private(set) var sound = RecordTally()
  /// What is known about outputs, by number.
  private(set) var outputs: [Int: StreamEvent.Past] = [:]
  /// Dropped frames and segments that were reported.
  private var toldDropCounts: [Int: Int] = [:]
  /// Outputs for which it was reported that their servers remove nothing.
  private var toldRemovalTroubles: Set<Int> = []
  /// Outputs for which failed metadata updates were reported.
  private var toldMetadataTroubles: Set<Int> = []
  private var lastDropTime: [Int: Double] = [:]

  /// Seconds between sentences about an output's dropped frames.
  private static let interval = 5.0
  /// The same for segments, each of which is seconds long.
  private static let segmentInterval = 60.0

  /// Counts the next event, after it was reported.
  mutating func take(_ event: StreamEvent, wallTime: Int64) {
    switch event {
    case .sound(let event): sound.take(event)
    case .output(let index, let state):
      var past = outputs[index] ?? StreamEvent.Past()
      switch state {
      case .live:
        past.wasLive = true
        past.lossTime = nil
        past.toldTrouble = nil
      case .reconnecting(let trouble, _):
        past.lossTime = past.lossTime ?? wallTime
        past.toldTrouble = trouble.word
      default: break
      }
      outputs[index] = past
    case .dropped, .bitrate, .metadata, .listening, .warning: break
    }
  }

  /// Events for what was dropped and not reported; not too often, except at the end.
  mutating func drops(
    in outputs: [OutputStatus], at seconds: Double, isEnd: Bool
  ) -> [StreamEvent] {
    var events: [StreamEvent] = []
    for (index, output) in outputs.enumerated() {
      let count = output.droppedCount - (toldDropCounts[index] ?? 0)
      let pause = seconds - (lastDropTime[index] ?? -.infinity)
      guard count > 0, isEnd || Self.isDropDue(for: output, after: pause) else { continue }
      toldDropCounts[index] = output.droppedCount
      lastDropTime[index] = seconds
      events.append(.dropped(index, count: count))
    }
    return events
  }

  /// Whether to report what an output has dropped so many seconds after the last time.
  private static func isDropDue(for output: OutputStatus, after pause: Double) -> Bool {
    guard output.dropsSegments else { return pause >= interval }
    // That the server is away was told; what that has cost is told when it is back.
    if case .reconnecting = output.state { return false }
    return pause >= segmentInterval
  }

  /// Warnings about servers that keep what should be removed, one for each.
  mutating func removalTroubles(in outputs: [OutputStatus]) -> [StreamEvent] {
    var events: [StreamEvent] = []
    for (index, output) in outputs.enumerated() {
      guard let trouble = output.removalTrouble, toldRemovalTroubles.insert(index).inserted else {
        continue
      }
      events.append(.warning("\(output.id) cannot remove old files: \(trouble)"))
    }
    return events
  }

  /// Warnings about failed metadata updates; one for each server until an update succeeds.
  mutating func metadataTroubles(in outputs: [OutputStatus]) -> [StreamEvent] {
    var events: [StreamEvent] = []
    for (index, output) in outputs.enumerated() {
      guard let trouble = output.metadataTrouble else {
        toldMetadataTroubles.remove(index)
        continue
      }
      if toldMetadataTroubles.insert(index).inserted {
        events.append(.warning("\(output.id) did not get the title: \(trouble)"))
      }
    }
    return events
  }
}
