public import AacornCodec

/// Writes a file of coded frames, in any of the formats that are written whole.
///
///     var writer = try CodedFileWriter(configuration)
///     for unit in units { try writer.append(unit, to: &bytes) }   // in order
///     if var finish = try writer.finish(trim, to: &bytes) { … }   // as MP4Writer.Finish says
///
/// Recordings are files of another kind, which have to play wherever they break off: an M4A begins
/// before its first frame, gets notes of gaps while it grows, and is completed in synchronized
/// steps; others hold samples. Of all this only ADTS is the same here, so the recorder chooses among
/// its own writers. What both M4A writers put at the end is the same, and is made in one place.
public struct CodedFileWriter: Sendable {
  /// The file format.
  public enum Format: Equatable, Sendable {
    /// An MPEG-4 file with tags and an exact length.
    case m4a
    /// A stream of frames with ADTS headers.
    case adts(isMPEG2: Bool = false, hasChecksum: Bool = false)
    /// A stream with LATM headers (LOAS).
    case latm
  }

  /// What must be known before the first frame.
  public struct Configuration: Sendable {
    /// The file format.
    public var format: Format
    /// The stream's configuration; LATM makes `backwardCompatible` signaling `hierarchical`.
    public let stream: AudioSpecificConfig
    /// Its timing; the nominal bitrate is used where the real one is not known yet.
    public var timing: StreamTiming
    /// Tags, for M4A.
    public var tags = MP4Tags()
    /// The maximum number of frames, if known: M4A then has its tables in front, so that playback
    /// can start while the file loads.
    public var expectedUnitCount: Int?
    /// How many parts of the sound will be heard, for M4A with its tables in front.
    public var expectedPartCount = 1
    /// When a recording was started, as written by its recorder; for M4A.
    public var started: String?
    /// The gap notes of a recording, each a JSON object; for M4A.
    public var gapEntries: [[UInt8]] = []
    /// Whether the file is seekable; if not, M4A is written in fragments.
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

  /// A writer for one file; throws if the format cannot carry the stream.
  public init(_ configuration: Configuration) throws(ContainerError) {
    isMovie = configuration.format == .m4a
    movie = MP4Writer.Configuration(stream: configuration.stream)
    movie.tags = configuration.tags
    movie.expectedUnitCount = configuration.expectedUnitCount
    movie.expectedPartCount = configuration.expectedPartCount
    movie.started = configuration.started
    movie.gapEntries = configuration.gapEntries
    movie.timing = configuration.timing
    movie.layout = configuration.expectedUnitCount == nil ? .moovAtEnd : .faststart
    if !configuration.isSeekable { movie.layout = .fragmented }
    switch configuration.format {
    case .adts(let isMPEG2, let hasChecksum):
      adts = try ADTSWriter(
        configuration: configuration.stream, version: isMPEG2 ? .mpeg2 : .mpeg4,
        hasChecksum: hasChecksum)
    case .latm:
      // LATM has no place for what plain decoders would skip, so it is told to all.
      var stream = configuration.stream
      if stream.signaling == .backwardCompatible { stream.signaling = .hierarchical }
      latm = try LATMWriter(configuration: stream)
    case .m4a: break
    }
  }

  /// Adds a frame; appends what comes next in the file, possibly nothing, to `bytes`.
  public mutating func append(_ unit: AccessUnit, to bytes: inout [UInt8]) throws(ContainerError) {
    if isMovie && mp4 == nil {
      try startMovie(priming: -max(unit.samplePosition, -Int.max), to: &bytes)
    }
    try adts?.append(unit, to: &bytes)
    try latm?.append(unit, to: &bytes)
    try mp4?.append(unit, to: &bytes)
    payloadByteCount += Int64(unit.bytes.count)
  }

  /// Ends the file: appends what comes next to `bytes`; the returned writes come after that.
  ///
  /// - Parameters:
  ///   - trim: Which of the decoded samples belong to the input.
  ///   - mayMove: Whether written data can be moved; if not, the tables of an M4A file come last in
  ///     the rare case that there is no room for them in front.
  ///   - bytes: Receives what comes next in the file.
  /// - Returns: The last writes, for M4A.
  /// - Throws: Why the container cannot be written.
  public mutating func finish(
    _ trim: StreamTrim, mayMove: Bool = true, to bytes: inout [UInt8]
  ) throws(ContainerError) -> MP4Writer.Finish? {
    guard isMovie else { return nil }
    if mp4 == nil { try startMovie(priming: trim.priming, to: &bytes) }
    return try mp4?.finish(trim, mayMove: mayMove)
  }

  /// Ends a file of which only `parts` of the decoded samples, in order, are heard.
  ///
  /// Formats other than M4A cannot say so.
  ///
  /// - Parameters:
  ///   - parts: The samples that are heard, one part after another.
  ///   - bytes: Receives what comes next in the file.
  /// - Returns: The last writes, for M4A.
  /// - Throws: Why the container cannot be written.
  public mutating func finish(
    parts: [Range<UInt64>], to bytes: inout [UInt8]
  ) throws(ContainerError) -> MP4Writer.Finish? {
    guard isMovie else { return nil }
    if mp4 == nil { try startMovie(priming: 0, to: &bytes) }
    return try mp4?.finish(parts: parts)
  }

  /// The room that is kept in front for this many frames; nil if it would be too much.
  public static func expectedUnitCount(_ count: Int) -> Int? {
    count >= 0 && count <= longestTable ? count : nil
  }

  private mutating func startMovie(
    priming: Int, to bytes: inout [UInt8]
  ) throws(ContainerError) {
    movie.timing.priming = max(0, priming)
    mp4 = try MP4Writer(configuration: movie)
    if let start = mp4?.start() { bytes.append(contentsOf: start) }
  }

  /// The number of frames an encoder will make of this many samples per channel, or slightly more.
  ///
  /// - Parameters:
  ///   - frameCount: Samples per channel of the source.
  ///   - rate: The source's sample rate.
  ///   - timing: The timing of the resulting stream.
  /// - Returns: The number of frames; nil if there are too many to reserve room for in front.
  public static func expectedUnitCount(
    frameCount: Int64, from rate: Int, to timing: StreamTiming
  ) -> Int? {
    let (product, overflow) = frameCount.multipliedReportingOverflow(by: Int64(timing.sampleRate))
    guard !overflow, rate > 0 else { return nil }
    // The delay fills two or three frames, and the last one may be partial.
    let count = product / Int64(rate) / Int64(max(1, timing.samplesPerUnit)) + 5
    return count <= longestTable ? Int(count) : nil
  }

  /// The most frames for whose tables room is reserved in front, about four hours; the room must be
  /// written beforehand and takes memory.
  private static let longestTable: Int64 = 600_000
}
