import AacornCodec
import AacornContainers
import AacornSignal

/// Keeps the intact frames of an ADTS, LATM or ADIF stream, and the tags between them.
enum StreamRepair {
  private static let pieceLength = 1 << 16
  /// The maximum number of passes: removing a part joins its neighbors, which must be checked
  /// again.
  private static let roundLimit = 16

  static func outcome<Failure: Error>(
    byteCount: UInt64, read: @escaping (UInt64, Int) throws(Failure) -> [UInt8]
  ) throws(Failure) -> RepairOutcome {
    let report = try FileInspection.report(byteCount: byteCount, read: read)
    if report.frameCount == report.unreadableFrameCount { return .irreparable(.noFrames) }
    let hasTornTag = report.faults.first.contains { $0.kind == .damage(.truncatedTag) }
    if report.faults.errorCount == 0 && !hasTornTag { return .intact }

    var plan = RepairPlan(
      container: report.container, stream: nil, frameCount: 0, newFile: RepairedFile(parts: []))
    var kept = [0..<byteCount]
    for _ in 0..<roundLimit {
      let view = RepairedView(RepairedFile(parts: kept), read: read)
      let parts = try Self.parts(
        of: view, isADIF: report.container == .adif, joints: joints(kept))
      plan.frameCount = parts.frameCount
      plan.stream = parts.stream
      plan.tornJointCount = parts.tornJointCount
      if parts.losses.isEmpty { break }
      for loss in parts.losses {
        for range in view.fileRanges(loss.range) { plan.losses.add(loss.reason, range) }
      }
      kept = parts.keptRanges.flatMap(view.fileRanges).reduce(into: []) { $0.append(joining: $1) }
    }
    plan.newFile = RepairedFile(parts: kept)
    let view = RepairedView(plan.newFile, read: read)
    let result = try FileInspection.report(byteCount: view.byteCount, read: view.bytes)
    if result.faults.errorCount > 0 {
      // If no frames are left, the original faults are more informative.
      return .irreparable(RepairError(result.frameCount == 0 ? report.faults : result.faults))
    }
    if let stream = plan.stream { plan.stream = result.completed(stream) }
    // If only the end is damaged, a truncation is enough.
    if kept.count == 1, kept[0].lowerBound == 0 {
      plan.inPlace = InPlaceRepair(truncation: kept[0].upperBound)
    }
    return .repairable(plan)
  }

  private static func parts<Failure: Error>(
    of view: RepairedView<Failure>, isADIF: Bool, joints: [UInt64]
  ) throws(Failure) -> StreamParts {
    var parts = StreamParts(joints: joints)
    var blocks = StreamInspector()
    var probe = FramingProbe()
    var position: UInt64 = 0
    while true {
      let bytes = try view.bytes(at: position, count: pieceLength)
      position += UInt64(bytes.count)
      if isADIF {
        blocks.append(bytes)
        if bytes.isEmpty { blocks.finish() }
        while let row = blocks.next() { parts.process(row) }
      } else {
        probe.append(bytes)
        if bytes.isEmpty { probe.finish() }
        while let event = probe.next() { parts.process(event, endingAt: UInt64(probe.position)) }
      }
      if bytes.isEmpty { break }
    }
    // After a damaged block, the start of the next block without lengths is unknown.
    if isADIF { parts.finish(blocks.report.configuration, at: position) }
    return parts
  }

  /// Returns the positions at which the parts of a file are joined.
  private static func joints(_ kept: [Range<UInt64>]) -> [UInt64] {
    var joints: [UInt64] = []
    var end: UInt64 = 0
    for range in kept.dropLast() {
      end += range.upperBound - range.lowerBound
      joints.append(end)
    }
    return joints
  }
}
