import AacornSignal

/// Encodes one segment of a stream independently of all others.
///
/// A `SegmentSplitter` creates it with the samples that it needs. It is a value that can be moved
/// to another thread.
public struct SegmentEncoder: Sendable {
  /// An encoder with only the samples of the segment's units, so it stops after the last unit.
  @Boxed private var encoder: AACEncoder
  private let firstFrame: Int

  /// Creates an encoder of the units from `firstFrame` on.
  ///
  /// `encoder` begins earlier, by the number of frames that its stages look back.
  init(_ encoder: AACEncoder, firstFrame: Int) {
    self.encoder = encoder
    self.firstFrame = firstFrame
  }

  /// Returns the next unit, or nil after the last one of the segment.
  public mutating func nextAccessUnit() -> AccessUnit? {
    var unit = AccessUnit()
    return nextAccessUnit(into: &unit) ? unit : nil
  }

  /// Stores the next unit in `unit`, reusing its storage.
  ///
  /// Returns false after the segment's last unit.
  public mutating func nextAccessUnit(into unit: inout AccessUnit) -> Bool {
    while encoder.frameIndex < firstFrame { encoder.analyzeWithoutUnit() }
    return encoder.nextAccessUnit(into: &unit)
  }
}
