package import AacornCodec

// Segments of units can be decoded on threads of the caller:
//
//     if reader.beginSplitting(untilFrame: nil) {
//       … readAhead() ─► decode on a thread ─► take, whenever awaitsSegment ─► advance()
//     }
extension CodedAudioReader {
  /// The result of reading ahead.
  package enum ReadAheadResult: Sendable {
    /// A request for these bytes, to be passed to ``CodedAudioReader/supply(_:)``.
    case need(offset: UInt64, count: Int)
    /// A segment to decode; pass the results to ``CodedAudioReader/accept(_:)`` in this order.
    case segment(SegmentDecoder)
    /// No more segments; ``CodedAudioReader/advance()`` continues on its own.
    case end
  }

  /// The number of units in a segment, which lasts one to two seconds.
  ///
  /// Two lead units, which are decoded in addition before each segment, add 3 % more work.
  package static let segmentLength = 64

  /// Starts splitting the stream into segments, up to frame `end` or to the end of the stream.
  ///
  /// Splitting is possible once the format has been reported, if the decoder depends only on recent
  /// units. From then on, call ``readAhead()`` before each ``advance()`` until there are enough
  /// segments or no more. The samples are identical to sequential decoding.
  ///
  /// - Returns: Whether splitting is possible.
  package mutating func beginSplitting(
    untilFrame end: Int?, segmentLength: Int = Self.segmentLength
  ) -> Bool {
    guard hasDecoded, heldCount == 0, waiting == nil, !isUndecodable, unitFrameCount > 0,
      let decoder, decoder.hasShortMemory
    else { return false }
    var unitLimit = Int.max
    if let end {
      let left = max(0, cut.sample(ofNumber: Int64(end)) - position)
      unitLimit = Int(clamping: left / Int64(unitFrameCount) + 1)
    }
    ahead = ReadAheadUnits(
      decoder, nextIndex: nextIndex, segmentLength: segmentLength, unitLimit: unitLimit)
    return true
  }

  /// Reads on until a segment is complete.
  package mutating func readAhead() throws(CodedAudioError) -> ReadAheadResult {
    while true {
      if let segment = ahead?.nextSegment() { return .segment(segment) }
      guard ahead?.isOpen == true else { return .end }
      let step = try nextFileStep()
      if case .need(let offset, let count) = step { return .need(offset: offset, count: count) }
      ahead?.append(step)
    }
  }

  /// Whether a segment must be taken before the next ``advance()``.
  package var awaitsSegment: Bool { ahead?.awaitsSegment == true }

  /// Accepts a decoded segment.
  package mutating func accept(_ segment: DecodedSegment) { ahead?.accept(segment) }

  /// Returns whether the next unit was decoded, not concealed, in a segment.
  ///
  /// Returns nil if the decoder must decode the unit itself.
  mutating func outcomeAhead() -> Bool? {
    if let segment = ahead?.takeUpcoming() {
      // Damage may reach past the lead units. Then the decoder continues from its own state.
      if segment.isUniform, decoder?.isEquivalent(to: segment.initialDecoder) == true {
        decoder = segment.finalDecoder
        ahead?.begin(segment)
      } else {
        ahead?.reject(segment)
      }
    }
    return ahead?.takeOutcome()
  }
}
