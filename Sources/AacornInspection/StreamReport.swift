public import AacornCodec

/// Everything that an inspection found out about a stream.
///
/// Counts of bits and bytes are 64 bits wide, because a stream may be longer than what `Int` holds
/// on a 32-bit machine.
public struct StreamReport: Equatable, Sendable {
  /// What the frames are packed in.
  public enum Container: Equatable, Sendable {
    /// Not recognized yet, or nothing recognizable.
    case unknown
    /// ADTS frames.
    case adts
    /// LATM in LOAS frames.
    case loas
    /// An ADIF header and bare blocks.
    case adif
    /// MP4, M4A or QuickTime; with or without fragments.
    case movie(isQuickTime: Bool, isFragmented: Bool)
  }

  /// What the frames are packed in.
  public internal(set) var container: Container = .unknown
  /// The configuration of the first frame, with the layout that a program config element told.
  public internal(set) var configuration: AudioSpecificConfig?
  /// Whether the headers say MPEG-2 rather than MPEG-4.
  public internal(set) var isMPEG2 = false
  /// Whether the container itself names SBR or PS, rather than leaving it to the payload.
  public internal(set) var isExtensionSignaled = false
  /// Frames (raw_data_blocks).
  public internal(set) var frameCount: Int64 = 0
  /// Frames that could not be read to their end.
  public internal(set) var unreadableFrameCount: Int64 = 0
  /// Samples a channel of all frames, before SBR and before anything is cut off.
  public internal(set) var sampleCount: Int64 = 0
  /// What to cut off, if the container tells it, in samples at `trimRate`.
  public internal(set) var trim: Trim?
  /// The rate at which `trim` counts: with SBR that of the core or twice that.
  public internal(set) var trimRate = 0
  /// Bytes of the stream.
  public internal(set) var byteCount: Int64 = 0
  /// Bytes of the raw_data_blocks.
  public internal(set) var payloadByteCount: Int64 = 0
  /// Bits a second of the raw_data_blocks.
  public internal(set) var bitrate = Bitrate()
  /// The rate over time, for a plot.
  public internal(set) var plot = BitratePlot()
  /// The largest raw_data_block.
  public internal(set) var largestFrame = LargestFrame()
  /// What a decoder at constant rate would need.
  public internal(set) var decoderBuffer = DecoderBuffer()
  /// What the headers say about the bit reservoir.
  public internal(set) var fullness = Fullness()
  /// How often the tools of AAC are used.
  public internal(set) var tools = ToolCounts()
  /// Checksums of ADTS frames.
  public internal(set) var checksums = ChecksumCounts()
  /// The first tags, at most `tagLimit`.
  public internal(set) var tags: [Tag] = []
  /// Tags, those that are not kept included.
  public internal(set) var tagCount = 0
  /// When a recording was started, in the words of its recorder.
  public var started: String? { startText.map { String(decoding: $0, as: UTF8.self) } }
  /// These words as bytes: to compare texts takes tables that a browser lacks.
  var startText: [UInt8]?
  /// The notes of a recording's gaps, each a JSON object as its recorder wrote it.
  public internal(set) var gapEntries: [[UInt8]] = []
  /// What is wrong.
  public internal(set) var faults = FaultLog()

  /// Tags that are kept.
  public static let tagLimit = 100

  /// A report on nothing.
  public init() {}

  /// Whether there is SBR, by the configuration or in the payload.
  public var hasSpectralBandReplication: Bool {
    configuration?.extensionSampleRate != nil || tools.spectralBandReplicationFrames > 0
  }

  /// What the whole makes: LC, HE-AAC with SBR, HE-AAC v2 where the configuration tells PS.
  public var profile: AudioObjectType? {
    guard let configuration else { return nil }
    if configuration.hasParametricStereo { return .parametricStereo }
    return hasSpectralBandReplication ? .spectralBandReplication : configuration.objectType
  }

  /// The core's sampling rate in hertz; 0 if unknown.
  public var sampleRate: Int { configuration?.sampleRate ?? 0 }

  /// The rate at which a decoder with SBR plays; 0 if unknown.
  public var outputSampleRate: Int {
    guard let configuration else { return 0 }
    if let rate = configuration.extensionSampleRate { return rate }
    return hasSpectralBandReplication ? configuration.sampleRate &* 2 : configuration.sampleRate
  }

  /// Samples a frame, before SBR.
  public var frameLength: Int { configuration?.samplesPerFrame ?? 1024 }

  /// Bytes that are not payload: headers, tables, tags and damage.
  public var overheadByteCount: Int64 { max(0, byteCount - payloadByteCount) }
}

extension StreamReport {
  /// Bits a second of raw_data_blocks, headers of the container not counted.
  @frozen
  public struct Bitrate: Equatable, Sendable {
    /// Over the whole stream.
    public var mean: Int64 = 0
    /// The lowest of all windows of one second; the mean if the stream is shorter.
    public var minimum: Int64 = 0
    /// The highest of all windows of one second; the mean if the stream is shorter.
    public var maximum: Int64 = 0
  }

  /// The largest raw_data_block.
  @frozen
  public struct LargestFrame: Equatable, Sendable {
    /// Its bytes.
    public var byteCount = 0
    /// Its number, from 0.
    public var number: Int64 = 0
  }

  /// What a decoder needs that gets the stream at the mean rate (ISO/IEC 14496-3, 4.5.3).
  @frozen
  public struct DecoderBuffer: Equatable, Sendable {
    /// Bits of the standard decoder's buffer: 6144 for each channel but the LFE.
    public var capacity: Int64 = 0
    /// Bits of the smallest buffer that neither runs dry nor over at the mean rate.
    public var required: Int64 = 0
    /// Frames that alone are larger than the standard buffer.
    public var oversizedFrameCount: Int64 = 0

    /// The lowest level, in bits, if the buffer is full at its highest; negative if it runs dry.
    public var minimumLevel: Int64 { capacity - required }
    /// Whether the stream can be sent at a constant rate, the mean.
    public var fits: Bool { required <= capacity && oversizedFrameCount == 0 }
  }

  /// What the headers say about the bit reservoir.
  @frozen
  public struct Fullness: Equatable, Sendable {
    /// Headers that say "variable rate".
    public var variableRateCount: Int64 = 0
    /// Headers that give a level.
    public var levelCount: Int64 = 0
    /// The lowest level in bits.
    public var minimum: Int64 = 0
    /// The highest level in bits.
    public var maximum: Int64 = 0

    mutating func add(bits: Int64?) {
      guard let bits else {
        variableRateCount += 1
        return
      }
      minimum = levelCount == 0 ? bits : min(minimum, bits)
      maximum = levelCount == 0 ? bits : max(maximum, bits)
      levelCount += 1
    }
  }

  /// Checksums of ADTS frames.
  @frozen
  public struct ChecksumCounts: Equatable, Sendable {
    /// Checksums that are there.
    public var present: Int64 = 0
    /// Checksums that agree with the content.
    public var verified: Int64 = 0
    /// Checksums that do not; the rest could not be checked because the block is unreadable.
    public var failed: Int64 = 0
  }

  /// A tag beside the frames, such as ID3.
  @frozen
  public struct Tag: Equatable, Sendable {
    /// Its first byte.
    public var offset: Int64
    /// Its bytes.
    public var length: Int64
  }
}
