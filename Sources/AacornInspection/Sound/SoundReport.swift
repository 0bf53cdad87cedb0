public import AacornContainers
public import AacornSignal

/// What only decoding tells about a file with AAC.
public struct SoundReport: Equatable, Sendable {
  /// Samples per second; where it changes in the middle, the last rate, in which times are counted.
  public internal(set) var sampleRate = 0
  /// The number of channels, the last one if it changes.
  public internal(set) var channelCount = 0
  /// Changes of rate or channels in the middle.
  public internal(set) var formatChangeCount = 0
  /// Samples per channel, exactly, after cutting what the file says.
  public internal(set) var frameCount: Int64 = 0

  /// The loudness in LUFS (ITU-R BS.1770-4); nil for silence or less than 400 ms.
  public internal(set) var loudness: Float?
  /// The loudness range in LU (EBU Tech 3342); nil for silence or less than 3 s.
  public internal(set) var loudnessRange: Float?
  /// The greatest loudness of 400 ms in LUFS.
  public internal(set) var maximumMomentary: Float?
  /// The greatest loudness of 3 s in LUFS.
  public internal(set) var maximumShortTerm: Float?

  /// The greatest magnitude of a sample; 1 is full scale.
  public internal(set) var peak: Float = 0
  /// The greatest magnitude of samples and of what is between them.
  public internal(set) var truePeak: Float = 0
  /// Samples in runs of three or more of a channel at or beyond full scale.
  public internal(set) var clippedSampleCount: Int64 = 0
  /// Samples beyond full scale, which files of whole numbers cannot hold.
  public internal(set) var excessSampleCount: Int64 = 0

  /// The greatest peak that is no fault: 6 dB above full scale.
  ///
  /// Coding does not keep peaks, so that loud music exceeds full scale by 1 to 3 dB.
  public static let greatestPeak: Float = 2
  /// Where the first samples of the frame with the greatest peak are, in samples per channel from the
  /// start, if it is greater than that.
  public internal(set) var burstPosition: Int64?

  /// Samples per channel of digital silence at the start.
  public internal(set) var leadingSilence: Int64 = 0
  /// Samples per channel of digital silence at the end.
  public internal(set) var trailingSilence: Int64 = 0
  /// The longest digital silence, in samples per channel.
  public internal(set) var longestSilence: SilenceMeter.Run?

  /// Coded frames that are damaged or missing, and were replaced.
  public internal(set) var concealedCount: Int64 = 0
  /// The first samples of these, in samples per channel from the start; at most `positionLimit`.
  public internal(set) var concealedPositions: [Int64] = []

  /// How many positions are kept.
  public static let positionLimit = 1000

  /// The length in seconds.
  public var duration: Double { seconds(frameCount) }

  /// The time of a sample, or the length of so many, in seconds.
  public func seconds(_ frames: Int64) -> Double {
    sampleRate > 0 ? Double(frames) / Double(sampleRate) : 0
  }
}

/// What became of decoding a file for a report.
public enum SoundFinding: Equatable, Sendable {
  /// It was decoded to its end, and this is in it.
  case measured(SoundReport)
  /// It is not decoded, for this reason.
  case impossible(CodedSoundError)
}
