import AacornCodec
import AacornContainers
import AacornSystem

/// The coded units of a file, in order, and what of their sound is heard.
///
/// The first unit is decoded beforehand, because band replication may be told by the units alone.
struct CodedUnitSource {
  /// The path, which is the name in messages.
  let path: String
  /// What the units are.
  let form: CodedForm
  /// What is heard of all that a decoder makes of the units, in its samples; of a file that does not
  /// say where it ends, the last part has no end.
  let heard: [Range<Int64>]
  /// How many units an MP4 file lists; nil for a stream.
  let unitCount: Int?
  /// Tags and chapters, with the cover.
  let tags: MP4Tags
  /// What is not among them, as sentences.
  let lostTagWarnings: [String]
  /// When a recording was started.
  let started: String?
  /// The notes of its gaps.
  let gapEntries: [[UInt8]]
  /// What is to be said of an edit list that is not followed.
  private let editWarning: String?
  /// Whether the tables of an MP4 file are damaged, or list what is not there.
  private let hasDamagedTables: Bool
  /// Pieces that are no units, passed over so far.
  private var damagedPieceCount = 0
  private var examination: UnitExamination

  private let input: CodedInput
  private var reader: CodedFileReader
  private var configuration: AudioSpecificConfig?
  /// The number of the next unit.
  private(set) var nextIndex = 0

  /// Opens a file; pipes are refused, because what tells where to begin is read twice.
  init(_ path: String, interruption: Interruption) throws(AACFileError) {
    self.path = path
    let file = try InputFile(path, interruption: interruption)
    if file.size == nil {
      throw AACFileError(
        .unsupported, "“\(displayed(path))” is not a regular file.",
        .words("Save it as a file first."))
    }
    if file.size == 0 { throw .empty(path) }
    let input = CodedInput(file, for: .splicing)
    var probe = CodedSoundReader(byteCount: input.byteCount)
    form = try Self.form(&probe, input, path)
    heard = probe.heardParts
    let movie = probe.movie
    unitCount = movie?.completeSampleCount
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

  /// What becomes of the units; at least one of them must be one that can be decoded.
  private static func form(
    _ probe: inout CodedSoundReader, _ input: CodedInput, _ path: String
  ) throws(AACFileError) -> CodedForm {
    var form: CodedForm?
    var isConcealed = false
    var hasConcealed = false
    while true {
      let step: CodedSoundReader.Step
      do throws(CodedSoundError) {
        step = try probe.step()
      } catch {
        throw input.failure(error, name: path)
      }
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
        else { throw AACFileError(CodedSoundError.decoder(.invalidConfiguration), path: path) }
        form = first
      }
    }
  }

  /// The next unit; nil at the end.
  mutating func next() throws(AACFileError) -> CodedUnit? {
    while true {
      let step: CodedFileReader.Step
      do throws(CodedFileError) {
        step = try reader.step()
      } catch {
        throw AACFileError(CodedSoundError.file(error), path: path, for: .splicing)
      }
      switch step {
      case .need(let offset, let count):
        reader.supply(try input.bytes(at: offset, count: count))
      case .configuration(let new):
        if let configuration, configuration != new { throw changed() }
        configuration = new
      case .damage(let damage):
        if damage.kind != .parametersChanged { damagedPieceCount += 1 }
      case .unit(let unit):
        // Without those that are missing, all that follows would come too early.
        if unit.index != nextIndex { throw incomplete() }
        nextIndex += 1
        return unit
      case .end: return nil
      }
    }
  }

  /// Looks for damage in a unit that is taken.
  mutating func examine(_ unit: CodedUnit) { examination.look(at: unit) }

  /// Makes the unit of this number the next one, before any was read; if there is none, the end.
  mutating func begin(at index: Int) throws(AACFileError) {
    // The tables of an MP4 file have been read when its first unit comes.
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
        + "\(QuantityText.count(nextIndex, "frame")).", .words("Decode it and encode it again."))
  }

  private func incomplete() -> AACFileError {
    AACFileError(
      .badInput,
      "“\(displayed(path))” lacks frames after the first \(QuantityText.count(nextIndex, "frame")).",
      .words("Repair it first."))
  }
}

extension CodedUnitSource {
  /// How long what is heard is, in samples; nil if the file does not say.
  var heardCount: Int64? {
    if let last = heard.last, last.upperBound < .max { return HeardParts.count(heard) }
    guard let unitCount else { return nil }
    return HeardParts.count(
      HeardParts.moved(heard, by: 0, end: Int64(unitCount) * form.unitLength))
  }

  /// Whether something of what was taken is damaged or missing.
  var isDamaged: Bool {
    hasDamagedTables || damagedPieceCount > 0 || examination.damagedCount > 0
  }

  /// What is to be said about damage, as sentences.
  var warnings: [String] {
    let name = "“\(displayed(path))”"
    var warnings = [editWarning].compactMap(\.self)
    if let first = examination.firstDamaged {
      let count = examination.damagedCount
      // When it is heard, as decoding tells it.
      let before = HeardParts.moved(heard, by: 0, end: Int64(first) * form.unitLength)
      let seconds = form.timing.seconds(Int(HeardParts.count(before)))
      let (verb, pronoun) = count == 1 ? ("is", "it is") : ("are", "they are")
      warnings.append(
        "\(QuantityText.count(count, "frame")) of \(name) \(verb) damaged, the first at "
          + "\(QuantityText.duration(seconds)); copied as \(pronoun).")
    }
    if hasDamagedTables {
      warnings.append("\(name) is damaged or cut off; what could be found was taken.")
    } else if damagedPieceCount > 0 {
      warnings.append(
        "\(name) is damaged: \(QuantityText.count(damagedPieceCount, "piece")) without frames left "
          + "out.")
    }
    return warnings
  }
}
