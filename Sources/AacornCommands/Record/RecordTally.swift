import AacornDevices
import AacornRecording
import AacornSystem

/// What has happened in a recording so far, counted for people.
struct RecordTally {
  /// A completed file.
  struct File: Equatable {
    var name: String
    var sampleCount: Int
    var byteCount: Int
    /// Stretches of silence in place of lost audio.
    var gapCount: Int
    /// Their number of samples.
    var lostSampleCount: Int
    /// Samples of the recording's end that it lacks; 0 until that is there.
    var unsavedSampleCount = 0
    /// The track if it holds one alone; nil if it holds the mix.
    var track: String?
  }

  /// Complete files in the order of their completion.
  private(set) var files: [File] = []
  /// Whether complete files are no longer where they were written.
  private(set) var hasFilesAway = false
  /// Stretches of silence in place of lost audio, in all files.
  private(set) var gapCount = 0
  private(set) var trouble: RecordLine.Trouble? = .notBegun
  /// The first further track that could not continue, and why.
  private(set) var trackFailure: (track: String, error: RecordingError)?
  /// Further tracks that have begun, or never will.
  private var decidedTracks: Set<String> = []
  private var deviceName = ""
  /// Gaps that files yet to be completed may have.
  private var openGaps: [RecordingGap] = []
  /// Where the last completed file begins that begins latest, and where the one before it does.
  private var latestStart = 0
  private var previousStart = 0

  /// The complete files of a recording that has ended, those of the mix before those of single tracks.
  func orderedFiles(_ summary: RecordingSummary) -> [File] {
    var files = files
    for output in summary.outputs where output.unsavedSampleCount > 0 {
      guard let index = files.lastIndex(where: { $0.name == output.name }) else { continue }
      files[index].unsavedSampleCount = output.unsavedSampleCount
    }
    return files.filter { $0.track == nil } + files.filter { $0.track != nil }
  }

  /// Counts the next event.
  mutating func take(_ event: RecorderEvent) {
    switch event {
    case .started(let device, _):
      trouble = nil
      deviceName = device?.name ?? deviceName
    case .gap(let gap) where gap.isFilled:
      gapCount += 1
      openGaps.append(gap)
    case .deviceLost: trouble = .deviceLost(deviceName)
    case .suspended: trouble = .asleep
    case .deviceReturned(let device), .deviceChanged(let device):
      deviceName = device?.name ?? deviceName
      if trouble != .notBegun { trouble = nil }
    case .resumed: if trouble != .notBegun { trouble = nil }
    case .trackFailed(let track, let error):
      decidedTracks.insert(track)
      if trackFailure?.error.isInputDamage != false { trackFailure = (track, error) }
    case .track(let track, .started), .trackEnded(let track): decidedTracks.insert(track)
    case .outputClosed(let output): close(output)
    // What was complete before is no result any more.
    case .outputLost(let name, let error) where error.kind == .lost:
      files.removeAll { $0.name == name }
    case .outputsAway(let names):
      let away = Set(names)
      files.removeAll { away.contains($0.name) }
      hasFilesAway = true
    default: break
    }
  }

  /// Warnings about those of these devices that have yet to deliver anything.
  func silenceWarnings(_ devices: [String]) -> [String] {
    devices.filter { !decidedTracks.contains($0) }.map {
      "No sound has arrived from “\(displayed($0))” yet; the track is silent until then."
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
    // Files of other outputs that are split at the same places are completed a little later.
    (previousStart, latestStart) = (latestStart, output.position)
    let start = previousStart
    openGaps.removeAll { $0.position + $0.length <= start }
  }
}
