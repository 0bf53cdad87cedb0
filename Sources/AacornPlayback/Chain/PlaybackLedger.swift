/// Which place of which item each frame is that was made for the device.
///
///     frame of the device ──pieces──► place in the program ──parts──► item and time
struct PlaybackLedger {
  /// Frames for the device from one on, with the speed at which they go through the program.
  private struct Piece {
    var frame: Int
    var program: Double
    var speed: Double
  }

  /// The stretch of an item that begins somewhere in the program.
  struct Part: Equatable {
    var program: Double
    /// Counts the parts.
    var number: Int
    /// Whether the item is played anew, and not from another place on.
    var isNewRun: Bool
    var item: PlayedItem
    /// The place in the item, in seconds.
    var seconds: Double
  }

  private var pieces: [Piece] = []
  private(set) var parts: [Part] = []
  private let sampleRate: Double

  /// An empty ledger of a device with this rate.
  init(sampleRate: Int) { self.sampleRate = Double(sampleRate) }

  /// Notes that the frames from one on come from this place of the program on, at this speed.
  mutating func note(frame: Int, program: Double, speed: Double) {
    if let last = pieces.last, last.speed == speed {
      let expected = last.program + Double(frame - last.frame) * speed
      if abs(expected - program) < 0.5 { return }
    }
    pieces.append(Piece(frame: frame, program: program, speed: speed))
  }

  /// Notes that an item begins.
  mutating func append(_ part: Part) { parts.append(part) }

  /// Forgets a part of which there is nothing to hear.
  mutating func remove(_ number: Int) { parts.removeAll { $0.number == number } }

  /// Forgets all parts, because what was to come is dropped.
  mutating func forgetParts() { parts = [] }

  /// The place in the program of a frame.
  func program(of frame: Int) -> Double? {
    guard let piece = pieces.last(where: { $0.frame <= frame }) else { return nil }
    return piece.program + Double(frame - piece.frame) * piece.speed
  }

  /// What is heard with a frame; before the first part, that one's beginning.
  func place(of frame: Int) -> (part: Part, seconds: Double)? {
    guard let first = parts.first else { return nil }
    guard let program = self.program(of: frame) else { return (first, first.seconds) }
    // Half a frame, since the borders of resampled items lie between frames.
    let part = parts.last { $0.program <= program + 0.5 } ?? first
    var seconds = part.seconds + max(0, program - part.program) / sampleRate
    if let duration = part.item.duration {
      seconds = min(seconds, max(part.seconds, duration / .seconds(1)))
    }
    return (part, seconds)
  }

  /// The parts that have begun when a frame is heard.
  func begun(by frame: Int) -> ArraySlice<Part> {
    guard let program = self.program(of: frame) else { return [] }
    return parts.prefix { $0.program <= program + 0.5 }
  }

  /// Drops what lies before what is heard with a frame.
  mutating func forget(before frame: Int) {
    if let index = pieces.lastIndex(where: { $0.frame <= frame }), index > 0 {
      pieces.removeSubrange(..<index)
    }
    let count = begun(by: frame).count
    if count > 1 { parts.removeSubrange(..<(count - 1)) }
  }
}
