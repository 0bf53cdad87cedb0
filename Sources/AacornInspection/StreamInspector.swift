import AacornCodec
import AacornContainers
import AacornSignal
import AacornSoundFiles

/// Inspects a byte stream of any length: ADTS, LOAS, ADIF or MPEG transport stream.
///
///     var inspector = StreamInspector()
///     while let bytes = input.read() {
///       inspector.append(bytes)
///       while let row = inspector.next() { … }
///     }
///     inspector.finish()
///     while let row = inspector.next() { … }
///     // now inspector.report
///
/// Call `next` even if the rows are not used, because it does the work. Memory does not grow with
/// the stream. Files that need seeking require `MovieInspector`.
public struct StreamInspector: Sendable {
  @Boxed private var analyzer: FrameAnalyzer
  private var byteCount: Int64 = 0
  private var isFinished = false
  private var isReported = false
  private var container = StreamReport.Container.unknown
  /// The first bytes after any tags, until there are enough to recognize the format.
  private var head: [UInt8]? = []
  /// The offset of the first byte after the tags at the start of the file.
  private var start: Int64 = 0
  /// The tag at the start of the file that is being skipped, and the number of its bytes that have
  /// not arrived.
  private var tag: (byteCount: Int, missingCount: Int)?
  private var probe = FramingProbe()
  private var adif = ADIFReader()
  @Boxed private var transport: TransportFrames? = nil
  private var hasFailed = false
  private var rows = PendingItems<FrameRow>()

  /// Creates an inspector at the start of a stream; `measuresLevels` enables the loudness levels.
  public init(measuresLevels: Bool = false) {
    analyzer = FrameAnalyzer(measuresLevels: measuresLevels)
  }

  /// Returns whether a file with these bytes requires a `MovieInspector`: MP4, M4A or QuickTime.
  public static func needsSeeking(_ firstBytes: [UInt8]) -> Bool {
    FileKind.isMovie(firstBytes.span)
  }

  /// Appends the next bytes of the stream.
  public mutating func append(_ bytes: [UInt8]) {
    byteCount += Int64(bytes.count)
    guard let head else { return appendToReaders(bytes) }
    let rest = skipTags(head + bytes)
    self.head = rest
    if rest.count >= FileKind.longPrefixCount { recognize() }
  }

  /// Marks the end of the stream.
  public mutating func finish() {
    if head != nil { recognize() }
    isFinished = true
    probe.finish()
    adif.finish()
    transport?.finish()
  }

  /// Returns the next frame, or nil if more bytes are needed or the stream has ended.
  public mutating func next() -> FrameRow? {
    while true {
      if let row = rows.take() { return row }
      guard advance() else {
        report(atEnd: isFinished)
        return nil
      }
    }
  }

  /// The current findings; complete once `finish` was called and `next` has returned nil.
  public var report: StreamReport {
    var report = analyzer.currentReport
    report.container = container
    report.program = transport?.program
    report.byteCount = byteCount
    return report
  }

  /// Returns the loudness over time, as in ``SoundEnvelope/levels(_:)``.
  public func levels(_ count: Int) -> [UInt8] { analyzer.levels(count) }

  /// Skips the tags at the start of the file, and returns the bytes after them.
  private mutating func skipTags(_ bytes: [UInt8]) -> [UInt8] {
    var index = 0
    while true {
      if let (byteCount, missingCount) = tag {
        let count = min(missingCount, bytes.count - index)
        index += count
        tag?.missingCount -= count
        if count < missingCount { break }
        analyzer.addTag(offset: start, length: Int64(byteCount))
        start += Int64(byteCount)
        tag = nil
      }
      guard index + StreamTag.lookAhead <= bytes.count,
        let count = StreamTag.byteCount(bytes.span.extracting(index..<bytes.count))
      else { break }
      tag = (count, count)
    }
    return index == 0 ? bytes : Array(bytes[index...])
  }

  private mutating func recognize() {
    guard let bytes = head.take() else { return }
    if let (byteCount, missingCount) = tag {
      analyzer.add(
        .damage(.truncatedTag), offset: start, length: Int64(byteCount - missingCount))
    }
    switch FileKind(prefix: bytes.span) {
    case .other(.adif): container = .adif
    case .other(.mp4) where start == 0:
      container = .movie(isQuickTime: false, isFragmented: false)
      analyzer.add(.needsSeekableSource, offset: 0, length: 0)
    case .other(.transportStream):
      container = .transportStream
      transport = TransportFrames()
    default: break
    }
    appendToReaders(bytes)
  }

  private mutating func appendToReaders(_ bytes: [UInt8]) {
    switch container {
    case .adif: adif.append(bytes)
    case .movie: break
    case .transportStream: transport?.append(bytes)
    case .unknown
    where byteCount - Int64(bytes.count) - start > Int64(FramingProbe.searchByteLimit()):
      break
    case .unknown, .adts, .loas: probe.append(bytes)
    }
  }

  /// Advances by one event; returns false if there is none.
  private mutating func advance() -> Bool {
    switch container {
    case .movie:
      return false
    case .adif:
      return advanceADIF()
    case .transportStream:
      guard let event = transport?.next() else { return false }
      process(event)
      return true
    case .unknown, .adts, .loas:
      guard let event = probe.next() else { return false }
      container = probe.isLOAS ? .loas : .adts
      process(event, at: start + Int64(event.offset), isLOAS: probe.isLOAS)
      return true
    }
  }

  /// Reads the header or a block of an ADIF file; returns false if more bytes are needed or no
  /// blocks follow.
  private mutating func advanceADIF() -> Bool {
    let offset = start + Int64(adif.offset)
    switch adif.next() {
    case nil: return false
    case .header: break
    case .invalidHeader:
      analyzer.add(.damage(.invalidHeader), offset: offset, length: Int64(adif.count))
    case .block(let bytes, let configuration):
      var unit = FrameAnalyzer.Unit(
        configuration: configuration, bytes: bytes, range: 0..<bytes.count, offset: offset,
        length: Int64(bytes.count))
      unit.isOnlyBlock = false
      guard let used = analyzer.read(unit) else {
        adif.stop()
        analyzer.add(.lostSynchronization, offset: offset, length: Int64(adif.count))
        return true
      }
      rows.list.append(analyzer.countRow(unit, byteCount: used))
      adif.drop(used)
    }
    return true
  }

  private mutating func process(_ event: TransportFrames.Event) {
    switch event {
    case .part(let part, let offset, let isLOAS):
      process(part, at: start + Int64(clamping: offset), isLOAS: isLOAS)
    case .damage(let damage):
      analyzer.add(
        .damage(damage.kind), offset: start + Int64(damage.offset), length: Int64(damage.length))
    case .failed(let error):
      hasFailed = true
      analyzer.add(.noStream(error), offset: 0, length: 0)
    }
  }

  private mutating func process(_ event: FramingProbe.Event, at offset: Int64, isLOAS: Bool) {
    switch event {
    case .adts(let frame): process(frame, at: offset)
    case .latm(let frame): process(frame, at: offset)
    case .tag(_, let length): analyzer.addTag(offset: offset, length: Int64(length))
    case .damage(let damage):
      // LATM repeats its configuration and may change it (14496-3, 1.7.3). ADTS headers must not
      // change (1.A.2.2.1).
      let isAllowed = isLOAS && damage.kind == .parametersChanged
      analyzer.add(
        isAllowed ? .configurationChange : .damage(damage.kind), offset: offset,
        length: Int64(damage.length))
    }
  }

  private mutating func report(atEnd: Bool) {
    guard atEnd && !isReported else { return }
    isReported = true
    if analyzer.isEmpty && !hasFailed {
      if container != .transportStream { container = .unknown }
      analyzer.add(.noFrames, offset: 0, length: byteCount)
    }
  }

  private mutating func process(_ frame: LATMFrame, at offset: Int64) {
    var unit = FrameAnalyzer.Unit(
      configuration: frame.configuration, bytes: frame.payload, range: 0..<frame.payload.count,
      offset: offset, length: Int64(frame.payload.count))
    if let fullness = frame.bufferFullness {
      unit.fullness = fullness == 0xFF ? .variableRate : .units(fullness)
    }
    let used = analyzer.read(unit)
    rows.list.append(analyzer.countRow(unit, byteCount: used))
  }

  private mutating func process(_ frame: ADTSFrame, at offset: Int64) {
    let header = frame.header
    if let isValid = frame.headerChecksumMatches {
      analyzer.addChecksum(isValid: isValid)
      if !isValid {
        analyzer.add(.headerChecksum, offset: offset, length: Int64(header.frameLength))
      }
    }
    var unit = FrameAnalyzer.Unit(
      configuration: header.audioSpecificConfig, bytes: frame.payload,
      range: 0..<frame.payload.count, offset: offset, length: Int64(header.frameLength))
    unit.isMPEG2 = header.version == .mpeg2
    let fullness = header.bufferFullness
    unit.fullness = fullness == 0x7FF ? .variableRate : .units(fullness)

    let foundCount = frame.forEachBlock { index, range in
      unit.range = range
      unit.isOnlyBlock = frame.areBlocksLocated || index == header.blockCount - 1
      let used = analyzer.read(unit)
      if frame.checksums.indices.contains(index) { verify(frame, unit, block: index, used: used) }
      rows.list.append(analyzer.countRow(unit, byteCount: used))
      // The header contains the reservoir level after its last block.
      unit.fullness = .unspecified
      return used
    }
    analyzer.addMissingBlocks(header.blockCount - foundCount, unit)
  }

  private mutating func verify(
    _ frame: ADTSFrame, _ unit: FrameAnalyzer.Unit, block: Int, used: Int?
  ) {
    guard used != nil else { return analyzer.addChecksum(isValid: nil) }
    let regions = analyzer.block.protectedRegions
    let isValid = frame.checksumMatches(regions: regions, block: block) ?? false
    analyzer.addChecksum(isValid: isValid)
    if !isValid { analyzer.add(.checksum, unit) }
  }
}
