import AacornSystem

/// Determines the positions of new files.
struct Splitter {
  private let rule: RecordingConfiguration.Split
  private let sampleRate: Int
  private let channelCount: Int
  /// The number of consecutive samples per channel below the threshold.
  private var silentCount = 0
  /// Whether there was sound since the last cut, so that each silence causes only one cut.
  private var hasSound = false

  /// The level below which audio is silence: −50 dB, below speech and above room noise.
  private static let threshold: Float = 0.003_162

  init(_ configuration: RecordingConfiguration) {
    rule = configuration.split
    sampleRate = configuration.sampleRate
    channelCount = configuration.channelCount
  }

  /// Whether there can be more than one file.
  var isActive: Bool { rule != .never }

  /// Samples per segment, if known.
  var segmentLength: Int? {
    guard case .every(let duration) = rule else { return nil }
    return duration.sampleLimit(at: sampleRate).map { max(1, $0) }
  }

  /// Returns the index of the first frame of `samples` in the next segment; nil without a cut.
  ///
  /// `sampleCount` is the length of the segment before the samples, `byteCount` its size.
  mutating func cut(_ samples: Span<Float>, sampleCount: Int, byteCount: Int) -> Int? {
    let frames = samples.count / channelCount
    switch rule {
    case .never: return nil
    case .every:
      guard let segmentLength, sampleCount + frames > segmentLength else { return nil }
      return max(0, segmentLength - sampleCount)
    case .bytes(let limit):
      return sampleCount > 0 && byteCount >= limit ? 0 : nil
    case .onSilence:
      return cutInSilence(samples, frames, sampleCount)
    }
  }

  private mutating func cutInSilence(
    _ samples: Span<Float>, _ frames: Int, _ sampleCount: Int
  ) -> Int? {
    for frame in 0..<frames {
      var isSilent = true
      for index in frame * channelCount..<(frame + 1) * channelCount
      where abs(samples[index]) >= Self.threshold { isSilent = false }
      if !isSilent {
        silentCount = 0
        hasSound = true
        continue
      }
      silentCount += 1
      if silentCount == 2 * sampleRate && hasSound && sampleCount + frame > 0 {
        hasSound = false
        return frame
      }
    }
    return nil
  }
}

extension Duration {
  /// Returns the number of samples in this time as a limit; nil if no recording can reach it.
  func sampleLimit(at sampleRate: Int) -> Int? {
    let count = sampleCount(at: sampleRate)
    return count < Int.max - (1 << 20) ? count : nil
  }
}
