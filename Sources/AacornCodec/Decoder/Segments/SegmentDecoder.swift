import AacornSignal

/// Decodes some units of a stream apart from those before them.
///
/// It begins a few units earlier, whose sound is thrown away. Whether that was enough is not assumed
/// but compared: the decoder of the units before must be in step with ``DecodedSegment/before``. So
/// the result is that of decoding in a row, whatever is damaged.
package struct SegmentDecoder: Sendable {
  /// A decoder of the stream as it is before the lead, or somewhere else.
  private let decoder: Boxed<AACDecoder>
  /// The number of the first unit of the lead; nil if the decoder has had all units before.
  private let start: Int?
  private let leadCount: Int
  /// The lead, then the segment; nil where a unit is missing.
  private let units: [[UInt8]?]
  private var samples: [Float]

  /// A decoder of the units behind a lead of so many.
  ///
  /// - Parameters:
  ///   - decoder: A decoder of the stream, which has had at least one unit.
  ///   - start: The number of the first of `units`, where it begins without all before; nil if it
  ///     has had all of those.
  ///   - units: The lead, then the segment; nil for a unit that is missing.
  ///   - leadCount: How many of them are the lead.
  ///   - storage: An array whose memory takes the samples.
  package init(
    _ decoder: AACDecoder, from start: Int?, _ units: [[UInt8]?], leadCount: Int, storage: [Float]
  ) {
    self.decoder = Boxed(wrappedValue: decoder)
    self.start = start
    self.units = units
    self.leadCount = leadCount
    samples = storage
  }

  /// Decodes the segment; to be called once.
  package mutating func decode() -> DecodedSegment {
    var decoder = self.decoder.wrappedValue
    if let start { decoder.reset(atUnit: start) }
    for unit in units[..<leadCount] { _ = Self.decode(unit, with: &decoder) }
    let before = decoder
    let count = units.count - leadCount
    var outcomes: [Bool] = []
    outcomes.reserveCapacity(count)
    samples.removeAll(keepingCapacity: true)
    samples.reserveCapacity(count * before.channelCount * before.sampleCount)
    var isUniform = before.forgetsSoon && before.channelCount > 0
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
