import AacornCodec
import AacornSignal

/// What a reader of sound has read ahead, so that segments of units can be decoded elsewhere.
///
///     file ─► steps ────────────────────────────► the reader, one after another
///                └► units of a segment ─► made elsewhere ─► what its decoder would have made
struct UnitsAhead: Sendable {
  /// Units that a segment begins earlier: the overlap needs one, and one more that it is good.
  private static let leadLength = 2

  /// A decoder of the stream, with the channels that its units have.
  private let seed: Boxed<AACDecoder>
  private let segmentLength: Int
  /// The number that the next unit has if none is missing.
  private var nextIndex: Int
  /// Units that may still be collected.
  private var unitLimit: Int
  /// Whether more is read ahead.
  private(set) var isOpen = true

  /// What the reader has not been given yet, from `stepPlace` on.
  private var steps: [CodedFileReader.Step] = []
  private var stepPlace = 0
  /// Units that no segment has yet, behind those of the lead; nil where one is missing.
  private var units: [[UInt8]?] = []
  private var leadCount = 0
  /// The number of the first of `units` for the decoder.
  private var firstUnit: Int
  private var isFirst = true
  /// Segments that are out.
  private var outCount = 0

  /// The segment that follows the one whose units are being taken.
  private var upcoming: DecodedSegment?
  private var outcomes: [Bool] = []
  private var samples: [Float] = []
  /// The first outcome that has not been taken.
  private var place = 0
  /// Units of a segment that the reader has to decode itself.
  private var refusedCount = 0
  /// Segments in a row that it had to decode itself.
  private var refusalCount = 0
  /// A stream with so many of them is not divided any more: it would be decoded twice.
  private static let refusalLimit = 3
  /// Whether the unit last taken was made elsewhere.
  private(set) var hasSamples = false
  /// Memory for the samples of a segment.
  private var spare: [Float] = []

  /// Reads ahead of a decoder, whose next unit has this index if none is missing.
  init(_ seed: AACDecoder, nextIndex: Int, segmentLength: Int, unitLimit: Int) {
    self.seed = Boxed(wrappedValue: seed)
    self.nextIndex = nextIndex
    self.segmentLength = max(1, segmentLength)
    self.unitLimit = unitLimit
    firstUnit = seed.unitIndex
  }

  /// Reads nothing more ahead.
  mutating func close() { isOpen = false }

  /// Takes what the file has next, but for requests.
  mutating func append(_ step: CodedFileReader.Step) {
    steps.append(step)
    switch step {
    case .unit(let unit):
      let missing = unit.index - nextIndex
      // Of a gap this long nobody knows whether all of it is wanted.
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

  /// The next segment, once all its units are there.
  mutating func nextSegment() -> SegmentDecoder? {
    let count = units.count - leadCount
    guard count >= segmentLength || !isOpen && count > 0 else { return nil }
    var storage: [Float] = []
    swap(&storage, &spare)
    let segment = SegmentDecoder(
      seed.wrappedValue, from: isFirst ? nil : firstUnit, units, leadCount: leadCount,
      storage: storage)
    let gone = max(0, units.count - Self.leadLength)
    units.removeFirst(gone)
    firstUnit += gone
    leadCount = units.count
    isFirst = false
    outCount += 1
    return segment
  }

  /// What the reader gets next.
  mutating func takeStep() -> CodedFileReader.Step? {
    guard stepPlace < steps.count else { return nil }
    let step = steps[stepPlace]
    stepPlace += 1
    if 2 * stepPlace >= steps.count {
      steps.removeFirst(stepPlace)
      stepPlace = 0
    }
    return step
  }

  /// Whether the next unit may be one of a segment that is out.
  var awaitsSegment: Bool {
    outCount > 0 && upcoming == nil && place == outcomes.count && refusedCount == 0
  }

  /// Takes the segment that has been out longest.
  mutating func take(_ segment: DecodedSegment) {
    outCount -= 1
    upcoming = segment
  }

  /// The segment that comes next, once all units of the one before are taken.
  mutating func takeUpcoming() -> DecodedSegment? {
    guard place == outcomes.count, refusedCount == 0, let segment = upcoming else { return nil }
    upcoming = nil
    return segment
  }

  /// Gives the results of a segment.
  mutating func begin(_ segment: DecodedSegment) {
    spare = samples
    samples = segment.samples
    outcomes = segment.outcomes
    place = 0
    refusalCount = 0
  }

  /// Gives none of a segment.
  mutating func refuse(_ segment: DecodedSegment) {
    refusedCount = segment.unitCount
    refusalCount += 1
    if refusalCount == Self.refusalLimit { close() }
  }

  /// Whether the next unit was decoded, not replaced; nil if the reader has to decode it itself.
  mutating func takeOutcome() -> Bool? {
    hasSamples = place < outcomes.count
    if hasSamples {
      place += 1
      return outcomes[place - 1]
    }
    refusedCount = max(0, refusedCount - 1)
    return nil
  }

  /// Appends the samples of the unit last taken; false if it was not made elsewhere.
  ///
  /// It changes nothing, but an option of another value would be copied in order to be asked.
  mutating func put(into target: inout [Float]) -> Bool {
    guard hasSamples else { return false }
    let count = samples.count / outcomes.count
    target.append(contentsOf: samples[(place - 1) * count..<place * count])
    return true
  }
}
