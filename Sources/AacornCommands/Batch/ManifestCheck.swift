import AacornRecording
import AacornSystem

/// A check of a manifest before encoding: each line must be valid, no two lines may make the same
/// file, and no line may make the input of another line.
///
/// It reads the manifest once and compares files by their numbers, so its memory does not depend on
/// the number of lines. It reads the manifest again only if numbers are equal, to compare the
/// paths.
struct ManifestCheck {
  /// The number of lines in the selected part.
  private(set) var lineCount = 0
  /// The messages about the first `maxReportedFaultCount` errors.
  private(set) var faults: [String] = []
  private(set) var faultCount = 0

  private let path: String
  private let settings: BatchRun.Settings
  private let interruption: Interruption
  /// The files that the run writes; `needed` also contains the manifest.
  private let written: Set<[UInt8]>
  private let needed: Set<[UInt8]>
  /// The settings that were validated, by their text.
  private var checked: Set<String> = []
  /// The numbers of outputs that may be made twice, or that may be inputs.
  private var conflictCandidates: Set<UInt64> = []
  /// True if the manifest has more conflict candidates than are compared.
  private(set) var hasMoreFaults = false
  private var outputResolver = PathResolver()
  private var inputResolver = PathResolver()

  /// The maximum number of messages.
  private static let maxReportedFaultCount = 10
  /// The maximum number of outputs whose paths are compared.
  private static let maxCandidateCount = 1 << 16

  /// Checks a whole manifest.
  ///
  /// `written` are the files that the run itself writes.
  init(
    _ path: String, _ settings: BatchRun.Settings, written: [String], _ interruption: Interruption,
    recordLimit: Int = RecordLimit.defaultValue,
    chosenFolder: String? = System.environment("TMPDIR")
  ) throws(CommandFailure) {
    self.path = path
    self.settings = settings
    self.written = Set(written.map { ManifestLine.plain(FileName.canonical($0)) })
    needed = self.written.union([ManifestLine.plain(FileName.canonical(path))])
    self.interruption = interruption
    let references = RecordSpool<FileReference>(
      beside: written.first ?? path, limit: recordLimit, interruption, chosenFolder: chosenFolder)
    try checkLines(references)
    if faultCount > 0 { return }
    try references.forEachGroup { (group) in
      for candidate in FileReference.conflictCandidates(group) {
        if conflictCandidates.count < Self.maxCandidateCount {
          conflictCandidates.insert(candidate)
        } else if !conflictCandidates.contains(candidate) {
          hasMoreFaults = true
        }
      }
    }
    if !conflictCandidates.isEmpty { try confirm() }
    if faultCount == 0, hasMoreFaults {
      record("Too many lines may write the same files to compare all of them.")
    }
  }

  private mutating func record(_ fault: String) {
    faultCount += 1
    if faults.count < Self.maxReportedFaultCount { faults.append(fault) }
  }

  /// Calls `body` with every line, also of other parts; `notes` states whether invalid lines are
  /// reported.
  private mutating func forEachLine(
    notes: Bool = false, _ body: (inout Self, ManifestLine) throws(CommandFailure) -> Void
  ) throws(CommandFailure) {
    let reader = try ManifestReader(path, interruption)
    while let (bytes, number) = try reader.next() {
      if number % 4096 == 0, let signal = interruption.signal {
        throw CommandFailure(signal: signal)
      }
      let line: ManifestLine
      do throws(ManifestLine.Fault) {
        line = try ManifestLine(bytes, number: number, settings.naming)
      } catch {
        if notes { record("Line \(number) \(error.text).") }
        continue
      }
      try body(&self, line)
    }
  }

  /// Checks each line separately, and records the files that it makes and names.
  ///
  /// Lines are assigned to parts by their paths as written, since links may differ between
  /// machines. Conflicts are detected by the files themselves.
  private mutating func checkLines(_ references: RecordSpool<FileReference>) throws(CommandFailure)
  {
    try forEachLine(notes: true) { (check, line) throws(CommandFailure) in
      let output = check.outputResolver.resolvedPath(of: line.output)
      let input = check.inputResolver.resolvedPath(of: line.input)
      // Another part may make the same file under another spelling.
      let isOurs = check.settings.shard.contains(line.outputNumber)
      if isOurs {
        check.lineCount += 1
        check.checkLine(line, output)
      }
      if check.written.contains(input) {
        check.record("Line \(line.number) reads “\(displayed(line.input))”, which this run writes.")
      }
      // After an error in a line, files are not compared.
      if check.faultCount > 0 { return }
      try references.append(FileReference(ManifestLine.number(of: output), isMade: isOurs))
      try references.append(FileReference(ManifestLine.number(of: input), isMade: false))
    }
  }

  /// Checks the output and the settings of a line.
  private mutating func checkLine(_ line: ManifestLine, _ output: [UInt8]) {
    if needed.contains(output) {
      return record(
        "Line \(line.number) would replace “\(displayed(line.output))”, which this run needs.")
    }
    let key = FileName.suffix(line.output) + " " + line.settings.identity()
    if checked.contains(key) { return }
    do throws(UsageError) {
      var command = try settings.encoding.overridden(by: line.settings).command()
      command.inputs = [line.input]
      try command.validate()
      _ = try EncodePlan.format(of: command, for: line.output)
      if checked.count < 4096 { checked.insert(key) }
    } catch {
      record("Line \(line.number): \(error.text)")
    }
  }

  /// Compares the paths of files with equal numbers.
  private mutating func confirm() throws(CommandFailure) {
    var makers: [[UInt8]: Int] = [:]
    try forEachLine { (check, line) in
      let output = check.outputResolver.resolvedPath(of: line.output)
      guard
        check.conflictCandidates.contains(FileReference.number(of: ManifestLine.number(of: output)))
      else { return }
      if let first = makers[output] {
        check.record("Lines \(first) and \(line.number) both write “\(displayed(line.output))”.")
      } else {
        makers[output] = line.number
      }
    }
    try forEachLine { (check, line) in
      guard let maker = makers[check.outputResolver.resolvedPath(of: line.input)] else { return }
      check.record(
        maker == line.number
          ? "Line \(maker) would replace its own input “\(displayed(line.input))”."
          : "Line \(maker) would replace “\(displayed(line.input))”, which line \(line.number) "
            + "reads.")
    }
  }
}
