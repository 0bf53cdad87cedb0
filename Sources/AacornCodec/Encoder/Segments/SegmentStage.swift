/// A stage of the encoder that has storage of its own from frame to frame.
///
/// Every `AACEncoder.segmentFrameCount` frames a segment begins, and its bits must not depend on
/// where the sound began. This is what every stage promises for that:
///
/// What it makes of frame n, counted from the `begin(atFrame: f)` before it, depends on nothing but
/// n, its settings and what it was given for the frames from f − `lookBack` on.
///
/// A stage whose memory is longer than a few frames therefore clears it in `begin`; one that looks
/// back a few frames keeps it, and an encoder of one segment gives it these frames first.
protocol SegmentStage: Sendable {
  /// Frames before a segment that the stage still remembers in it.
  static var lookBack: Int { get }

  /// Begins a segment whose first frame is `index`.
  mutating func begin(atFrame index: Int)
}
