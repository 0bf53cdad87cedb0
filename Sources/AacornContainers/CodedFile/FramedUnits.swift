import AacornCodec
import AacornSignal
import AacornSoundFiles

/// Converts the frames of an ADTS, LOAS or transport stream, or the blocks of an ADIF file, to
/// units.
struct FramedUnits: Sendable {
  private var frames = FramingProbe()
  private var offsets = OffsetMap()
  /// The last reported configuration.
  private(set) var configuration: AudioSpecificConfig?
  /// The last program configuration, for streams that carry it in their blocks.
  private var program: ProgramConfig?
  /// The parser of blocks, used to find their lengths and checksums.
  @Boxed private var blocks: FrameReader? = nil
  private var unitCount = 0

  /// The format of an ADTS or LOAS stream; nil before its first frame.
  var kind: CodedFileKind? {
    configuration == nil ? nil : frames.isLOAS ? .latm : .adts
  }

  /// Appends the next bytes of the stream, which are at file offset `offset`.
  mutating func append(_ bytes: [UInt8], at offset: UInt64) {
    offsets.append(bytes.count, at: offset)
    frames.append(bytes)
  }

  mutating func finish() { frames.finish() }

  /// Reads a frame, or skips a tag or damage; returns false if more bytes are needed.
  mutating func read(into steps: inout [CodedFileReader.Step]) -> Bool {
    guard let event = frames.next() else { return false }
    process(event, at: offsets.offset(of: event.offset), into: &steps)
    return true
  }

  /// Reads the header or a block of an ADIF file at `base`; returns false if more bytes are needed.
  mutating func read(
    _ file: inout ADIFReader, base: UInt64, into steps: inout [CodedFileReader.Step]
  ) throws(CodedFileError) -> Bool {
    let offset = base &+ UInt64(UInt(bitPattern: file.offset))
    switch file.next() {
    case nil: return false
    case .invalidHeader: throw .notAAC(.other(.adif))
    case .header(let configuration): report(configuration, to: &steps)
    case .block(let bytes, let configuration):
      if let length = readBlock(bytes, 0..<bytes.count, configuration) {
        add(Array(bytes[..<length]), at: offset, to: &steps)
        file.drop(length)
      } else {
        // The start of the next block is unknown. All bytes examined are reported as damage.
        file.stop()
        add(.garbage, at: offset, length: bytes.count, to: &steps)
      }
    }
    return true
  }

  /// Reads an event of a transport stream at `base`; returns false if more bytes are needed.
  mutating func read(
    _ packets: inout TransportFrames, base: UInt64, into steps: inout [CodedFileReader.Step]
  ) throws(CodedFileError) -> Bool {
    guard let event = packets.next() else { return false }
    switch event {
    case .part(let part, let offset, _): process(part, at: base &+ offset, into: &steps)
    case .damage(let damage):
      // An Int with 32 bits wraps in long streams, so convert its bits as unsigned.
      let offset = base &+ UInt64(UInt(bitPattern: damage.offset))
      add(damage.kind, at: offset, length: damage.length, to: &steps)
    case .failed(let error): throw error
    }
    return true
  }

  /// Processes a frame, a tag or damage at file offset `place`.
  private mutating func process(
    _ event: FramingProbe.Event, at place: UInt64, into steps: inout [CodedFileReader.Step]
  ) {
    switch event {
    case .adts(let frame): process(frame, at: place, into: &steps)
    case .latm(let frame):
      report(frame.configuration, to: &steps)
      add(frame.payload, at: place, to: &steps)
    case .tag: break
    // Not reported as damage: the next frame reports its new configuration.
    case .damage(let damage) where damage.kind == .parametersChanged: break
    case .damage(let damage): add(damage.kind, at: place, length: damage.length, to: &steps)
    }
  }

  private mutating func process(
    _ frame: ADTSFrame, at place: UInt64, into steps: inout [CodedFileReader.Step]
  ) {
    var configuration = frame.header.audioSpecificConfig
    if configuration.channelConfiguration == 0 {
      configuration.programConfig = layout(in: frame, configuration)
    }
    report(configuration, to: &steps)
    let ranges = blockRanges(of: frame, configuration)
    if hasWrongChecksum(frame, configuration) {
      add(.wrongChecksum, at: place, length: frame.header.frameLength, to: &steps)
    }
    for range in ranges { add(Array(frame.payload[range]), at: place, to: &steps) }
    let missing = frame.header.blockCount - ranges.count
    if missing > 0 {
      add(.missingUnits, at: place, length: frame.header.frameLength, to: &steps)
      unitCount += missing
    }
  }

  /// Returns the ranges of a frame's blocks.
  ///
  /// Without checksums, several blocks must be parsed to find their ends.
  ///
  /// A block that cannot be parsed is treated as the last one, because its end is unknown.
  private mutating func blockRanges(
    of frame: ADTSFrame, _ configuration: AudioSpecificConfig
  ) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    _ = frame.forEachBlock { index, range in
      let needsLength = !frame.areBlocksLocated && index < frame.header.blockCount - 1
      let length = needsLength ? readBlock(frame.payload, range, configuration) : nil
      ranges.append(range.prefix(length ?? range.count))
      return length
    }
    return ranges
  }

  /// Returns whether a checksum of the frame is wrong.
  ///
  /// Checksums of unreadable blocks are not checked.
  private mutating func hasWrongChecksum(
    _ frame: ADTSFrame, _ configuration: AudioSpecificConfig
  ) -> Bool {
    if frame.headerChecksumMatches == false { return true }
    for index in frame.checksums.indices {
      guard readBlock(frame.payload, frame.blocks[index], configuration) != nil,
        let regions = blocks?.block.protectedRegions
      else { continue }
      if frame.checksumMatches(regions: regions, block: index) == false { return true }
    }
    return false
  }

  /// Returns the program configuration in the first block of a frame, or the last known one.
  ///
  /// The element normally comes first (14496-3, 4.5.1.2), so the other elements need not be parsed.
  private mutating func layout(
    in frame: ADTSFrame, _ configuration: AudioSpecificConfig
  ) -> ProgramConfig? {
    let range = frame.blocks[0]
    if let first = frame.payload[range].first, first >> 5 == ElementKind.programConfig.rawValue {
      var bits = BitReader(frame.payload, range: range)
      bits.skip(3)
      program = ProgramConfig(reading: &bits, origin: 0) ?? program
    } else if program == nil, readBlock(frame.payload, range, configuration) != nil {
      program = blocks?.block.programConfig
    }
    return program
  }

  /// Parses a block and returns its length, or nil if it is damaged.
  private mutating func readBlock(
    _ bytes: [UInt8], _ range: Range<Int>, _ configuration: AudioSpecificConfig
  ) -> Int? {
    // The layout does not affect parsing, so compare only the type and the rate.
    if blocks?.configuration.objectType != configuration.objectType
      || blocks?.configuration.sampleRate != configuration.sampleRate
    {
      blocks = FrameReader(configuration)
    }
    return blocks?.length(ofBlockIn: bytes, range: range)
  }

  private mutating func report(
    _ configuration: AudioSpecificConfig, to steps: inout [CodedFileReader.Step]
  ) {
    if configuration == self.configuration { return }
    self.configuration = configuration
    steps.append(.configuration(configuration))
  }

  private mutating func add(
    _ bytes: [UInt8], at place: UInt64, to steps: inout [CodedFileReader.Step]
  ) {
    steps.append(.unit(CodedUnit(bytes: bytes, offset: place, index: unitCount)))
    unitCount += 1
  }

  private func add(
    _ kind: StreamDamage.Kind, at place: UInt64, length: Int,
    to steps: inout [CodedFileReader.Step]
  ) {
    steps.append(
      .damage(StreamDamage(kind: kind, offset: Int(truncatingIfNeeded: place), length: length)))
  }
}
