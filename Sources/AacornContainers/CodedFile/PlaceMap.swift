/// Where in a file the bytes of a stream are that was taken out of its packets.
///
/// Asked for places in order, it forgets those before. Of one that was asked for too late only the
/// neighborhood is known, so that a stream without frames cannot fill the memory.
struct PlaceMap: Sendable {
  private struct Piece: Sendable {
    var position: Int
    var place: UInt64
  }

  /// The pieces that follow one another in the stream and not in the file.
  private var pieces: [Piece] = []
  private var head = 0
  /// The length of the stream so far.
  private var position = 0

  /// More pieces than two frames can have.
  private static let limit = 1 << 16

  /// Adds the next bytes of the stream.
  mutating func append(_ count: Int, at place: UInt64) {
    let follows = pieces.last.map { Self.place(of: position, in: $0) == place } ?? false
    if !follows {
      if head > Self.limit / 2 {
        pieces.removeSubrange(0..<head)
        head = 0
      }
      if pieces.count >= Self.limit { pieces.removeSubrange(1...Self.limit / 2) }
      pieces.append(Piece(position: position, place: place))
    }
    position &+= count
  }

  /// Where a byte of the stream is in the file.
  mutating func place(of position: Int) -> UInt64 {
    // Positions may wrap where an Int has 32 bits, so that only their distances count.
    while head + 1 < pieces.count, position &- pieces[head + 1].position >= 0 { head += 1 }
    return head < pieces.count ? Self.place(of: position, in: pieces[head]) : 0
  }

  private static func place(of position: Int, in piece: Piece) -> UInt64 {
    piece.place &+ UInt64(max(0, position &- piece.position))
  }
}
