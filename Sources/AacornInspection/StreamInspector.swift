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
  @Boxed private var source = FrameSource()
  private var byteCount: Int64 = 0
  private var isFinished = false
  private var isReported = false
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
    source.append(bytes)
  }

  /// Marks the end of the stream.
  public mutating func finish() {
    isFinished = true
    source.finish()
  }

  /// Returns the next frame, or nil if more bytes are needed or the stream has ended.
  public mutating func next() -> FrameRow? {
    while true {
      if let row = rows.take() { return row }
      guard let event = source.next() else {
        report(atEnd: isFinished)
        return nil
      }
      process(event)
    }
  }

  /// The current findings; complete once `finish` was called and `next` has returned nil.
  public var report: StreamReport {
    var report = analyzer.currentReport
    report.container = container
    report.program = source.program
    report.byteCount = byteCount
    return report
  }

  /// Returns the loudness over time, as in ``SoundEnvelope/levels(_:)``.
  public func levels(_ count: Int) -> [UInt8] { analyzer.levels(count) }

  /// The container; unknown before the first event, and after a stream without frames.
  private var container: StreamReport.Container {
    if source.format == .packets { return .transportStream }
    if isReported && analyzer.isEmpty { return .unknown }
    return switch source.format {
    case .blocks: .adif
    case .movie: .movie(isQuickTime: false, isFragmented: false)
    case .frames where source.hasBegun: source.isLOAS ? .loas : .adts
    case .frames, .packets, nil: .unknown
    }
  }

  private mutating func process(_ event: FrameSource.Event) {
    let (offset, length) = (Int64(clamping: event.offset), Int64(event.length))
    switch event.content {
    case .adts(let frame): process(frame, at: offset)
    case .latm(let frame): process(frame, at: offset)
    case .header: break
    case .block(let bytes, let configuration):
      let unit = FrameAnalyzer.Unit(configuration, bytes, offset: offset)
      rows.list.append(analyzer.countRow(unit, byteCount: analyzer.read(unit)))
    case .unreadableBlock(let bytes, let configuration):
      _ = analyzer.read(FrameAnalyzer.Unit(configuration, bytes, offset: offset))
      analyzer.add(.lostSynchronization, offset: offset, length: length)
    case .tag: analyzer.addTag(offset: offset, length: length)
    case .damage(let kind):
      // LATM repeats its configuration and may change it (14496-3, 1.7.3). ADTS headers must not
      // change (1.A.2.2.1).
      let isAllowed = kind == .parametersChanged && source.isLOAS
      analyzer.add(
        isAllowed ? .configurationChange : .damage(kind), offset: offset, length: length)
    case .failed(.requiresSeeking): analyzer.add(.needsSeekableSource, offset: 0, length: 0)
    case .failed(let error):
      hasFailed = true
      analyzer.add(.noStream(error), offset: 0, length: 0)
    }
  }

  private mutating func report(atEnd: Bool) {
    guard atEnd && !isReported else { return }
    isReported = true
    if analyzer.isEmpty && !hasFailed { analyzer.add(.noFrames, offset: 0, length: byteCount) }
  }

  private mutating func process(_ frame: LATMFrame, at offset: Int64) {
    var unit = FrameAnalyzer.Unit(frame.configuration, frame.payload, offset: offset)
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
    var unit = FrameAnalyzer.Unit(header.audioSpecificConfig, frame.payload, offset: offset)
    unit.length = Int64(header.frameLength)
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
