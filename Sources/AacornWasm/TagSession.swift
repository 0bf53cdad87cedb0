import AacornContainers

/// The tags of an audio file other than MP4, with bytes fetched by JavaScript.
///
/// The reader restarts whenever bytes are missing: it requests the same bytes in the same order.
final class TagSession: Session {
  /// The range of missing bytes.
  private struct Missing: Error {
    let offset: Int
    let count: Int
  }

  private let byteCount: Int
  private var pieces: [(offset: Int, bytes: [UInt8])] = []
  private var tags: MP4Tags?

  /// The minimum request in bytes: reading many bytes takes little more time than reading few.
  private static let pieceLength = 1 << 18
  /// The maximum number of bytes to which requests grow, unless more bytes are missing.
  private static let maxPieceByteCount = 1 << 23
  /// The maximum number of bytes to hold; a file with larger tags is treated as untagged.
  private static let byteLimit = 1 << 25

  override var asTags: TagSession? { self }

  /// Creates a reader of the first GiB of a file, because `Int` has 32 bits here.
  init(byteCount: UInt64) {
    self.byteCount = Int(min(byteCount, 1 << 30))
  }

  /// Continues; returns 1 if bytes are requested, or 0 at the end.
  func step() -> Int32 {
    if tags != nil { return 0 }
    do throws(Missing) {
      var reader = SoundTagReader(byteCount: byteCount) { (offset, count) throws(Missing) in
        try self.bytes(at: offset, count: count)
      }
      tags = MP4Tags(try reader.readTags())
      pieces = []
      return 0
    } catch {
      let heldCount = pieces.reduce(0) { $0 + $1.bytes.count }
      if heldCount > Self.byteLimit {
        tags = MP4Tags()
        pieces = []
        return 0
      }
      let isContinued = pieces.contains {
        $0.offset <= error.offset && error.offset <= $0.offset + $0.bytes.count
      }
      // The reader parses everything again after each piece. Consecutive pieces grow, so that few
      // are needed.
      let length = isContinued ? min(heldCount, Self.maxPieceByteCount) : 0
      wantedOffset = UInt64(error.offset)
      wantedCount = min(max(error.count, length, Self.pieceLength), byteCount - error.offset)
      return 1
    }
  }

  private func bytes(at offset: Int, count: Int) throws(Missing) -> [UInt8] {
    let end = min(offset + count, byteCount)
    if offset >= end { return [] }
    for piece in pieces where piece.offset <= offset && end <= piece.offset + piece.bytes.count {
      return Array(piece.bytes[offset - piece.offset..<end - piece.offset])
    }
    throw Missing(offset: offset, count: count)
  }

  /// Supplies the requested bytes, padded with zeros if the file has become shorter.
  func supply(_ count: Int) -> Int32 {
    guard var bytes = bytes(count) else { return Failure.tooManySamples }
    bytes += [UInt8](repeating: 0, count: max(0, wantedCount - bytes.count))
    pieces.append((Int(wantedOffset), bytes))
    return 0
  }

  /// Outputs the entries of an item list, without the loudness unless `keepsLoudness`; returns the
  /// length.
  func putItems(keepsLoudness: Bool) -> Int32 {
    guard var tags else { return Failure.wrongState }
    if !keepsLoudness { tags.removeLoudness() }
    return put(tags.items)
  }
}
