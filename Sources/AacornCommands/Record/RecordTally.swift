import AacornDevices
import AacornRecording

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
  }

  /// Complete files in order.
  private(set) var files: [File] = []
  /// Stretches of silence in place of lost audio, in all files.
  private(set) var gapCount = 0
  private(set) var trouble: RecordLine.Trouble? = .notBegun
  private var deviceName = ""
  /// Gaps that extend past the completed files.
  private var openGaps: [RecordingGap] = []

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
    case .outputClosed(let output): close(output)
    default: break
    }
  }

  private mutating func close(_ output: OutputSummary) {
    let end = output.position + output.sampleCount
    var file = File(
      name: output.name, sampleCount: output.sampleCount, byteCount: output.byteCount, gapCount: 0,
      lostSampleCount: 0)
    for gap in openGaps {
      let lost = min(gap.position + gap.length, end) - max(gap.position, output.position)
      if lost > 0 {
        file.gapCount += 1
        file.lostSampleCount += lost
      }
    }
    openGaps.removeAll { $0.position + $0.length <= end }
    files.append(file)
  }
}
