public import AacornCodec
public import AacornContainers
import AacornSignal

/// The findings of an inspection of a stream.
///
/// Counts of bits and bytes have 64 bits, because a stream may exceed the range of `Int` on a
/// 32-bit machine.
public struct StreamReport: Sendable {
  /// The container format.
  public enum Container: Equatable, Sendable {
    /// Not recognized yet, or not recognizable.
    case unknown
    /// ADTS frames.
    case adts
    /// LATM in LOAS frames.
    case loas
    /// An ADIF header and bare blocks.
    case adif
    /// MP4, M4A or QuickTime, with or without fragments.
    case movie(isQuickTime: Bool, isFragmented: Bool)
    /// An MPEG transport stream.
    case transportStream

    /// The name of the format, for a report.
    package var name: StaticString {
      switch self {
      case .unknown: "unknown"
      case .adts: "ADTS"
      case .loas: "LATM in LOAS"
      case .adif: "ADIF"
      case .transportStream: "MPEG transport stream"
      case .movie(false, false): "MP4"
      case .movie(false, true): "MP4, fragmented"
      case .movie(true, false): "QuickTime"
      case .movie(true, true): "QuickTime, fragmented"
      }
    }
  }

  /// The container format.
  public internal(set) var container: Container = .unknown
  /// The program of a transport stream that contains the AAC stream.
  public internal(set) var program: TransportProgram?
  /// The configuration of the first frame, with the layout from a program config element.
  public internal(set) var configuration: AudioSpecificConfig?
  /// Whether the headers signal MPEG-2 rather than MPEG-4.
  public internal(set) var isMPEG2 = false
  /// Whether the container itself signals SBR or PS, rather than only the payload.
  public internal(set) var isExtensionSignaled = false
  /// The number of frames (raw_data_blocks).
  public internal(set) var frameCount: Int64 = 0
  /// The number of frames that could not be read to their end.
  public internal(set) var unreadableFrameCount: Int64 = 0
  /// Samples per channel in all frames, before SBR and trimming.
  public internal(set) var sampleCount: Int64 = 0
  /// The trim in samples at `trimRate`, if the container specifies it.
  public internal(set) var trim: StreamTrim?
  /// The sample rate of `trim`: with SBR, the rate of the core or twice that rate.
  public internal(set) var trimRate = 0
  /// The duration in seconds that the header of a truncated movie states; nil if unknown.
  public internal(set) var statedDuration: Double?
  /// The size of the stream in bytes.
  public internal(set) var byteCount: Int64 = 0
  /// The size of the raw_data_blocks in bytes.
  public internal(set) var payloadByteCount: Int64 = 0
  /// The bitrate of the raw_data_blocks.
  public internal(set) var bitrate = Bitrate()
  /// The bitrate over time, for a plot.
  public internal(set) var plot = BitratePlot()
  /// The largest raw_data_block.
  public internal(set) var largestFrame = LargestFrame()
  /// The buffer required by a decoder that receives the stream at a constant rate.
  public internal(set) var decoderBuffer = DecoderBuffer()
  /// The reservoir levels in the headers.
  public internal(set) var fullness = Fullness()
  /// The usage of AAC's tools.
  public internal(set) var tools = ToolCounts()
  /// The frequencies in hertz that SBR replicates, according to its first header; nil without one.
  public internal(set) var replicatedFrequencies: Range<Int>?
  /// The statistics of SBR and of parametric stereo in it.
  public internal(set) var replication = ReplicationCounts()
  /// The checksums of ADTS frames.
  public internal(set) var checksums = ChecksumCounts()
  /// The tags of an MP4 file, without its cover.
  public internal(set) var tags: MP4Tags {
    get { boxedTags }
    set { boxedTags = newValue }
  }
  @Boxed private var boxedTags = MP4Tags()
  /// The cover of an MP4 file.
  public internal(set) var cover: CoverImage?
  /// The first tags between the frames, at most `foreignTagLimit`.
  public internal(set) var foreignTags: [ForeignTag] = []
  /// The total number of tags between the frames.
  public internal(set) var foreignTagCount = 0
  /// The start time of a recording, as written by its recorder.
  public internal(set) var started: String?
  /// The gap entries of a recording, each a JSON object as written by its recorder.
  public package(set) var gapEntries: [[UInt8]] = []
  /// The faults found.
  public internal(set) var faults = FaultLog()
  /// The result of decoding; nil if decoding was not requested.
  public internal(set) var sound: AudioReportResult?

  /// The maximum number of stored tags between the frames.
  public static let foreignTagLimit = 100

  /// Creates an empty report.
  public init() {}

  /// Whether the stream has SBR, according to the configuration or the payload.
  public var hasSpectralBandReplication: Bool {
    configuration?.extensionSampleRate != nil || tools.spectralBandReplicationFrames > 0
  }

  /// Whether the stream has parametric stereo, according to the configuration or the payload.
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

  /// The number of samples per frame, before SBR.
  public var frameLength: Int { configuration?.samplesPerFrame ?? 1024 }

  /// The duration of the audio in seconds, trimmed as the container specifies.
  public var duration: Double {
    if let trim, trimRate > 0 { return Double(trim.sampleCount) / Double(trimRate) }
    return sampleRate > 0 ? Double(sampleCount) / Double(sampleRate) : 0
  }

  /// Whether the stream has neither errors nor warnings, and its audio, if decoded, is intact.
  ///
  /// Faults with the severity “note” do not count.
  public var isFaultless: Bool {
    faults.errorCount == 0 && faults.warningCount == 0 && isSoundIntact
  }

  /// False if frames could not be decoded or were concealed.
  private var isSoundIntact: Bool {
    switch sound {
    case nil: true
    case .impossible: false
    case .measured(let sound): sound.concealedCount == 0
    }
  }

  /// The number of bytes outside the payload: headers, tables, tags and damage.
  public var overheadByteCount: Int64 { max(0, byteCount - payloadByteCount) }
}

extension StreamReport {
  /// The bitrate of the raw_data_blocks in bits per second, without container headers.
  @frozen
  public struct Bitrate: Equatable, Sendable {
    /// The mean over the whole stream.
    public var mean: Int64 = 0
    /// The minimum over all windows of one second; the mean if the stream is shorter.
    public var minimum: Int64 = 0
    /// The maximum over all windows of one second; the mean if the stream is shorter.
    public var maximum: Int64 = 0
  }

  /// The largest raw_data_block.
  @frozen
  public struct LargestFrame: Equatable, Sendable {
    /// The size in bytes.
    public var byteCount = 0
    /// The frame number, from 0.
    public var number: Int64 = 0
  }

  /// The buffer of a decoder that receives the stream at a constant rate (ISO/IEC 14496-3, 4.5.3).
  @frozen
  public struct DecoderBuffer: Equatable, Sendable {
    /// The size of the standard decoder's buffer in bits: 6144 for each channel except the LFE.
    public var capacity: Int64 = 0
    /// The minimum size, in bits, of a buffer that neither underflows nor overflows at the best
    /// constant rate, which is near the mean.
    public var required: Int64 = 0
    /// The number of frames larger than the standard buffer.
    public var oversizedFrameCount: Int64 = 0

    /// The minimum level in bits, if the maximum level fills the buffer; negative if it underflows.
    public var minimumLevel: Int64 { capacity - required }
    /// Whether the stream can be sent at a constant rate near its mean.
    public var fits: Bool { required <= capacity && oversizedFrameCount == 0 }
  }

  /// The reservoir levels in the headers.
  @frozen
  public struct Fullness: Equatable, Sendable {
    /// The number of headers that signal a variable rate.
    public var variableRateCount: Int64 = 0
    /// The number of headers with a level.
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
    /// The number of checksums that match the content.
    public var verified: Int64 = 0
    /// The number of mismatches.
    ///
    /// All other checksums belong to unreadable blocks and could not be checked.
    public var failed: Int64 = 0
  }

  /// A tag between the frames, such as ID3.
  @frozen
  public struct ForeignTag: Equatable, Sendable {
    /// The offset of the first byte.
    public var offset: Int64
    /// The length in bytes.
    public var length: Int64
  }
}

extension StreamReport {
  /// The channel count of the decoded audio; 0 if unknown.
  package var outputChannelCount: Int {
    hasParametricStereo ? 2 : configuration?.outputChannelCount ?? 0
  }

  /// The time between SBR headers in seconds, from their distance in frames.
  package var headerInterval: Double {
    Double(replication.headerDistance) * Double(frameLength) / Double(max(1, sampleRate))
  }

  /// Returns the mean number of bits per frame, of a number of bits in the whole stream.
  package func bitsPerFrame(_ bits: Int64) -> Double {
    Double(bits) / Double(max(1, frameCount))
  }

  /// Returns the share of bits in the payload, 0 to 1.
  package func share(of bits: Int64) -> Double {
    Double(bits) / Double(max(1, payloadByteCount * 8))
  }

  /// Returns a configuration of the stream, completed by extensions that only the frames signal.
  func completed(_ stream: AudioSpecificConfig) -> AudioSpecificConfig {
    var stream = stream
    if hasSpectralBandReplication && stream.extensionSampleRate == nil {
      stream.extensionSampleRate = stream.sampleRate &* 2
    }
    if hasParametricStereo { stream.hasParametricStereo = true }
    return stream
  }

  /// Stores the result of decoding; a burst also becomes a fault.
  package mutating func add(_ finding: AudioReportResult) {
    sound = finding
    guard case .measured(let measured) = finding, let position = measured.burstPosition,
      measured.sampleRate > 0, sampleRate > 0
    else { return }
    let rate = Int64(measured.sampleRate)
    var before = position
    if let trim {
      // The trim in a file may be implausible.
      before += Int64(min(max(0, trim.priming), 1 << 20)) * (trimRate < measured.sampleRate ? 2 : 1)
    }
    let length = max(1, Int64(frameLength) * rate / Int64(sampleRate))
    faults.add(
      StreamFault(
        kind: .burst(peak: measured.peak, tenths: position.rescaled(from: rate, to: 10)),
        offset: 0, length: 0, frame: before / length))
  }

  /// The channel layout of the decoded audio, if it is one of the fixed layouts.
  package var outputLayout: ChannelConfiguration? {
    guard let configuration else { return nil }
    if hasParametricStereo { return ChannelConfiguration(channelCount: 2) }
    return ChannelConfiguration(rawValue: configuration.channelConfiguration)
  }
}
