import AacornSignal

/// The result of a ``SegmentDecoder``.
package struct DecodedSegment: Sendable {
  private let first: Boxed<AACDecoder>
  private let last: Boxed<AACDecoder>
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
    first = Boxed(wrappedValue: before)
    last = Boxed(wrappedValue: after)
    self.samples = samples
    self.outcomes = outcomes
    self.unitCount = unitCount
    self.isUniform = isUniform
  }

  /// The decoder's state before the first unit.
  package var initialDecoder: AACDecoder { first.wrappedValue }
  /// The decoder's state after the last unit.
  package var finalDecoder: AACDecoder { last.wrappedValue }
}
