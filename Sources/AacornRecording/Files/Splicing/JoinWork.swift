import AacornCodec
import AacornContainers
package import AacornSystem

/// Joins the units of several files, in memory that does not grow with them.
package struct JoinWork {
  /// The range of one input in the result, in samples.
  private struct Joint {
    var all: Range<Int64>
    var audibleRanges: [Range<Int64>]
  }

  private let request: SpliceRequest
  private let interruption: Interruption
  private let form: CodedForm
  private var writer: UnitWriter
  private let unitLimit: Int?
  private let preroll: PrerollUnits
  private var joints: [Joint] = []
  private var warnings: [String] = []
  /// Whether a part of an input is damaged or missing.
  private var isDamaged = false

  /// Checks all inputs and opens the output.
  package init(_ request: SpliceRequest, interruption: Interruption) throws(AACFileError) {
    self.request = request
    self.interruption = interruption
    guard let path = request.inputs.first, request.inputs.count > 1 else {
      throw AACFileError(
        .unsupported, "Joining requires at least two files.", suggestion: .text("Name two or more.")
      )
    }
    let first = try CodedUnitSource(path, interruption: interruption)
    form = first.form
    preroll = PrerollUnits(form, isExact: request.isExact)
    if form.isPredicted {
      throw AACFileError(
        .unsupported,
        "Each frame of “\(displayed(path))” is predicted from all previous frames "
          + "(object type \(form.stream.objectType.rawValue)), so no file can be joined to it.",
        suggestion: .text("Decode the files and encode them together."))
    }
    var limit = first.unitCount
    var partCount = first.audibleRanges.count
    var chapters = first.tags.chapters
    var position = first.audibleSampleCount
    for other in request.inputs.dropFirst() {
      let source = try CodedUnitSource(other, interruption: interruption)
      let differences = source.form.differences(from: form)
      if !differences.isEmpty { throw Self.mismatchError(other, after: path, differences) }
      if let count = source.unitCount, let sum = limit {
        limit = sum + count + Self.silenceCount(form)
      } else {
        limit = nil
      }
      partCount += source.audibleRanges.count
      let own = source.tags.chapters
      if let start = position {
        let time = MP4Chapter.time(start, at: form.timing.sampleRate)
        chapters += MP4Chapter.moved(own, by: time)
      } else if !own.isEmpty, request.isExact {
        warnings.append(
          "The chapters of “\(displayed(other))” were omitted, because the length of a previous "
            + "file is unknown.")
      }
      if let start = position, let count = source.audibleSampleCount {
        let (sum, overflow) = start.addingReportingOverflow(count)
        position = overflow ? nil : sum
      } else {
        position = nil
      }
    }
    unitLimit = limit
    var container = CodedFileWriter.Configuration(request.format, stream: form.stream)
    container.tags = first.tags
    container.tags.chapters = chapters
    container.started = first.started
    container.gapEntries = first.gapEntries
    container.expectedUnitCount = limit.flatMap { CodedFileWriter.expectedUnitCount($0) }
    container.expectedPartCount = partCount
    warnings += request.lossWarnings(of: first)
    if request.isExact {
      warnings += MP4Chapter.lossWarnings(chapters, output: request.output)
    }
    writer = try UnitWriter(container, form, of: request, interruption: interruption)
  }

  /// Does the work; `progress` is called with the seconds done and the total seconds.
  package mutating func run(
    progress: (_ done: Double, _ total: Double?) -> Void
  ) throws(AACFileError) -> AACFile.SpliceSummary {
    let total = unitLimit.map { form.timing.seconds($0 * form.timing.samplesPerUnit) }
    for path in request.inputs {
      var source = try CodedUnitSource(path, interruption: interruption)
      guard let first = source.audibleRanges.first else { throw .withoutSamples(path) }
      // The units of the encoder's delay are needed for decoding. If they would be audible, keep
      // only the last one.
      let unitLength = form.unitLength
      let wanted = request.isExact ? 0 : max(0, Int(first.lowerBound / unitLength) - 1)
      if request.isExact, !joints.isEmpty { try writeSilence(before: first.lowerBound) }
      let origin = writer.unitCount
      let end = AudibleRanges.unitEnd(source.audibleRanges, unitLength: unitLength) ?? .max
      var beginning = try preroll.beginning(of: &source, upTo: wanted).units
      var firstUnit = beginning.first?.index ?? wanted
      var isAfterJoint = !joints.isEmpty
      var next = beginning.popFirst()
      while let unit = next {
        if let signal = interruption.signal { throw AACFileError(signal: signal) }
        next = beginning.popFirst()
        if next == nil, source.nextIndex < end { next = try source.next() }
        if isAfterJoint, let canBegin = preroll.canBegin(unit) {
          isAfterJoint = false
          // At a joint, skip the unit before a header of band replication: only the beginning of a
          // stream needs that unit.
          if !canBegin, !request.isExact, let next, preroll.canBegin(next) == true {
            firstUnit = next.index
            continue
          }
          if !canBegin { warnings.append(Self.missingHeaderMessage(path)) }
        }
        source.examine(unit)
        try writer.write(unit.bytes)
        progress(form.timing.seconds(writer.unitCount * form.timing.samplesPerUnit), total)
      }
      let all = Int64(origin) * unitLength..<Int64(writer.unitCount) * unitLength
      let audibleRanges = AudibleRanges.moved(
        source.audibleRanges, by: Int64(origin - firstUnit) * unitLength, end: all.upperBound
      ).map { $0.clamped(to: all) }
      if audibleRanges.isEmpty { throw .withoutSamples(path) }
      joints.append(Joint(all: all, audibleRanges: audibleRanges))
      warnings += source.warnings
      if source.isDamaged { isDamaged = true }
    }
    try writer.finish(joints.flatMap(\.audibleRanges))
    return summary()
  }

  /// Returns the number of silent units to write before a file whose first unit is audible.
  ///
  /// Without them, the overlap and the band replication of that unit would use the state of the
  /// previous file.
  private static func silenceCount(_ form: CodedForm) -> Int { form.hasBandReplication ? 2 : 1 }

  /// Writes inaudible units of silence, unless the file's own delay has the same effect.
  private mutating func writeSilence(before lowerBound: Int64) throws(AACFileError) {
    let count = Self.silenceCount(form)
    guard lowerBound < Int64(count) * form.unitLength, let silence = SilentUnit.bytes(form.stream)
    else { return }
    for _ in 0..<count { try writer.write(silence) }
  }

  private static func missingHeaderMessage(_ path: String) -> String {
    "“\(displayed(path))” has no header of band replication at its beginning; high frequencies may "
      + "be missing or too loud at first."
  }

  private static func mismatchError(
    _ path: String, after first: String, _ differences: [String]
  ) -> AACFileError {
    AACFileError(
      .unsupported,
      "“\(displayed(first))” and “\(displayed(path))” cannot be joined: "
        + "\(differences.joined(separator: "; ")).",
      suggestion: .text(
        "Decode the second file and encode it again with the settings of the first."))
  }

  private func summary() -> AACFile.SpliceSummary {
    let rate = form.timing.sampleRate
    var summary = writer.summary
    summary.warnings = warnings
    summary.isDamaged = isDamaged
    var position: Int64 = 0
    for (index, joint) in joints.enumerated() {
      guard let first = joint.audibleRanges.first, let last = joint.audibleRanges.last else {
        continue
      }
      var piece = AACFile.SpliceSummary.Piece()
      piece.input = request.inputs[index]
      var count = AudibleRanges.count(joint.audibleRanges)
      if !request.isExact {
        position = first.lowerBound
        count = last.upperBound - first.lowerBound
        piece.excessBefore = Duration(
          samples: Int(first.lowerBound - joint.all.lowerBound), at: rate)
        piece.excessAfter = Duration(samples: Int(joint.all.upperBound - last.upperBound), at: rate)
      }
      piece.start = Duration(samples: Int(position), at: rate)
      piece.duration = Duration(samples: Int(count), at: rate)
      position += count
      summary.pieces.append(piece)
    }
    summary.sampleCount = Int(position)
    if !request.isExact {
      summary.sampleCount = writer.unitCount * form.timing.samplesPerUnit
      summary.warnings.append(borderWarning)
    }
    return summary
  }

  /// The warning about audible delays and paddings in a file of complete frames.
  private var borderWarning: String {
    let rate = form.timing.sampleRate
    var words: [String] = []
    var end: Int64 = 0
    for joint in joints {
      guard let first = joint.audibleRanges.first, let last = joint.audibleRanges.last else {
        continue
      }
      if first.lowerBound > end {
        let positionText =
          end == 0
          ? "at the beginning"
          : "before " + QuantityText.duration(form.timing.seconds(Int(first.lowerBound)))
        words.append(SpliceRequest.text(first.lowerBound - end, at: rate) + " " + positionText)
      }
      end = last.upperBound
    }
    let all = Int64(writer.unitCount) * form.unitLength
    if all > end { words.append(SpliceRequest.text(all - end, at: rate) + " at the end") }
    if words.count > 4 { words[3...] = ["and so on"] }
    let output = "“\(displayed(request.output))” consists of complete frames"
    return words.isEmpty
      ? output + ": delay and padding of its parts, if any, are audible at the joins."
      : output + ": delay and padding are audible, \(words.joined(separator: ", ")). "
        + "M4A files are joined at the exact sample."
  }
}
