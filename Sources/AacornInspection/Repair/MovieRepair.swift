import AacornCodec
import AacornContainers

/// Finds the frames of a damaged MP4 file from its tables, or by parsing.
struct MovieRepair<Failure: Error> {
  let byteCount: UInt64
  let hints: RepairHints
  /// Reads the damaged file, with its box headers repaired if needed.
  var read: (UInt64, Int) throws(Failure) -> [UInt8]
  var window: FileWindow<Failure>
  var reader: MP4Reader
  /// Whether `read` returns repaired headers instead of the original bytes.
  private var hasRepairedBoxes = false
  /// The number of bytes that may still be searched for frames, so that no table can cause an
  /// endless search.
  var searchBudget: UInt64

  /// The frames found, and the losses.
  struct Found {
    var stream: AudioSpecificConfig
    var frames: FrameList
    var losses = RepairLog()
    /// The number of frames at the end that are listed but not kept.
    var droppedCount = 0
    /// Whether the losses include the end of the file.
    var isEndRecorded = false
    var gapCount = 0
    /// Whether the frames were found from the tables.
    var usesTables = true
    /// Whether the tables claim more audio than the file can contain.
    var isContradictory = false
    /// The maximum total size of the frames in bytes, since frames can overlap in a file.
    let byteLimit: UInt64

    init(_ stream: AudioSpecificConfig, of byteCount: UInt64) {
      self.stream = stream
      frames = FrameList(silence: SilentUnit.bytes(stream) ?? [])
      byteLimit = 2 * min(byteCount, 1 << 62)
    }

    /// Appends silent frames, unless they exceed the byte limit.
    mutating func appendSilence(_ count: Int) {
      let room = byteLimit - min(byteLimit, frames.byteCount)
      let most = room / UInt64(max(1, frames.silence.count))
      isContradictory = isContradictory || UInt64(max(0, count)) > most
      if !isContradictory { frames.appendSilence(count) }
    }
  }

  init(
    byteCount: UInt64, hints: RepairHints,
    read: @escaping (UInt64, Int) throws(Failure) -> [UInt8]
  ) {
    self.byteCount = byteCount
    self.hints = hints
    self.read = read
    window = FileWindow(byteCount: byteCount, read: read)
    reader = MP4Reader(byteCount: byteCount)
    searchBudget = 4 * min(byteCount, 1 << 60) + (1 << 20)
  }

  /// Returns the outcome after reading all frames and inspecting the result.
  mutating func outcome() throws(Failure) -> RepairOutcome {
    try readTables()
    if looksIntact {
      let report = try FileInspection.report(byteCount: byteCount, read: read)
      if report.faults.errorCount == 0 { return .intact }
    }
    let file = read
    try repairBoxes()
    let outcome = try outcomeUnchecked(trustsTables: false)
    guard case .repairable(var plan) = outcome else { return outcome }
    let view = RepairedView(plan.newFile, read: file)
    let report = try FileInspection.report(byteCount: view.byteCount, read: view.bytes)
    if report.faults.errorCount > 0 { return .irreparable(RepairError(report.faults)) }
    plan.tornJointCount = report.faults.first.count { $0.kind == .replication(.gap) }
    if let writes = plan.inPlace?.writes {
      let view = RepairedView(byteCount: byteCount, writes: writes, read: file)
      let report = try FileInspection.report(byteCount: view.byteCount, read: view.bytes)
      if hasRepairedBoxes || report.faults.errorCount > 0 { plan.inPlace = nil }
    }
    return .repairable(plan)
  }

  /// Returns an outcome based only on the tables and the last frames.
  mutating func estimate() throws(Failure) -> RepairOutcome {
    try readTables()
    return looksIntact ? .intact : try outcomeUnchecked(trustsTables: true)
  }

  /// Whether the tables show no need for a repair.
  private var looksIntact: Bool {
    reader.damage.isEmpty && !reader.isUnfinishedRecording && reader.completeUnitCount > 0
  }

  private mutating func readTables() throws(Failure) {
    while case .need(let offset, let count) = reader.step() {
      reader.supply(try read(offset, count))
    }
  }

  /// Repairs damaged box headers and reads the tables again, if that recovers more.
  private mutating func repairBoxes() throws(Failure) {
    let patches = try BoxRepair.patches(byteCount: byteCount, read: read)
    if patches.isEmpty { return }
    let view = RepairedView(byteCount: byteCount, writes: patches, read: read)
    var repaired = MovieRepair(byteCount: byteCount, hints: hints) {
      (offset, count) throws(Failure) in try view.bytes(at: offset, count: count)
    }
    try repaired.readTables()
    if repaired.reader.unitCount < reader.unitCount { return }
    if repaired.reader.unitCount == reader.unitCount, reader.mediaOffset != nil { return }
    repaired.hasRepairedBoxes = true
    self = repaired
  }

  private mutating func outcomeUnchecked(trustsTables: Bool) throws(Failure) -> RepairOutcome {
    if let error = reader.fragmentError { return .irreparable(.noStream(error)) }
    guard let track = reader.track else {
      let error = reader.audioError.map { RepairError.noStream($0) }
      if reader.mediaOffset == nil { return .irreparable(error ?? .noFrames) }
      if reader.fragmentCount > 0 { return .irreparable(error ?? .missingDescription) }
      // If the description names another codec, it may be damaged.
      let outcome = try outcomeOfMedia(hints)
      guard let error, case .irreparable(.noFrames) = outcome else { return outcome }
      return .irreparable(error)
    }
    var found = try trustsTables ? trusted(track.stream) : best(track)
    if found.isContradictory { return .irreparable(.contradictoryTables) }
    if found.frames.foundCount == 0 {
      if SilentUnit.bytes(track.stream) == nil { return .irreparable(.unsupportedStream) }
      if trustsTables || reader.fragmentCount > 0 { return .irreparable(.noFrames) }
      // Try other descriptions, because this one may be wrong.
      var hints = hints
      if let other = otherDescription(of: track) { hints.sampleRate = other.sampleRate }
      return try outcomeOfMedia(hints)
    }
    recordTornEnd(&found)
    var configuration = try configuration(found.stream)
    let trim = trim(of: track, found)
    configuration.timing.priming = trim.priming
    return plan(configuration, trim: trim, found: found)
  }

  /// Returns the frames from the tables or from parsing, whichever finds more.
  private mutating func best(_ track: MP4Track) throws(Failure) -> Found {
    var best = try listed(track.stream)
    if 2 * best.frames.foundCount < reader.unitCount, let stream = otherDescription(of: track) {
      let found = try listed(stream)
      if found.frames.foundCount > best.frames.foundCount { best = found }
    }
    let isComplete =
      best.frames.silentCount == 0 && best.droppedCount == 0 && !best.isContradictory
      && !reader.damage.contains(where: \.isOfTables)
    guard !isComplete, reader.fragmentCount == 0, let media = reader.mediaRange else { return best }
    let parsed = try parseFrames(best.stream, from: media.lowerBound, to: media.upperBound)
    let isBetter =
      best.isContradictory || parsed.frames.foundCount > best.frames.foundCount
    guard isBetter, parsed.frames.foundCount > 0 else { return best }
    // If there is a single gap, the tables still reveal the number of missing frames.
    let lost = reader.unitCount - parsed.frames.foundCount
    guard parsed.gapCount == 1, lost > 0, lost < parsed.frames.foundCount / 4,
      !parsed.frames.silence.isEmpty
    else { return parsed }
    return try parseFrames(best.stream, from: media.lowerBound, to: media.upperBound, gap: lost)
  }

  /// Returns the stream according to the timescale and the channel count of the sample description;
  /// nil if it equals the track's stream.
  private func otherDescription(of track: MP4Track) -> AudioSpecificConfig? {
    var stream = track.stream
    if stream.extensionSampleRate != nil { return nil }
    if track.timescale > 0 { stream.sampleRate = Int(clamping: track.timescale) }
    if let layout = ChannelConfiguration(channelCount: Int(track.channelCount)) {
      stream.channelConfiguration = layout.rawValue
    }
    return stream == track.stream ? nil : stream
  }

  private mutating func outcomeOfMedia(_ hints: RepairHints) throws(Failure) -> RepairOutcome {
    guard let media = reader.mediaRange else { return .irreparable(.noFrames) }
    let finding = try FrameProbe<Failure>(hints).find(in: media, &window)
    guard let stream = finding.configurations.first else { return .irreparable(.noFrames) }
    if finding.configurations.count > 1 { return .needsConfiguration(finding.configurations) }
    var found = try parseFrames(stream, from: finding.offset, to: media.upperBound)
    found.losses.add(.garbage, media.lowerBound..<finding.offset)
    var configuration = try configuration(stream)
    let trim = Self.trim(
      priming: hints.priming ?? Int(clamping: reader.gaplessTag?.priming ?? 0), remainder: 0,
      found)
    configuration.timing.priming = trim.priming
    return plan(configuration, trim: trim, found: found)
  }
}

extension MP4Reader {
  /// The content of the first media data box, or nil without one.
  var mediaRange: Range<UInt64>? {
    guard let mediaOffset else { return nil }
    let start = mediaOffset + UInt64(mediaHeaderByteCount)
    let end = mediaOffset + mediaByteCount
    return start < end ? start..<end : nil
  }
}

extension MP4Damage {
  /// Whether the tables may list fewer frames than the file has.
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
