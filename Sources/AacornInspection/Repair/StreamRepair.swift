import AacornCodec
import AacornContainers
import AacornSoundFiles

/// Keeps the intact frames of an ADTS, LATM or ADIF stream, and the tags between them.
///
/// In a transport stream, the packets are scattered parts of an ADTS or LATM stream, which becomes
/// the new file.
enum StreamRepair {
  private static let pieceLength = 1 << 16
  /// The maximum number of passes: removing a part joins its neighbors, which must be checked
  /// again.
  private static let roundLimit = 16

  static func outcome<Failure: Error>(
    byteCount: UInt64, read: @escaping (UInt64, Int) throws(Failure) -> [UInt8]
  ) throws(Failure) -> RepairOutcome {
    let report = try FileInspection.report(byteCount: byteCount, read: read)
    if report.frameCount == report.unreadableFrameCount {
      for case .noStream(let error) in report.faults.first.map(\.kind) {
        return .irreparable(.noStream(error))
      }
      return .irreparable(.noFrames)
    }
    let hasTornTag = report.faults.first.contains { $0.kind == .damage(.truncatedTag) }
    if report.faults.errorCount == 0 && !hasTornTag { return .intact }

    var plan = RepairPlan(
      container: report.container, stream: nil, frameCount: 0, newFile: RepairedFile(parts: []))
    plan.isFromTransportStream = report.container == .transportStream
    let content =
      plan.isFromTransportStream ? try packets(&plan.losses, read: read) : [0..<byteCount]
    var kept = content
    for _ in 0..<roundLimit {
      let view = RepairedView(RepairedFile(parts: kept), read: read)
      let parts = try Self.parts(
        of: view, isADIF: report.container == .adif, joints: joints(kept, in: content))
      plan.frameCount = parts.frameCount
      plan.stream = parts.stream
      plan.tornJointCount = parts.tornJointCount
      if parts.losses.isEmpty { break }
      for loss in parts.losses {
        let ranges = view.fileRanges(loss.range)
        if plan.isFromTransportStream, let start = ranges.first?.lowerBound {
          // The parts of one loss in several packets are one place.
          plan.losses.add(loss.reason, start..<start + UInt64(loss.range.count))
        } else {
          for range in ranges { plan.losses.add(loss.reason, range) }
        }
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
    plan.container = result.container
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
    // Only tags may precede an ADIF header, while the scanner of frames skips anything.
    var source = FrameSource(isADIF ? nil : .frames)
    var position: UInt64 = 0
    while true {
      let bytes = try view.bytes(at: position, count: pieceLength)
      position += UInt64(bytes.count)
      source.append(bytes)
      if bytes.isEmpty { source.finish() }
      while let event = source.next() { parts.process(event) }
      if bytes.isEmpty { break }
    }
    if isADIF { parts.finishBlocks(at: position) }
    return parts
  }

  /// Returns the parts of a transport stream that contain the AAC stream, and adds the parts that
  /// are not packets to `losses`.
  private static func packets<Failure: Error>(
    _ losses: inout RepairLog, read: (UInt64, Int) throws(Failure) -> [UInt8]
  ) throws(Failure) -> [Range<UInt64>] {
    var reader = TransportStreamReader()
    var framing: FramingProbe.Framing?
    var isOther = false
    var parts: [Range<UInt64>] = []
    var position: UInt64 = 0
    while true {
      let bytes = try read(position, pieceLength)
      position += UInt64(bytes.count)
      reader.append(bytes)
      if bytes.isEmpty { reader.finish() }
      while let event = reader.next() {
        switch event {
        case .begins(let new):
          // Frames with other headers would make a file that no program reads.
          isOther = framing.map { $0 != new } ?? false
          framing = framing ?? new
        case .bytes(let bytes, let offset):
          let range = UInt64(offset)..<UInt64(offset) + UInt64(bytes.count)
          if isOther { losses.add(.garbage, range) } else { parts.append(joining: range) }
        case .damage(let damage):
          losses.add(
            .garbage, UInt64(damage.offset)..<UInt64(damage.offset) + UInt64(damage.length))
        case .failed: break
        }
      }
      if bytes.isEmpty { return parts }
    }
  }

  /// Returns the positions at which parts of the content are joined because others are lost.
  private static func joints(
    _ kept: [Range<UInt64>], in content: [Range<UInt64>]
  ) -> [UInt64] {
    var joints: [UInt64] = []
    var end: UInt64 = 0
    var index = 0
    for (range, next) in zip(kept, kept.dropFirst()) {
      end += range.upperBound - range.lowerBound
      while index < content.count, content[index].upperBound < range.upperBound { index += 1 }
      // The packets of a transport stream are apart, but nothing is lost between them.
      let isComplete =
        index + 1 < content.count && content[index].upperBound == range.upperBound
        && content[index + 1].lowerBound == next.lowerBound
      if !isComplete { joints.append(end) }
    }
    return joints
  }
}
