import AacornStreaming
import AacornSystem

// An output drops frames or segments while its server is unavailable or rejects them, or while the
// network is too slow. All outputs report the drops in the same form, without effect on the exit
// code.

extension OutputStatus {
  /// Whether the output drops complete HLS segments, and not frames.
  var dropsSegments: Bool { droppedSegmentCount != nil }

  /// The name of the dropped unit, in the singular.
  var droppedUnit: String { dropsSegments ? "segment" : "frame" }

  /// The number of dropped frames or segments.
  var droppedCount: Int { droppedSegmentCount ?? droppedFrameCount }

  /// The dropped share, such as “990 of 1000 frames”; nil if nothing was dropped.
  var droppedShare: String? {
    if droppedCount == 0 { return nil }
    let sentCount = dropsSegments ? segmentCount ?? 0 : frameCount
    return "\(droppedCount) of \(QuantityText.count(droppedCount + sentCount, droppedUnit))"
  }
}
