import AacornCodec

/// Builds a report from the frames of a stream, independent of the container.
struct FrameAnalyzer: Sendable {
  /// The state of the bit reservoir after a frame, according to the container.
  enum Fullness {
    case unspecified
    case variableRate
    /// In units of 32 bits for each channel except the LFE.
    case units(Int)
  }

  /// A raw_data_block and its location.
  struct Unit {
    var configuration: AudioSpecificConfig
    var bytes: [UInt8]
    /// The range of the block in `bytes`, possibly followed by other blocks.
    var range: Range<Int>
    /// The offset of the first byte of the container's frame.
    var offset: Int64
    /// The length of the container's frame in bytes.
    var length: Int64
    var isMPEG2 = false
    var fullness = Fullness.unspecified
    /// Whether `range` holds only this block.
    var isOnlyBlock = true

    /// Creates a unit of all `bytes`, which are the container's frame.
    init(_ configuration: AudioSpecificConfig, _ bytes: [UInt8], offset: Int64) {
      self.configuration = configuration
      self.bytes = bytes
      range = 0..<bytes.count
      self.offset = offset
      length = Int64(bytes.count)
    }
  }

  private(set) var report = StreamReport()
  /// The number of faults since the last row.
  private var newFaultCount = 0
  private var reader: FrameReader?
  /// The object type that was reported as unsupported, so that it is reported only once.
  private var reportedUnsupportedType: AudioObjectType?
  /// The channel count of the last program config element in the stream; 0 without one.
  private var programChannelCount = 0
  /// The window sequence of the previous frame in each channel.
  private var sequences: [WindowSequence] = []
  private var meter = BitrateMeter()
  private var envelope = BufferEnvelope()
  /// The parser of band replication.
  private var probe: SBRProbe?
  private let measuresLevels: Bool
  private var sound: SoundEnvelope?

  init(measuresLevels: Bool) {
    self.measuresLevels = measuresLevels
  }

  /// The content of the last unit.
  var block: ParsedBlock { reader?.block ?? ParsedBlock() }

  mutating func add(_ kind: StreamFault.Kind, offset: Int64, length: Int64) {
    newFaultCount += 1
    report.faults.add(
      StreamFault(kind: kind, offset: offset, length: length, frame: report.frameCount))
  }

  mutating func add(_ kind: StreamFault.Kind, _ unit: Unit) {
    add(kind, offset: unit.offset, length: unit.length)
  }

  mutating func addTag(offset: Int64, length: Int64) {
    report.foreignTagCount += 1
    if report.foreignTags.count < StreamReport.foreignTagLimit {
      report.foreignTags.append(StreamReport.ForeignTag(offset: offset, length: length))
    }
  }

  /// Parses and checks a block; returns its size in bytes, or nil if it could not be read to its
  /// end.
  ///
  /// Call `countRow` before the next call of `read`, which replaces `block`.
  mutating func read(_ unit: Unit) -> Int? {
    if report.configuration == nil {
      report.configuration = unit.configuration
      report.isMPEG2 = unit.isMPEG2
      report.isExtensionSignaled = unit.configuration.extensionSampleRate != nil
    }
    if reader?.configuration != unit.configuration {
      reader = FrameReader(unit.configuration, keepsSpectrum: measuresLevels)
      if measuresLevels {
        sound = SoundEnvelope(unit.configuration, list: sound?.list ?? LevelList())
      }
      probe = SBRProbe(unit.configuration)
      sequences.removeAll(keepingCapacity: true)
      programChannelCount = 0
    }
    do throws(ParseError) {
      try reader?.read(unit.bytes, range: unit.range)
    } catch {
      addUnreadable(error, unit)
      sequences.removeAll(keepingCapacity: true)
      probe?.recordMissingBlock()
      sound?.appendUnreadable()
      return nil
    }
    adoptLayout()
    countReplication(unit)
    let block = self.block
    report.tools.add(block)
    sound?.append(block)
    check(unit)
    return block.byteCount
  }

  /// Counts the last block; `byteCount` is the result of `read`.
  mutating func countRow(_ unit: Unit, byteCount: Int?) -> FrameRow {
    // If a frame has several blocks, only parsing them determines their sizes.
    let size = unit.isOnlyBlock ? unit.range.count : byteCount ?? unit.range.count
    let isReadable = byteCount != nil
    if isReadable { checkSize(size, unit) } else { report.unreadableFrameCount += 1 }
    var reservoir: Int64?
    if case .units(let count) = unit.fullness {
      reservoir = Int64(count) * 32 * Int64(max(block.bufferedChannelCount, 1))
    }
    if case .unspecified = unit.fullness {} else { report.fullness.add(bits: reservoir) }
    let row = row(for: unit, size: size, isReadable: isReadable, reservoir: reservoir)
    count(unit.configuration, size: size)
    return row
  }

  /// Counts announced blocks that could not be found.
  mutating func addMissingBlocks(_ missing: Int, _ unit: Unit) {
    for _ in 0..<missing {
      add(.missingBlock, unit)
      probe?.recordMissingBlock()
      sound?.appendUnreadable()
      report.unreadableFrameCount += 1
      count(unit.configuration, size: 0)
    }
  }

  /// Counts a checksum; `isValid` is nil if its block is unreadable, so its coverage is unknown.
  mutating func addChecksum(isValid: Bool?) {
    report.checksums.present += 1
    if isValid == true { report.checksums.verified += 1 }
    if isValid == false { report.checksums.failed += 1 }
  }

  /// Returns `count` loudness levels over time; all 0 if levels are not measured.
  func levels(_ count: Int) -> [UInt8] {
    sound?.levels(count) ?? LevelList().levels(count)
  }

  var isEmpty: Bool { report.frameCount == 0 }

  var currentReport: StreamReport {
    var report = self.report
    report.bitrate = meter.result
    report.decoderBuffer.required = envelope.required
    report.replication.close(at: report.frameCount)
    return report
  }

  // MARK: - Parts

  /// Reports the reason why a block cannot be read.
  ///
  /// An unsupported type is reported only once.
  private mutating func addUnreadable(_ error: ParseError, _ unit: Unit) {
    guard case .unsupportedObjectType = error.reason else {
      add(.unreadable(error.reason, bit: error.bitPosition), unit)
      return
    }
    let type = unit.configuration.objectType
    if reportedUnsupportedType == type { return }
    reportedUnsupportedType = type
    add(.opaqueObjectType(type), unit)
  }

  /// Uses a program config element in the stream as the layout if the configuration has none.
  private mutating func adoptLayout() {
    if let program = block.programConfig { programChannelCount = program.channelCount }
    if let program = block.programConfig, report.configuration?.channelConfiguration == 0,
      report.configuration?.programConfig == nil
    {
      report.configuration?.programConfig = program
    }
  }

  private mutating func countReplication(_ unit: Unit) {
    let block = self.block
    probe?.read(block, in: unit.bytes, range: unit.range)
    guard let payloads = probe?.payloads, !payloads.isEmpty else { return }
    report.replication.add(payloads, frame: report.frameCount)
    for facts in payloads {
      if let damage = ReplicationDamage(facts) { add(.replication(damage), unit) }
      report.replicatedFrequencies = report.replicatedFrequencies ?? facts.frequencies
    }
  }

  private mutating func check(_ unit: Unit) {
    let block = self.block
    if unit.isOnlyBlock && block.byteCount < unit.range.count {
      add(.trailingBytes(count: unit.range.count - block.byteCount), unit)
    }
    // If the configuration leaves the layout to the stream, each new layout applies from there on.
    let isLeft = unit.configuration.channelConfiguration == 0 && programChannelCount > 0
    let expected = isLeft ? programChannelCount : unit.configuration.channelCount
    let found = block.outputChannelCount
    // A block may be valid without channels if it describes the channels of later blocks.
    let isDescription = found == 0 && block.programConfig != nil
    if expected > 0 && found != expected && !isDescription {
      add(.channelCount(found: found, expected: expected), unit)
    }
    var hasNoise = false
    var hasReservedBit = false
    for channel in block.channels {
      if channel.noiseBandCount > 0 { hasNoise = true }
      if channel.window.hasReservedBit { hasReservedBit = true }
    }
    if hasNoise && unit.isMPEG2 { add(.noiseInMPEG2, unit) }
    if hasReservedBit { add(.reservedBit, unit) }
    if Self.hasMisplacedIntensity(block) { add(.intensityOutsidePair, unit) }
    checkSequences(block, unit)
  }

  private mutating func checkSequences(_ block: ParsedBlock, _ unit: Unit) {
    // If elements appear or disappear, the sequences are not comparable.
    let isComparable = sequences.count == block.channelCount
    for (index, channel) in block.channels.enumerated() {
      let next = channel.window.sequence
      if isComparable && !sequences[index].mayPrecede(next) {
        add(.windowTransition(from: sequences[index], to: next, channel: index), unit)
      }
    }
    sequences.removeAll(keepingCapacity: true)
    for channel in block.channels { sequences.append(channel.window.sequence) }
  }

  private mutating func checkSize(_ size: Int, _ unit: Unit) {
    let bits = Int64(size) * 8
    // A block need not have all channels of the stream, but may use the buffer of all channels.
    let channels = max(block.bufferedChannelCount, unit.configuration.bufferedChannelCount)
    let capacity = Int64(channels) * Int64(FrameLimits.bufferBitsPerChannel)
    report.decoderBuffer.capacity = max(report.decoderBuffer.capacity, capacity)
    if capacity > 0 && bits > capacity {
      report.decoderBuffer.oversizedFrameCount += 1
      add(.frameTooLarge(bits: bits, limit: capacity), unit)
    }
  }

  private mutating func count(_ configuration: AudioSpecificConfig, size: Int) {
    let bits = Int64(size) * 8
    if size > report.largestFrame.byteCount {
      report.largestFrame = StreamReport.LargestFrame(
        byteCount: size, number: report.frameCount)
    }
    report.frameCount += 1
    report.sampleCount += Int64(configuration.samplesPerFrame)
    report.payloadByteCount += Int64(size)
    meter.add(
      bits: bits, samples: configuration.samplesPerFrame, sampleRate: configuration.sampleRate)
    report.plot.add(bits: bits)
    envelope.add(bits: bits)
  }

  private mutating func row(
    for unit: Unit, size: Int, isReadable: Bool, reservoir: Int64?
  ) -> FrameRow {
    let block = self.block
    var hasReplication = false
    for part in block.extensions where part.kind.isSpectralBandReplication {
      hasReplication = true
    }
    let hasStereo = probe?.payloads.contains { $0.stereo != nil } ?? false
    let windows = block.channels.prefix(isReadable ? 2 : 0)
    defer { newFaultCount = 0 }
    return FrameRow(
      number: report.frameCount, offset: unit.offset, samplePosition: report.sampleCount,
      byteCount: size, usedBits: isReadable ? block.bitCount : nil,
      objectType: unit.configuration.objectType, sampleRate: unit.configuration.sampleRate,
      channelCount: isReadable ? block.outputChannelCount : unit.configuration.channelCount,
      firstWindow: windows.first?.window.sequence,
      secondWindow: windows.dropFirst().first?.window.sequence,
      hasSpectralBandReplication: hasReplication,
      hasParametricStereo: hasReplication && isReadable && hasStereo,
      reservoirBits: reservoir, faultCount: newFaultCount)
  }

  private static func hasMisplacedIntensity(_ block: ParsedBlock) -> Bool {
    for element in block.elements {
      for index in 0..<element.channelCount {
        let isAllowed = element.kind == .pair && element.hasCommonWindow && index == 1
        if !isAllowed && block.channels[element.firstChannel + index].intensityBandCount > 0 {
          return true
        }
      }
    }
    return false
  }
}
