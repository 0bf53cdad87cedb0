public import AacornSoundFiles

extension MP4Writer {
  /// The steps that complete a file: a move if `mediaShift` is not 0, then some writes.
  ///
  /// A sequence, so that the tables of a long file are never entirely in memory.
  public struct Finish: Sequence, IteratorProtocol, Sendable {
    /// Bytes and their file offset.
    public typealias Write = FileWrite

    /// The file range that must be moved before the writes if `mediaShift` is not 0.
    public private(set) var media: Range<UInt64> = 0..<0
    /// The distance in bytes that `media` moves toward the end of the file.
    public private(set) var mediaShift: UInt64 = 0
    private var writes: MovieWrites

    /// Creates a sequence of these writes, without a move.
    package init(_ writes: [FileWrite]) {
      self.writes = MovieWrites(writes)
    }

    /// Places the movie box and the filler between it and the audio.
    init(
      movie: Movie, tables: MovieTables, fileTypeByteCount: Int, reservedByteCount: Int,
      isMovieFirst: Bool
    ) {
      let box = movie.serialized()
      let payloadByteCount = tables.payloadByteCount
      // Sixteen bytes precede the audio: an empty box and an 8-byte header, or a 16-byte header.
      let isLarge = payloadByteCount + 8 > 0xFFFF_FFFF
      let start = UInt64(fileTypeByteCount + reservedByteCount + 16)
      media = start..<start + payloadByteCount
      var filler = isLarge ? 0 : 8
      var movieOffset = media.upperBound
      if isMovieFirst {
        movieOffset = UInt64(fileTypeByteCount)
        filler += reservedByteCount - box.byteCount
        // The filler contains the header of an empty box, so it has at least 8 bytes. Before a
        // 16-byte media header, it may also be empty.
        let smallest = isLarge ? (filler > 0 ? 8 : 0) : 8
        if filler < smallest {
          mediaShift = UInt64(smallest - filler)
          filler = smallest
        }
      }
      let mediaStart = media.lowerBound + mediaShift
      let header = filler > 0 ? BoxWriter.header(.free, byteCount: UInt64(filler)) : []
      let mediaHeaderOffset = mediaStart - (isLarge ? 16 : 8)
      let mediaHeader = BoxWriter.header(
        .mediaData, byteCount: payloadByteCount + (isLarge ? 16 : 8))
      writes = MovieWrites(
        movie, box: box, tables: tables, at: movieOffset, mediaStart: mediaStart,
        last: [
          FileWrite(offset: mediaHeaderOffset - UInt64(filler), bytes: header),
          FileWrite(offset: mediaHeaderOffset, bytes: mediaHeader),
        ])
    }

    /// Returns the next write, or nil when the file is complete.
    public mutating func next() -> FileWrite? { writes.next() }
  }
}
