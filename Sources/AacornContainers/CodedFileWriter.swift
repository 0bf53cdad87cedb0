public import AacornCodec

/// Makes the bytes of a file of coded frames, in any of the formats that are written whole.
///
///     var writer = try CodedFileWriter(configuration)
///     for unit in units { try writer.append(unit, to: &bytes) }   // one after the other
///     if var finish = try writer.finish(trim, to: &bytes) { … }   // as MP4Writer.Finish says
public struct CodedFileWriter: Sendable {
  /// What a file is like.
  public enum Format: Equatable, Sendable {
    /// An MPEG-4 file with tags and exact length.
    case m4a
    /// A stream of frames with ADTS headers.
    case adts(isMPEG2: Bool = false, hasChecksum: Bool = false)
    /// A stream with LATM headers (LOAS).
    case latm
  }

  /// What has to be known before the first frame.
  public struct Configuration: Sendable {
    /// What the file is like.
    public var format: Format
    /// The stream's configuration.
    public let stream: AudioSpecificConfig
    /// Its timing; the bitrate is stated where the real one is not known yet.
    public var timing: StreamTiming
    /// Tags, for M4A.
    public var tags = MP4Tags()
    /// How many frames there will be at most, if that is known: M4A then has its tables in front,
    /// so that playing can start while the file is loaded.
    public var expectedUnitCount: Int?
    /// Whether the place of bytes can be chosen; M4A without goes in fragments.
    public var isSeekable = true

    /// A file without tags.
    public init(_ format: Format, stream: AudioSpecificConfig) {
      self.format = format
      self.stream = stream
      timing = StreamTiming(stream)
    }
  }

  private let isMovie: Bool
  private var movie: MP4Writer.Configuration
  private var adts: ADTSWriter?
  private var latm: LATMWriter?
  private var mp4: MP4Writer?
  /// Bytes of the frames alone.
  public private(set) var payloadByteCount: Int64 = 0

  /// A writer of one file; refuses what the format cannot carry.
  public init(_ configuration: Configuration) throws(ContainerError) {
    isMovie = configuration.format == .m4a
    movie = MP4Writer.Configuration(stream: configuration.stream)
    movie.tags = configuration.tags
    movie.expectedUnitCount = configuration.expectedUnitCount
    movie.timing = configuration.timing
    movie.layout = configuration.expectedUnitCount == nil ? .moovAtEnd : .faststart
    if !configuration.isSeekable { movie.layout = .fragmented }
    switch configuration.format {
    case .adts(let isMPEG2, let hasChecksum):
      adts = try ADTSWriter(
        configuration: configuration.stream, version: isMPEG2 ? .mpeg2 : .mpeg4,
        hasChecksum: hasChecksum)
    case .latm: latm = try LATMWriter(configuration: configuration.stream)
    case .m4a: break
    }
  }

  /// Adds a frame; `bytes` grows by what comes next in the file, which may be nothing.
  public mutating func append(_ unit: AccessUnit, to bytes: inout [UInt8]) throws(ContainerError) {
    if isMovie && mp4 == nil { try startMovie(priming: -unit.samplePosition, to: &bytes) }
    try adts?.append(unit, to: &bytes)
    try latm?.append(unit, to: &bytes)
    try mp4?.append(unit, to: &bytes)
    payloadByteCount += Int64(unit.bytes.count)
  }

  /// Ends the file: `bytes` grows by what comes next in it, and what is returned comes after that.
  ///
  /// - Parameters:
  ///   - trim: Which of the decoded samples were put in.
  ///   - mayMove: Whether what has been written can be moved; if not, the tables of an M4A file
  ///     come last in the rare case that there is no room for them in front.
  ///   - bytes: What comes next in the file is appended to them.
  /// - Returns: The last writes, for M4A.
  /// - Throws: Why the container cannot be written.
  public mutating func finish(
    _ trim: Trim, mayMove: Bool = true, to bytes: inout [UInt8]
  ) throws(ContainerError) -> MP4Writer.Finish? {
    guard isMovie else { return nil }
    if mp4 == nil { try startMovie(priming: trim.priming, to: &bytes) }
    return try mp4?.finish(trim, mayMove: mayMove)
  }

  private mutating func startMovie(
    priming: Int, to bytes: inout [UInt8]
  ) throws(ContainerError) {
    movie.timing.priming = max(0, priming)
    mp4 = try MP4Writer(configuration: movie)
    if let start = mp4?.start() { bytes.append(contentsOf: start) }
  }

  /// Frames that an encoder will make of so many samples a channel, or a few more.
  ///
  /// - Parameters:
  ///   - frameCount: Samples a channel of the source.
  ///   - rate: Samples a second of the source.
  ///   - timing: The timing of the stream that is made of them.
  /// - Returns: The number of frames; nil if nobody would want room kept in front for as many.
  public static func expectedUnitCount(
    frameCount: Int64, from rate: Int, to timing: StreamTiming
  ) -> Int? {
    let (product, overflow) = frameCount.multipliedReportingOverflow(by: Int64(timing.sampleRate))
    guard !overflow, rate > 0 else { return nil }
    // The delay fills two or three frames, and the last one need not be full.
    let count = product / Int64(rate) / Int64(max(1, timing.samplesPerUnit)) + 5
    return count <= longestTable ? Int(count) : nil
  }

  /// Most frames for whose tables room is kept in front, about four hours; it must be written
  /// beforehand and takes memory.
  private static let longestTable: Int64 = 600_000
}
