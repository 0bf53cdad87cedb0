import AacornCodec
import AacornContainers
package import AacornSystem

/// Copies the units of a part of a file, in memory that does not grow with its length.
package struct CutWork {
  private let request: SpliceRequest
  private let interruption: Interruption
  private var source: CodedUnitSource
  private let form: CodedForm
  /// The requested parts in samples of the decoder.
  private let wanted: [Range<Int64>]
  /// The requested number of samples; nil for the remainder.
  private let wantedCount: Int64?
  /// The first unit of the part, and the first unit after its end, if it has an end.
  private let firstWanted: Int
  private let unitEnd: Int?
  private let preroll: PrerollUnits
  private let chapters: [MP4Chapter]
  private var writer: UnitWriter
  /// The first copied unit.
  private var firstUnit = 0
  /// Whether a decoder can begin with the first copied unit without audible errors.
  private var isClean = true

  package init(_ request: SpliceRequest, interruption: Interruption) throws(AACFileError) {
    self.request = request
    self.interruption = interruption
    let source = try CodedUnitSource(request.inputs[0], interruption: interruption)
    let form = source.form
    let rate = form.timing.sampleRate
    let start = Int64(request.start.sampleCount(at: rate))
    // Convert the end itself to a sample position, because the sum of the rounded start and
    // duration may differ from it.
    let rest = request.end.map { Int64($0.sampleCount(at: rate)) - start }
    wantedCount = rest ?? request.duration.map { Int64($0.sampleCount(at: rate)) }
    let count = max(0, wantedCount ?? .max)
    wanted = AudibleRanges.cut(source.audibleRanges, from: start, count: count)
    guard let first = wanted.first else { throw Self.emptyError(in: source, from: start, count) }
    firstWanted = Int(first.lowerBound / form.unitLength)
    unitEnd = AudibleRanges.unitEnd(wanted, unitLength: form.unitLength)
    preroll = PrerollUnits(form, isExact: request.isExact)
    guard preroll.reaches(firstWanted) else {
      throw AACFileError(
        .unsupported,
        "Each frame of “\(displayed(request.inputs[0]))” is predicted from all previous frames "
          + "(object type \(form.stream.objectType.rawValue)), so only the beginning of the file "
          + "can be cut out.", suggestion: .text("Decode the part and encode it again."))
    }
    var container = CodedFileWriter.Configuration(request.format, stream: form.stream)
    container.tags = source.tags
    let (end, overflow) = start.addingReportingOverflow(count)
    container.tags.chapters = MP4Chapter.cut(
      source.tags.chapters, from: MP4Chapter.time(start, at: rate),
      to: overflow || count == .max ? .max : MP4Chapter.time(end, at: rate))
    chapters = container.tags.chapters
    if start == 0 { container.started = source.started }
    container.gapEntries = GapRecord.entries(
      source.gapEntries, within: Int(start)..<(overflow ? Int.max : Int(end)))
    container.expectedPartCount = wanted.count
    let last = [unitEnd, source.unitCount].compactMap(\.self).min()
    let firstKept = max(0, firstWanted - preroll.windowCount)
    container.expectedUnitCount = last.flatMap {
      CodedFileWriter.expectedUnitCount(max(0, $0 - firstKept))
    }
    writer = try UnitWriter(container, form, of: request, interruption: interruption)
    self.source = source
    self.form = form
  }

  /// Does the work; `progress` is called with the seconds done and the total seconds.
  package mutating func run(
    progress: (_ done: Double, _ total: Double?) -> Void
  ) throws(AACFileError) -> AACFile.SpliceSummary {
    try writeBeginning()
    let total = [unitEnd, source.unitCount].compactMap(\.self).min().map {
      form.timing.seconds(($0 - firstUnit) * form.timing.samplesPerUnit)
    }
    while source.nextIndex < unitEnd ?? .max, let unit = try source.next() {
      if let signal = interruption.signal { throw AACFileError(signal: signal) }
      try processUnit(unit)
      progress(form.timing.seconds(writer.unitCount * form.timing.samplesPerUnit), total)
    }
    let parts = AudibleRanges.moved(
      wanted, by: -Int64(firstUnit) * form.unitLength,
      end: Int64(writer.unitCount) * form.unitLength)
    if parts.isEmpty { throw emptyError() }
    try writer.finish(parts)
    return summary(parts)
  }

  /// Writes the units up to the first one of the part.
  private mutating func writeBeginning() throws(AACFileError) {
    let beginning = try preroll.beginning(of: &source, upTo: firstWanted)
    guard let first = beginning.units.first, source.nextIndex > firstWanted else {
      throw emptyError()
    }
    isClean = beginning.isClean
    firstUnit = first.index
    for unit in beginning.units { try processUnit(unit) }
  }

  private mutating func processUnit(_ unit: CodedUnit) throws(AACFileError) {
    source.examine(unit)
    try writer.write(unit.bytes)
  }

  private func emptyError() -> AACFileError {
    Self.emptyError(
      in: source, from: Int64(request.start.sampleCount(at: form.timing.sampleRate)), 1)
  }

  /// Returns the error for a part without samples.
  private static func emptyError(
    in source: CodedUnitSource, from start: Int64, _ count: Int64
  ) -> AACFileError {
    if count == 0 { return .emptyPart(of: source.path) }
    if start == 0 { return .withoutSamples(source.path) }
    // The end of a stream is known now, because the stream has been read.
    let all = Int64(source.nextIndex) * source.form.unitLength
    let isOpen = source.audibleRanges.contains { $0.upperBound == .max }
    let end = AudibleRanges.count(
      isOpen ? AudibleRanges.moved(source.audibleRanges, by: 0, end: all) : source.audibleRanges)
    let rate = Double(source.form.timing.sampleRate)
    return .startAfterEnd(
      of: source.path, endingAt: Double(end) / rate, from: Double(start) / rate)
  }

  /// Returns the warning about a part that ends before the requested time, with `count` samples.
  private func shortfall(_ count: Int64) -> String? {
    guard let end = request.end, let wantedCount, count < wantedCount else { return nil }
    let rate = form.timing.sampleRate
    let start = request.start.sampleCount(at: rate)
    let real = QuantityText.duration(form.timing.seconds(start + Int(count)))
    let asked = QuantityText.duration(form.timing.seconds(end.sampleCount(at: rate)))
    let endDescription = real == asked ? "just before \(asked)" : "at \(real), before \(asked)"
    return "“\(displayed(source.path))” ends \(endDescription), the requested end."
  }

  private func summary(_ parts: [Range<Int64>]) -> AACFile.SpliceSummary {
    let rate = form.timing.sampleRate
    let all = Int64(writer.unitCount) * form.unitLength
    var summary = writer.summary
    summary.warnings = source.warnings + request.lossWarnings(of: source)
    if request.isExact {
      summary.warnings += MP4Chapter.lossWarnings(chapters, output: request.output)
    }
    summary.isDamaged = source.isDamaged
    if !isClean {
      summary.warnings.append(
        "The high frequencies of “\(displayed(request.output))” may be missing or too loud at first, "
          + "because “\(displayed(source.path))” has no suitable first frame near the start of the "
          + "part.")
    }
    let count = AudibleRanges.count(parts)
    if let warning = shortfall(count) { summary.warnings.append(warning) }
    var piece = AACFile.SpliceSummary.Piece()
    piece.input = source.path
    piece.duration = Duration(samples: Int(count), at: rate)
    summary.sampleCount = Int(count)
    if !request.isExact, let first = parts.first, let last = parts.last {
      let (before, after) = (first.lowerBound, all - last.upperBound)
      summary.sampleCount = Int(all)
      piece.duration = Duration(samples: Int(last.upperBound - before), at: rate)
      piece.start = Duration(samples: Int(before), at: rate)
      piece.excessBefore = piece.start
      piece.excessAfter = Duration(samples: Int(after), at: rate)
      if before + after == 0 {
        summary.pieces = [piece]
        return summary
      }
      summary.warnings.append(
        "“\(displayed(request.output))” consists of complete frames: it begins "
          + "\(SpliceRequest.text(before, at: rate)) earlier and ends "
          + "\(SpliceRequest.text(after, at: rate)) later than requested. "
          + "M4A files are cut at the exact sample."
      )
    }
    summary.pieces = [piece]
    return summary
  }
}
