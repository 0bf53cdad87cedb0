/// A stage of the encoder that keeps state between frames.
///
/// A segment begins every `AACEncoder.segmentFrameCount` frames, and its bits must not depend on
/// where the stream began. Every stage therefore guarantees:
///
/// Its output for frame n, counted from the preceding `begin(atFrame: f)`, depends only on n, its
/// settings and its input for the frames from f − `lookBack` on.
///
/// A stage whose state covers more than a few frames therefore resets it in `begin`. A stage that
/// looks back a few frames keeps it, and an encoder of one segment passes it these frames first.
protocol SegmentStage: Sendable {
  /// The number of frames before a segment that affect the stage's output in the segment.
  static var lookBack: Int { get }

  /// Begins a segment whose first frame is `index`.
  mutating func begin(atFrame index: Int)
}
