import AacornCodec
public import AacornContainers

/// Inspects an MP4, M4A or QuickTime file, fragmented or not, and requests the bytes it needs.
///
///     var inspector = MovieInspector(byteCount: file.size)
///     loop: while true {
///       switch inspector.step() {
///       case .need(let offset, let count): inspector.supply(file.read(count, at: offset))
///       case .row(let row): …
///       case .finished: break loop
///       }
///     }
///     // now inspector.report
public struct MovieInspector: Sendable {
  /// The result of a step.
  public enum Step: Equatable, Sendable {
    /// A request for these bytes, to be passed to `supply`; fewer mean that the file ends there.
    case need(offset: UInt64, count: Int)
    /// A frame.
    case row(FrameRow)
    /// The end: all frames have been read.
    case finished
  }

  /// The tables of the file; complete before the first row.
  public var reader: MP4Reader { units.reader }
  @Boxed private var analyzer: FrameAnalyzer
  private let byteCount: UInt64
  private var container = StreamReport.Container.unknown
  private var units: MovieUnits
  private var file: ReadAhead
  private var sampleIndex = 0
  private var cover: CoverImage?

  /// Creates an inspector of a file; `measuresLevels` enables the loudness levels.
  public init(byteCount: UInt64, measuresLevels: Bool = false) {
    analyzer = FrameAnalyzer(measuresLevels: measuresLevels)
    self.byteCount = byteCount
    units = MovieUnits(byteCount: byteCount)
    file = ReadAhead(byteCount: byteCount)
  }

  /// The current findings; complete once `step` has returned `finished`.
  public var report: StreamReport {
    var report = analyzer.currentReport
    report.container = container
    report.byteCount = Int64(clamping: byteCount)
    // The timescale does not include band replication that only the frames signal.
    let isHidden = report.hasSpectralBandReplication && !report.isExtensionSignaled
    let samplesPerTick = isHidden ? reader.samplesPerDoubledTick : reader.samplesPerTick
    report.trim = reader.trimming(samplesPerTick: samplesPerTick)
    report.trimRate = Int(clamping: UInt64(reader.track?.timescale ?? 0) * samplesPerTick)
    if reader.completeUnitCount < reader.unitCount {
      report.statedDuration = reader.statedDuration
    }
    report.started = reader.started
    report.tags = reader.tags
    report.cover = cover
    report.gapEntries = reader.gapEntries
    return report
  }

  /// Returns the loudness over time, as in ``SoundEnvelope/levels(_:)``.
  public func levels(_ count: Int) -> [UInt8] { analyzer.levels(count) }

  /// Advances by one step.
  ///
  /// A request is repeated until its bytes are supplied.
  public mutating func step() -> Step {
    while true {
      if let wanted = file.wanted { return .need(offset: wanted.offset, count: wanted.count) }
      if !units.areTablesRead {
        if units.readTables(&file) { takeTables() }
        continue
      }
      guard let stream = units.reader.track?.stream, sampleIndex < units.reader.completeUnitCount,
        let sample = units.reader.sample(at: sampleIndex)
      else {
        if examineCover() { return .finished }
        continue
      }
      if let row = read(sample, stream) { return .row(row) }
    }
  }

  /// Supplies the requested bytes.
  public mutating func supply(_ bytes: [UInt8]) { file.supply(bytes) }

  /// Examines the start of the cover, if there is one; returns false if its bytes were requested.
  private mutating func examineCover() -> Bool {
    guard cover == nil, let range = reader.coverImage else { return true }
    let count = Int(min(range.upperBound - range.lowerBound, CoverImage.headLimit))
    guard file.request(range.lowerBound, count: count, ahead: 0) else { return false }
    cover = CoverImage(file.copy(range.lowerBound, count: count), range: range)
    return true
  }

  /// Returns the row of the next frame; nil if it has none or its bytes were requested.
  private mutating func read(_ sample: MP4Sample, _ stream: AudioSpecificConfig) -> FrameRow? {
    let (offset, length) = (Int64(clamping: sample.offset), Int64(sample.byteCount))
    var unit = FrameAnalyzer.Unit(stream, [], offset: offset)
    if length <= Int64(FrameLimits.maxByteCount) {
      guard let bytes = units.bytes(of: sample, at: sampleIndex, in: &file) else { return nil }
      unit = FrameAnalyzer.Unit(stream, bytes, offset: offset)
    }
    sampleIndex += 1
    unit.length = length
    unit.isMPEG2 = units.reader.track?.isMPEG2 == true
    if length > Int64(FrameLimits.maxByteCount) {
      analyzer.addMissingBlocks(1, unit)
      return nil
    }
    // Fewer bytes than the frame needs mean that the file has ended.
    if unit.bytes.count < Int(length) {
      analyzer.add(.movie(.sampleOutsideFile), offset: offset, length: length)
      sampleIndex = units.reader.completeUnitCount
      return nil
    }
    let used = analyzer.read(unit)
    return analyzer.countRow(unit, byteCount: used)
  }

  private mutating func takeTables() {
    // The brand “qt  ” of QuickTime; the oldest files have no brand.
    let isQuickTime = reader.brand == nil || reader.brand?.rawValue == 0x7174_2020
    container = .movie(isQuickTime: isQuickTime, isFragmented: reader.fragmentCount > 0)
    let error = reader.fragmentError ?? reader.audioError
    if let error { analyzer.add(.noStream(error), offset: 0, length: 0) }
    for damage in reader.damage {
      // Skip damage that only repeats the error above.
      if error != nil, damage.isOfMissingTrack { continue }
      analyzer.add(
        .movie(damage.kind), offset: Int64(clamping: damage.offset),
        length: Int64(clamping: damage.length))
    }
    if reader.isUnfinishedRecording { analyzer.add(.unfinishedRecording, offset: 0, length: 0) }
    let shared = Int64(clamping: reader.sharedByteCount)
    if shared > 0 { analyzer.add(.sharedBytes(count: shared), offset: 0, length: 0) }
    if let rate = reader.rateOfTimes, let stream = reader.track?.stream, error == nil {
      let factor = stream.outputSampleRate / max(1, stream.sampleRate)
      analyzer.add(
        .rateMismatch(times: rate * factor, audio: stream.outputSampleRate),
        offset: Int64(clamping: reader.movieOffset ?? 0), length: 0)
    }
    // A stream may repeat its initialization segment before further fragments.
    if let offset = reader.secondFileOffset, reader.fragmentCount == 0 {
      analyzer.add(
        .secondFile, offset: Int64(clamping: offset),
        length: Int64(clamping: byteCount - min(offset, byteCount)))
    }
    if error == nil, reader.track == nil || reader.completeUnitCount == 0 {
      analyzer.add(.noFrames, offset: 0, length: Int64(clamping: byteCount))
    }
  }
}

extension MP4Damage {
  /// Whether the damage means that there is no readable AAC track.
  fileprivate var isOfMissingTrack: Bool {
    switch kind {
    case .noAudioTrack, .invalidConfiguration, .missingMovie, .fragmentBeforeMovie: true
    default: false
    }
  }
}

extension MP4Reader {
  /// Whether the file is a recording by this package that was not completed.
  ///
  /// Such a recording has space for a movie box before its fragments.
  var isUnfinishedRecording: Bool { fragmentCount > 0 && reservedByteCount > 0 }

  /// The sampling rate of the core for which the times of the frames are exact; nil if it is about
  /// the rate of the audio, or unknown.
  ///
  /// Times may be rounded to milliseconds. Gaps between frames do not count.
  var rateOfTimes: Int? {
    // The last frame may be shortened. The length of other types' frames is unknown.
    guard let track, unitCount > 4,
      [.main, .lowComplexity, .longTermPrediction].contains(track.stream.objectType)
    else { return nil }
    let durations = (0..<min(unitCount - 1, 256)).compactMap { sample(at: $0)?.duration }.sorted()
    let median = durations.isEmpty ? 0 : UInt64(durations[durations.count / 2])
    let typical = durations.filter { UInt64($0) * 2 > median && UInt64($0) < median * 2 }
    let sum = typical.reduce(0) { $0 + UInt64($1) }
    // Durations in few ticks are rounded too coarsely.
    guard median >= 12, track.stream.sampleRate > 0 else { return nil }
    let ticks = Double(sum) / Double(typical.count)
    let rate = Double(track.stream.frameLength) * Double(track.timescale) / ticks
    let ratio = rate / Double(track.stream.sampleRate)
    return (0.96...1.04).contains(ratio) || rate > 1e6 ? nil : Int(rate + 0.5)
  }

  /// The duration in seconds that the header states, including missing frames; nil if unknown.
  ///
  /// The header of a fragmented file does not contain it.
  var statedDuration: Double? {
    guard fragmentCount == 0, let track, track.timescale > 0, unitCount > 0,
      let last = sample(at: unitCount - 1)
    else { return nil }
    let timescale = Double(track.timescale)
    let listed = (Double(last.time) + Double(last.duration)) / timescale
    // An edit list or a tag excludes the trimmed parts.
    var edited = 0.0
    for edit in track.edits where edit.mediaTime >= 0 { edited += Double(edit.duration) }
    if edited > 0, track.movieTimescale > 0 {
      return min(listed, edited / Double(track.movieTimescale))
    }
    if let tag = gaplessTag, tag.validCount > 0 {
      return min(listed, Double(tag.validCount) / timescale)
    }
    return listed
  }
}
