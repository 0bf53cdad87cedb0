import AacornCodec
import AacornContainers
import AacornSoundFiles

/// The kept and the dropped parts of a stream.
struct StreamParts {
  /// A dropped part.
  struct Loss {
    var reason: RepairLog.Reason
    var range: Range<UInt64>
  }

  /// Intact frames and tags.
  private(set) var keptRanges: [Range<UInt64>] = []
  private(set) var losses: [Loss] = []
  private(set) var frameCount = 0
  /// The configuration of the first frame.
  private(set) var stream: AudioSpecificConfig?
  private var reader: FrameReader?
  /// The parser of band replication, used if the parts have joints.
  private var probe: SBRProbe?
  /// The channel layout in the stream itself.
  private var program: ProgramConfig?
  /// The end of the last block of a stream without lengths.
  private var blocksEnd: UInt64 = 0
  /// The positions at which parts of the damaged file are already joined, in order.
  private let joints: [UInt64]
  private var nextJoint = 0
  /// Whether no band replication has followed the last joint.
  private var isAfterJoint = false
  /// The number of joints after which band replication refers to a missing frame.
  private(set) var tornJointCount = 0

  init(joints: [UInt64]) { self.joints = joints }

  mutating func process(_ event: FrameSource.Event) {
    let range = event.offset..<event.offset + UInt64(event.length)
    switch event.content {
    case .adts(let frame):
      passJoints(upTo: event.offset)
      let fault = fault(of: frame)
      process(range, fault: fault, frame.header.audioSpecificConfig)
      if fault == nil { frameCount += frame.header.blockCount }
    case .latm(let frame):
      passJoints(upTo: event.offset)
      process(range, block: frame.payload, frame.configuration)
    case .block(let bytes, let configuration):
      blocksEnd = range.upperBound
      process(range, block: bytes, configuration)
    case .tag, .header: keepRange(range)
    case .damage(let kind):
      let reason: RepairLog.Reason =
        switch kind {
        case .truncatedFrame: .tornFrame
        case .truncatedTag: .tornTag
        case .invalidBlockPositions, .invalidPayload, .missingConfiguration: .unreadableFrame
        default: .garbage
        }
      recordLoss(reason, range)
    case .unreadableBlock, .failed: break
    }
  }

  /// Drops the data of a stream without lengths from the last block to the end of the stream: the
  /// start of another block after a damaged one is unknown.
  mutating func finishBlocks(at end: UInt64) {
    recordLoss(.unreadableFrame, blocksEnd..<max(blocksEnd, end))
  }

  /// Processes a frame with one block.
  private mutating func process(
    _ range: Range<UInt64>, block: [UInt8], _ configuration: AudioSpecificConfig
  ) {
    let isReadable = read(0..<block.count, of: block, configuration) != nil
    process(range, fault: isReadable ? nil : .unreadableFrame, configuration)
    if isReadable { frameCount += 1 }
  }

  private mutating func passJoints(upTo offset: UInt64) {
    while nextJoint < joints.count, joints[nextJoint] <= offset {
      nextJoint += 1
      isAfterJoint = true
    }
  }

  private mutating func process(
    _ range: Range<UInt64>, fault: RepairLog.Reason?, _ configuration: AudioSpecificConfig
  ) {
    // This method is called for each payload of a LATM frame with the same `range`. One unreadable
    // payload makes the frame unreadable.
    if let last = losses.last, last.range == range { return }
    if let fault {
      if let last = keptRanges.last, last.upperBound == range.upperBound, !range.isEmpty {
        keptRanges.removeLast()
        if last.lowerBound < range.lowerBound {
          keptRanges.append(last.lowerBound..<range.lowerBound)
        }
      }
      return recordLoss(fault, range)
    }
    if stream == nil { stream = configuration }
    if let last = keptRanges.last, last.upperBound == range.upperBound { return }
    keepRange(range)
  }

  private mutating func keepRange(_ range: Range<UInt64>) {
    if !range.isEmpty { keptRanges.append(joining: range) }
  }

  private mutating func recordLoss(_ reason: RepairLog.Reason, _ range: Range<UInt64>) {
    if !range.isEmpty { losses.append(Loss(reason: reason, range: range)) }
  }

  private mutating func fault(of frame: ADTSFrame) -> RepairLog.Reason? {
    if frame.headerChecksumMatches == false { return .wrongChecksum }
    var fault: RepairLog.Reason?
    _ = frame.forEachBlock { index, range in
      if fault != nil { return nil }
      guard let used = read(range, of: frame.payload, frame.header.audioSpecificConfig) else {
        fault = .unreadableFrame
        return nil
      }
      let regions = reader?.block.protectedRegions ?? []
      if frame.checksumMatches(regions: regions, block: index) == false { fault = .wrongChecksum }
      return used
    }
    return fault
  }

  /// Returns the size of a block, or nil if it cannot be read to its end or has no audio.
  private mutating func read(
    _ range: Range<Int>, of payload: [UInt8], _ configuration: AudioSpecificConfig
  ) -> Int? {
    if reader?.configuration != configuration { reader = FrameReader(configuration) }
    guard let length = reader?.length(ofBlockIn: payload, range: range), let block = reader?.block
    else { return nil }
    examineJoint(block, in: payload, range: range, configuration)
    program = block.programConfig ?? program
    let expected =
      configuration.channelCount > 0 ? configuration.channelCount : program?.channelCount
    return block.isSilent(where: expected ?? 0) ? nil : length
  }

  /// Checks whether the first band replication after a joint refers to a frame before the joint.
  private mutating func examineJoint(
    _ block: ParsedBlock, in payload: [UInt8], range: Range<Int>,
    _ configuration: AudioSpecificConfig
  ) {
    if joints.isEmpty { return }
    if probe?.configuration != configuration { probe = SBRProbe(configuration) }
    probe?.read(block, in: payload, range: range)
    guard isAfterJoint, let payloads = probe?.payloads,
      payloads.contains(where: { $0.state == .read })
    else { return }
    isAfterJoint = false
    if payloads.contains(where: { $0.refersBack }) { tornJointCount += 1 }
  }
}
