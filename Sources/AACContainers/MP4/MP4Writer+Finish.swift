extension MP4Writer {
  /// What is left to do to make a file complete: perhaps a move, then some writes.
  ///
  /// The writes come in pieces, so that the tables of a long file never are in memory at once.
  public struct Finish: Sequence, IteratorProtocol, Sendable {
    /// Bytes and their place in the file.
    public struct Write: Equatable, Sendable {
      /// Where the bytes begin, counted from the start of the file.
      public let offset: UInt64
      /// The bytes.
      public let bytes: [UInt8]
    }

    /// The bytes that have to move before the writes if `mediaShift` is not 0.
    public private(set) var media: Range<UInt64> = 0..<0
    /// How far `media` moves towards the end of the file.
    public private(set) var mediaShift: UInt64 = 0

    private var sizes: [UInt16] = []
    private var unitsPerChunk = 1
    private var hasLargeOffsets = false
    /// The parts still to be written, last one first.
    private var parts: [Part] = []
    /// Where the next bytes go.
    private var offset: UInt64 = 0
    /// The next frame of the table in progress.
    private var unit = 0
    /// Where that frame begins in the file.
    private var unitOffset: UInt64 = 0

    private enum Part: Sendable {
      case seek(UInt64)
      case bytes([UInt8])
      case sizeTable
      case offsetTable
    }

    /// Frames that go into one piece of a table.
    private static let unitsPerPiece = 16_384

    /// Only bytes.
    init(write: Write) {
      parts = write.bytes.isEmpty ? [] : [.bytes(write.bytes), .seek(write.offset)]
    }

    /// Places the movie box, and what fills the space between it and the sound.
    init(
      movie: Movie, sizes: [UInt16], payloadByteCount: UInt64, fileTypeByteCount: Int,
      reservedByteCount: Int, isMovieFirst: Bool
    ) {
      self.sizes = sizes
      unitsPerChunk = movie.parameters.unitsPerChunk
      hasLargeOffsets = movie.usesLargeOffsets
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
      unitOffset = media.lowerBound + mediaShift

      var header = BoxWriter()
      if filler > 0 {
        header.put32(UInt32(filler))
        header.put(.free)
      }
      let headerOffset = unitOffset - UInt64((isLarge ? 16 : 8) + filler)
      var mediaHeader = BoxWriter()
      mediaHeader.put32(isLarge ? 1 : UInt32(payloadByteCount + 8))
      mediaHeader.put(.mediaData)
      if isLarge { mediaHeader.put64(payloadByteCount + 16) }

      parts = [.bytes(mediaHeader.bytes), .seek(headerOffset + UInt64(filler))]
      parts += [.bytes(header.bytes), .seek(headerOffset)]
      parts += Self.parts(of: writer).reversed()
      parts.append(.seek(movieOffset))
    }

    /// The movie box with its two tables in their gaps.
    private static func parts(of movie: BoxWriter) -> [Part] {
      var parts: [Part] = []
      var position = 0
      for (index, gap) in movie.gaps.enumerated() {
        parts.append(.bytes(Array(movie.bytes[position..<gap.position])))
        parts.append(index == 0 ? .sizeTable : .offsetTable)
        position = gap.position
      }
      parts.append(.bytes(Array(movie.bytes[position...])))
      return parts
    }

    /// The next write, or nil when the file is complete.
    public mutating func next() -> Write? {
      while let part = parts.last {
        var bytes: [UInt8] = []
        switch part {
        case .seek(let target):
          offset = target
          parts.removeLast()
        case .bytes(let part):
          bytes = part
          parts.removeLast()
        case .sizeTable:
          bytes = sizePiece()
          finishTable()
        case .offsetTable:
          bytes = offsetPiece()
          finishTable()
        }
        if bytes.isEmpty { continue }
        let write = Write(offset: offset, bytes: bytes)
        offset += UInt64(bytes.count)
        return write
      }
      return nil
    }

    private mutating func finishTable() {
      if unit < sizes.count { return }
      parts.removeLast()
      unit = 0
    }

    private mutating func sizePiece() -> [UInt8] {
      var piece = BoxWriter()
      let end = Swift.min(sizes.count, unit + Self.unitsPerPiece)
      for size in sizes[unit..<end] { piece.put32(UInt32(size)) }
      unit = end
      return piece.bytes
    }

    private mutating func offsetPiece() -> [UInt8] {
      var piece = BoxWriter()
      let end = Swift.min(sizes.count, unit + Self.unitsPerPiece)
      for index in unit..<end {
        if index % unitsPerChunk == 0 { piece.put(time: unitOffset, wide: hasLargeOffsets) }
        unitOffset += UInt64(sizes[index])
      }
      unit = end
      return piece.bytes
    }
  }
}
