import AACCodec
import AACContainers
import AACFormat

/// Keeps the whole frames of an ADTS stream, and the tags between them.
enum StreamRepair {
  private static let pieceLength = 1 << 16

  static func outcome<Failure: Error>(
    byteCount: UInt64, read: (UInt64, Int) throws(Failure) -> [UInt8]
  ) throws(Failure) -> RepairOutcome {
    var reader = ADTSReader()
    var parts = StreamParts()
    var position: UInt64 = 0
    var isFinished = false
    while true {
      while let event = reader.next() { parts.take(event) }
      if isFinished { break }
      let bytes = try read(
        position, Int(min(UInt64(pieceLength), byteCount - min(position, byteCount))))
      position += UInt64(bytes.count)
      reader.append(bytes)
      if bytes.isEmpty || position >= byteCount {
        reader.finish()
        isFinished = true
      }
    }
    guard parts.frameCount > 0 else { return .irreparable(.noFrames) }
    if parts.losses.count == 0 { return .intact }
    var plan = RepairPlan(
      container: .adts, stream: parts.stream, frameCount: parts.frameCount,
      newFile: RepairedFile(parts: parts.kept))
    plan.losses = parts.losses
    // If only the end is torn, cutting it off is enough.
    if parts.kept.count == 1, parts.kept[0].lowerBound == 0 {
      plan.inPlace = InPlaceRepair(truncation: parts.kept[0].upperBound)
    }
    return .repairable(plan)
  }
}

/// What is kept of a stream, and what is not.
private struct StreamParts {
  var kept: [Range<UInt64>] = []
  var losses = RepairLog()
  var frameCount = 0
  var stream: AudioSpecificConfig?
  private var parser: AccessUnitParser?

  mutating func take(_ event: ADTSReader.Event) {
    switch event {
    case .frame(let frame):
      let range = Self.range(frame.offset, frame.header.frameLength)
      if isReadable(frame) {
        if stream == nil { stream = frame.header.audioSpecificConfig }
        frameCount += frame.header.blockCount
        keep(range)
      } else {
        losses.add(.unreadableFrame, range)
      }
    case .tag(let offset, let length):
      keep(Self.range(offset, length))
    case .damage(let damage):
      let reason: RepairLog.Reason =
        switch damage.kind {
        case .truncatedFrame: .tornFrame
        case .truncatedTag: .tornTag
        case .invalidBlockPositions: .unreadableFrame
        default: .garbage
        }
      losses.add(reason, Self.range(damage.offset, damage.length))
    }
  }

  private static func range(_ offset: Int, _ length: Int) -> Range<UInt64> {
    UInt64(offset)..<UInt64(offset) + UInt64(length)
  }

  private mutating func keep(_ range: Range<UInt64>) {
    if let last = kept.last, last.upperBound == range.lowerBound {
      kept[kept.count - 1] = last.lowerBound..<range.upperBound
    } else {
      kept.append(range)
    }
  }

  private mutating func isReadable(_ frame: ADTSFrame) -> Bool {
    let configuration = frame.header.audioSpecificConfig
    if parser?.configuration != configuration { parser = AccessUnitParser(configuration) }
    var start = 0
    for index in 0..<frame.header.blockCount {
      // Blocks without positions follow each other.
      let isSeparate = frame.blocks.count == frame.header.blockCount
      let range = isSeparate ? frame.blocks[index] : start..<frame.payload.count
      do throws(ParseError) {
        try parser?.parse(frame.payload, range: range)
      } catch {
        return false
      }
      start = min(range.lowerBound + (parser?.block.byteCount ?? 0), frame.payload.count)
    }
    return true
  }
}
