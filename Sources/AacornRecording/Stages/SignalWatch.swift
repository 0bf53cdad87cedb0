import AacornSignal

/// Watches the captured samples of a source for problems, such as a muted microphone.
///
/// Time is counted in samples, so the result depends neither on the clock nor on the division of
/// the samples into blocks.
struct SignalWatch {
  /// A problem that has begun or ended, with its duration up to now in samples of the recording.
  struct Change: Equatable {
    var problem: SignalEvent.Problem
    var isActive: Bool
    var length: Int
  }

  /// The duration in seconds after which zeros count as a problem.
  private static let silentSeconds = 10

  private let sampleRate: Int
  private let channelCount: Int
  /// Frames per second of the captured samples.
  private var inputRate: Int
  /// The captured frames since the last one that was not zero.
  private var zeroCount = 0
  /// The captured frames in earlier reported silences, in samples of the recording.
  private var endedCount = 0
  /// Whether the samples have been zero for ten seconds.
  private(set) var isSilent = false

  /// Creates a watch of samples with the recording's channels.
  init(channelCount: Int, sampleRate: Int) {
    self.channelCount = channelCount
    self.sampleRate = sampleRate
    inputRate = sampleRate
  }

  /// The duration of all silences of at least ten seconds, in samples of the recording.
  var silentSampleCount: Int { endedCount + (isSilent ? recordingLength(of: zeroCount) : 0) }

  /// Examines captured samples at their own rate, and returns the changes in order.
  mutating func process(_ samples: Span<Float>, sampleRate inputRate: Int) -> [Change] {
    if inputRate != self.inputRate {
      zeroCount = zeroCount.rescaled(from: self.inputRate, to: inputRate)
      self.inputRate = inputRate
    }
    // A silence that is long enough cannot lie within a piece, so only the ends of a piece matter.
    let limit = Self.silentSeconds * inputRate
    var changes: [Change] = []
    var start = 0
    while start < samples.count {
      let end = min(samples.count, start + limit * channelCount)
      process(samples.extracting(start..<end), limit: limit, changes: &changes)
      start = end
    }
    return changes
  }

  private mutating func process(
    _ samples: Span<Float>, limit: Int, changes: inout [Change]
  ) {
    var index = 0
    while index < samples.count && samples[index] == 0 { index += 1 }
    zeroCount += index / channelCount
    if !isSilent && zeroCount >= limit {
      isSilent = true
      changes.append(
        Change(problem: .silent, isActive: true, length: recordingLength(of: limit)))
    }
    if index == samples.count { return }
    if isSilent {
      let length = recordingLength(of: zeroCount)
      isSilent = false
      endedCount += length
      changes.append(Change(problem: .silent, isActive: false, length: length))
    }
    index = samples.count
    while samples[index - 1] == 0 { index -= 1 }
    zeroCount = (samples.count - index) / channelCount
  }

  private func recordingLength(of frameCount: Int) -> Int {
    frameCount.rescaled(from: inputRate, to: sampleRate)
  }
}
