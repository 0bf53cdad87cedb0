public import AacornCodec
public import AacornContainers
import AacornSystem

/// One call for a whole file: encode a sound file to AAC; decode, cut, join or inspect files with it.
///
///     try await AACFile.encode(from: "song.wav", to: "song.m4a")
///     try await AACFile.decode(from: "song.m4a", to: "song.wav")
///     try await AACFile.cut(from: "song.m4a", to: "end.m4a", start: .seconds(60))
///     try await AACFile.join(["song.m4a", "end.m4a"], to: "both.m4a")
///     let report = try await AACFile.inspect("song.m4a")
///
/// Each call works on a thread of its own and blocks none of Swift's concurrency. Memory does not
/// grow with the length of the file.
public enum AACFile {
  /// How to encode a file; nil means "as suits the input".
  public struct Configuration: Sendable {
    /// The bitrate or quality; nil for 64 kb/s a channel, 32 in HE-AAC, less in v2.
    public var rateControl: AACEncoder.RateControl?
    /// How much work goes into the quality.
    public var effort: AACEncoder.Effort
    /// What decoders need; nil if the bitrate decides.
    public var profile: AACEncoder.Profile?
    /// How HE-AAC is signaled; nil if the output's format decides.
    public var signaling: AudioSpecificConfig.Signaling?
    /// The sampling rate to convert to, in hertz; nil for the input's, or the next one that AAC has.
    public var sampleRate: Int?
    /// The number of channels to mix to, 1 or 2; nil for the input's.
    public var channelCount: Int?
    /// How loud the sound is to become, for which the input is read before; nil to leave it.
    public var loudness: LoudnessTarget?
    /// Whether the tags say how loud the sound is, as they do where that is chosen; for M4A.
    public var statesLoudness: Bool
    /// What the sound goes through before it is coded; see <doc:Effects>.
    public var effects: [EffectDescription]
    /// Tags, for M4A; they take precedence over the input's.
    public var tags: MP4Tags
    /// Whether the tags, the cover and the chapters of the input are kept; for M4A.
    public var keepsTags: Bool
    /// Whether an existing file is replaced.
    public var replacesExisting: Bool
    /// How many threads encode at the same time; nil for one a processor core.
    ///
    /// The bytes do not depend on it.
    public var threadCount: Int?

    /// A configuration with the usual defaults.
    ///
    /// - Parameters:
    ///   - bitrate: A constant bitrate of all channels together, in bits per second.
    ///   - rateControl: The bitrate or quality, if it is not a constant bitrate; it takes precedence.
    ///   - effort: How much work goes into the quality.
    ///   - profile: What decoders need; nil if the bitrate decides.
    ///   - signaling: How HE-AAC is signaled; nil if the output's format decides.
    ///   - sampleRate: The sampling rate to convert to, in hertz.
    ///   - channelCount: The number of channels to mix to.
    ///   - loudness: How loud the sound is to become.
    ///   - statesLoudness: Whether the tags say how loud the sound is.
    ///   - tags: Tags, for M4A; they take precedence over the input's.
    ///   - keepsTags: Whether the tags, the cover and the chapters of the input are kept.
    ///   - replacesExisting: Whether an existing file is replaced.
    ///   - threadCount: How many threads encode at the same time.
    public init(
      bitrate: Int? = nil, rateControl: AACEncoder.RateControl? = nil,
      effort: AACEncoder.Effort = .balanced, profile: AACEncoder.Profile? = .lowComplexity,
      signaling: AudioSpecificConfig.Signaling? = nil,
      sampleRate: Int? = nil, channelCount: Int? = nil,
      loudness: LoudnessTarget? = nil, statesLoudness: Bool = false,
      tags: MP4Tags = MP4Tags(), keepsTags: Bool = true, replacesExisting: Bool = false,
      threadCount: Int? = nil
    ) {
      let constant = bitrate.map { AACEncoder.RateControl.constant(bitsPerSecond: $0) }
      self.rateControl = rateControl ?? constant
      self.effort = effort
      self.profile = profile
      self.signaling = signaling
      self.sampleRate = sampleRate
      self.channelCount = channelCount
      self.loudness = loudness
      self.statesLoudness = statesLoudness
      effects = []
      self.tags = tags
      self.keepsTags = keepsTags
      self.replacesExisting = replacesExisting
      self.threadCount = threadCount
    }
  }

  /// What was encoded.
  public struct Summary: Equatable, Sendable {
    /// The sampling rate of the result, in hertz.
    public internal(set) var sampleRate = 0
    /// The number of channels of the result.
    public internal(set) var channelCount = 0
    /// The profile of the result.
    public internal(set) var profile = AACEncoder.Profile.lowComplexity
    /// The highest coded frequency, in hertz.
    public internal(set) var bandwidth = 0
    /// Encoded samples per channel, after any rate conversion.
    public internal(set) var sampleCount = 0
    /// The size of the file in bytes.
    public internal(set) var byteCount = 0
    /// Bytes of the frames alone, without headers and tables.
    public internal(set) var payloadByteCount = 0
    /// Whether the input is damaged, could be read only in part, or is a file that ends before the end
    /// that its header announces.
    public internal(set) var isDamaged = false
    /// What was measured of the sound and done about it; nil if nothing was asked for.
    public internal(set) var loudness: Loudness?
    /// Things worth knowing that are not errors, as sentences.
    public internal(set) var warnings: [String] = []

    init() {}

    /// How long the sound is.
    public var duration: Duration { Duration(samples: sampleCount, at: sampleRate) }
  }
}
