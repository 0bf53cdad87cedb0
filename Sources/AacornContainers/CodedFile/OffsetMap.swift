/// Maps positions in an extracted stream to offsets in the file.
///
/// Queries must be in ascending order; earlier pieces are discarded. At most `limit` pieces are
/// stored, so that a stream without frames cannot exhaust memory. At the limit, half of the pieces
/// are removed, and later queries return approximate offsets.
struct OffsetMap: Sendable {
  private struct Piece: Sendable {
    var position: Int
    var offset: UInt64
  }

  /// Pieces that are consecutive in the stream but not in the file.
  private var pieces: [Piece] = []
  private var head = 0
  /// The current length of the stream in bytes.
  private var position = 0

  /// The maximum number of pieces, more than two frames can be split into.
  private static let maxPieceCount = 1 << 16

  /// Appends `count` bytes of the stream that are at offset `offset` in the file.
  mutating func append(_ count: Int, at offset: UInt64) {
    let follows = pieces.last.map { Self.offset(of: position, in: $0) == offset } ?? false
    if !follows {
      if head > Self.maxPieceCount / 2 {
        pieces.removeSubrange(0..<head)
        head = 0
      }
      if pieces.count >= Self.maxPieceCount { pieces.removeSubrange(1...Self.maxPieceCount / 2) }
      pieces.append(Piece(position: position, offset: offset))
    }
    position &+= count
  }

  /// Returns the file offset of a byte of the stream.
  mutating func offset(of position: Int) -> UInt64 {
    // Positions may wrap where Int has 32 bits, so compare distances only.
    while head + 1 < pieces.count, position &- pieces[head + 1].position >= 0 { head += 1 }
    return head < pieces.count ? Self.offset(of: position, in: pieces[head]) : 0
  }

  private static func offset(of position: Int, in piece: Piece) -> UInt64 {
    piece.offset &+ UInt64(max(0, position &- piece.position))
  }
}
