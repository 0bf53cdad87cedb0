/// Maps each frame of the device to an item and a position in the item.
///
/// The program is the sequence of the frames of all items, at the device's rate and normal speed.
///
///     frame of the device ──pieces──► position in the program ──parts──► item and time
struct PlaybackLedger {
  /// A run of device frames that begins at `frame`, with the speed at which the frames advance in
  /// the program.
  struct Piece {
    var frame: Int
    var programPosition: Double
    var speed: Double
  }

  /// A part of an item that begins at a position in the program.
  struct Part: Equatable {
    var programPosition: Double
    /// The number of the part, in ascending order.
    var number: Int
    /// Whether the part starts the item, for the first time or again; false if the part begins
    /// after a seek.
    var startsItem: Bool
    var item: PlayedItem
    /// The position in the item, in seconds.
    var seconds: Double
  }

  private(set) var pieces: [Piece] = []
  private(set) var parts: [Part] = []
  private let sampleRate: Double

  /// Creates an empty ledger for a device with this sampling rate.
  init(sampleRate: Int) { self.sampleRate = Double(sampleRate) }

  /// Records that device frames from `frame` on play the program from the position `programPosition` at a
  /// speed.
  mutating func record(frame: Int, programPosition: Double, speed: Double) {
    if let last = pieces.last, last.speed == speed {
      let expected = last.programPosition + Double(frame - last.frame) * speed
      if abs(expected - programPosition) < 0.5 { return }
    }
    pieces.append(Piece(frame: frame, programPosition: programPosition, speed: speed))
  }

  mutating func append(_ part: Part) { parts.append(part) }

  mutating func remove(_ number: Int) { parts.removeAll { $0.number == number } }

  /// Removes all parts, because the prepared audio is discarded.
  mutating func discardParts() { parts = [] }

  func programPosition(of frame: Int) -> Double? {
    guard let piece = pieces.last(where: { $0.frame <= frame }) else { return nil }
    return piece.programPosition + Double(frame - piece.frame) * piece.speed
  }

  /// Returns the part that contains a frame, and the frame's position in the part's item.
  ///
  /// A frame before the first part counts as the beginning of that part.
  func position(of frame: Int) -> (part: Part, seconds: Double)? {
    guard let first = parts.first else { return nil }
    guard let programPosition = self.programPosition(of: frame) else {
      return (first, first.seconds)
    }
    // Half a frame is added, because the boundaries of resampled items are between frames.
    let part = parts.last { $0.programPosition <= programPosition + 0.5 } ?? first
    var seconds = part.seconds + max(0, programPosition - part.programPosition) / sampleRate
    if let duration = part.item.duration {
      seconds = min(seconds, max(part.seconds, duration / .seconds(1)))
    }
    return (part, seconds)
  }

  /// Returns the parts that have begun when a frame is played.
  func begun(by frame: Int) -> ArraySlice<Part> {
    guard let programPosition = self.programPosition(of: frame) else { return [] }
    return parts.prefix { $0.programPosition <= programPosition + 0.5 }
  }

  /// Removes the entries that end before a frame.
  mutating func discardEntries(before frame: Int) {
    if let index = pieces.lastIndex(where: { $0.frame <= frame }), index > 0 {
      pieces.removeSubrange(..<index)
    }
    let count = begun(by: frame).count
    if count > 1 { parts.removeSubrange(..<(count - 1)) }
  }
}
