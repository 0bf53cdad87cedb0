import AacornRecording
import AacornSystem

/// A check of a manifest before encoding: each line must be valid, no two lines may make the same
/// file, and no line may make the input of another line.
///
/// It reads the manifest twice: first to collect the numbers of the files that this part makes, and
/// then to find other lines that name the same numbers. If numbers are equal, it reads the manifest
/// again to compare the paths.
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
  /// The numbers of the files that this part makes; 1 marks a conflict candidate, which may be made
  /// twice, or may be an input.
  private var made = NumberTable<UInt8>()
  private var candidateCount = 0
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
    _ path: String, _ settings: BatchRun.Settings, written: [String], _ interruption: Interruption
  ) throws(CommandFailure) {
    self.path = path
    self.settings = settings
    self.written = Set(written.map { ManifestLine.normalized(FileName.canonical($0)) })
    needed = self.written.union([ManifestLine.normalized(FileName.canonical(path))])
    self.interruption = interruption
    try checkLines()
    if faultCount > 0 { return }
    try findCandidates()
    if candidateCount > 0 { try confirm() }
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
    notes: Bool = false, _ body: (inout Self, ManifestLine) -> Void
  ) throws(CommandFailure) {
    let reader = try ManifestReader(path, interruption)
    while let (bytes, number) = try reader.next() {
      if number % 4096 == 0, let signal = interruption.signal {
        throw CommandFailure(signal: signal)
      }
      if notes, number == LineEstimate.sampleSize, let size = (try? System.status(of: path))?.size {
        let lineCount = LineEstimate.lineCount(in: size, sampleByteCount: reader.consumedByteCount)
        made.reserve(lineCount / settings.shard.count)
      }
      let line: ManifestLine
      do throws(ManifestLine.Fault) {
        line = try ManifestLine(bytes, number: number, settings.naming)
      } catch {
        if notes { record("Line \(number) \(error.text).") }
        continue
      }
      body(&self, line)
    }
  }

  /// Checks each line separately, and records the files that this part makes.
  ///
  /// Lines are assigned to parts by their paths as written, since links may differ between
  /// machines. Conflicts are detected by the files themselves.
  private mutating func checkLines() throws(CommandFailure) {
    try forEachLine(notes: true) { (check, line) in
      let input = check.inputResolver.resolvedPath(of: line.input)
      if check.settings.shard.contains(line.outputNumber) {
        let output = check.outputResolver.resolvedPath(of: line.output)
        check.lineCount += 1
        check.checkLine(line, output)
        let number = ManifestLine.number(of: output)
        if check.made.value(of: number) == nil {
          check.made.set(number, to: 0)
        } else {
          check.markCandidate(number)
        }
      }
      if check.written.contains(input) {
        check.record("Line \(line.number) reads “\(displayed(line.input))”, which this run writes.")
      }
    }
  }

  /// Marks the files that this part makes and another line, also of another part, names.
  private mutating func findCandidates() throws(CommandFailure) {
    try forEachLine { (check, line) in
      check.markCandidate(
        ManifestLine.number(of: check.inputResolver.resolvedPath(of: line.input)))
      if !check.settings.shard.contains(line.outputNumber) {
        // The line of another part may make the same file under another spelling. It is recorded as
        // naming the file, which is enough to find the conflict.
        check.markCandidate(
          ManifestLine.number(of: check.outputResolver.resolvedPath(of: line.output)))
      }
    }
  }

  /// Marks a file as a conflict candidate, if this part makes it.
  private mutating func markCandidate(_ number: UInt64) {
    guard made.value(of: number) == 0 else { return }
    if candidateCount == Self.maxCandidateCount {
      hasMoreFaults = true
    } else {
      candidateCount += 1
      made.set(number, to: 1)
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
      guard check.made.value(of: ManifestLine.number(of: output)) == 1 else { return }
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
