import AacornCodec

/// Reads the units that the tables of an MP4 file list.
struct MovieUnits: Sendable {
  /// The tables.
  private(set) var reader: MP4Reader
  /// Whether they have been read; of a file from a pipe, as far as they precede the audio.
  private(set) var areTablesRead = false

  private let isPiped: Bool
  private var isReadingTables = true
  private var isConfigurationTold = false
  private var nextIndex = 0
  /// Consecutive units that are not there and have not been reported yet.
  private var missing: StreamDamage?

  /// The longest unit; more than 64 channels can fill.
  private static let longestUnit = 1 << 17
  /// How many bytes of tables are requested at least.
  private static let tablePiece = 1 << 12
  /// How many bytes of units are requested at most, unless one is longer.
  private static let unitPiece = 1 << 16
  /// The longest gap between units that are requested together, such as a header.
  private static let longestGap: UInt64 = 1 << 12

  /// The units of a file; `track` counts from 1, nil is the first.
  init(byteCount: UInt64?, track: Int?) {
    if let byteCount {
      reader = MP4Reader(byteCount: byteCount, track: track)
    } else {
      reader = MP4Reader(pipedTrack: track)
    }
    isPiped = byteCount == nil
  }

  /// Makes a unit the next one; returns whether it exists and can be reached.
  mutating func seek(toUnit index: Int) -> Bool {
    guard areTablesRead, !isPiped, index >= 0, index < reader.sampleCount else { return false }
    nextIndex = index
    missing = nil
    return true
  }

  /// The next step; nil if bytes were requested.
  mutating func step(
    _ file: inout ReadAhead
  ) throws(CodedFileError) -> CodedFileReader.Step? {
    while true {
      if isReadingTables {
        if case .need(let offset, let count) = reader.step() {
          // In a pipe, what lies behind the audio may be out of reach; then there is no more.
          if isPiped, offset < file.offset { return .end }
          guard file.request(offset, count: count, ahead: Self.tablePiece) else { return nil }
          reader.supply(file.copy(offset, count: count))
          continue
        }
        isReadingTables = false
        areTablesRead = true
        try checkTrack()
      }
      if !isConfigurationTold, let track = reader.track {
        isConfigurationTold = true
        return .configuration(track.stream)
      }
      if let step = nextUnit(&file) { return step }
      if file.wanted != nil { return nil }
      guard reader.isPaused else { return .end }
      reader.resume()
      isReadingTables = true
    }
  }

  private func checkTrack() throws(CodedFileError) {
    if reader.isPaused, reader.movieOffset == nil { throw .requiresSeeking }
    if let refusal = reader.pieceRefusal { throw refusal }
    // What is left of tables that are cut off may tell of a track, but of none of its frames.
    if reader.lacksTables, reader.completeSampleCount == 0 {
      throw .unfinished(hasAudio: reader.hasAudioWithoutTables)
    }
    if reader.track != nil { return }
    if let refusal = reader.refusal { throw refusal }
    if reader.damage.contains(where: { $0.kind == .invalidConfiguration }) {
      throw .invalidConfiguration
    }
    throw .noAudioTrack(found: reader.aacTrackCount)
  }

  /// The next unit, or damage before it; nil if bytes were requested or no more units are listed.
  private mutating func nextUnit(_ file: inout ReadAhead) -> CodedFileReader.Step? {
    while let sample = reader.sample(at: nextIndex) {
      let count = Int(clamping: sample.byteCount)
      guard isReadable(sample, file) else {
        miss(sample)
        continue
      }
      if let damage = takeMissing() { return damage }
      let ahead = file.holds(sample.offset, count: count) ? 0 : extent(from: sample)
      guard file.request(sample.offset, count: count, ahead: ahead) else { return nil }
      let bytes = file.copy(sample.offset, count: count)
      guard bytes.count == count else {
        // The file is shorter than announced.
        miss(sample)
        continue
      }
      let unit = CodedUnit(bytes: bytes, offset: sample.offset, index: nextIndex)
      nextIndex += 1
      return .unit(unit)
    }
    return takeMissing()
  }

  /// Whether a unit has a sensible length and lies in the file, or in what is left of a pipe.
  private func isReadable(_ sample: MP4Sample, _ file: ReadAhead) -> Bool {
    guard sample.byteCount > 0, sample.byteCount <= UInt32(Self.longestUnit),
      sample.offset <= 1 << 62
    else { return false }
    if let end = file.fileEnd, sample.offset + UInt64(sample.byteCount) > end { return false }
    return !isPiped || sample.offset >= file.offset
  }

  /// How many bytes the next units take together that follow one another closely.
  private func extent(from first: MP4Sample) -> Int {
    var end = first.offset + UInt64(first.byteCount)
    var index = nextIndex + 1
    while let sample = reader.sample(at: index), sample.offset >= end,
      sample.offset - end <= Self.longestGap, sample.byteCount <= UInt32(Self.unitPiece)
    {
      let next = sample.offset + UInt64(sample.byteCount)
      if next - first.offset > UInt64(Self.unitPiece) { break }
      end = next
      index += 1
    }
    return Int(end - first.offset)
  }

  private mutating func miss(_ sample: MP4Sample) {
    var damage =
      missing
      ?? StreamDamage(
        kind: .missingUnits, offset: Int(clamping: sample.offset), length: 0)
    let (sum, overflow) = damage.length.addingReportingOverflow(Int(clamping: sample.byteCount))
    damage.length = overflow ? .max : sum
    missing = damage
    nextIndex += 1
  }

  private mutating func takeMissing() -> CodedFileReader.Step? {
    guard let damage = missing else { return nil }
    missing = nil
    return .damage(damage)
  }
}

extension MP4Reader {
  /// Why none of the audio can be read, if the tables are whole and say what it is instead of AAC.
  package var refusal: CodedFileError? {
    if aacTrackCount > 0 || lacksTables { return nil }
    if isEncrypted { return .encrypted }
    if let foreignCodec { return .unsupportedCodec(foreignCodec) }
    // Damage may hide what was a track of sound.
    let isWhole = damage.allSatisfy { $0.kind == .noAudioTrack }
    return isWhole && !hasSoundTrack ? .noAudio : nil
  }

  /// Why a part of a stream in fragments has no audio that can be read without the other parts.
  package var pieceRefusal: CodedFileError? {
    if isPaused { return nil }
    if movieOffset == nil {
      // What begins like a file has lost its tables.
      return brand == nil && fragmentCount > 0 ? .pieceOfFragments(isBeginning: false) : nil
    }
    // A recording that has just begun has reserved room for its tables.
    let isBeginning =
      track != nil && hasFragmentDescription && sampleCount == 0 && fragmentCount == 0
      && mediaOffset == nil && reservedByteCount == 0 && damage.isEmpty
    return isBeginning ? .pieceOfFragments(isBeginning: true) : nil
  }

  /// Whether the movie box is missing, or the end of it.
  package var lacksTables: Bool {
    guard let movieOffset else { return true }
    return damage.contains { $0.kind == .truncated && $0.offset == movieOffset }
  }

  /// Whether there is audio, and nothing tells where its frames are.
  ///
  /// That of fragments is described in another file.
  fileprivate var hasAudioWithoutTables: Bool {
    completeSampleCount == 0 && mediaByteCount > 0 && fragmentCount == 0
  }
}
