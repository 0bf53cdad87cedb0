import AacornCodec

/// Reads the units that the tables of an MP4 file list.
package struct MovieUnits: Sendable {
  /// The tables.
  package private(set) var reader: MP4Reader
  /// Whether the tables have been read; for a pipe, only the tables before the audio.
  package private(set) var areTablesRead = false

  private let isPiped: Bool
  private var isReadingTables = true
  private var isConfigurationReported = false
  private var nextIndex = 0
  /// Consecutive missing units that have not been reported yet.
  private var unreportedMissingUnits: StreamDamage?

  /// The minimum number of bytes of tables to request.
  private static let tablePiece = 1 << 12
  /// The maximum number of bytes of units to request, unless a single unit is larger.
  private static let unitPiece = 1 << 16
  /// The maximum gap, such as a header, between units that are requested together, in bytes.
  private static let maxGapByteCount: UInt64 = 1 << 12

  /// Creates a reader of a file's units; `track` counts from 1, nil is the first.
  package init(byteCount: UInt64?, track: Int? = nil) {
    if let byteCount {
      reader = MP4Reader(byteCount: byteCount, track: track)
    } else {
      reader = MP4Reader(pipedTrack: track)
    }
    isPiped = byteCount == nil
  }

  /// Seeks to a unit; returns whether it exists and can be reached.
  mutating func seek(toUnit index: Int) -> Bool {
    guard areTablesRead, !isPiped, index >= 0, index < reader.unitCount else { return false }
    nextIndex = index
    unreportedMissingUnits = nil
    return true
  }

  /// Returns the next step, or nil if bytes were requested.
  mutating func step(
    _ file: inout ReadAhead
  ) throws(CodedFileError) -> CodedFileReader.Step? {
    while true {
      if isReadingTables {
        guard readTables(&file) else { return file.wanted == nil ? .end : nil }
        try checkTrack()
      }
      if !isConfigurationReported, let track = reader.track {
        isConfigurationReported = true
        return .configuration(track.stream)
      }
      if let step = nextUnit(&file) { return step }
      if file.wanted != nil { return nil }
      guard reader.isPaused else { return .end }
      reader.resume()
      isReadingTables = true
    }
  }

  /// Reads the tables; returns false if bytes were requested, or are out of reach.
  package mutating func readTables(_ file: inout ReadAhead) -> Bool {
    while case .need(let offset, let count) = reader.step() {
      // In a pipe, boxes after the audio may be out of reach. Then there are no more units.
      if isPiped, offset < file.offset { return false }
      guard file.request(offset, count: count, ahead: Self.tablePiece) else { return false }
      reader.supply(file.copy(offset, count: count))
    }
    isReadingTables = false
    areTablesRead = true
    return true
  }

  private func checkTrack() throws(CodedFileError) {
    if reader.isPaused, reader.movieOffset == nil { throw .requiresSeeking }
    if let error = reader.fragmentError { throw error }
    // Truncated tables may describe a track without any of its frames.
    if reader.isMissingTables, reader.completeUnitCount == 0 {
      throw .unfinished(hasAudio: reader.hasAudioWithoutTables)
    }
    if reader.track != nil { return }
    if let error = reader.audioError { throw error }
    if reader.damage.contains(where: { $0.kind == .invalidConfiguration }) {
      throw .invalidConfiguration
    }
    throw .noAudioTrack(found: reader.aacTrackCount)
  }

  /// Returns the next unit or the damage before it; nil if bytes were requested or no units remain.
  private mutating func nextUnit(_ file: inout ReadAhead) -> CodedFileReader.Step? {
    while let sample = reader.sample(at: nextIndex) {
      guard isReadable(sample, file) else {
        recordMissing(sample)
        continue
      }
      if let damage = takeMissing() { return damage }
      guard let bytes = bytes(of: sample, at: nextIndex, in: &file) else { return nil }
      guard bytes.count == Int(sample.byteCount) else {
        // The file is shorter than its tables state.
        recordMissing(sample)
        continue
      }
      let unit = CodedUnit(bytes: bytes, offset: sample.offset, index: nextIndex)
      nextIndex += 1
      return .unit(unit)
    }
    return takeMissing()
  }

  /// Returns whether a unit has a valid size and is in the file, or in the unread part of a pipe.
  private func isReadable(_ sample: MP4Sample, _ file: ReadAhead) -> Bool {
    guard sample.byteCount > 0, sample.byteCount <= UInt32(FrameLimits.maxByteCount),
      sample.offset <= 1 << 62
    else { return false }
    if let end = file.fileEnd, sample.offset + UInt64(sample.byteCount) > end { return false }
    return !isPiped || sample.offset >= file.offset
  }

  /// Returns the bytes of unit number `index`, fewer if the file ends in it; nil if they were
  /// requested.
  package func bytes(
    of sample: MP4Sample, at index: Int, in file: inout ReadAhead
  ) -> [UInt8]? {
    let count = Int(sample.byteCount)
    let ahead = file.contains(sample.offset, count: count) ? 0 : extent(from: sample, at: index)
    guard file.request(sample.offset, count: count, ahead: ahead) else { return nil }
    return file.copy(sample.offset, count: count)
  }

  /// Returns the number of bytes from `first` to the end of the last unit that fits the same
  /// request.
  private func extent(from first: MP4Sample, at index: Int) -> Int {
    var end = first.offset + UInt64(first.byteCount)
    var index = index + 1
    while let sample = reader.sample(at: index), sample.offset >= end,
      sample.offset - end <= Self.maxGapByteCount, sample.byteCount <= UInt32(Self.unitPiece)
    {
      let next = sample.offset + UInt64(sample.byteCount)
      if next - first.offset > UInt64(Self.unitPiece) { break }
      end = next
      index += 1
    }
    return Int(end - first.offset)
  }

  private mutating func recordMissing(_ sample: MP4Sample) {
    var damage =
      unreportedMissingUnits
      ?? StreamDamage(
        kind: .missingUnits, offset: Int(clamping: sample.offset), length: 0)
    let (sum, overflow) = damage.length.addingReportingOverflow(Int(clamping: sample.byteCount))
    damage.length = overflow ? .max : sum
    unreportedMissingUnits = damage
    nextIndex += 1
  }

  private mutating func takeMissing() -> CodedFileReader.Step? {
    unreportedMissingUnits.take().map { .damage($0) }
  }
}

extension MP4Reader {
  /// The reason why the audio cannot be read, if complete tables describe something other than AAC.
  package var audioError: CodedFileError? {
    if aacTrackCount > 0 || isMissingTables { return nil }
    if movie.isEncrypted { return .encrypted }
    if let foreignCodec = movie.foreignCodec { return .unsupportedCodec(foreignCodec) }
    // Damage may hide an audio track, so a missing one is certain only without damage.
    let isIntact = damage.allSatisfy { $0.kind == .noAudioTrack }
    return isIntact && !movie.hasAudioTrack ? .noAudio : nil
  }

  /// The reason why a part of a fragmented stream cannot be read without the other parts.
  package var fragmentError: CodedFileError? {
    if isPaused { return nil }
    if movieOffset == nil {
      // A file with a brand (`ftyp`) is not a media segment, but a file whose tables are missing.
      return brand == nil && fragmentCount > 0 ? .pieceOfFragments(isBeginning: false) : nil
    }
    // A recording that has just started has no frames either, but reserves space for its tables.
    let isBeginning =
      track != nil && !movie.fragmentDefaults.isEmpty && unitCount == 0 && fragmentCount == 0
      && mediaOffset == nil && reservedByteCount == 0 && damage.isEmpty
    return isBeginning ? .pieceOfFragments(isBeginning: true) : nil
  }

  /// Whether the movie box is missing or truncated.
  package var isMissingTables: Bool {
    guard let movieOffset else { return true }
    return damage.contains { $0.kind == .truncated && $0.offset == movieOffset }
  }

  /// Whether the file contains audio without tables that locate its frames.
  ///
  /// Excludes fragments, whose description is in another file.
  fileprivate var hasAudioWithoutTables: Bool {
    completeUnitCount == 0 && mediaByteCount > 0 && fragmentCount == 0
  }
}
