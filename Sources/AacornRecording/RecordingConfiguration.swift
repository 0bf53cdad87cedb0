public import AacornCodec

/// What is to be recorded, and how it is to be coded.
public struct RecordingConfiguration: Sendable {
  /// What the outputs get.
  public enum Coding: Sendable, Equatable {
    /// AAC-LC.
    case aac(rateControl: AACEncoder.RateControl, effort: AACEncoder.Effort)
    /// The samples as 16-bit integers.
    case int16
    /// The samples as they are, in single precision.
    case float32

    /// Whether it is AAC.
    var isAAC: Bool {
      if case .aac = self { true } else { false }
    }
  }

  /// When a new file begins.
  ///
  /// The parts, played one after the other, are the recording to the
  /// sample.
  public enum Split: Sendable, Equatable {
    /// Never by itself.
    case never
    /// After so many milliseconds of sound.
    case milliseconds(Int)
    /// Before the file grows beyond so many bytes.
    case bytes(Int)
    /// In every silence of two seconds.
    case onSilence
  }

  /// Frames a second of the recording, whatever the device has.
  public var sampleRate: Int
  /// Channels of the recording.
  public var channelCount: Int
  /// Which of the device's channels are taken, counted from 0; empty takes all and mixes them.
  public var channelMap: [Int]
  /// How it is coded.
  public var coding: Coding
  /// How else it is coded at the same time, for outputs that want several bitrates.
  ///
  /// All of these are AAC, if `coding` is, or samples, if it is not.
  public var furtherCodings: [Coding]
  /// What the samples are multiplied with.
  public var gain: Float
  /// Whether it begins muted.
  public var isMuted: Bool
  /// How much is recorded, in milliseconds; nil records until it is stopped.
  public var milliseconds: Int?
  /// When a new file begins.
  public var split: Split
  /// Whether the sound is stretched by millionths, so that an hour of it lasts an hour by the
  /// computer's clock and not by the device's.
  public var followsWallClock: Bool

  /// What people know as the default: 44.1 kHz, stereo, 96 kb/s.
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
  }
}
