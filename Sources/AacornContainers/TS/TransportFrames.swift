/// Reads the frames of the AAC stream in a transport stream, with their file offsets.
struct TransportFrames: Sendable {
  typealias Event = FrameSource.Event

  private var packets: TransportStreamReader
  private var frames = FramingProbe()
  private var offsets = OffsetMap()
  /// Whether the tables have chosen a stream.
  private var hasBegun = false
  /// The framing of the next stream, once the current one has been read to its end.
  private var nextFraming: FramingProbe.Framing?
  private var isFinished = false
  private var areFramesFinished = false
  private var hasEnded = false

  /// Creates a reader of an AAC stream; `track` counts from 1, nil is the first.
  init(track: Int? = nil) {
    packets = TransportStreamReader(track: track)
  }

  /// The program of the AAC stream, once known.
  var program: TransportProgram? { packets.program }
  /// Whether the stream is LOAS; false until the first frame.
  var isLOAS: Bool { frames.isLOAS }

  /// Appends the next bytes of the file.
  mutating func append(_ bytes: [UInt8]) {
    // After a failure, ignore further input.
    if !hasEnded { packets.append(bytes) }
  }

  /// Marks the end of the file.
  mutating func finish() {
    isFinished = true
    packets.finish()
  }

  /// Returns the next event, or nil if more bytes are needed or the file has ended.
  mutating func next() -> Event? {
    while !hasEnded {
      if hasBegun, let event = frames.next() { return event.mapped(by: &offsets) }
      if let framing = nextFraming.take() {
        frames = FramingProbe(framing)
        offsets = OffsetMap()
        hasBegun = true
      }
      guard let event = packets.next() else {
        if !isFinished { return nil }
        if !hasBegun { return fail(packets.failure) }
        hasEnded = areFramesFinished
        areFramesFinished = true
        frames.finish()
        continue
      }
      switch event {
      case .begins(let framing):
        frames.finish()
        nextFraming = framing
      case .bytes(let bytes, let offset):
        // An Int with 32 bits wraps in long streams, so convert its bits as unsigned.
        offsets.append(bytes.count, at: UInt64(UInt(bitPattern: offset)))
        frames.append(bytes)
      case .damage(let damage):
        return Event(at: damage.offset, length: damage.length, .damage(damage.kind))
      case .failed(let error): return fail(error)
      }
    }
    return nil
  }

  private mutating func fail(_ error: CodedFileError) -> Event {
    hasEnded = true
    return Event(at: 0, length: 0, .failed(error))
  }
}

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
