import AacornCodec
import AacornContainers
import AacornSignal
import AacornSoundFiles
package import AacornSystem

/// Encodes one input completely, in memory that does not grow with its length.
package struct EncodeWork {
  private let interruption: Interruption
  private var source: SoundSource
  /// The status of the input file before it was opened; nil for a pipe.
  private let sourceStatus: System.FileStatus?
  private let settings: EncodeSettings
  private var feed: SoundFeed
  private let file: OutputFile
  private var writer: StreamWriter
  private let threadCount: Int
  /// The results of a first pass; nil without one.
  private let prescan: LoudnessPrescan?
  private let loudnessWarning: String?
  /// Warnings about lost tags of the input.
  private let tagWarnings: [String]
  /// The SHA-256 digest of the input file after the work; nil unless it was requested.
  package private(set) var inputDigest: [UInt8]?
  private var unit = AccessUnit()
  /// The number of bytes that the input's header announces but that are missing.
  private var missingByteCount: UInt64 = 0

  /// Opens input and output, and measures the input if its loudness is needed.
  ///
  /// The measurement calls `progress` as `run` does later for the remaining work.
  package init(
    _ request: EncodeRequest, interruption: Interruption,
    progress: (_ done: Double, _ total: Double?) -> Void = { _, _ in }
  ) throws(AACFileError) {
    threadCount = request.options.threadCount ?? 1
    self.interruption = interruption
    try LoudnessPrescan.check(request)
    sourceStatus = Self.status(of: request.origin)
    source = try SoundSource(
      request.origin, rawFormat: request.rawFormat, digests: request.digestsInput,
      interruption: interruption)
    if source.frameCount == 0 { throw .withoutSamples(source.name) }
    settings = try EncodeSettings(request.options, for: source.info, name: source.name)
    feed = try SoundFeed(settings, name: source.name)
    if request.makesFolders { try OutputFile.makeFolders(for: request.output) }
    file = try OutputFile(
      request.output, replacing: request.options.replacesExisting,
      acceptsEqual: request.acceptsEqualOutput, interruption: interruption)
    if LoudnessPrescan.isNeeded(for: request.options) {
      let prescan = try LoudnessPrescan(
        request, settings.conversion, interruption: interruption
      ) { reading, done, total in
        guard let total else { return }
        let before = Self.share(ofReadings: reading)
        progress(before * total + (1 - before) * Self.prescanShare * done, total)
      }
      // The measurement opened the input again.
      let status = try? System.status(of: source.name)
      if let sourceStatus, status?.hasContent(of: sourceStatus) != true {
        throw .changedDuringRead(source.name)
      }
      feed.processor.gain = try prescan.stage(for: settings.conversion)
      loudnessWarning = prescan.warning(request.options, name: source.name)
      self.prescan = prescan
    } else {
      prescan = nil
      loudnessWarning = nil
    }
    var container = Self.container(for: request, of: source, encoder: feed.encoder)
    var warnings: [String] = []
    if request.options.keepsTags, let found = try source.tags() {
      if request.format == .m4a {
        var kept = found.tags
        // The loudness tags of the input are invalid after mixing or effects.
        let isMixed = settings.conversion.channelCount != source.info.format.channelCount
        if isMixed || !settings.effects.isEmpty { kept.removeLoudness() }
        container.tags.fill(from: kept)
        warnings =
          found.warnings
          + MP4Chapter.lossWarnings(found.tags.chapters, output: request.output)
      } else {
        warnings = [found.rejectionMessage(of: request.output, name: source.name)].compactMap(
          \.self)
      }
    }
    // The measured loudness replaces the loudness tags of the input.
    if let prescan, request.format == .m4a { container.tags.setLoudness(prescan.statement) }
    tagWarnings = warnings
    writer = try StreamWriter(container, to: file)
  }

  /// Does the work; `progress` is called with the seconds done and the total seconds.
  package mutating func run(
    progress: (_ done: Double, _ total: Double?) -> Void
  ) throws(AACFileError) -> AACFile.Summary {
    // Do not split audio that goes to a pipe: its reader would wait for full segments.
    let isFile = file.isSeekable && source.frameCount.map { $0 > segmentLength } ?? true
    let pool =
      isFile
      ? Workers.start(threadCount: min(threadCount, Self.maxThreadCount)) { $0.encode() } : nil
    defer { pool?.workers.close(pool?.threads ?? []) }
    let trim: StreamTrim
    if let workers = pool?.workers, feed.processor.isLocal, let samples = source.storedSamples {
      trim = try encode(samples, by: workers, progress: progress)
    } else {
      if pool != nil { feed.beginSplitting() }
      trim = try encodeInOrder(pool?.workers, progress)
      missingByteCount = feed.processor.conversion.missingByteCount
    }
    try writer.finish(trim)
    inputDigest = try source.digest()
    try requireSameSource()
    try file.commit()
    return summary(trim)
  }

  /// Passes the input to the encoder, or to `workers`, in the order of the file.
  private mutating func encodeInOrder(
    _ workers: Workers?, _ progress: (_ done: Double, _ total: Double?) -> Void
  ) throws(AACFileError) -> StreamTrim {
    let frameSize = Double(source.info.format.bytesPerFrame)
    var byteCount = 0
    while !feed.processor.conversion.isComplete, let range = try source.next() {
      if let signal = interruption.signal { throw AACFileError(signal: signal) }
      source.pass(range, to: &feed)
      try writeUnits(workers)
      byteCount += range.count
      report(Double(byteCount) / frameSize, to: progress)
    }
    let trim = feed.finish()
    if trim.sampleCount == 0 { throw .withoutSamples(source.name) }
    try writeUnits(workers)
    while let part = workers?.takeFirst() { try write(part) }
    return trim
  }

  /// Encodes parts of a file, whose samples each of `workers` reads in blocks.
  private mutating func encode(
    _ samples: StoredSamples, by workers: Workers,
    progress: (_ done: Double, _ total: Double?) -> Void
  ) throws(AACFileError) -> StreamTrim {
    let splitter = SegmentSplitter(configuredLike: feed.encoder)
    var (submitted, written) = (0, 0)
    while true {
      if let (encoder, range) = splitter.segment(submitted, ofSamples: samples.frameCount) {
        let own = submitted * segmentLength..<(submitted + 1) * segmentLength
        workers.submit(
          Segment(
            encoder: encoder,
            samples: Segment.Samples(
              file: samples, range: range, checkedRange: range.clamped(to: own),
              conversion: feed.processor.conversion)))
        submitted += 1
        if !workers.isFull { continue }
      }
      guard let part = workers.takeFirst() else { break }
      try write(part)
      written += 1
      report(Double(min(samples.frameCount, written * segmentLength)), to: progress)
    }
    return feed.encoder.timing.trim(of: samples.frameCount)
  }

  /// Reports the encoded part of the input.
  private func report(
    _ frames: Double, to progress: (_ done: Double, _ total: Double?) -> Void
  ) {
    let rate = Double(source.info.format.sampleRate)
    let done = frames / rate
    let total = source.frameCount.map { Double($0) / rate } ?? source.codedSound?.totalSeconds
    let share = Self.share(ofReadings: prescan?.readingCount ?? 0)
    progress(done + share * ((total ?? done) - done), total)
  }

  /// Throws if the input was changed since it was opened: the output could be a mixture.
  ///
  /// An input that was moved, removed or replaced is still read from the open file.
  private func requireSameSource() throws(AACFileError) {
    guard let sourceStatus, let status = try? System.status(of: source.name),
      status.identity == sourceStatus.identity, !status.hasContent(of: sourceStatus)
    else { return }
    throw .changedDuringRead(source.name)
  }

  private static func status(of origin: SoundOrigin) -> System.FileStatus? {
    guard case .file(let path) = origin, let status = try? System.status(of: path),
      status.kind == .file
    else { return nil }
    return status
  }

  /// The estimated share of a measuring pass in the remaining time.
  private static let prescanShare = 0.2

  /// Returns the estimated share of the total work for a number of measuring passes; the total
  /// number of passes is unknown in advance.
  private static func share(ofReadings count: Int) -> Double {
    var rest = 1.0
    for _ in 0..<count { rest *= 1 - prescanShare }
    return 1 - rest
  }

  /// The maximum number of threads per file; each may have a segment in memory: 2 MB per channel,
  /// or 4 MB in HE-AAC.
  private static let maxThreadCount = 8

  /// Samples in a segment, at about the source's rate.
  private var segmentLength: Int {
    AACEncoder.segmentFrameCount * settings.configuration.timing.samplesPerUnit
  }

  private typealias Workers = SegmentWorkers<Segment, Result<EncodedPart, AACFileError>>

  /// Writes the units with complete samples, or passes segments to `workers`.
  private mutating func writeUnits(_ workers: Workers?) throws(AACFileError) {
    guard let workers else {
      while feed.encoder.nextAccessUnit(into: &unit) { try writer.write(unit) }
      // Flush a pipe after every block, because its reader may play the audio live.
      if !file.isSeekable { try file.flush() }
      return
    }
    while let segment = feed.splitter?.nextSegment() {
      workers.submit(Segment(encoder: segment))
      if workers.isFull, let part = workers.takeFirst() { try write(part) }
    }
  }

  private mutating func write(
    _ result: Result<EncodedPart, AACFileError>
  ) throws(AACFileError) {
    if let signal = interruption.signal { throw AACFileError(signal: signal) }
    let part = try result.get()
    for unit in part.units { try writer.write(unit) }
    source.add(part.check)
  }

  private func summary(_ trim: StreamTrim) -> AACFile.Summary {
    var summary = AACFile.Summary()
    summary.sampleRate = settings.configuration.sampleRate
    summary.channelCount = settings.configuration.channelCount
    summary.profile = settings.configuration.profile
    summary.bandwidth = feed.encoder.bandwidth
    summary.sampleCount = trim.sampleCount
    summary.byteCount = file.byteCount
    summary.payloadByteCount = writer.payloadByteCount
    summary.isDamaged = source.isDamaged(missingByteCount)
    summary.loudness = prescan?.summary
    summary.warnings = settings.warnings
    if let loudnessWarning { summary.warnings.append(loudnessWarning) }
    if let sound = source.codedSound { summary.warnings += sound.secondLossWarnings }
    summary.warnings += tagWarnings
    if let warning = source.lengthWarning { summary.warnings.append(warning) }
    if let warning = source.sampleWarning { summary.warnings.append(warning) }
    if let shortfall = source.shortfall(missingByteCount) {
      summary.warnings.append(shortfall)
    }
    return summary
  }

  private static func container(
    for request: EncodeRequest, of source: SoundSource, encoder: AACEncoder
  ) -> CodedFileWriter.Configuration {
    var container = CodedFileWriter.Configuration(
      request.format, stream: encoder.audioSpecificConfig)
    container.tags = request.options.tags
    if container.tags.encoder == nil { container.tags.encoder = AacornVersion.encoderTag }
    container.expectedUnitCount = source.frameCount.flatMap {
      CodedFileWriter.expectedUnitCount(
        frameCount: Int64($0), from: source.info.format.sampleRate,
        to: encoder.timing)
    }
    container.timing = encoder.timing
    return container
  }
}

/// The units of a segment.
private struct EncodedPart: Sendable {
  var units: [AccessUnit] = []
  /// The check of the segment's samples, if they need one and were not checked before.
  var check: SampleCheck?
}

/// A segment to be encoded on another thread.
private struct Segment: Sendable {
  /// The place of the samples in a file.
  struct Samples: Sendable {
    let file: StoredSamples
    let range: Range<Int>
    /// The part of the range that no other segment checks.
    let checkedRange: Range<Int>
    let conversion: AudioConversion
  }

  var encoder: SegmentEncoder
  /// The samples; nil if the encoder has them.
  var samples: Samples?

  /// Encodes all units.
  mutating func encode() -> Result<EncodedPart, AACFileError> {
    var part = EncodedPart()
    part.units.reserveCapacity(AACEncoder.segmentFrameCount)
    do throws(AACFileError) {
      if let samples { try read(samples, into: &part) }
    } catch {
      return .failure(error)
    }
    while let unit = encoder.nextAccessUnit() { part.units.append(unit) }
    return .success(part)
  }

  /// Reads the samples in blocks, and encodes the units that they complete.
  private mutating func read(
    _ samples: Samples, into part: inout EncodedPart
  ) throws(AACFileError) {
    var conversion = samples.conversion
    part.check = SampleCheck(samples.file.info)
    let frameSize = samples.file.info.format.bytesPerFrame
    var (integers, floats): ([Int16], [Float]) = ([], [])
    try samples.file.read(samples.range) { frames, bytes in
      let checked = frames.clamped(to: samples.checkedRange)
      if !checked.isEmpty {
        let first = (checked.lowerBound - frames.lowerBound) * frameSize
        part.check?.count(bytes.span.extracting(first..<first + checked.count * frameSize))
      }
      integers.removeAll(keepingCapacity: true)
      floats.removeAll(keepingCapacity: true)
      conversion.push(bytes.span, integers: &integers, samples: &floats)
      encoder.encode(interleaved: integers.span)
      encoder.encode(interleaved: floats.span)
      while let unit = encoder.nextAccessUnit() { part.units.append(unit) }
    }
    encoder.finish()
  }
}
