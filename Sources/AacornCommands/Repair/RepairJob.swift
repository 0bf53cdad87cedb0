import AacornCodec
import AacornContainers
import AacornInspection
import AacornRecording
import AacornSignal
import AacornSoundFiles
import AacornSystem

/// A repair of a file, or a check whether the file can be repaired.
struct RepairJob {
  private let command: RepairCommand
  private let path: String
  private let interruption: Interruption
  private let input: InputFile
  private let size: Int
  /// The state of the file before anything was read; nil if unknown.
  private let planned: System.FileStatus?

  /// Opens a file.
  init(
    _ path: String, command: RepairCommand, interruption: Interruption
  ) throws(CommandFailure) {
    self.command = command
    self.path = path
    self.interruption = interruption
    planned = try? System.status(of: path)
    input = try InputFile(path, interruption: interruption)
    guard let size = input.size else {
      throw CommandFailure(
        .unsupported, "“\(displayed(path))” is not a regular file.",
        suggestion: .text("Only files can be repaired."))
    }
    self.size = size
    // A file that is still being written may not be recognized, or may appear to be damaged.
    if System.isTaken(path) {
      let owner = System.lockOwner(of: path) ?? "another program"
      throw CommandFailure(
        .busy,
        "“\(displayed(path))” is being written by \(owner).", suggestion: .text("Stop that first."))
    }
  }

  /// Checks and, if requested, repairs the file.
  func run() throws(CommandFailure) -> RepairReport {
    let work = RepairWork<CommandFailure>(
      byteCount: size,
      read: { (offset, count) throws(CommandFailure) in
        try input.bytes(at: offset, count: count)
      })
    if try work.holdsSamples() { return try repairSamples(work) }
    var hints = RepairHints()
    hints.sampleRate = command.sampleRate
    hints.channelCount = command.channelCount
    switch try work.outcome(hints) {
    case .intact: return RepairReport(input: path, status: .intact)
    case .irreparable(let obstacle):
      if obstacle == .noFrames {
        try input.rejectKnownNonAAC(input.bytes(at: 0, count: FileKind.longPrefixCount))
      }
      throw .irreparable(path, obstacle)
    case .needsConfiguration(let choices): throw .ambiguous(path, choices)
    case .repairable(let plan):
      var report = RepairReport(input: path, status: .repairable, plan: plan)
      if command.checksOnly { return report }
      try repair(plan.inPlace, plan.newFile, work, &report)
      return report
    }
  }

  /// Corrects the header of a file of samples.
  private func repairSamples(
    _ work: RepairWork<CommandFailure>
  ) throws(CommandFailure) -> RepairReport {
    switch try work.sampleOutcome() {
    case .intact: return RepairReport(input: path, status: .intact)
    case .irreparable(let reason):
      throw CommandFailure(.badInput, "“\(displayed(path))” cannot be recovered: \(reason).")
    case .repairable(let samples):
      var report = RepairReport(input: path, status: .repairable, samples: samples)
      if !command.checksOnly { try repair(samples.inPlace, samples.newFile, work, &report) }
      return report
    }
  }

  private func repair(
    _ inPlace: InPlaceRepair?, _ newFile: RepairedFile, _ work: RepairWork<CommandFailure>,
    _ report: inout RepairReport
  ) throws(CommandFailure) {
    if command.isInPlace {
      try repairInPlace(inPlace)
      report.output = path
    } else {
      report.output = try makeFile(newFile, report.plan, work)
    }
    report.status = .repaired
  }

  // MARK: - The file itself

  private func repairInPlace(_ repair: InPlaceRepair?) throws(CommandFailure) {
    guard let repair else {
      throw CommandFailure(
        .unsupported,
        "“\(displayed(path))” cannot be completed in place.",
        suggestion: .text("Omit --in-place to get a new file."))
    }
    do throws(InPlaceRepair.ApplyError) {
      guard let planned else { throw .changed }
      try repair.apply(to: path, planned: planned)
    } catch {
      throw .inPlace(path, error)
    }
  }

  // MARK: - A new file

  /// Creates the new file and returns its name.
  private func makeFile(
    _ steps: RepairedFile, _ plan: RepairPlan?, _ work: RepairWork<CommandFailure>
  ) throws(CommandFailure) -> String {
    let output = command.output ?? RepairedName.of(path, plan)
    if SourceFiles([path]).contains(output) {
      throw CommandFailure(
        .exists,
        "“\(displayed(output))” is the damaged file itself.",
        suggestion: .text("Use --in-place, or choose another name."))
    }
    let sources = SourceFiles(command.inputs + command.inputs.map(GapSidecar.path(of:)))
    for written in [output, GapSidecar.path(of: output)] where sources.contains(written) {
      throw .isInput(written, option: "-o")
    }
    if command.output != nil { try checkSuffix(of: output, plan) }
    let file = try OutputFile(
      output, replacing: command.replacesExisting, like: try? System.status(of: path),
      interruption: interruption)
    guard file.isSeekable else {
      throw CommandFailure(
        .cannotWrite, "“\(displayed(output))” is not a regular file.",
        suggestion: .text("Choose another name."))
    }
    let isComplete: Bool
    if let plan, plan.format != .m4a, let format = OutputFormat(suffix: FileName.suffix(output)),
      format != plan.format
    {
      isComplete = try work.write(plan, as: format, to: file, failure: { $0 })
    } else {
      isComplete = try work.write(steps, to: file, failure: { $0 })
    }
    if !isComplete { throw CommandFailure(.read, path, because: .device) }
    do throws(CommandFailure) {
      try file.commit()
    } catch {
      // Copy the gaps if the output is in place, even if its folder could not be synchronized.
      if file.isInPlace { try copySidecar(to: output) }
      throw error
    }
    try copySidecar(to: output)
    return output
  }

  /// Rejects a name whose suffix is for a format in which the new file cannot be written.
  private func checkSuffix(of output: String, _ plan: RepairPlan?) throws(CommandFailure) {
    let suffix = FileName.suffix(output)
    // Other suffixes, such as .part, do not promise a format.
    guard SoundSuffixes.all.contains(suffix) else { return }
    // The new file has the format of the damaged one, except for AAC from a transport stream.
    if plan?.isFromTransportStream != true, suffix == FileName.suffix(path) { return }
    let formats = try possibleFormats(plan)
    if formats.contains(where: { $0.suffixes.contains(suffix) }) { return }
    if formats == [.wav], ["bwf", "rf64"].contains(suffix) { return }
    if formats == [.m4a], ["3g2", "3gp", "m4v", "mov"].contains(suffix) { return }
    let list = listed(formats.map { "." + $0.rawValue }, "or")
    throw CommandFailure(
      .unsupported,
      "The suffix of “\(displayed(output))” does not match any format that “\(displayed(path))” "
        + "can be repaired to.", suggestion: .text("Use \(list)."))
  }

  /// Returns the formats in which the new file can be written.
  private func possibleFormats(
    _ plan: RepairPlan?
  ) throws(CommandFailure) -> [SoundFileFormat] {
    if let plan { return plan.format == .m4a ? [.m4a] : [.m4a, .aac, .latm] }
    let head = try input.bytes(at: 0, count: FileKind.prefixCount)
    return FileKind(prefix: head.span) == .caf ? [.caf] : [.wav]
  }

  /// Copies the file of gaps.
  private func copySidecar(to output: String) throws(CommandFailure) {
    let source = GapSidecar.path(of: path)
    guard (try? System.status(of: source))?.kind == .file else { return }
    let bytes = try InputFile(source, interruption: interruption)
      .readAll(limit: GapSidecar.copyLimit)
    try OutputFile.write(
      bytes, to: GapSidecar.path(of: output), replacing: command.replacesExisting,
      like: try? System.status(of: source), interruption: interruption)
  }
}

extension CommandFailure {
  /// Returns the error for a file that cannot be repaired.
  static func irreparable(_ path: String, _ obstacle: RepairError) -> CommandFailure {
    CommandFailure(
      .badInput, "“\(displayed(path))” cannot be recovered: \(obstacle.description).")
  }

  /// Returns the error for a file that was not repaired in place.
  static func inPlace(_ path: String, _ problem: InPlaceRepair.ApplyError) -> CommandFailure {
    switch problem {
    case .system(.wouldBlock): CommandFailure(creating: path, .wouldBlock)
    case .system(let error): CommandFailure(.write, path, because: error)
    case .changed:
      CommandFailure(
        .cannotWrite,
        "“\(displayed(path))” was changed or replaced by another program during the repair. It was "
          + "not repaired.", suggestion: .text("Try again when no other program uses it."))
    case .disturbed:
      CommandFailure(
        .cannotWrite,
        "“\(displayed(path))” was removed, replaced or changed by another program while it was "
          + "being repaired.", suggestion: .text("Check the file, and try again."))
    }
  }

  /// Returns the error for frames with several possible configurations.
  fileprivate static func ambiguous(
    _ path: String, _ choices: [AudioSpecificConfig]
  ) -> CommandFailure {
    let words = choices.prefix(6).map { choice in
      "--rate \(choice.sampleRate) --channels \(choice.channelCount)"
    }
    return CommandFailure(
      .unsupported,
      "“\(displayed(path))” contains frames, but their sampling rate is lost.",
      suggestion: .text("Give it: " + words.joined(separator: ", or ") + "."))
  }
}
