import AacornStreaming
import AacornSystem

// What was dropped from the queue of an output, because its server was away, the network too slow or
// the server unwilling, is told in the same way for all of them, and changes no exit code.

extension OutputStatus {
  /// Whether it drops whole segments, as uploads of HLS do, and no frames.
  var dropsSegments: Bool { droppedSegmentCount != nil }

  /// What it drops, in the singular.
  var droppedUnit: String { dropsSegments ? "segment" : "frame" }

  /// How many of these it has dropped.
  var droppedCount: Int { droppedSegmentCount ?? droppedFrameCount }

  /// “990 of 1000 frames”; nil if it has dropped nothing.
  var droppedShare: String? {
    if droppedCount == 0 { return nil }
    let sentCount = dropsSegments ? segmentCount ?? 0 : frameCount
    return "\(droppedCount) of \(QuantityText.count(droppedCount + sentCount, droppedUnit))"
  }
}
