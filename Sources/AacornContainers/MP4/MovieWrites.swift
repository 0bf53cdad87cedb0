public import AacornSoundFiles

/// A sequence of writes that insert a movie box, and a few bytes around it, into a file.
///
/// A sequence, so that the tables of a long file are never entirely in memory.
public struct MovieWrites: Sequence, IteratorProtocol, Sendable {
  /// The positions of a track's chunks.
  private enum ChunkOffsets: Sendable {
    /// Consecutive chunks.
    case consecutive(unitsPerChunk: Int)
    /// Chunks at these file offsets.
    case listed([UInt64])
  }

  private enum Part: Sendable {
    case write(FileWrite)
    case seek(UInt64)
    case bytes([UInt8])
    case sizeTable
    case offsetTable
  }

  private let sizes: [UInt16]
  private let chunkOffsets: ChunkOffsets
  private let usesLargeOffsets: Bool
  /// The remaining parts, last one first.
  private var parts: [Part] = []
  /// The file offset of the next bytes of the movie.
  private var offset: UInt64 = 0
  /// The next entry of the table in progress.
  private var entry = 0
  /// The file offset of the next frame, if all frames are consecutive.
  private var unitOffset: UInt64 = 0

  private static let entriesPerPiece = 16_384

  /// Creates a sequence of these writes.
  package init(_ writes: [FileWrite]) {
    sizes = []
    chunkOffsets = .listed([])
    usesLargeOffsets = false
    parts = writes.reversed().map { .write($0) }
  }

  /// Creates the writes of the final movie with its tables inserted in the gaps.
  ///
  /// - Parameters:
  ///   - movie: The final movie.
  ///   - box: The box of the movie.
  ///   - tables: The frames of the movie.
  ///   - offset: The file offset of the box.
  ///   - mediaStart: The file offset of the first frame if all frames are consecutive.
  ///   - first: Writes before the box.
  ///   - last: Writes after the box.
  init(
    _ movie: Movie, box: BoxWriter, tables: MovieTables, at offset: UInt64,
    mediaStart: UInt64? = nil, first: [FileWrite] = [], last: [FileWrite]
  ) {
    sizes = tables.sizes
    usesLargeOffsets = movie.usesLargeOffsets
    chunkOffsets =
      mediaStart == nil
      ? .listed(tables.offsets)
      : .consecutive(unitsPerChunk: tables.parameters.unitsPerChunk)
    unitOffset = mediaStart ?? 0
    var box = box
    box.fillReservedOffset(at: offset)
    var parts: [Part] = first.map { .write($0) }
    parts.append(.seek(offset))
    var position = 0
    for (index, gap) in box.gaps.enumerated() {
      parts.append(.bytes(Array(box.bytes[position..<gap.position])))
      parts.append(index == 0 ? .sizeTable : .offsetTable)
      position = gap.position
    }
    parts.append(.bytes(Array(box.bytes[position...])))
    parts += last.map { .write($0) }
    self.parts = parts.reversed()
  }

  /// Returns the next write, or nil when the file is complete.
  public mutating func next() -> FileWrite? {
    while let part = parts.last {
      var bytes: [UInt8] = []
      switch part {
      case .write(let write):
        parts.removeLast()
        if write.bytes.isEmpty { continue }
        return write
      case .seek(let target):
        offset = target
        parts.removeLast()
      case .bytes(let part):
        bytes = part
        parts.removeLast()
      case .sizeTable:
        bytes = sizePiece()
        if entry >= sizes.count { finishTable() }
      case .offsetTable:
        bytes = offsetPiece()
      }
      if bytes.isEmpty { continue }
      let write = FileWrite(offset: offset, bytes: bytes)
      offset += UInt64(bytes.count)
      return write
    }
    return nil
  }

  private mutating func finishTable() {
    parts.removeLast()
    entry = 0
  }

  private mutating func sizePiece() -> [UInt8] {
    var piece = BoxWriter()
    let part = sizes[entry...].prefix(Self.entriesPerPiece)
    for size in part { piece.put32(UInt32(size)) }
    entry = part.endIndex
    return piece.bytes
  }

  private mutating func offsetPiece() -> [UInt8] {
    var piece = BoxWriter()
    let offsetBits = usesLargeOffsets ? 64 : 32
    switch chunkOffsets {
    case .listed(let offsets):
      let part = offsets[entry...].prefix(Self.entriesPerPiece)
      for offset in part { piece.put(offset, bits: offsetBits) }
      entry = part.endIndex
      if entry == offsets.count { finishTable() }
    case .consecutive(let unitsPerChunk):
      let part = sizes.indices[entry...].prefix(Self.entriesPerPiece)
      for index in part {
        if index % unitsPerChunk == 0 { piece.put(unitOffset, bits: offsetBits) }
        unitOffset += UInt64(sizes[index])
      }
      entry = part.upperBound
      if entry == sizes.count { finishTable() }
    }
    return piece.bytes
  }
}
