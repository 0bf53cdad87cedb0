public import AacornCodec
import AacornSoundFiles

/// Adds tables to a file with frames but without tables, without moving the audio.
///
///     var completion = try MP4Completion(configuration: …, location: …)
///     for frame in frames { try completion.append(frameAt: frame.offset, byteCount: frame.count) }
///     for write in try completion.finish(trim, fileByteCount: size) ?? … { … }
///
/// Memory: two bytes per frame, and eight for every few dozen consecutive frames.
public struct MP4Completion: Sendable {
  /// The part of the file to change once the tables are written.
  public enum Location: Equatable, Sendable {
    /// The movie box of a fragmented file, and the length of the empty box after it, or 0.
    case fragments(movieOffset: UInt64, movieByteCount: Int, reservedByteCount: Int)
    /// The header of the media in a file without a movie box.
    ///
    /// An empty box of eight bytes may precede it, as room for a 64-bit size.
    case media(offset: UInt64, headerByteCount: Int, hasRoomForLongSize: Bool)
  }

  private let configuration: MP4Writer.Configuration
  private let location: Location
  /// A box with the spare frame, or empty.
  private let tail: [UInt8]
  private var tables: MovieTables
  /// The chunk in progress, which is not in the tables yet.
  private var chunk = MP4FragmentWriter.Chunk(offset: 0, unitCount: 0)
  private var chunkEnd: UInt64 = 0

  /// The maximum length of a file, chosen so that offsets can be added without overflow.
  private static let maxFileByteCount: UInt64 = 1 << 62

  /// Creates a completion without frames.
  ///
  /// - Parameters:
  ///   - configuration: The contents of the tables; the layout and the expected count are ignored.
  ///   - location: The part of the file to change.
  ///   - spareUnit: A frame to write after the audio, which can replace any number of lost frames.
  /// - Throws: An error if MP4 cannot carry the stream.
  public init(
    configuration: MP4Writer.Configuration, location: Location, spareUnit: [UInt8] = []
  ) throws(ContainerError) {
    try configuration.tags.validate()
    tail = spareUnit.isEmpty ? [] : BoxWriter.bytes { $0.box(.free) { $0.put(spareUnit) } }
    tables = try MovieTables(configuration.stream, configuration.timing)
    self.configuration = configuration
    self.location = location
  }

  /// Returns the offset of the spare frame in a file of `fileByteCount` bytes.
  public func spareUnitOffset(fileByteCount: UInt64) -> UInt64 { fileByteCount &+ 8 }

  /// The number of frames added.
  public var unitCount: Int { tables.unitCount }

  /// Adds a frame at any offset in the file.
  public mutating func append(
    frameAt offset: UInt64, byteCount: Int
  ) throws(ContainerError) {
    try tables.append(byteCount: byteCount)
    if offset != chunkEnd || chunk.unitCount == tables.parameters.unitsPerChunk
      || chunk.unitCount == 0
    {
      tables.append(chunk)
      chunk = MP4FragmentWriter.Chunk(offset: offset, unitCount: 0)
    }
    chunk.unitCount += 1
    chunkEnd = offset &+ UInt64(byteCount)
  }

  /// Returns the writes that complete a file of `fileByteCount` bytes, or nil if `location` is
  /// invalid or has no room for a header.
  public func finish(
    _ trim: StreamTrim, fileByteCount: UInt64
  ) throws(ContainerError) -> MP4RecordingWriter.Finish? {
    try tables.parameters.check(trim, unitCount: tables.unitCount)
    guard fileByteCount <= Self.maxFileByteCount else { return nil }
    var complete = tables
    complete.append(chunk)
    let movie = complete.completed(
      Movie(
        parameters: complete.parameters, tags: configuration.tags,
        creationTime: configuration.creationTime, notes: configuration.notes), trim)
    switch location {
    case .fragments(let movieOffset, let movieByteCount, let reservedByteCount):
      // The header that turns the first movie box into the start of the media may take sixteen
      // bytes, so the box needs at least that length.
      guard (16...Int(Int32.max)).contains(movieByteCount),
        (0...Int(Int32.max)).contains(reservedByteCount), movieOffset <= fileByteCount,
        UInt64(movieByteCount) <= fileByteCount - movieOffset,
        UInt64(reservedByteCount) <= fileByteCount - movieOffset - UInt64(movieByteCount)
      else { return nil }
      let front = MovieHeaderReservation(
        movieOffset: movieOffset, movieByteCount: movieByteCount,
        reservedByteCount: reservedByteCount)
      return front.writes(
        completing: movie, complete, tail: tail, fileByteCount: fileByteCount)
    case .media(let offset, let headerByteCount, let hasRoomForLongSize):
      let end = fileByteCount + UInt64(tail.count)
      guard offset <= fileByteCount,
        let header = Self.header(
          ofMediaAt: offset, headerByteCount: headerByteCount,
          hasRoomForLongSize: hasRoomForLongSize, end: end)
      else { return nil }
      return MovieWrites(
        movie, box: movie.serialized(), tables: complete, at: end,
        first: [FileWrite(offset: fileByteCount, bytes: tail)],
        last: [header])
    }
  }

  /// Returns a header for media that end at `end`, or nil if there is no room for it.
  private static func header(
    ofMediaAt offset: UInt64, headerByteCount: Int, hasRoomForLongSize: Bool, end: UInt64
  ) -> FileWrite? {
    let byteCount = end - offset
    var header = BoxWriter.header(.mediaData, byteCount: byteCount)
    if headerByteCount == 16 {
      header = BoxWriter.bytes { box in
        box.put32(1)
        box.put(.mediaData)
        box.put(byteCount, bits: 64)
      }
    } else if byteCount > 0xFFFF_FFFF {
      guard hasRoomForLongSize, offset >= 8 else { return nil }
      header = BoxWriter.header(.mediaData, byteCount: byteCount + 8)
      return FileWrite(offset: offset - 8, bytes: header, needsSync: true)
    }
    return FileWrite(offset: offset, bytes: header, needsSync: true)
  }
}
