import AacornCodec
import AacornSoundFiles

/// Converts the frames of a stream to units.
struct FramedUnits: Sendable {
  private var source: FrameSource
  /// The last reported configuration.
  private(set) var configuration: AudioSpecificConfig?
  /// The last program configuration, for streams that carry it in their blocks.
  private var program: ProgramConfig?
  /// The parser of blocks, used to find their lengths and checksums.
  @Boxed private var blocks: FrameReader? = nil
  private var unitCount = 0

  /// Creates a reader of a stream whose first byte is at file offset `start`.
  init(_ format: FrameSource.Format, at start: UInt64, track: Int?) {
    source = FrameSource(format, at: start, track: track)
  }

  /// The format of the stream; nil before the first frame of an ADTS or LOAS stream.
  var kind: CodedFileKind? {
    switch source.format {
    case .blocks: .adif
    case .packets: .transportStream
    case .frames, .movie, nil: configuration == nil ? nil : source.isLOAS ? .latm : .adts
    }
  }

  /// Whether no more units will follow.
  var isStopped: Bool { source.isStopped }

  /// Appends the next bytes of the stream.
  mutating func append(_ bytes: [UInt8]) { source.append(bytes) }

  mutating func finish() { source.finish() }

  /// Reads a frame, or skips a tag or damage; returns false if more bytes are needed.
  mutating func read(
    into steps: inout [CodedFileReader.Step]
  ) throws(CodedFileError) -> Bool {
    guard let event = source.next() else { return false }
    let offset = event.offset
    switch event.content {
    case .adts(let frame): process(frame, at: offset, into: &steps)
    case .latm(let frame):
      report(frame.configuration, to: &steps)
      add(frame.payload, at: offset, to: &steps)
    case .header(let configuration): report(configuration, to: &steps)
    case .block(let bytes, _): add(bytes, at: offset, to: &steps)
    case .unreadableBlock(let bytes, _):
      add(.garbage, at: offset, length: bytes.count, to: &steps)
    case .tag: break
    case .damage(.invalidHeader) where source.format == .blocks: throw .notAAC(.other(.adif))
    // Not reported as damage: the next frame reports its new configuration.
    case .damage(.parametersChanged): break
    case .damage(let kind): add(kind, at: offset, length: event.length, to: &steps)
    case .failed(let error): throw error
    }
    return true
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
      let length = needsLength ? readBlock(range, of: frame.payload, configuration) : nil
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
      guard readBlock(frame.blocks[index], of: frame.payload, configuration) != nil,
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
    } else if program == nil, readBlock(range, of: frame.payload, configuration) != nil {
      program = blocks?.block.programConfig
    }
    return program
  }

  /// Parses a block and returns its length, or nil if it is damaged.
  private mutating func readBlock(
    _ range: Range<Int>, of bytes: [UInt8], _ configuration: AudioSpecificConfig
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
