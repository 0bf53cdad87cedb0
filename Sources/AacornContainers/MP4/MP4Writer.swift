public import AacornCodec
import AacornSoundFiles

/// Writes M4A files (ISO/IEC 14496-12 and 14496-14) as bytes, without file access.
///
///     faststart    ftyp  free → moov  free mdat[ … ]
///     moovAtEnd    ftyp               free mdat[ … ]  moov
///     fragmented   ftyp  moov  moof mdat[1 s]  moof mdat[1 s] …
///
/// Write the bytes that `start` and `append` return, in that order, then perform the steps of
/// `finish`:
///
///     file.write(writer.start())
///     for unit in units { try writer.append(unit, to: &bytes); … }
///     var finish = try writer.finish(trim)
///     // if finish.mediaShift > 0, move finish.media that far toward the end of the file
///     while let write = finish.next() { file.write(write.bytes, at: write.offset) }
///
/// Memory: two bytes per frame, 8 MB for a day at 48 kHz.
public struct MP4Writer: Sendable {
  /// The configuration of the writer.
  public let configuration: Configuration
  /// The reserved size of the movie box, if known in advance, else 0.
  private let reservedByteCount: Int
  private var tables: MovieTables
  private var fragments: MP4FragmentWriter

  /// The number of frames held back until the end.
  ///
  /// Only the last fragment can specify that its last frames are not played. An encoder's final
  /// look-ahead fills fewer frames than this.
  private static let heldBack = 3

  /// The maximum number of parts for which space is reserved; with more, the tables follow the
  /// audio.
  private static let partLimit = 1 << 16

  /// Creates a writer for one file.
  ///
  /// - Throws: ``ContainerError`` if MP4 cannot carry the stream.
  public init(configuration: Configuration) throws(ContainerError) {
    try configuration.tags.validate()
    let tables = try MovieTables(
      configuration.stream, configuration.timing, expecting: configuration.expectedUnitCount)
    let parameters = tables.parameters
    self.configuration = configuration
    self.tables = tables
    if let count = configuration.expectedUnitCount, configuration.layout == .faststart {
      var movie = Self.movie(configuration, parameters, unitCount: max(0, count))
      movie.parts = [Range<UInt64>](
        repeating: 0..<1, count: min(max(1, configuration.expectedPartCount), Self.partLimit))
      reservedByteCount = movie.serialized().byteCount
    } else {
      reservedByteCount = 0
    }
    fragments = MP4FragmentWriter(
      parameters, unitsPerFragment: parameters.unitsPerChunk, heldBack: Self.heldBack)
  }

  /// Returns the bytes before the first frame.
  public mutating func start() -> [UInt8] {
    var box = Self.fileType(configuration.layout)
    if configuration.layout == .fragmented {
      // The tables are in the fragments.
      Movie(
        beforeFragments: tables.parameters, configuration.timing, tags: configuration.tags,
        creationTime: configuration.creationTime, notes: configuration.notes
      ).write(to: &box)
      fragments.countBytes(box.byteCount)
      return box.bytes
    }
    if reservedByteCount > 0 {
      box.putHeader(.free, byteCount: UInt64(reservedByteCount))
      box.putZeros(reservedByteCount - 8)
    }
    // An empty box reserves space for a 64-bit size. The size 0 of the media box means that the
    // audio extends to the end of the file; `finish` replaces it.
    box.put32(8)
    box.put(.free)
    box.put32(0)
    box.put(.mediaData)
    return box.bytes
  }

  /// Adds one frame; appends the bytes to write next, possibly none, to `bytes`.
  public mutating func append(_ unit: AccessUnit, to bytes: inout [UInt8]) throws(ContainerError) {
    try count(unit.bytes.count)
    if configuration.layout == .fragmented {
      fragments.append(unit.bytes, to: &bytes)
    } else {
      bytes.append(contentsOf: unit.bytes)
    }
  }

  /// Counts a frame of `byteCount` bytes that the caller writes to the file itself.
  ///
  /// Not supported for `fragmented`, because the writer must collect the frames of a fragment.
  public mutating func count(_ byteCount: Int) throws(ContainerError) {
    if configuration.layout == .fragmented {
      _ = try MovieTables.size(byteCount, after: fragments.unitCount)
    } else {
      try tables.append(byteCount: byteCount)
    }
  }

  /// Completes the file; `trim` specifies the decoded samples that belong to the input.
  ///
  /// Pass false for `mayMove` if written data cannot be moved. Tables that do not fit before the
  /// audio are then written after it.
  public mutating func finish(
    _ trim: StreamTrim, mayMove: Bool = true
  ) throws(ContainerError) -> Finish {
    try finish(trim, parts: [], mayMove: mayMove)
  }

  /// Completes the file; only `parts` of the decoded samples are played, in order.
  ///
  /// Each part becomes an entry of the edit list; `fragmented` supports only one. Some players
  /// apply only the first entry and play on to the end.
  public mutating func finish(
    parts: [Range<UInt64>], mayMove: Bool = true
  ) throws(ContainerError) -> Finish {
    guard let first = parts.first, let last = parts.last else {
      return try finish(StreamTrim(priming: 0, remainder: 0, sampleCount: 0), mayMove: mayMove)
    }
    var count: UInt64 = 0
    var end: UInt64 = 0
    var isInOrder = true
    for part in parts {
      isInOrder = isInOrder && part.lowerBound >= end
      end = part.upperBound
      // The sum can overflow only if the parts are not in order; such parts are rejected below.
      count &+= part.upperBound - part.lowerBound
    }
    let total = UInt64(unitCount) &* tables.parameters.samplesPerUnit
    let trim = StreamTrim(
      priming: Int(clamping: first.lowerBound), remainder: Int(clamping: total - min(total, end)),
      sampleCount: Int(clamping: count))
    guard isInOrder, last.upperBound <= total,
      parts.count == 1 || configuration.layout != .fragmented
    else { throw .trimOutsideStream(priming: trim.priming, sampleCount: trim.sampleCount) }
    return try finish(trim, parts: parts.count > 1 ? parts : [], mayMove: mayMove)
  }

  private var unitCount: Int {
    configuration.layout == .fragmented ? fragments.unitCount : tables.unitCount
  }

  private mutating func finish(
    _ trim: StreamTrim, parts: [Range<UInt64>], mayMove: Bool
  ) throws(ContainerError) -> Finish {
    let isFragmented = configuration.layout == .fragmented
    let parameters = tables.parameters
    try parameters.check(trim, unitCount: unitCount)
    if isFragmented {
      guard trim.priming == configuration.timing.priming else {
        throw .trimOutsideStream(priming: trim.priming, sampleCount: trim.sampleCount)
      }
      let offset = fragments.byteCount
      let total = UInt64(unitCount) &* parameters.samplesPerUnit
      var bytes: [UInt8] = []
      let played = UInt64(trim.priming) + UInt64(trim.sampleCount)
      fragments.finish(remainder: total - played, to: &bytes)
      return Finish([FileWrite(offset: offset, bytes: bytes)])
    }
    let movie = tables.completed(
      Self.movie(
        configuration, parameters, unitCount: unitCount,
        payloadByteCount: tables.payloadByteCount), trim, parts: parts)
    let finish = Finish(
      movie: movie, tables: tables, fileTypeByteCount: fileTypeByteCount,
      reservedByteCount: reservedByteCount, isMovieFirst: configuration.layout == .faststart)
    if mayMove || finish.mediaShift == 0 { return finish }
    return Finish(
      movie: movie, tables: tables, fileTypeByteCount: fileTypeByteCount,
      reservedByteCount: reservedByteCount, isMovieFirst: false)
  }

  /// Returns the movie box of a file with its tables in one place.
  ///
  /// The space for the box is reserved before the frame sizes are known, so the number of frames
  /// determines the width of chunk offsets. The box has 8-byte offsets if that many frames of the
  /// maximum size, which a decoder must accept, exceed 4 GiB.
  private static func movie(
    _ configuration: Configuration, _ parameters: TrackParameters, unitCount: Int,
    payloadByteCount: UInt64 = 0
  ) -> Movie {
    var movie = Movie(
      parameters: parameters, tags: configuration.tags, creationTime: configuration.creationTime,
      chunks: ChunkRuns(unitCount: unitCount, perChunk: parameters.unitsPerChunk),
      notes: configuration.notes)
    let largest = UInt64(unitCount) &* UInt64(parameters.bufferByteCount)
    movie.usesLargeOffsets = true
    var writer = fileType(configuration.layout)
    movie.write(to: &writer)
    let end = UInt64(writer.byteCount + 24) + max(largest, payloadByteCount)
    movie.usesLargeOffsets = end > 0xFFFF_FFFF
    return movie
  }

  private var fileTypeByteCount: Int { Self.fileType(configuration.layout).byteCount }

  private static func fileType(_ layout: Layout) -> BoxWriter {
    var writer = BoxWriter()
    writer.putFileType(isFragmented: layout == .fragmented)
    return writer
  }
}

extension MP4Writer {
  /// The arrangement of a file.
  public enum Layout: Equatable, Sendable {
    /// The tables before the audio, so that playback can start during a download.
    case faststart
    /// The tables after the audio, with one small patch near the start.
    case moovAtEnd
    /// Small tables before every second of audio. Nothing is ever patched, and a truncated file
    /// plays up to its end.
    case fragmented
  }

  /// The settings required before the first frame.
  public struct Configuration: Sendable {
    /// The decoder's configuration of the stream.
    public let stream: AudioSpecificConfig
    /// The timing of the stream; only `fragmented` needs the priming and the bitrate in advance.
    public var timing: StreamTiming
    /// The arrangement of the file.
    public var layout: Layout = .faststart
    /// The tags of the file.
    public var tags = MP4Tags()
    /// The number of frames, if known; then `faststart` does not need to move the audio.
    public var expectedUnitCount: Int?
    /// The expected number of played parts, for which space is reserved.
    public var expectedPartCount = 1
    /// The creation time in seconds since the start of 1904; 0 keeps files reproducible.
    public var creationTime: UInt64 = 0
    /// The start time of a recording, as written by its recorder.
    public var started: String?
    /// The gap entries of a recording, each a JSON object.
    public var gapEntries: [[UInt8]] = []

    /// Creates the configuration of a file without tags.
    public init(stream: AudioSpecificConfig, layout: Layout = .faststart) {
      self.stream = stream
      timing = StreamTiming(stream)
      self.layout = layout
    }

    /// The start time and the gap entries; entries that do not fit are omitted.
    var notes: RecordingMetadata {
      var notes = RecordingMetadata(startText: started)
      for entry in gapEntries { _ = notes.append(gap: entry) }
      return notes
    }
  }
}
