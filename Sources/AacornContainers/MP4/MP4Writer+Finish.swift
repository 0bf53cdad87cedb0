public import AacornSignal

extension MP4Writer {
  /// What is left to do to make a file complete: perhaps a move, then some writes.
  ///
  /// The writes come in pieces, so that the tables of a long file never are in memory at once.
  public struct Finish: Sequence, IteratorProtocol, Sendable {
    /// Bytes and their place in the file.
    public typealias Write = FileWrite

    /// The bytes that have to move before the writes if `mediaShift` is not 0.
    public private(set) var media: Range<UInt64> = 0..<0
    /// How far `media` moves towards the end of the file.
    public private(set) var mediaShift: UInt64 = 0
    private var writes: MovieWrites

    /// Only bytes.
    init(write: FileWrite) {
      writes = MovieWrites([write])
    }

    /// Places the movie box, and what fills the space between it and the sound.
    init(
      movie: Movie, sizes: [UInt16], payloadByteCount: UInt64, fileTypeByteCount: Int,
      reservedByteCount: Int, isMovieFirst: Bool
    ) {
      var writer = BoxWriter()
      movie.write(to: &writer)

      // Sixteen bytes stand before the sound: an empty box and a short header, or a long header.
      let isLarge = payloadByteCount + 8 > 0xFFFF_FFFF
      let start = UInt64(fileTypeByteCount + reservedByteCount + 16)
      media = start..<start + payloadByteCount
      var filler = isLarge ? 0 : 8
      var movieOffset = media.upperBound
      if isMovieFirst {
        movieOffset = UInt64(fileTypeByteCount)
        filler += reservedByteCount - writer.byteCount
        // What is left must be nothing or hold the header of an empty box.
        let smallest = isLarge ? (filler > 0 ? 8 : 0) : 8
        if filler < smallest {
          mediaShift = UInt64(smallest - filler)
          filler = smallest
        }
      }
      let mediaStart = media.lowerBound + mediaShift
      var header = BoxWriter()
      if filler > 0 {
        header.put32(UInt32(filler))
        header.put(.free)
      }
      var mediaHeader = BoxWriter()
      mediaHeader.put32(isLarge ? 1 : UInt32(payloadByteCount + 8))
      mediaHeader.put(.mediaData)
      if isLarge { mediaHeader.put64(payloadByteCount + 16) }
      let mediaHeaderOffset = mediaStart - UInt64(mediaHeader.byteCount)
      writes = MovieWrites(
        movie: writer, at: movieOffset, usesLargeOffsets: movie.usesLargeOffsets, sizes: sizes,
        places: .inARow(from: mediaStart, unitsPerChunk: movie.parameters.unitsPerChunk),
        last: [
          FileWrite(offset: mediaHeaderOffset - UInt64(filler), bytes: header.bytes),
          FileWrite(offset: mediaHeaderOffset, bytes: mediaHeader.bytes),
        ])
    }

    /// The next write, or nil when the file is complete.
    public mutating func next() -> FileWrite? { writes.next() }
  }
}
