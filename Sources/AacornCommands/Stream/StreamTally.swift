import AacornRecording
import AacornStreaming

/// The accumulated state of a stream, for messages and the report.
struct StreamTally {
  /// The totals of the audio and of completed files.
  private(set) var sound = RecordTally()
  /// The state of the outputs before the current event, by index.
  private(set) var outputs: [Int: StreamEvent.PreviousState] = [:]
  /// The number of dropped frames and segments that were reported, by output.
  private var reportedDropCounts: [Int: Int] = [:]
  /// The outputs for which a failure to remove files was reported.
  private var reportedRemovalProblems: Set<Int> = []
  /// The outputs for which a failed metadata update was reported.
  private var reportedMetadataProblems: Set<Int> = []
  private var lastDropTime: [Int: Double] = [:]

  /// The minimum time in seconds between messages about dropped frames of an output.
  private static let interval = 5.0
  /// The minimum time in seconds between messages about dropped segments, which last for seconds.
  private static let segmentInterval = 60.0

  /// Processes an event after it was reported.
  mutating func process(_ event: StreamEvent, wallTime: Int64) {
    switch event {
    case .sound(let event): sound.process(event)
    case .output(let index, let state):
      var previous = outputs[index] ?? StreamEvent.PreviousState()
      switch state {
      case .live:
        previous.wasLive = true
        previous.lossTime = nil
        previous.reportedProblem = nil
      case .reconnecting(let problem, _):
        previous.lossTime = previous.lossTime ?? wallTime
        previous.reportedProblem = problem.keyword
      default: break
      }
      outputs[index] = previous
    case .dropped, .bitrate, .metadata, .listening, .warning: break
    }
  }

  /// Returns events for unreported drops.
  ///
  /// Their number is limited, except at the end.
  mutating func drops(
    in outputs: [OutputStatus], at seconds: Double, isEnd: Bool
  ) -> [StreamEvent] {
    var events: [StreamEvent] = []
    for (index, output) in outputs.enumerated() {
      let count = output.droppedCount - (reportedDropCounts[index] ?? 0)
      let pause = seconds - (lastDropTime[index] ?? -.infinity)
      guard count > 0, isEnd || Self.isDropDue(for: output, after: pause) else { continue }
      reportedDropCounts[index] = output.droppedCount
      lastDropTime[index] = seconds
      events.append(.dropped(index, count: count))
    }
    return events
  }

  /// Returns whether drops of an output should be reported, `pause` seconds after the last report.
  private static func isDropDue(for output: OutputStatus, after pause: Double) -> Bool {
    guard output.dropsSegments else { return pause >= interval }
    // The lost connection was already reported. The dropped segments are reported after the
    // reconnection.
    if case .reconnecting = output.state { return false }
    return pause >= segmentInterval
  }

  /// Returns warnings about servers that fail to remove old files, one for each.
  mutating func removalProblems(in outputs: [OutputStatus]) -> [StreamEvent] {
    var events: [StreamEvent] = []
    for (index, output) in outputs.enumerated() {
      guard let problem = output.removalProblem, reportedRemovalProblems.insert(index).inserted
      else {
        continue
      }
      events.append(.warning("\(output.id) cannot remove old files: \(problem)"))
    }
    return events
  }

  /// Returns warnings about failed metadata updates, one for each server until an update succeeds.
  mutating func metadataProblems(in outputs: [OutputStatus]) -> [StreamEvent] {
    var events: [StreamEvent] = []
    for (index, output) in outputs.enumerated() {
      guard let problem = output.metadataProblem else {
        reportedMetadataProblems.remove(index)
        continue
      }
      if reportedMetadataProblems.insert(index).inserted {
        events.append(.warning("\(output.id) did not get the title: \(problem)"))
      }
    }
    return events
  }
}
