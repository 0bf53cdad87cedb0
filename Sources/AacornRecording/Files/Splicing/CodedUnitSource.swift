import AacornCodec
import AacornContainers
import AacornSystem

/// The coded units of a file, in order, and the audible parts of their audio.
///
/// The first unit is decoded in advance, because band replication may be detectable only in the
/// units.
struct CodedUnitSource {
  /// The path, also used in messages.
  let path: String
  let form: CodedForm
  /// The audible parts in samples of the decoder; without a known end, the last part is open.
  let audibleRanges: [Range<Int64>]
  /// The number of units in an MP4 file's tables; nil for a stream.
  let unitCount: Int?
  /// Tags and chapters, including the cover.
  let tags: MP4Tags
  /// Warnings about tags that could not be read, as messages.
  let lostTagWarnings: [String]
  /// The start time of a recording.
  let started: String?
  /// The records of a recording's gaps.
  let gapEntries: [[UInt8]]
  /// The warning about an edit list that is not applied.
  private let editWarning: String?
  /// Whether the tables of an MP4 file are damaged, or refer to missing data.
  private let hasDamagedTables: Bool
  /// The number of skipped pieces that are not units.
  private var damagedPieceCount = 0
  private var examination: UnitExamination

  private let input: CodedInput
  private var reader: CodedFileReader
  private var configuration: AudioSpecificConfig?
  private(set) var nextIndex = 0

  /// Opens a file; rejects pipes, because the beginning is read twice.
  init(_ path: String, interruption: Interruption) throws(AACFileError) {
    self.path = path
    let file = try InputFile(path, interruption: interruption)
    if file.size == nil { throw .notRegular(path) }
    if file.size == 0 { throw .empty(path) }
    let input = CodedInput(file, for: .splicing)
    var probe = CodedAudioReader(byteCount: input.byteCount)
    form = try Self.form(&probe, input, path: path)
    audibleRanges = probe.playableRanges
    let movie = probe.movie
    unitCount = movie?.completeUnitCount
    let found = try input.tags(of: movie, name: path)
    tags = found.tags
    lostTagWarnings = found.warnings
    started = movie?.started
    gapEntries = movie?.gapEntries ?? []
    editWarning = movie?.editWarning(path)
    hasDamagedTables = movie?.damage.isEmpty == false
    examination = UnitExamination(form)
    reader = CodedFileReader(byteCount: input.byteCount)
    self.input = input
  }

  /// Decodes until the form of the units is known; throws if no unit can be decoded.
  private static func form(
    _ probe: inout CodedAudioReader, _ input: CodedInput, path: String
  ) throws(AACFileError) -> CodedForm {
    var form: CodedForm?
    var isConcealed = false
    var hasConcealed = false
    while true {
      let step = try rethrow(as: { input.failure($0, name: path) }, probe.step())
      switch step {
      case .need(let offset, let count):
        probe.supply(try input.bytes(at: offset, count: count))
      case .damage: break
      case .concealed:
        isConcealed = true
        hasConcealed = true
      case .samples:
        if let form, !isConcealed { return form }
        isConcealed = false
      case .end:
        guard let form else { throw .withoutSamples(path) }
        if hasConcealed { throw .withoutDecodableFrames(path) }
        return form
      case .format(let sampleRate, let channelCount, _):
        if form != nil { break }
        guard let configuration = probe.configuration,
          let first = CodedForm(
            configuration, sampleRate: sampleRate, channelCount: channelCount,
            unitFrameCount: probe.unitFrameCount)
        else { throw AACFileError(CodedAudioError.decoder(.invalidConfiguration), path: path) }
        form = first
      }
    }
  }

  /// Returns the next unit; nil at the end.
  mutating func next() throws(AACFileError) -> CodedUnit? {
    while true {
      let step = try rethrow(
        as: { AACFileError(CodedAudioError.file($0), path: path, for: .splicing) }, reader.step())
      switch step {
      case .need(let offset, let count):
        reader.supply(try input.bytes(at: offset, count: count))
      case .configuration(let new):
        if let configuration, configuration != new { throw changed() }
        configuration = new
      case .damage(let damage):
        if damage.kind != .parametersChanged { damagedPieceCount += 1 }
      case .unit(let unit):
        // Without the missing units, all later ones would be too early.
        if unit.index != nextIndex { throw incomplete() }
        nextIndex += 1
        return unit
      case .end: return nil
      }
    }
  }

  mutating func examine(_ unit: CodedUnit) { examination.recordDamage(at: unit) }

  /// Seeks to the unit with this index, or to the end, before any unit was read.
  mutating func begin(at index: Int) throws(AACFileError) {
    // The tables of an MP4 file are complete when its first unit arrives.
    guard index > 0, try next() != nil else { return }
    if reader.seek(toUnit: index) {
      nextIndex = index
      return
    }
    while nextIndex < index {
      if try next() == nil { return }
    }
  }

  private func changed() -> AACFileError {
    AACFileError(
      .unsupported,
      "“\(displayed(path))” changes its rate, channels or coding after "
        + "\(QuantityText.count(nextIndex, "frame")).",
      suggestion: .text("Decode it and encode it again."))
  }

  private func incomplete() -> AACFileError {
    AACFileError(
      .badInput,
      "“\(displayed(path))” has missing frames after the first \(QuantityText.count(nextIndex, "frame")).",
      suggestion: .text("Repair it first."))
  }

  /// The number of audible samples; nil if the file does not specify it.
  var audibleSampleCount: Int64? {
    if let last = audibleRanges.last, last.upperBound < .max {
      return AudibleRanges.count(audibleRanges)
    }
    guard let unitCount else { return nil }
    return AudibleRanges.count(
      AudibleRanges.moved(audibleRanges, by: 0, end: Int64(unitCount) * form.unitLength))
  }

  /// Whether a copied part is damaged or missing.
  var isDamaged: Bool {
    hasDamagedTables || damagedPieceCount > 0 || examination.damagedCount > 0
  }

  var warnings: [String] {
    let name = "“\(displayed(path))”"
    var warnings = [editWarning].compactMap(\.self)
    if let first = examination.firstDamaged {
      let count = examination.damagedCount
      // The time at which the first damaged unit is audible, as decoding reports it.
      let before = AudibleRanges.moved(audibleRanges, by: 0, end: Int64(first) * form.unitLength)
      let seconds = form.timing.seconds(Int(AudibleRanges.count(before)))
      let (verb, pronoun) = count == 1 ? ("is", "it is") : ("are", "they are")
      warnings.append(
        "\(QuantityText.count(count, "frame")) of \(name) \(verb) damaged, the first at "
          + "\(QuantityText.duration(seconds)); copied as \(pronoun).")
    }
    if hasDamagedTables {
      warnings.append("\(name) is damaged or cut off; the readable part was copied.")
    } else if damagedPieceCount > 0 {
      warnings.append(
        "\(name) is damaged: skipped \(QuantityText.count(damagedPieceCount, "part")) without "
          + "frames.")
    }
    return warnings
  }
}

/// Detects damaged units that are copied unchanged.
///
/// The units are parsed and not decoded, which is fast and finds the units that a decoder would
/// conceal.
struct UnitExamination {
  private(set) var damagedCount = 0
  private(set) var firstDamaged: Int?
  private let channelCount: Int
  private var reader: FrameReader

  init(_ form: CodedForm) {
    channelCount = form.channelCount
    reader = FrameReader(form.stream)
  }

  /// Parses a unit, and counts it if that fails.
  mutating func recordDamage(at unit: CodedUnit) {
    if isReadable(unit.bytes) { return }
    damagedCount += 1
    if firstDamaged == nil { firstDamaged = unit.index }
  }

  private mutating func isReadable(_ unit: [UInt8]) -> Bool {
    do throws(ParseError) {
      try reader.read(unit)
    } catch {
      return false
    }
    return !reader.block.isSilent(where: channelCount)
  }
}

/// The audible parts of a decoder's samples, in order.
enum AudibleRanges {
  static func cut(_ parts: [Range<Int64>], from start: Int64, count: Int64) -> [Range<Int64>] {
    var skipped = start
    var left = count
    var result: [Range<Int64>] = []
    for part in parts where left > 0 {
      let length = part.upperBound - part.lowerBound
      if skipped >= length {
        skipped -= length
        continue
      }
      let lower = part.lowerBound + skipped
      skipped = 0
      let taken = min(left, part.upperBound - lower)
      result.append(lower..<lower + taken)
      left -= taken
    }
    return result
  }

  /// Returns the parts shifted by `offset` samples and clipped to the `end` existing samples.
  static func moved(_ parts: [Range<Int64>], by offset: Int64, end: Int64) -> [Range<Int64>] {
    var result: [Range<Int64>] = []
    for part in parts {
      // Tables may contain positions up to the largest integer.
      let (lower, isBeyondEnd) = part.lowerBound.addingReportingOverflow(offset)
      if isBeyondEnd { continue }
      let (moved, overflow) = part.upperBound.addingReportingOverflow(offset)
      let upper = part.upperBound == .max || overflow ? end : min(end, moved)
      if lower < upper { result.append(lower..<upper) }
    }
    return result
  }

  static func count(_ parts: [Range<Int64>]) -> Int64 {
    parts.reduce(0) { $0 + ($1.upperBound - $1.lowerBound) }
  }

  /// Returns the index of the first unit after the parts; nil if they have no end.
  static func unitEnd(_ parts: [Range<Int64>], unitLength: Int64) -> Int? {
    guard let end = parts.last?.upperBound, end < .max else { return nil }
    let (whole, rest) = end.quotientAndRemainder(dividingBy: unitLength)
    return Int(whole) + (rest > 0 ? 1 : 0)
  }
}
