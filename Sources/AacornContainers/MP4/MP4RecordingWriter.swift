public import AacornCodec

/// Writes an M4A file that is playable at any moment while it grows.
///
/// During recording, the audio is written in fragments of half a second, each with its own small
/// tables. A crash therefore costs at most the last fragment. At the end, a few writes convert the
/// file to an ordinary one with all tables in one place. The tables are placed before the audio if
/// they fit there. The audio does not move:
///
///     file.write(writer.start())
///     for unit in units { try writer.append(unit, to: &bytes); … }
///     for write in try writer.finish(trim) {
///       if write.needsSync { file.synchronize() }
///       file.write(write.bytes, at: write.offset)
///     }
///
/// Write the bytes that `start`, `append` and `flush` return, in that order. The writes of `finish`
/// may stop after or within any write: the file then plays in its old or in its new form.
///
/// Memory: two bytes per frame and eight per fragment, 9 MB for a day at 48 kHz.
public struct MP4RecordingWriter: Sendable {
  /// The writes that convert a recording to an ordinary file, in order.
  public typealias Finish = MovieWrites

  /// The configuration of the writer.
  public let configuration: Configuration
  private let front: MovieHeaderReservation
  /// The tables, with one chunk per fragment.
  private var tables: MovieTables
  private var fragments: MP4FragmentWriter
  private var notes: RecordingMetadata

  /// The maximum number of frames per fragment, so that its 32-bit sizes do not overflow.
  private static let fragmentLimit = 4096
  /// Extra space for gap entries and for fragments that were ended early, in bytes.
  private static let extraReserve = 4096
  private static let reserveLimit = 1 << 28

  /// Creates a writer for one file.
  ///
  /// - Throws: ``ContainerError`` if MP4 cannot carry the stream.
  public init(configuration: Configuration) throws(ContainerError) {
    try configuration.tags.validate()
    let tables = try MovieTables(
      configuration.stream, configuration.timing, expecting: configuration.expectedUnitCount)
    let parameters = tables.parameters
    let unitsPerFragment = min(
      max(1, configuration.unitsPerFragment ?? (parameters.unitsPerChunk + 1) / 2),
      Self.fragmentLimit)
    let fileType = BoxWriter.bytes { $0.putFileType(isFragmented: true) }
    notes = RecordingMetadata(startText: configuration.started)
    var movie = Self.movie(configuration, parameters: parameters, notes: notes)
    let movieByteCount = movie.serialized().byteCount
    var reserve = configuration.reservedByteCount
    if let count = configuration.expectedUnitCount {
      movie.isFragmented = false
      movie.chunks = ChunkRuns(unitCount: max(0, count), perChunk: unitsPerFragment)
      // Assume that every frame has the maximum size that a decoder must accept.
      let largest = UInt64(movie.unitCount) * UInt64(parameters.bufferByteCount)
      movie.usesLargeOffsets = largest > 0xFF00_0000
      reserve =
        MovieHeaderReservation.reserve(for: movie.serialized().byteCount) + Self.extraReserve
    }
    front = MovieHeaderReservation(
      movieOffset: UInt64(fileType.count), movieByteCount: movieByteCount,
      reservedByteCount: min(
        max(MovieHeaderReservation.minReservedByteCount, reserve), Self.reserveLimit))
    fragments = MP4FragmentWriter(parameters, unitsPerFragment: unitsPerFragment)
    self.configuration = configuration
    self.tables = tables
  }

  /// The number of frames received.
  public var unitCount: Int { tables.unitCount }

  /// The current length of the file in bytes.
  public var byteCount: UInt64 { fragments.byteCount }

  /// The gap entries up to now.
  public var gapEntries: [[UInt8]] { notes.gapEntries }

  /// Returns the bytes before the first frame.
  public mutating func start() -> [UInt8] {
    var box = BoxWriter()
    box.putFileType(isFragmented: true)
    Self.movie(configuration, parameters: tables.parameters, notes: notes).write(to: &box)
    box.putHeader(.free, byteCount: UInt64(front.reservedByteCount))
    box.putZeros(front.reservedByteCount - 8)
    fragments.countBytes(box.byteCount)
    return box.bytes
  }

  /// Adds one frame; appends a fragment to `bytes` when one is complete.
  public mutating func append(_ unit: AccessUnit, to bytes: inout [UInt8]) throws(ContainerError) {
    try tables.append(byteCount: unit.bytes.count)
    if let chunk = fragments.append(unit.bytes, to: &bytes) { tables.append(chunk) }
  }

  /// Ends the fragment in progress and writes all held frames.
  public mutating func flush(to bytes: inout [UInt8]) {
    if let chunk = fragments.finish(to: &bytes) { tables.append(chunk) }
  }

  /// Records a gap: `entry` is a JSON object from the recorder, stored in the file from now on.
  public mutating func append(
    gap entry: [UInt8], to bytes: inout [UInt8]
  ) throws(ContainerError) {
    guard notes.append(gap: entry) else {
      throw .tagsTooLong(byteCount: entry.count, limit: RecordingMetadata.entryLimit)
    }
    let content = RecordingMetadata.boxIdentifier + entry
    let box = BoxWriter.bytes { $0.box(.userDefined) { $0.put(content) } }
    bytes += box
    fragments.countBytes(box.count)
  }

  /// Completes the file.
  ///
  /// - Parameters:
  ///   - trim: The decoded samples that belong to the input.
  ///   - tags: Tags that replace the tags written at the start.
  /// - Returns: The remaining writes.
  /// - Throws: `trimOutsideStream`, or an error about the tags.
  public mutating func finish(
    _ trim: StreamTrim, tags: MP4Tags? = nil
  ) throws(ContainerError) -> Finish {
    try tags?.validate()
    try tables.parameters.check(trim, unitCount: unitCount)
    let fileByteCount = byteCount
    var tail: [UInt8] = []
    flush(to: &tail)
    var movie = Self.movie(configuration, parameters: tables.parameters, notes: notes)
    movie.tags = tags ?? configuration.tags
    return front.writes(
      completing: tables.completed(movie, trim), tables, tail: tail, fileByteCount: fileByteCount)
  }

  /// Returns the movie box of a recording in progress.
  private static func movie(
    _ configuration: Configuration, parameters: TrackParameters, notes: RecordingMetadata
  ) -> Movie {
    Movie(
      beforeFragments: parameters, configuration.timing, tags: configuration.tags,
      creationTime: configuration.creationTime, notes: notes)
  }
}

extension MP4RecordingWriter {
  /// The parts of a compact copy of a complete recording.
  ///
  /// The frames are contiguous, without fragment headers between them. The tables precede the
  /// frames if they fit there.
  package struct CompactCopy: Sendable {
    /// The bytes before the frames.
    package let start: [UInt8]
    /// The ranges of the frames in the recording.
    package let frames: [Range<UInt64>]
    /// The writes that complete the copy.
    package let finish: MP4Writer.Finish
  }

  /// Returns the compact copy of a recording after `finish` with the same arguments.
  package func compactCopy(
    _ trim: StreamTrim, tags: MP4Tags? = nil
  ) throws(ContainerError) -> CompactCopy {
    var copy = MP4Writer.Configuration(stream: configuration.stream)
    copy.timing = configuration.timing
    copy.tags = tags ?? configuration.tags
    copy.creationTime = configuration.creationTime
    copy.started = configuration.started
    copy.gapEntries = notes.gapEntries
    copy.expectedUnitCount = tables.unitCount
    var writer = try MP4Writer(configuration: copy)
    let start = writer.start()
    for size in tables.sizes { try writer.count(Int(size)) }
    return CompactCopy(
      start: start, frames: tables.chunkRanges, finish: try writer.finish(trim, mayMove: false))
  }
}

extension MP4RecordingWriter {
  /// The settings required before the first frame.
  public struct Configuration: Sendable {
    /// The decoder's configuration of the stream.
    public let stream: AudioSpecificConfig
    /// The timing of the stream, if known.
    public var timing: StreamTiming
    /// The tags of the file.
    public var tags = MP4Tags()
    /// The start time of the recording: ISO 8601 with fractional seconds.
    public var started: String?
    /// The creation time in seconds since the start of 1904; 0 keeps files reproducible.
    public var creationTime: UInt64 = 0
    /// The number of frames per fragment, the maximum loss in a crash; nil for about half a second.
    public var unitsPerFragment: Int?
    /// The number of frames, if known; space for their tables is then reserved before the audio.
    public var expectedUnitCount: Int?
    /// The space for the final tables before the audio in bytes, unless `expectedUnitCount`
    /// determines it.
    ///
    /// Tables that do not fit are written after the audio.
    public var reservedByteCount = 16_384

    /// Creates the configuration of a recording without tags.
    public init(stream: AudioSpecificConfig) {
      self.stream = stream
      timing = StreamTiming(stream)
    }
  }
}
