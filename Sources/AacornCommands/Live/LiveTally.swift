import AacornDevices
import AacornRecording
import AacornStreaming
import AacornSystem

/// The counts and the state of a recording or a stream, for the display and the report.
struct LiveTally {
  struct File: Equatable {
    var name: String
    var sampleCount: Int
    var byteCount: Int
    /// The number of gaps filled with silence.
    var gapCount: Int
    /// The total length of the gaps in samples.
    var lostSampleCount: Int
    /// The number of samples missing at the end of the file; set at the end of the recording.
    var unsavedSampleCount = 0
    /// The track, if the file contains only one; nil for the mix.
    var track: String?
  }

  /// The complete files in order of completion.
  private(set) var files: [File] = []
  /// Whether complete files have been moved or removed since they were written.
  private(set) var hasMissingFiles = false
  private(set) var problem: LiveLine.InputProblem? = .notBegun
  /// The name and the error of the first failed track, not counting the recording's first track.
  private(set) var trackFailure: (track: String, error: RecordingError)?
  private var deviceName = ""
  /// The gaps that may affect files not yet completed.
  private var openGaps: [RecordingGap] = []
  /// The two latest start positions of completed files, in samples.
  private var latestStart = 0
  private var previousStart = 0

  /// The reports about each output before the current event, by index.
  private(set) var outputs: [Int: OutputReports] = [:]

  /// The minimum time in seconds between messages about dropped frames of an output.
  private static let interval = 5.0
  /// The minimum time in seconds between messages about dropped segments, which last for seconds.
  private static let segmentInterval = 60.0

  /// Returns the complete files of a recording after its end: first the mix, then single tracks.
  func orderedFiles(_ summary: RecordingSummary) -> [File] {
    var files = files
    for output in summary.outputs where output.unsavedSampleCount > 0 {
      guard let index = files.lastIndex(where: { $0.name == output.name }) else { continue }
      files[index].unsavedSampleCount = output.unsavedSampleCount
    }
    return files.filter { $0.track == nil } + files.filter { $0.track != nil }
  }

  mutating func process(_ event: RecorderEvent) {
    switch event {
    case .started(let device, _):
      problem = nil
      deviceName = device?.name ?? deviceName
    case .gap(let gap) where gap.isFilled:
      openGaps.append(gap)
    case .deviceLost: problem = .deviceLost(deviceName)
    case .suspended: problem = .asleep
    case .stalled: if problem != .notBegun { problem = .stalled }
    case .deviceReturned(let device), .deviceChanged(let device):
      deviceName = device?.name ?? deviceName
      if problem != .notBegun { problem = nil }
    case .resumed: if problem != .notBegun { problem = nil }
    case .trackFailed(let track, let error):
      if trackFailure?.error.isInputDamage != false { trackFailure = (track, error) }
    case .outputClosed(let output): close(output)
    // A lost file is no longer part of the result.
    case .outputLost(let name, let error) where error.kind == .lost:
      files.removeAll { $0.name == name }
    case .outputsMissing(let names):
      let missing = Set(names)
      files.removeAll { missing.contains($0.name) }
      hasMissingFiles = true
    default: break
    }
  }

  private mutating func close(_ output: OutputSummary) {
    let end = output.position + output.sampleCount
    var file = File(
      name: output.name, sampleCount: output.sampleCount, byteCount: output.byteCount, gapCount: 0,
      lostSampleCount: 0, track: output.track)
    for gap in openGaps {
      if let track = output.track, let owner = gap.track, owner != track { continue }
      let lost = min(gap.position + gap.length, end) - max(gap.position, output.position)
      if lost > 0 {
        file.gapCount += 1
        file.lostSampleCount += lost
      }
    }
    files.append(file)
    guard output.position > latestStart else { return }
    // Other outputs that start a new file at the same position complete their files a little later,
    // so keep the gaps since the previous start.
    (previousStart, latestStart) = (latestStart, output.position)
    let start = previousStart
    openGaps.removeAll { $0.position + $0.length <= start }
  }
}

// The outputs of a stream.
extension LiveTally {
  mutating func process(_ event: LiveEvent, wallTime: Int64) {
    switch event {
    case .sound(let event): process(event)
    case .output(let index, let state):
      outputs[index, default: .init()].record(state, wallTime: wallTime)
    case .dropped, .bitrate, .metadata, .listening, .warning: break
    }
  }

  /// Returns events for unreported drops.
  ///
  /// Their number is limited, except at the end.
  mutating func drops(
    in outputs: [OutputStatus], at seconds: Double, isEnd: Bool
  ) -> [LiveEvent] {
    var events: [LiveEvent] = []
    for (index, output) in outputs.enumerated() {
      var reported = self.outputs[index] ?? .init()
      let count = output.droppedCount - reported.dropCount
      let pause = seconds - reported.dropTime
      guard count > 0, isEnd || Self.isDropDue(for: output, after: pause) else { continue }
      (reported.dropCount, reported.dropTime) = (output.droppedCount, seconds)
      self.outputs[index] = reported
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

  /// Returns warnings about failed metadata updates, one for each server until an update succeeds,
  /// and about servers that fail to remove old files, one for each.
  mutating func problems(in outputs: [OutputStatus]) -> [LiveEvent] {
    var events: [LiveEvent] = []
    for (index, output) in outputs.enumerated() {
      let reported = self.outputs[index] ?? .init()
      self.outputs[index, default: .init()].hasMetadataProblem = output.metadataProblem != nil
      if let problem = output.metadataProblem, !reported.hasMetadataProblem {
        events.append(.warning("\(output.id) did not get the title: \(problem)"))
      }
      if let problem = output.removalProblem, !reported.hasRemovalProblem {
        self.outputs[index]?.hasRemovalProblem = true
        events.append(.warning("\(output.id) cannot remove old files: \(problem)"))
      }
    }
    return events
  }
}

/// The reports about an output so far.
struct OutputReports {
  /// Whether the output was live before.
  var wasLive = false
  /// The wall time in nanoseconds at which the output was last live; nil while it is live.
  var lossTime: Int64?
  /// The keyword of the last reported problem.
  var reportedProblem: String?
  /// The number of dropped frames and segments that were reported.
  var dropCount = 0
  /// The time in seconds of the last report about drops.
  var dropTime = -Double.infinity
  /// Whether a failure to remove files was reported.
  var hasRemovalProblem = false
  /// Whether the failure of the last metadata update was reported.
  var hasMetadataProblem = false

  mutating func record(_ state: OutputStatus.State, wallTime: Int64) {
    switch state {
    case .live: (wasLive, lossTime, reportedProblem) = (true, nil, nil)
    case .reconnecting(let problem, _):
      lossTime = lossTime ?? wallTime
      reportedProblem = problem.keyword
    case .ready, .connecting, .stopped, .failed: break
    }
  }
}
