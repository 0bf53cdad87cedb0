public import AacornCodec
public import AacornContainers

/// Everything that an inspection found out about a stream.
///
/// Counts of bits and bytes are 64 bits wide, because a stream may exceed what `Int` can hold on a
/// 32-bit machine.
public struct StreamReport: Equatable, Sendable {
  /// The container format.
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
    /// An MPEG transport stream.
    case transportStream
  }

  /// The container format.
  public internal(set) var container: Container = .unknown
  /// The program of a transport stream whose AAC was read.
  public internal(set) var program: TransportProgram?
  /// The configuration of the first frame, with the layout from a program config element.
  public internal(set) var configuration: AudioSpecificConfig?
  /// Whether the headers say MPEG-2 rather than MPEG-4.
  public internal(set) var isMPEG2 = false
  /// Whether the container itself signals SBR or PS, rather than leaving it to the payload.
  public internal(set) var isExtensionSignaled = false
  /// Frames (raw_data_blocks).
  public internal(set) var frameCount: Int64 = 0
  /// Frames that could not be read to their end.
  public internal(set) var unreadableFrameCount: Int64 = 0
  /// Samples per channel in all frames, before SBR and trimming.
  public internal(set) var sampleCount: Int64 = 0
  /// What to cut off, if the container specifies it, in samples at `trimRate`.
  public internal(set) var trim: StreamTrim?
  /// The rate of the samples in `trim`: with SBR, that of the core or twice that.
  public internal(set) var trimRate = 0
  /// Bytes of the stream.
  public internal(set) var byteCount: Int64 = 0
  /// Bytes of the raw_data_blocks.
  public internal(set) var payloadByteCount: Int64 = 0
  /// The bitrate of the raw_data_blocks.
  public internal(set) var bitrate = Bitrate()
  /// The bitrate over time, for a plot.
  public internal(set) var plot = BitratePlot()
  /// The largest raw_data_block.
  public internal(set) var largestFrame = LargestFrame()
  /// What a decoder at constant rate would need.
  public internal(set) var decoderBuffer = DecoderBuffer()
  /// The reservoir levels in the headers.
  public internal(set) var fullness = Fullness()
  /// How often AAC's tools are used.
  public internal(set) var tools = ToolCounts()
  /// The frequencies in hertz that SBR replicates, according to its first header; nil without one.
  public internal(set) var replicatedFrequencies: Range<Int>?
  /// What SBR is made of, and parametric stereo in it.
  public internal(set) var replication = ReplicationCounts()
  /// Checksums of ADTS frames.
  public internal(set) var checksums = ChecksumCounts()
  /// The first tags, at most `tagLimit`.
  public internal(set) var tags: [Tag] = []
  /// The number of tags, including those not kept.
  public internal(set) var tagCount = 0
  /// When a recording was started, as written by its recorder.
  public var started: String? { startText.map { String(decoding: $0, as: UTF8.self) } }
  /// That text as bytes: comparing strings takes tables that a browser's module lacks.
  var startText: [UInt8]?
  /// The gap notes of a recording, each a JSON object as written by its recorder.
  public internal(set) var gapEntries: [[UInt8]] = []
  /// The faults found.
  public internal(set) var faults = FaultLog()
  /// What decoding tells; nil if that was not asked for.
  public internal(set) var sound: SoundFinding?

  /// How many tags are kept.
  public static let tagLimit = 100

  /// An empty report.
  public init() {}

  /// Whether there is SBR, according to the configuration or the payload.
  public var hasSpectralBandReplication: Bool {
    configuration?.extensionSampleRate != nil || tools.spectralBandReplicationFrames > 0
  }

  /// Whether there is parametric stereo, according to the configuration or the payload.
  public var hasParametricStereo: Bool {
    guard let configuration else { return false }
    return configuration.hasParametricStereo
      || (!isExtensionSignaled && replication.stereo.readPayloads > 0)
  }

  /// The overall profile: LC, HE-AAC with SBR, HE-AAC v2 with PS.
  public var profile: AudioObjectType? {
    guard let configuration else { return nil }
    if hasParametricStereo { return .parametricStereo }
    return hasSpectralBandReplication ? .spectralBandReplication : configuration.objectType
  }

  /// The core's sampling rate in hertz; 0 if unknown.
  public var sampleRate: Int { configuration?.sampleRate ?? 0 }

  /// The output rate of a decoder with SBR; 0 if unknown.
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
  /// Bits per second of raw_data_blocks, without container headers.
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
    /// Its size in bytes.
    public var byteCount = 0
    /// Its number, from 0.
    public var number: Int64 = 0
  }

  /// What a decoder needs that receives the stream at the mean rate (ISO/IEC 14496-3, 4.5.3).
  @frozen
  public struct DecoderBuffer: Equatable, Sendable {
    /// Bits in the standard decoder's buffer: 6144 for each channel except the LFE.
    public var capacity: Int64 = 0
    /// Bits in the smallest buffer that neither underflows nor overflows at the mean rate.
    public var required: Int64 = 0
    /// Frames that are larger than the standard buffer by themselves.
    public var oversizedFrameCount: Int64 = 0

    /// The lowest level, in bits, if the buffer is full at its highest; negative if it underflows.
    public var minimumLevel: Int64 { capacity - required }
    /// Whether the stream can be sent at a constant rate equal to the mean.
    public var fits: Bool { required <= capacity && oversizedFrameCount == 0 }
  }

  /// The reservoir levels in the headers.
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
    /// The number of checksums.
    public var present: Int64 = 0
    /// Checksums that match the content.
    public var verified: Int64 = 0
    /// Checksums that do not match; the rest could not be checked because the block is unreadable.
    public var failed: Int64 = 0
  }

  /// A tag between the frames, such as ID3.
  @frozen
  public struct Tag: Equatable, Sendable {
    /// Its first byte.
    public var offset: Int64
    /// Its length in bytes.
    public var length: Int64
  }
}
