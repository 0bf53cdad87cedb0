public import AacornCodec

/// What to record, and how to code it.
public struct RecordingConfiguration: Sendable {
  /// The format for the outputs.
  public enum Coding: Sendable, Equatable {
    /// AAC-LC.
    case aac(rateControl: AACEncoder.RateControl, effort: AACEncoder.Effort)
    /// The samples as 16-bit integers.
    case int16
    /// The samples unchanged, in single precision.
    case float32

    /// Whether it is AAC.
    var isAAC: Bool {
      if case .aac = self { true } else { false }
    }
  }

  /// When a new file begins.
  ///
  /// The parts, played in succession, reproduce the recording to the sample.
  public enum Split: Sendable, Equatable {
    /// Never automatically.
    case never
    /// After this many milliseconds of audio.
    case milliseconds(Int)
    /// Before the file exceeds this many bytes.
    case bytes(Int)
    /// In every silence of two seconds.
    case onSilence
  }

  /// Frames per second in the recording, whatever the device's rate.
  public var sampleRate: Int
  /// Channels of the recording.
  public var channelCount: Int
  /// Which of the device's channels to use, counted from 0; empty uses all and mixes them.
  public var channelMap: [Int]
  /// How it is coded.
  public var coding: Coding
  /// Further codings made at the same time, for outputs that want several bitrates.
  ///
  /// All of these are AAC if `coding` is, and samples otherwise.
  public var furtherCodings: [Coding]
  /// The factor that the samples are multiplied by.
  public var gain: Float
  /// Whether it begins muted.
  public var isMuted: Bool
  /// How much to record, in milliseconds; nil records until it is stopped.
  public var milliseconds: Int?
  /// When a new file begins.
  public var split: Split
  /// Whether the audio is stretched by millionths, so that an hour of it lasts an hour by the
  /// computer's clock rather than the device's.
  public var followsWallClock: Bool
  /// Whether packets of AAC say what the encoder did with their frames.
  public var collectsStatistics: Bool

  /// Creates a configuration with the usual defaults: 44.1 kHz, stereo, 96 kb/s.
  public init(
    sampleRate: Int = 44_100, channelCount: Int = 2,
    coding: Coding = .aac(rateControl: .constant(bitsPerSecond: 96_000), effort: .balanced)
  ) {
    self.sampleRate = sampleRate
    self.channelCount = channelCount
    channelMap = []
    self.coding = coding
    furtherCodings = []
    gain = 1
    isMuted = false
    milliseconds = nil
    split = .never
    followsWallClock = false
    collectsStatistics = false
  }
}
