public import AacornContainers
public import AacornSignal

/// The findings from decoding a file with AAC.
public struct AudioReport: Equatable, Sendable {
  /// The sample rate in hertz.
  ///
  /// If it changes in the file, the last rate, which all times use.
  public internal(set) var sampleRate = 0
  /// The number of channels; the last number if it changes.
  public internal(set) var channelCount = 0
  /// The number of changes of the rate or channels.
  public internal(set) var formatChangeCount = 0
  /// The exact number of samples per channel, after trimming as specified by the file.
  public internal(set) var frameCount: Int64 = 0

  /// The loudness in LUFS (ITU-R BS.1770-4); nil for silence or less than 400 ms.
  public internal(set) var loudness: Float?
  /// The loudness range in LU (EBU Tech 3342); nil for silence or less than 3 s.
  public internal(set) var loudnessRange: Float?
  /// The maximum momentary loudness (400 ms) in LUFS.
  public internal(set) var maximumMomentary: Float?
  /// The maximum short-term loudness (3 s) in LUFS.
  public internal(set) var maximumShortTerm: Float?

  /// The sample peak; 1 is full scale.
  public internal(set) var peak: Float = 0
  /// The true peak, including values between samples; 1 is full scale.
  public internal(set) var truePeak: Float = 0
  /// The number of clipped samples: in a channel, three or more in a row at or beyond full scale.
  public internal(set) var clippedSampleCount: Int64 = 0
  /// The number of samples beyond full scale, which integer formats cannot represent.
  public internal(set) var excessSampleCount: Int64 = 0

  /// The maximum peak that is not a fault: 6 dB above full scale.
  ///
  /// Coding does not preserve peaks, so loud music exceeds full scale by 1 to 3 dB.
  public static let maxAllowedPeak: Float = 2
  /// The position of the frame with the highest peak, in samples per channel, if the peak exceeds
  /// ``maxAllowedPeak``.
  public internal(set) var burstPosition: Int64?

  /// The digital silence at the start, in samples per channel.
  public internal(set) var leadingSilence: Int64 = 0
  /// The digital silence at the end, in samples per channel.
  public internal(set) var trailingSilence: Int64 = 0
  /// The longest digital silence, in samples per channel.
  public internal(set) var longestSilence: SilenceMeter.Run?

  /// The number of coded frames that were damaged or missing and have been concealed.
  public internal(set) var concealedCount: Int64 = 0
  /// The positions of concealed frames, in samples per channel; at most `positionLimit`.
  public internal(set) var concealedPositions: [Int64] = []

  /// The maximum number of stored positions.
  public static let positionLimit = 1000

  /// The duration in seconds.
  public var duration: Double { seconds(frameCount) }

  /// Returns the duration of `frames` samples per channel in seconds.
  public func seconds(_ frames: Int64) -> Double {
    sampleRate > 0 ? Double(frames) / Double(sampleRate) : 0
  }
}

/// The result of decoding a file for a report.
public enum AudioReportResult: Equatable, Sendable {
  /// The file was decoded to its end.
  case measured(AudioReport)
  /// The file cannot be decoded, for this reason.
  case impossible(CodedAudioError)
}
