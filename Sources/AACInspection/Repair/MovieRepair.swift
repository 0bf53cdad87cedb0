import AACCodec
import AACContainers
import AACFormat

/// Finds the frames of a damaged MP4 file: by its tables, as far as they go, or by reading them.
struct MovieRepair<Failure: Error> {
  private let byteCount: UInt64
  private let hints: RepairHints
  private let read: (UInt64, Int) throws(Failure) -> [UInt8]
  private var window: FileWindow<Failure>
  private var reader: MP4Reader
  private var frames = FrameList()
  private var losses = RepairLog()

  init(
    byteCount: UInt64, hints: RepairHints,
    read: @escaping (UInt64, Int) throws(Failure) -> [UInt8]
  ) {
    self.byteCount = byteCount
    self.hints = hints
    self.read = read
    window = FileWindow(byteCount: byteCount, read: read)
    reader = MP4Reader(byteCount: byteCount)
  }

  /// What can be done.
  mutating func outcome() throws(Failure) -> RepairOutcome {
    while case .need(let offset, let count) = reader.step() {
      reader.supply(try read(offset, count))
    }
    if let track = reader.track { return try outcome(of: track) }
    if reader.mediaOffset == nil { return .irreparable(.noFrames) }
    if reader.fragmentCount > 0 { return .irreparable(.missingDescription) }
    return try outcomeOfMedia()
  }

  // MARK: - With tables

  private mutating func outcome(of track: MP4Track) throws(Failure) -> RepairOutcome {
    // Only our recordings keep room for a movie box in front of their fragments.
    let isUnfinished = reader.fragmentCount > 0 && reader.reservedByteCount > 0
    if reader.damage.isEmpty && !isUnfinished {
      return reader.completeSampleCount == 0 ? .irreparable(.noFrames) : .intact
    }
    var place: MP4Completion.Place?
    let hasWholeTables = reader.fragmentCount > 0 || !reader.damage.contains(where: \.isOfTables)
    if hasWholeTables {
      if let obstacle = try takeSamples(track.stream) { return .irreparable(obstacle) }
      if reader.fragmentCount > 0, reader.otherTrackCount == 0, let offset = reader.movieOffset {
        place = .fragments(
          movieOffset: offset, movieByteCount: Int(clamping: reader.movieByteCount),
          reservedByteCount: Int(clamping: reader.reservedByteCount))
      }
    } else {
      // Broken tables that still say what stream it is leave the frames to be read.
      var other = self
      let obstacle = try takeSamples(track.stream)
      if let media = reader.mediaRange,
        try other.walk(track.stream, from: media.lowerBound, to: media.upperBound),
        obstacle != nil || other.frames.sizes.count > frames.sizes.count
      {
        self = other
      } else if let obstacle {
        return .irreparable(obstacle)
      }
      place = mediaPlace
    }
    if frames.sizes.isEmpty { return .irreparable(.noFrames) }

    var configuration = try configuration(track.stream)
    let edit = track.edits.first { $0.mediaTime > 0 }
    var priming = edit.map { UInt64($0.mediaTime) } ?? UInt64(reader.gaplessTag?.priming ?? 0)
    let rate = UInt64(max(0, track.stream.outputSampleRate))
    if track.timescale > 0, rate > 0, rate != UInt64(track.timescale) {
      priming = priming &* rate / UInt64(track.timescale)
    }
    configuration.priming = Int(clamping: priming)
    return plan(configuration, place: place)
  }

  /// Takes the frames that the tables list, as far as they are there.
  private mutating func takeSamples(
    _ stream: AudioSpecificConfig
  ) throws(Failure) -> RepairObstacle? {
    var sampleCount = reader.completeSampleCount
    sampleCount -= try unreadableCount(stream, before: sampleCount)
    var end: UInt64 = 0
    for index in 0..<sampleCount {
      guard let sample = reader.sample(at: index) else { break }
      if sample.byteCount == 0 { continue }
      guard frames.append(sample.offset, byteCount: Int(sample.byteCount)) else {
        return .unsupportedStream
      }
      end = max(end, sample.offset + UInt64(sample.byteCount))
      // Frames that overlap could fill any disk.
      if frames.byteCount > byteCount { return .contradictoryTables }
    }
    noteTornEnd(sampleCount: sampleCount, end: end)
    return nil
  }

  /// How many frames at the end cannot be read.
  ///
  /// After a power cut the end of a file may be there and hold nothing but zeros.
  private mutating func unreadableCount(
    _ stream: AudioSpecificConfig, before sampleCount: Int
  ) throws(Failure) -> Int {
    var parser = AccessUnitParser(stream)
    var log = RepairLog()
    var count = 0
    while count < sampleCount, let sample = reader.sample(at: sampleCount - 1 - count) {
      let size = Int(min(sample.byteCount, 1 << 16))
      let range = try window.range(at: sample.offset, count: size, isBackwards: true)
      do throws(ParseError) {
        try parser.parse(window.bytes, range: range)
        losses = log
        return count
      } catch {
        log.add(.unreadableFrame, sample.offset..<sample.offset + UInt64(sample.byteCount))
        count += 1
      }
    }
    // If not one can be read, that is due to the reader: they are taken as they are.
    return 0
  }

  /// Notes what comes after the last frame that is kept.
  private mutating func noteTornEnd(sampleCount: Int, end: UInt64) {
    if losses.count > 0 { return }
    for damage in reader.damage {
      switch damage.kind {
      case .sampleOutsideFile, .truncated, .invalidBoxSize:
        // In media that are cut, whole frames may come before the cut.
        let start = damage.kind == .sampleOutsideFile ? damage.offset : max(damage.offset, end)
        if start < byteCount { return losses.add(.tornFrame, max(start, end)..<byteCount) }
      default: break
      }
    }
  }

  // MARK: - Without tables

  private mutating func outcomeOfMedia() throws(Failure) -> RepairOutcome {
    guard let media = reader.mediaRange else { return .irreparable(.noFrames) }
    let finding = try FrameProbe<Failure>(hints).find(in: media, &window)
    guard let stream = finding.configurations.first else { return .irreparable(.noFrames) }
    if finding.configurations.count > 1 { return .needsConfiguration(finding.configurations) }
    losses.add(.garbage, media.lowerBound..<finding.offset)
    guard try walk(stream, from: finding.offset, to: media.upperBound) else {
      return .irreparable(.unsupportedStream)
    }
    var configuration = try configuration(stream)
    configuration.priming = max(0, hints.priming ?? 0)
    return plan(configuration, place: mediaPlace)
  }

  /// Where tables can be put behind the media, unless there are others in front.
  private var mediaPlace: MP4Completion.Place? {
    guard let offset = reader.mediaOffset, reader.movieOffset.map({ $0 > offset }) ?? true else {
      return nil
    }
    return .media(
      offset: offset, headerByteCount: reader.mediaHeaderByteCount,
      hasRoomForLongSize: reader.hasRoomForLongMedia)
  }

  /// Reads frame after frame; false if one is too long to be written.
  private mutating func walk(
    _ stream: AudioSpecificConfig, from start: UInt64, to end: UInt64
  ) throws(Failure) -> Bool {
    var frameReader = FrameReader<Failure>(stream)
    var offset = start
    while offset < end {
      let result = try frameReader.result(at: offset, limit: end, &window)
      if case .frame(let length) = result {
        guard frames.append(offset, byteCount: length) else { return false }
        offset += UInt64(length)
        continue
      }
      let next = try frameReader.nextPlace(after: offset, limit: end, &window)
      losses.add(
        result == .torn && next == nil ? .tornFrame : .garbage, offset..<(next ?? end))
      offset = next ?? end
    }
    return true
  }

  // MARK: - The plan

  private mutating func configuration(
    _ stream: AudioSpecificConfig
  ) throws(Failure) -> MP4Writer.Configuration {
    var configuration = MP4Writer.Configuration(stream: stream, layout: .faststart)
    configuration.tags = reader.tags
    configuration.creationTime = reader.creationTime
    configuration.started = reader.started
    configuration.gapEntries = reader.gapEntries
    if let cover = reader.coverImage, cover.upperBound - cover.lowerBound < 1 << 26 {
      let count = Int(cover.upperBound - cover.lowerBound)
      let image = try read(cover.lowerBound, count)
      if image.count == count { configuration.tags.coverImage = image }
    }
    return configuration
  }

  private func plan(
    _ configuration: MP4Writer.Configuration, place: MP4Completion.Place?
  ) -> RepairOutcome {
    let stream = configuration.stream
    let samplesPerUnit =
      stream.frameLength * max(1, stream.outputSampleRate / max(1, stream.sampleRate))
    let total = frames.sizes.count * samplesPerUnit
    let priming = min(configuration.priming, total)
    let trim = Trim(priming: priming, remainder: 0, sampleCount: total - priming)
    do throws(ContainerError) {
      var plan = RepairPlan(
        container: .movie(isQuickTime: false, isFragmented: reader.fragmentCount > 0),
        stream: stream, frameCount: frames.sizes.count, trim: trim, losses: losses,
        started: configuration.started, gapEntries: configuration.gapEntries,
        newFile: try newFile(configuration, trim))
      plan.otherTrackCount = reader.otherTrackCount
      if let place {
        var completion = try MP4Completion(configuration: configuration, place: place)
        try frames.forEach { (offset, count) throws(ContainerError) in
          try completion.append(frameAt: offset, byteCount: count)
        }
        if let writes = try completion.finish(trim, fileByteCount: byteCount) {
          plan.inPlace = InPlaceRepair(writes: writes)
        }
      }
      return .repairable(plan)
    } catch .unrecognisedCoverImage where !configuration.tags.coverImage.isEmpty {
      var configuration = configuration
      configuration.tags.coverImage = []
      return plan(configuration, place: place)
    } catch {
      return .irreparable(.unsupportedStream)
    }
  }

  /// A file with its tables in front, unless its frames are so long that it takes a move.
  private func newFile(
    _ configuration: MP4Writer.Configuration, _ trim: Trim
  ) throws(ContainerError) -> RepairedFile {
    var configuration = configuration
    configuration.expectedUnitCount = frames.sizes.count
    for layout in [MP4Writer.Layout.faststart, .moovAtEnd] {
      configuration.layout = layout
      var writer = try MP4Writer(configuration: configuration)
      let start = writer.start()
      for size in frames.sizes { try writer.count(Int(size)) }
      let finish = try writer.finish(trim)
      if finish.mediaShift == 0 || layout == .moovAtEnd {
        return RepairedFile(start: start, parts: frames.parts, finish: finish)
      }
    }
    throw .tooManyFrames(limit: frames.sizes.count)
  }
}

extension MP4Reader {
  /// The content of the first media data box, or nil if there is none.
  fileprivate var mediaRange: Range<UInt64>? {
    guard let mediaOffset else { return nil }
    let start = mediaOffset + UInt64(mediaHeaderByteCount)
    let end = mediaOffset + mediaByteCount
    return start < end ? start..<end : nil
  }
}

extension MP4Damage {
  /// Whether tables may list less than there is.
  fileprivate var isOfTables: Bool {
    switch kind {
    case .truncated, .boxExceedsParent, .boxTooLarge, .countExceedsBox, .missingTable,
      .tableMismatch, .invalidBoxSize:
      true
    case .missingMovie, .fragmentBeforeMovie, .noAudioTrack, .invalidConfiguration,
      .sampleOutsideFile:
      false
    }
  }
}
