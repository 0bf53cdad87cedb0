public import AacornCodec

/// Writes a file of coded frames that is complete only at its end.
///
///     var writer = try CodedFileWriter(configuration)
///     for unit in units { try writer.append(unit, to: &bytes) }   // in order
///     if var finish = try writer.finish(trim, to: &bytes) { … }   // see MP4Writer.Finish
///
/// Recordings use other writers, because a recording must be playable wherever it ends. The writer
/// of a recorded M4A returns bytes before the first frame, stores gap entries while the file grows,
/// and completes the file in synchronized steps. Recordings in other formats contain uncompressed
/// samples, except ADTS, which is written in the same way as here. Both M4A writers share the code
/// that completes a file.
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

  /// The settings required before the first frame.
  public struct Configuration: Sendable {
    /// The file format.
    public var format: Format
    /// The stream's configuration; LATM converts `backwardCompatible` signaling to `hierarchical`.
    public let stream: AudioSpecificConfig
    /// The timing of the stream; the nominal bitrate is used until the actual one is known.
    public var timing: StreamTiming
    /// Tags, for M4A.
    public var tags = MP4Tags()
    /// The maximum number of frames, if known.
    ///
    /// M4A then has its tables before the audio, so that playback can start during a download.
    public var expectedUnitCount: Int?
    /// The expected number of parts for `finish(parts:to:)`, for M4A with its tables before the
    /// audio.
    public var expectedPartCount = 1
    /// The start time of a recording, as written by its recorder; for M4A.
    public var started: String?
    /// The gap entries of a recording, each a JSON object; for M4A.
    public var gapEntries: [[UInt8]] = []
    /// Whether the file is seekable; if not, M4A is written in fragments.
    public var isSeekable = true

    /// Creates the configuration of a file without tags.
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
  /// The number of bytes of the frames alone.
  public private(set) var payloadByteCount: Int64 = 0

  /// Creates a writer for one file.
  ///
  /// - Throws: ``ContainerError`` if the format cannot carry the stream.
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
      // LATM cannot hide SBR from AAC-LC decoders, so the configuration signals SBR to all
      // decoders.
      var stream = configuration.stream
      if stream.signaling == .backwardCompatible { stream.signaling = .hierarchical }
      latm = try LATMWriter(configuration: stream)
    case .m4a: break
    }
  }

  /// Adds a frame; appends the next bytes of the file, possibly none, to `bytes`.
  public mutating func append(_ unit: AccessUnit, to bytes: inout [UInt8]) throws(ContainerError) {
    if isMovie && mp4 == nil {
      try startMovie(priming: -max(unit.samplePosition, -Int.max), to: &bytes)
    }
    try adts?.append(unit, to: &bytes)
    try latm?.append(unit, to: &bytes)
    try mp4?.append(unit, to: &bytes)
    payloadByteCount += Int64(unit.bytes.count)
  }

  /// Ends the file: appends the last bytes to `bytes`.
  ///
  /// Perform the returned writes afterwards.
  ///
  /// - Parameters:
  ///   - trim: The decoded samples that belong to the input.
  ///   - mayMove: Whether written data can be moved. If not, the tables of an M4A file follow the
  ///     audio in the rare case that they do not fit before it.
  ///   - bytes: Receives the next bytes of the file.
  /// - Returns: The last writes, for M4A.
  /// - Throws: The reason why the container cannot be written.
  public mutating func finish(
    _ trim: StreamTrim, mayMove: Bool = true, to bytes: inout [UInt8]
  ) throws(ContainerError) -> MP4Writer.Finish? {
    guard isMovie else { return nil }
    if mp4 == nil { try startMovie(priming: trim.priming, to: &bytes) }
    return try mp4?.finish(trim, mayMove: mayMove)
  }

  /// Ends a file in which only `parts` of the decoded samples are played, in order.
  ///
  /// Formats other than M4A ignore the parts.
  ///
  /// - Parameters:
  ///   - parts: The played samples, one part after another.
  ///   - bytes: Receives the next bytes of the file.
  /// - Returns: The last writes, for M4A.
  /// - Throws: The reason why the container cannot be written.
  public mutating func finish(
    parts: [Range<UInt64>], to bytes: inout [UInt8]
  ) throws(ContainerError) -> MP4Writer.Finish? {
    guard isMovie else { return nil }
    if mp4 == nil { try startMovie(priming: 0, to: &bytes) }
    return try mp4?.finish(parts: parts)
  }

  /// Returns the number of frames for which to reserve space before the audio, or nil if it is too
  /// large.
  public static func expectedUnitCount(_ count: Int) -> Int? {
    count >= 0 && count <= maxReservedFrameCount ? count : nil
  }

  private mutating func startMovie(
    priming: Int, to bytes: inout [UInt8]
  ) throws(ContainerError) {
    movie.timing.priming = max(0, priming)
    mp4 = try MP4Writer(configuration: movie)
    if let start = mp4?.start() { bytes.append(contentsOf: start) }
  }

  /// Returns the number of frames that an encoder makes from the source, or slightly more.
  ///
  /// - Parameters:
  ///   - frameCount: Samples per channel of the source.
  ///   - rate: The source's sample rate.
  ///   - timing: The timing of the resulting stream.
  /// - Returns: The number of frames; nil if their tables exceed the space before the audio.
  public static func expectedUnitCount(
    frameCount: Int64, from rate: Int, to timing: StreamTiming
  ) -> Int? {
    let (product, overflow) = frameCount.multipliedReportingOverflow(by: Int64(timing.sampleRate))
    guard !overflow, rate > 0 else { return nil }
    // The encoder delay fills two or three frames, and the last frame may be partial.
    let count = product / Int64(rate) / Int64(max(1, timing.samplesPerUnit)) + 5
    return count <= maxReservedFrameCount ? Int(count) : nil
  }

  /// The maximum number of frames for which space is reserved before the audio, about four hours.
  ///
  /// The space must be written in advance and takes memory.
  private static let maxReservedFrameCount: Int64 = 600_000
}
