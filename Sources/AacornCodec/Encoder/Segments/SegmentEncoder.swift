import AacornSignal

/// Encodes one segment of a sound, apart from all others.
///
/// A `SegmentSplitter` makes it, with the samples that it needs; it is a value that can be moved to
/// another thread.
public struct SegmentEncoder: Sendable {
  /// It has the samples of the segment's units and no more, so it stops by itself.
  @Boxed private var encoder: AACEncoder
  private let firstFrame: Int

  /// An encoder of the units from `firstFrame` on.
  ///
  /// `encoder` begins before that by as many frames as its stages look back.
  init(_ encoder: AACEncoder, firstFrame: Int) {
    self.encoder = encoder
    self.firstFrame = firstFrame
  }

  /// The next unit, or nil after the last one of the segment.
  public mutating func nextAccessUnit() -> AccessUnit? {
    var unit = AccessUnit()
    return nextAccessUnit(into: &unit) ? unit : nil
  }

  /// Stores the next unit in `unit`, reusing its storage; false after the last one of the segment.
  public mutating func nextAccessUnit(into unit: inout AccessUnit) -> Bool {
    while encoder.frameIndex < firstFrame { encoder.rehearseFrame() }
    return encoder.nextAccessUnit(into: &unit)
  }
}
