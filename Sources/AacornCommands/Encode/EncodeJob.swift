import AacornCodec
import AacornContainers
import AacornSignal
import AacornSoundFiles
import AacornSystem

/// Encodes one input completely, in memory that does not grow with its length.
struct EncodeJob {
  private let item: EncodePlan.Item
  private let interruption: Interruption
  private let start = System.seconds
  private var source: SoundSource
  private let settings: EncodeSettings
  private var feed: SoundFeed
  private let file: OutputFile
  private var writer: StreamWriter
  private let threadCount: Int
  private var unit = AccessUnit()

  /// Opens input and output.
  init(
    _ item: EncodePlan.Item, command: EncodeCommand, coverImage: [UInt8], threadCount: Int,
    interruption: Interruption
  ) throws(CommandFailure) {
    self.item = item
    self.threadCount = threadCount
    self.interruption = interruption
    source = try SoundSource(item.source, raw: command.raw, interruption: interruption)
    if source.frameCount == 0 { throw .empty(source.name) }
    settings = try EncodeSettings(command.sound, for: source.info, name: source.name)
    feed = try SoundFeed(source.info, settings, name: source.name)
    if command.outputFolder != nil { try OutputFile.makeFolders(for: item.output) }
    file = try OutputFile(
      item.output, replacing: command.replacesExisting, interruption: interruption)
    writer = try StreamWriter(
      Self.container(item.format, command, source, settings, feed.encoder, coverImage),
      to: file)
  }

  /// Does the work; `progress` is called with the seconds done and the total seconds.
  mutating func run(
    progress: (_ done: Double, _ total: Double?) -> Void
  ) throws(CommandFailure) -> EncodeReport {
    // A reader at the other end of a pipe should not have to wait for segments to fill.
    let isFile = file.isSeekable && source.frameCount.map { $0 > Self.segmentLength } ?? true
    let pool = isFile ? SegmentWorkers.start(threadCount: min(threadCount, Self.mostThreads)) : nil
    defer { pool?.workers.close(pool?.threads ?? []) }
    if pool != nil { feed.beginSplitting() }
    let secondsPerByte =
      1 / Double(source.info.format.bytesPerFrame * source.info.format.sampleRate)
    let total = source.frameCount.map { Double($0) / Double(source.info.format.sampleRate) }
    var byteCount = 0
    while !feed.isComplete, let range = try source.next() {
      if let signal = interruption.signal { throw CommandFailure(Interrupted(signal: signal)) }
      source.pass(range, to: &feed)
      try writeUnits(pool?.workers)
      byteCount += range.count
      progress(Double(byteCount) * secondsPerByte, total)
    }
    let trim = feed.finish()
    if trim.sampleCount == 0 { throw .empty(source.name) }
    try writeUnits(pool?.workers)
    while let units = pool?.workers.takeFirst() { try write(units) }
    try writer.finish(trim)
    try file.commit()
    return report(trim)
  }

  /// The most threads for one file; each holds a segment, 2 MB per channel.
  private static let mostThreads = 8

  /// Samples in a segment, at about the source's rate.
  private static let segmentLength = AACEncoder.segmentFrameCount * 1024

  /// Writes the units whose samples are complete, or passes them to `workers`.
  private mutating func writeUnits(_ workers: SegmentWorkers?) throws(CommandFailure) {
    guard let workers else {
      while feed.nextAccessUnit(into: &unit) { try writer.write(unit) }
      // There may be a listener at the other end.
      if !file.isSeekable { try file.flush() }
      return
    }
    while let segment = feed.splitSegment() {
      workers.submit(segment)
      if workers.isFull, let units = workers.takeFirst() { try write(units) }
    }
  }

  private mutating func write(_ units: [AccessUnit]) throws(CommandFailure) {
    if let signal = interruption.signal { throw CommandFailure(Interrupted(signal: signal)) }
    for unit in units { try writer.write(unit) }
  }

  private func report(_ trim: Trim) -> EncodeReport {
    var report = EncodeReport()
    report.input = item.source.name
    report.output = item.output
    report.format = item.format
    report.sampleRate = settings.configuration.sampleRate
    report.channelCount = settings.configuration.channelCount
    report.bandwidth = feed.encoder.bandwidth
    report.sampleCount = trim.sampleCount
    report.byteCount = file.byteCount
    report.payloadByteCount = writer.payloadByteCount
    report.elapsed = System.seconds - start
    report.warnings = settings.warnings
    if feed.missingByteCount > 0 {
      report.warnings.append(
        "“\(displayed(source.name))” ends \(QuantityText.size(Int(clamping: feed.missingByteCount))) "
          + "before the end that its header announces; what is there was encoded.")
    }
    return report
  }

  private static func container(
    _ format: OutputFormat, _ command: EncodeCommand, _ source: SoundSource,
    _ settings: EncodeSettings, _ encoder: AACEncoder, _ coverImage: [UInt8]
  ) -> CodedFileWriter.Configuration {
    let kind: CodedFileWriter.Format =
      switch format {
      case .m4a: .m4a
      case .aac: .adts(isMPEG2: command.sound.isMPEG2, hasChecksum: command.hasChecksum)
      case .latm: .latm
      }
    var container = CodedFileWriter.Configuration(kind, stream: encoder.audioSpecificConfig)
    container.tags = MP4Tags(command.tags, coverImage: coverImage)
    container.expectedUnitCount = source.frameCount.flatMap {
      CodedFileWriter.expectedUnitCount(
        frameCount: Int64($0), from: source.info.format.sampleRate,
        to: encoder.timing)
    }
    container.timing = encoder.timing
    return container
  }
}

extension CommandFailure {
  fileprivate static func empty(_ name: String) -> CommandFailure {
    CommandFailure(
      .badInput, "“\(displayed(name))” holds no samples. Check where it comes from.")
  }
}

extension MP4Tags {
  /// The tags requested by the options.
  init(_ settings: EncodeCommand.TagSettings, coverImage: [UInt8]) {
    self.init()
    title = settings.title
    artist = settings.artist
    album = settings.album
    date = settings.date
    comment = settings.comment
    encoder = AacornVersion.encoderTag
    self.coverImage = coverImage
  }
}
