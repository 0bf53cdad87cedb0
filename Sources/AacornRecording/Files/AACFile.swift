public import AacornCodec
public import AacornContainers
public import AacornInspection
import AacornSoundFiles
import AacornSystem

/// Functions for complete files: encode a sound file to AAC; decode, cut, join or inspect AAC
/// files.
///
///     try await AACFile.encode(from: "song.wav", to: "song.m4a")
///     try await AACFile.decode(from: "song.m4a", to: "song.wav")
///     try await AACFile.cut(from: "song.m4a", to: "end.m4a", start: .seconds(60))
///     try await AACFile.join(["song.m4a", "end.m4a"], to: "both.m4a")
///     let report = try await AACFile.inspect("song.m4a")
///
/// Each call runs on its own thread and does not block threads of Swift's concurrency. Memory does
/// not grow with the length of the file.
public enum AACFile {
  /// The settings for encoding a file; nil means a value that suits the input.
  public struct Configuration: Sendable {
    /// The bitrate or quality; nil for 64 kb/s per channel, 32 in HE-AAC, less in HE-AAC v2.
    public var rateControl: AACEncoder.RateControl?
    /// The computing effort for quality.
    public var effort: AACEncoder.Effort
    /// The AAC profile; nil if it depends on the bitrate.
    public var profile: AACEncoder.Profile?
    /// The signaling of HE-AAC; nil if it depends on the output's format.
    public var signaling: AudioSpecificConfig.Signaling?
    /// The sampling rate to convert to, in hertz; nil for the input's rate or, if AAC does not have
    /// it, the next higher common rate, at most 48 kHz.
    public var sampleRate: Int?
    /// The number of channels to mix to, 1 or 2; nil for the input's channels.
    public var channelCount: Int?
    /// The target loudness, which needs a first pass over the input; nil for no change.
    public var loudness: LoudnessTarget?
    /// Whether the tags of an M4A contain the loudness; always the case with a target loudness.
    public var statesLoudness: Bool
    /// The effects before encoding; see <doc:Effects>.
    public var effects: [EffectDescription] = []
    /// Tags, for M4A; they take precedence over the input's.
    public var tags: MP4Tags
    /// Whether the tags, the cover and the chapters of the input are kept; for M4A.
    public var keepsTags: Bool
    /// Whether an existing file is replaced.
    public var replacesExisting: Bool
    /// The number of encoding threads; nil for one per processor core.
    ///
    /// The number does not change the result.
    public var threadCount: Int?
    /// The highest coded frequency, in hertz; nil if it depends on the bitrate.
    package var bandwidth: Int?
    /// Whether the encoder uses only tools of MPEG-2 AAC.
    package var isMPEG2 = false

    /// Creates a configuration with default values.
    ///
    /// - Parameters:
    ///   - bitrate: A constant bitrate of all channels together, in bits per second.
    ///   - rateControl: A rate control, which takes precedence over `bitrate`.
    ///   - effort: The computing effort for quality.
    ///   - profile: The AAC profile; nil if it depends on the bitrate.
    ///   - signaling: The signaling of HE-AAC; nil if it depends on the output's format.
    ///   - sampleRate: The sampling rate to convert to, in hertz.
    ///   - channelCount: The number of channels to mix to.
    ///   - loudness: The target loudness.
    ///   - statesLoudness: Whether the tags contain the loudness.
    ///   - tags: Tags, for M4A; they take precedence over the input's.
    ///   - keepsTags: Whether the tags, the cover and the chapters of the input are kept.
    ///   - replacesExisting: Whether an existing file is replaced.
    ///   - threadCount: The number of encoding threads.
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
      self.tags = tags
      self.keepsTags = keepsTags
      self.replacesExisting = replacesExisting
      self.threadCount = threadCount
    }
  }

  /// The result of encoding.
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
    /// Bytes of the frames, without headers and tables.
    public internal(set) var payloadByteCount = 0
    /// Whether the input is damaged, was read only in part, or is shorter than its header
    /// specifies.
    public internal(set) var isDamaged = false
    /// The measured loudness and the applied gain; nil if not requested.
    public internal(set) var loudness: Loudness?
    /// Warnings, as messages.
    public internal(set) var warnings: [String] = []

    init() {}

    /// The duration of the audio.
    public var duration: Duration { Duration(samples: sampleCount, at: sampleRate) }
  }
}

extension AACFile.Summary {
  /// The measured loudness of an input before encoding, and the applied gain.
  public struct Loudness: Equatable, Sendable {
    /// The loudness without the gain in LUFS; nil for silence and for less than 0.4 seconds.
    public internal(set) var integrated: Float?
    /// The loudness range in LU; nil for silence and for less than 3 seconds.
    public internal(set) var range: Float?
    /// The true peak without the gain in dBTP; −∞ for silence.
    public internal(set) var truePeak: Float
    /// The gain that was applied in decibels; 0 for none.
    public internal(set) var gain: Float
    /// The loudness with the gain in LUFS, measured after the limiter if there is one; nil for
    /// silence and for less than 0.4 seconds.
    public internal(set) var encoded: Float?
    /// Whether the true peaks were limited after the gain.
    public internal(set) var isLimited: Bool
    /// The amount in LU by which the requested loudness was missed, because more gain would only
    /// cause limiting or amplify noise; 0 if it is at most 0.1 LU.
    public internal(set) var shortfall: Float
  }
}

extension AACFile {
  /// Inspects an AAC file: ADTS, LATM, ADIF, MP4 or an MPEG transport stream, recognized by its
  /// content.
  ///
  /// Every frame is parsed completely. A file without frames has a report, too, which states that.
  /// For a file of another known format, such as WAV, the error names the format.
  ///
  /// - Parameters:
  ///   - path: The path of a file; pipes and folders are rejected.
  ///   - decodesSound: Whether the audio is decoded as well. Then the report's `sound` contains the
  ///     loudness, the peaks, clipped, silent and concealed parts, and the exact length.
  /// - Returns: The report with all faults.
  /// - Throws: The reason why the file cannot be inspected.
  public static func inspect(
    _ path: String, decodesSound: Bool = false
  ) async throws(AACFileError) -> StreamReport {
    try await ThreadBridge.run { (interruption) throws(AACFileError) in
      try report(of: filePath(path), decodesSound: decodesSound, interruption)
    }
  }

  private static func report(
    of path: String, decodesSound: Bool, _ interruption: Interruption
  ) throws(AACFileError) -> StreamReport {
    let file = try InputFile(path, interruption: interruption)
    guard let size = file.size else { throw .notRegular(path) }
    try file.rejectKnownNonAAC(file.bytes(at: 0, count: FileKind.longPrefixCount))
    return try FileInspection.report(byteCount: UInt64(size), decodesSound: decodesSound) {
      (offset, count) throws(AACFileError) in
      try file.bytes(at: Int(clamping: offset), count: count)
    }
  }
}
