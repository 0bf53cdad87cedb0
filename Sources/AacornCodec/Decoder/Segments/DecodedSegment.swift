import AacornSignal

/// What a ``SegmentDecoder`` has made of its units.
package struct DecodedSegment: Sendable {
  private let first: Boxed<AACDecoder>
  private let last: Boxed<AACDecoder>
  /// The units' samples, frame by frame, full scale ±1.
  package let samples: [Float]
  /// Whether each unit was decoded, not replaced.
  package let outcomes: [Bool]
  /// How many units the segment has.
  package let unitCount: Int
  /// Whether all units could be taken apart from those before, and have given as many samples of the
  /// same channels; if not, the rest is worthless.
  package let isUniform: Bool

  init(
    before: AACDecoder, after: AACDecoder, samples: [Float], outcomes: [Bool], unitCount: Int,
    isUniform: Bool
  ) {
    first = Boxed(wrappedValue: before)
    last = Boxed(wrappedValue: after)
    self.samples = samples
    self.outcomes = outcomes
    self.unitCount = unitCount
    self.isUniform = isUniform
  }

  /// The decoder as it was before the first of the units.
  package var before: AACDecoder { first.wrappedValue }
  /// The decoder as it is behind the last of the units.
  package var after: AACDecoder { last.wrappedValue }
}
