import AacornSignal

/// Encodes one segment of a stream independently of all others.
///
/// A `SegmentSplitter` creates it. It is a value that can be moved to another thread.
public struct SegmentEncoder: Sendable {
  /// An encoder with only the samples of the segment's units, so it stops after the last unit.
  @Boxed private var encoder: AACEncoder
  private let frames: Range<Int>

  /// Creates an encoder of these frames.
  ///
  /// `encoder` begins earlier, by the number of frames that its stages look back.
  init(_ encoder: AACEncoder, frames: Range<Int>) {
    self.encoder = encoder
    self.frames = frames
  }

  /// The number of samples per channel that the remaining frames need and that have not arrived.
  var neededSampleCount: Int {
    (frames.upperBound - 1 - encoder.frameIndex) * encoder.timing.samplesPerUnit
      + encoder.neededSamples - encoder.readSource { $0.available }
  }

  /// Appends interleaved samples to a segment that was created without samples.
  package mutating func encode<Sample: PCMSample>(interleaved samples: Span<Sample>) {
    encoder.encode(interleaved: samples)
  }

  /// Replaces the samples after the end of the stream by silence.
  package mutating func finish() {
    let count = neededSampleCount
    encoder.changeSource { $0.fill(upTo: $0.available + count) }
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
    while encoder.frameIndex < frames.lowerBound {
      guard encoder.hasFrame else { return false }
      encoder.analyzeWithoutUnit()
    }
    return encoder.nextAccessUnit(into: &unit)
  }
}
