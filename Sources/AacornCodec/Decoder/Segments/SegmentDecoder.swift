package import AacornSignal

/// Decodes units of a stream independently of the units before them.
///
/// It first decodes a few earlier units, the lead, and discards their audio. A comparison verifies
/// that the lead was long enough: the decoder of the previous units must be in step with
/// ``DecodedSegment/initialDecoder``. So the result is identical to continuous decoding, whatever is
/// damaged.
package struct SegmentDecoder: Sendable {
  /// A decoder of the stream, in its state before the lead or at any other position.
  @Boxed private var decoder: AACDecoder
  /// The index of the first unit of the lead; nil if the decoder has processed all earlier units.
  private let start: Int?
  private let leadCount: Int
  /// The lead, then the segment; nil for a missing unit.
  private let units: [[UInt8]?]
  private var samples: [Float]

  /// Creates a decoder of a segment, which follows a lead of `leadCount` units.
  ///
  /// - Parameters:
  ///   - decoder: A decoder of the stream that has processed at least one unit.
  ///   - start: The index of the first of `units` if the decoder must be reset to it; nil if it has
  ///     processed all earlier units.
  ///   - units: The lead, then the segment; nil for a missing unit.
  ///   - leadCount: The number of units in the lead.
  ///   - storage: An array whose memory is reused for the samples.
  package init(
    _ decoder: AACDecoder, from start: Int?, _ units: [[UInt8]?], leadCount: Int, storage: [Float]
  ) {
    self.decoder = decoder
    self.start = start
    self.units = units
    self.leadCount = leadCount
    samples = storage
  }

  /// Decodes the segment; call it only once.
  package mutating func decode() -> DecodedSegment {
    var decoder = self.decoder
    if let start { decoder.reset(atUnit: start) }
    for unit in units[..<leadCount] { _ = Self.decode(unit, with: &decoder) }
    let before = decoder
    let count = units.count - leadCount
    var outcomes: [Bool] = []
    outcomes.reserveCapacity(count)
    samples.removeAll(keepingCapacity: true)
    samples.reserveCapacity(count * before.channelCount * before.sampleCount)
    var isUniform = before.hasShortMemory && before.channelCount > 0
    while isUniform && outcomes.count < count {
      outcomes.append(Self.decode(units[leadCount + outcomes.count], with: &decoder))
      isUniform =
        decoder.channelCount == before.channelCount && decoder.sampleCount == before.sampleCount
        && decoder.channelLayout == before.channelLayout
      if isUniform { decoder.append(to: &samples) }
    }
    var made: [Float] = []
    swap(&made, &samples)
    return DecodedSegment(
      before: before, after: decoder, samples: made, outcomes: outcomes, unitCount: count,
      isUniform: isUniform)
  }

  private static func decode(_ unit: [UInt8]?, with decoder: inout AACDecoder) -> Bool {
    if let unit { return decoder.decode(unit) == .decoded }
    decoder.conceal()
    return false
  }
}

/// The result of a ``SegmentDecoder``.
package struct DecodedSegment: Sendable {
  /// The decoder's state before the first unit.
  @Boxed package private(set) var initialDecoder: AACDecoder
  /// The decoder's state after the last unit.
  @Boxed package private(set) var finalDecoder: AACDecoder
  /// The units' samples, frame by frame, full scale ±1.
  package let samples: [Float]
  /// Whether each unit was decoded rather than replaced.
  package let outcomes: [Bool]
  /// The number of units in the segment.
  package let unitCount: Int
  /// Whether every unit could be decoded separately, with the same channels and number of samples.
  ///
  /// If false, the other properties are meaningless.
  package let isUniform: Bool

  init(
    before: AACDecoder, after: AACDecoder, samples: [Float], outcomes: [Bool], unitCount: Int,
    isUniform: Bool
  ) {
    initialDecoder = before
    finalDecoder = after
    self.samples = samples
    self.outcomes = outcomes
    self.unitCount = unitCount
    self.isUniform = isUniform
  }
}
