package import AacornCodec

// Segments of units can be decoded on several threads, which whoever reads the file has:
//
//     if reader.beginSplitting(untilFrame: nil) {
//       … readAhead() ─► decode on a thread ─► take, whenever awaitsSegment ─► move()
//     }
extension CodedSoundReader {
  /// What reading ahead gives.
  package enum Ahead: Sendable {
    /// These bytes, to be passed to ``CodedSoundReader/supply(_:)``.
    case need(offset: UInt64, count: Int)
    /// Units to be decoded, and to be passed to ``CodedSoundReader/take(_:)`` in this order.
    case segment(SegmentDecoder)
    /// No more segments; ``CodedSoundReader/move()`` goes on alone.
    case end
  }

  /// Units in a segment, one to two seconds: the two of its lead are then 3 % more work.
  package static let segmentLength = 64

  /// Begins to give segments, up to a frame of this number, or all; false if that is not possible.
  ///
  /// It is once the format has been told, where a decoder soon forgets what came before. From then
  /// on ``readAhead()`` must be called until there are enough segments, or no more, before each
  /// ``move()``. The sound is that of decoding in a row.
  package mutating func beginSplitting(
    untilFrame end: Int?, segmentLength: Int = Self.segmentLength
  ) -> Bool {
    guard hasDecoded, heldCount == 0, waiting == nil, !isForeign, unitFrameCount > 0,
      let decoder, decoder.forgetsSoon
    else { return false }
    var unitLimit = Int.max
    if let end {
      let left = max(0, cut.sample(ofNumber: Int64(end)) - position)
      unitLimit = Int(clamping: left / Int64(unitFrameCount) + 1)
    }
    ahead = UnitsAhead(
      decoder, nextIndex: nextIndex, segmentLength: segmentLength, unitLimit: unitLimit)
    return true
  }

  /// Reads on until there is a segment.
  package mutating func readAhead() throws(CodedSoundError) -> Ahead {
    while true {
      if let segment = ahead?.nextSegment() { return .segment(segment) }
      guard ahead?.isOpen == true else { return .end }
      let step = try nextFileStep()
      if case .need(let offset, let count) = step { return .need(offset: offset, count: count) }
      ahead?.append(step)
    }
  }

  /// Whether a segment must be taken before the next ``move()``.
  package var awaitsSegment: Bool { ahead?.awaitsSegment == true }

  /// Takes a segment that was decoded.
  package mutating func take(_ segment: DecodedSegment) { ahead?.take(segment) }

  /// Whether the next unit was decoded elsewhere, and not replaced; nil if that is left to the
  /// decoder.
  mutating func outcomeAhead() -> Bool? {
    if let segment = ahead?.takeUpcoming() {
      // Damage may reach farther than the lead, and then the decoder goes on from where it is.
      if segment.isUniform, decoder?.isInStep(with: segment.before) == true {
        decoder = segment.after
        ahead?.begin(segment)
      } else {
        ahead?.refuse(segment)
      }
    }
    return ahead?.takeOutcome()
  }
}
