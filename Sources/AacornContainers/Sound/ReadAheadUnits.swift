package import AacornCodec
import AacornSignal

/// The steps that a reader has read ahead, so that the caller can decode segments of units
/// elsewhere.
///
///     file ─► steps ────────────────────────────► the reader, one after another
///                └► units of a segment ─► decoded elsewhere ─► the samples of these units
struct ReadAheadUnits: Sendable {
  /// Lead units of a segment: one for the overlap, and one to check that the states match.
  private static let leadLength = 2

  /// A decoder of the stream, with the channel count of its units.
  private let seed: Boxed<AACDecoder>
  private let segmentLength: Int
  /// The expected index of the next unit.
  private var nextIndex: Int
  /// The number of units that may still be collected.
  private var unitLimit: Int
  /// Whether reading ahead continues.
  private(set) var isOpen = true

  /// Steps read ahead; those from `stepIndex` on have not been passed to the reader.
  private var steps: [CodedFileReader.Step] = []
  private var stepIndex = 0
  /// The lead units, then the units that are not in a segment yet; nil for a missing unit.
  private var units: [[UInt8]?] = []
  private var leadCount = 0
  /// The decoder's index of the first element of `units`.
  private var firstUnit: Int
  /// The number of segments being decoded elsewhere.
  private var outCount = 0

  /// The decoded segment that follows the current one.
  private var upcoming: DecodedSegment?
  private var outcomes: [Bool] = []
  private var samples: [Float] = []
  /// The index of the first outcome that has not been used.
  private var outcomeIndex = 0
  /// The number of units of a rejected segment that the reader must still decode itself.
  private var rejectedUnitCount = 0
  private var rejectionCount = 0
  /// After this many consecutive rejected segments, the stream is no longer split, because every
  /// rejected segment is decoded twice.
  private static let rejectionLimit = 3
  /// Whether the last unit was decoded in a segment.
  private(set) var hasSamples = false
  /// Spare memory for the samples of a segment.
  private var spare: [Float] = []

  /// Creates a queue for a decoder that expects unit `nextIndex` next.
  init(_ seed: AACDecoder, nextIndex: Int, segmentLength: Int, unitLimit: Int) {
    self.seed = Boxed(wrappedValue: seed)
    self.nextIndex = nextIndex
    self.segmentLength = max(1, segmentLength)
    self.unitLimit = unitLimit
    firstUnit = seed.unitIndex
  }

  mutating func close() { isOpen = false }

  /// Appends the next step of the file, except requests.
  mutating func append(_ step: CodedFileReader.Step) {
    steps.append(step)
    switch step {
    case .unit(let unit):
      let missing = unit.index - nextIndex
      // Stop reading ahead, because the caller may not need all units of such a long gap.
      if missing > segmentLength { return close() }
      nextIndex = unit.index + 1
      if missing > 0 { units.append(contentsOf: repeatElement(nil, count: missing)) }
      units.append(unit.bytes)
      unitLimit -= 1
      if unitLimit <= 0 { close() }
    case .damage, .need: break
    case .configuration, .end: close()
    }
  }

  /// Returns the next segment, once all its units have been read.
  mutating func nextSegment() -> SegmentDecoder? {
    let count = units.count - leadCount
    guard count >= segmentLength || !isOpen && count > 0 else { return nil }
    var storage: [Float] = []
    swap(&storage, &spare)
    // The decoder of the first units has processed all earlier ones.
    let start = firstUnit == seed.wrappedValue.unitIndex ? nil : firstUnit
    let segment = SegmentDecoder(
      seed.wrappedValue, from: start, units, leadCount: leadCount, storage: storage)
    let gone = max(0, units.count - Self.leadLength)
    units.removeFirst(gone)
    firstUnit += gone
    leadCount = units.count
    outCount += 1
    return segment
  }

  mutating func takeStep() -> CodedFileReader.Step? {
    guard stepIndex < steps.count else { return nil }
    let step = steps[stepIndex]
    stepIndex += 1
    if 2 * stepIndex >= steps.count {
      steps.removeFirst(stepIndex)
      stepIndex = 0
    }
    return step
  }

  /// Whether the next unit may belong to a segment that is being decoded.
  var awaitsSegment: Bool {
    outCount > 0 && upcoming == nil && outcomeIndex == outcomes.count && rejectedUnitCount == 0
  }

  mutating func accept(_ segment: DecodedSegment) {
    outCount -= 1
    upcoming = segment
  }

  /// Returns the next decoded segment, once all units of the current one have been used.
  mutating func takeUpcoming() -> DecodedSegment? {
    outcomeIndex == outcomes.count && rejectedUnitCount == 0 ? upcoming.take() : nil
  }

  /// Starts using the results of a segment.
  mutating func begin(_ segment: DecodedSegment) {
    spare = samples
    samples = segment.samples
    outcomes = segment.outcomes
    outcomeIndex = 0
    rejectionCount = 0
  }

  /// Rejects a segment: the reader decodes its units itself.
  mutating func reject(_ segment: DecodedSegment) {
    rejectedUnitCount = segment.unitCount
    rejectionCount += 1
    if rejectionCount == Self.rejectionLimit { close() }
  }

  /// Returns whether the next unit was decoded, not concealed; nil if the reader must decode it
  /// itself.
  mutating func takeOutcome() -> Bool? {
    hasSamples = outcomeIndex < outcomes.count
    if hasSamples {
      outcomeIndex += 1
      return outcomes[outcomeIndex - 1]
    }
    rejectedUnitCount = max(0, rejectedUnitCount - 1)
    return nil
  }

  /// Appends the samples of the last unit; returns false if it was not decoded in a segment.
  ///
  /// `mutating` so that access through the optional makes no copy.
  mutating func put(into target: inout [Float]) -> Bool {
    guard hasSamples else { return false }
    let count = samples.count / outcomes.count
    target.append(contentsOf: samples[(outcomeIndex - 1) * count..<outcomeIndex * count])
    return true
  }
}

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
