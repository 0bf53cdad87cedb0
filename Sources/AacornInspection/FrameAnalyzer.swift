import AacornCodec

/// Builds a report from the frames of a stream, whatever its container.
struct FrameAnalyzer: Sendable {
  /// What the container says about the bit reservoir after a frame.
  enum Fullness {
    case untold
    case variableRate
    /// In units of 32 bits for each channel except the LFE.
    case units(Int)
  }

  /// A raw_data_block and where it was found.
  struct Unit {
    var configuration: AudioSpecificConfig
    var bytes: [UInt8]
    /// The bytes of the block, possibly followed by other blocks.
    var range: Range<Int>
    /// The first byte of the container's frame.
    var offset: Int64
    /// The length of the container's frame in bytes.
    var length: Int64
    var isMPEG2 = false
    var fullness = Fullness.untold
    /// Whether `range` holds only this block.
    var isAlone = true
  }

  private(set) var report = StreamReport()
  /// Faults since the last row.
  private var newFaultCount = 0
  private var reader: FrameReader?
  /// The type of frames that are not looked into, once that has been said.
  private var opaqueType: AudioObjectType?
  /// The channels of the last program config element in the stream; 0 without one.
  private var programChannelCount = 0
  /// For each channel, the window sequence of the frame before.
  private var sequences: [WindowSequence] = []
  private var meter = BitrateMeter()
  private var envelope = BufferEnvelope()
  private var replication = ReplicationMeter()
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
    report.tagCount += 1
    if report.tags.count < StreamReport.tagLimit {
      report.tags.append(StreamReport.Tag(offset: offset, length: length))
    }
  }

  /// Reads and checks a block; returns its size in bytes if it could be read to its end.
  ///
  /// Each call must be followed by `takeRow` before anything changes `block`.
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
      replication.begin(unit.configuration)
      sequences.removeAll(keepingCapacity: true)
      programChannelCount = 0
    }
    do throws(ParseError) {
      try reader?.read(unit.bytes, range: unit.range)
    } catch {
      addUnreadable(error, unit)
      sequences.removeAll(keepingCapacity: true)
      replication.miss()
      sound?.appendUnreadable()
      return nil
    }
    takeLayout()
    takeReplication(unit)
    let block = self.block
    report.tools.add(block)
    sound?.append(block)
    check(unit)
    return block.byteCount
  }

  /// Counts the block just read; `byteCount` is what `read` returned.
  mutating func takeRow(_ unit: Unit, byteCount: Int?) -> FrameRow {
    // With several blocks in a frame, only reading them shows how long each is.
    let size = unit.isAlone ? unit.range.count : byteCount ?? unit.range.count
    let isReadable = byteCount != nil
    if isReadable { checkSize(size, unit) } else { report.unreadableFrameCount += 1 }
    var reservoir: Int64?
    if case .units(let count) = unit.fullness {
      reservoir = Int64(count) * 32 * Int64(max(block.bufferedChannelCount, 1))
    }
    if case .untold = unit.fullness {} else { report.fullness.add(bits: reservoir) }
    let row = row(for: unit, size: size, isReadable: isReadable, reservoir: reservoir)
    count(unit.configuration, size: size)
    return row
  }

  /// Counts blocks that are announced but cannot be found.
  mutating func addMissingBlocks(_ missing: Int, _ unit: Unit) {
    for _ in 0..<missing {
      add(.missingBlock, unit)
      replication.miss()
      sound?.appendUnreadable()
      report.unreadableFrameCount += 1
      count(unit.configuration, size: 0)
    }
  }

  /// Counts a checksum; `isRight` is nil if its block is unreadable, so that its coverage is
  /// unknown.
  mutating func addChecksum(isRight: Bool?) {
    report.checksums.present += 1
    if isRight == true { report.checksums.verified += 1 }
    if isRight == false { report.checksums.failed += 1 }
  }

  /// `count` levels of loudness over time; all 0 if levels are not measured.
  func levels(_ count: Int) -> [UInt8] {
    sound?.levels(count) ?? LevelList().levels(count)
  }

  /// Whether there have been no frames yet.
  var isEmpty: Bool { report.frameCount == 0 }

  /// The report so far.
  var currentReport: StreamReport {
    var report = self.report
    report.bitrate = meter.result
    report.decoderBuffer.required = envelope.required
    report.replication = replication.result(frameCount: report.frameCount)
    return report
  }

  // MARK: - Parts

  /// Says why a block cannot be read: of a type that is not read here, once and not for each frame.
  private mutating func addUnreadable(_ error: ParseError, _ unit: Unit) {
    guard case .unsupportedObjectType = error.reason else {
      add(.unreadable(error.reason, bit: error.bitPosition), unit)
      return
    }
    let type = unit.configuration.objectType
    if opaqueType == type { return }
    opaqueType = type
    add(.opaqueObjectType(type), unit)
  }

  /// A program config element in the stream tells the layout where the configuration does not.
  private mutating func takeLayout() {
    if let program = block.programConfig { programChannelCount = program.channelCount }
    if let program = block.programConfig, report.configuration?.channelConfiguration == 0,
      report.configuration?.programConfig == nil
    {
      report.configuration?.programConfig = program
    }
  }

  /// Counts band replication; its first header tells what is replicated.
  private mutating func takeReplication(_ unit: Unit) {
    let block = self.block
    replication.add(block, in: unit.bytes, range: unit.range, frame: report.frameCount)
    for damage in replication.damage { add(.replication(damage), unit) }
    guard report.replicatedFrequencies == nil else { return }
    for part in block.extensions {
      let frequencies = part.replicatedFrequencies(
        in: unit.bytes, range: unit.range, coreRate: unit.configuration.sampleRate)
      if frequencies == nil { continue }
      report.replicatedFrequencies = frequencies
      return
    }
  }

  private mutating func check(_ unit: Unit) {
    let block = self.block
    if unit.isAlone && block.byteCount < unit.range.count {
      add(.trailingBytes(count: unit.range.count - block.byteCount), unit)
    }
    // Where the configuration leaves it to the stream, each new layout holds from there on.
    let isLeft = unit.configuration.channelConfiguration == 0 && programChannelCount > 0
    let expected = isLeft ? programChannelCount : unit.configuration.channelCount
    let found = block.soundingChannelCount
    // A block that only describes the channels of later ones is valid.
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
    if Self.hasStrayIntensity(block) { add(.intensityOutsidePair, unit) }
    checkSequences(block, unit)
  }

  private mutating func checkSequences(_ block: ParsedBlock, _ unit: Unit) {
    // If elements appear or disappear, there is nothing to compare with.
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
    // A block need not have all channels of the stream, but may use the buffer of all.
    let channels = max(block.bufferedChannelCount, unit.configuration.bufferedChannelCount)
    let capacity = Int64(channels) * 6144
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
    let windows = block.channels.prefix(isReadable ? 2 : 0)
    defer { newFaultCount = 0 }
    return FrameRow(
      number: report.frameCount, offset: unit.offset, samplePosition: report.sampleCount,
      byteCount: size, usedBits: isReadable ? block.bitCount : nil,
      objectType: unit.configuration.objectType, sampleRate: unit.configuration.sampleRate,
      channelCount: isReadable ? block.soundingChannelCount : unit.configuration.channelCount,
      firstWindow: windows.first?.window.sequence,
      secondWindow: windows.dropFirst().first?.window.sequence,
      hasSpectralBandReplication: hasReplication,
      hasParametricStereo: hasReplication && isReadable && replication.hasStereo,
      reservoirBits: reservoir, faultCount: newFaultCount)
  }

  private static func hasStrayIntensity(_ block: ParsedBlock) -> Bool {
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
