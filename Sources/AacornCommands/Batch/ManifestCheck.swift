import AacornRecording
import AacornSystem

/// Looks through a manifest before anything is made: whether each line can be read, whether two make
/// the same file, and whether one makes what another reads.
///
/// It takes the same memory for any number of lines: outputs are compared by their numbers, a range of
/// them at a time.
struct ManifestCheck {
  /// Lines of the part that is to be made.
  private(set) var lineCount = 0
  /// What is wrong, in sentences, as many as help.
  private(set) var faults: [String] = []
  private(set) var faultCount = 0

  private let path: String
  private let settings: BatchRun.Settings
  private let interruption: Interruption
  /// Files of the run itself.
  private let ownFiles: [String]
  /// Settings that have been found to be right, by their texts.
  private var checked: Set<String> = []
  /// Outputs of which there may be two, or which may be inputs.
  private var suspects: Set<UInt64> = []

  /// Sentences that are told.
  private static let toldFaults = 10
  /// Outputs that are compared at a time; each takes up to 64 bytes.
  private static let window = 1 << 20
  /// No line is shorter than this on the average.
  private static let shortestLine = 16

  /// Looks through all of it.
  init(
    _ path: String, _ settings: BatchRun.Settings, ownFiles: [String], _ interruption: Interruption
  ) throws(CommandFailure) {
    self.path = path
    self.settings = settings
    self.ownFiles = ownFiles.map(FileName.canonical)
    self.interruption = interruption
    let size = (try? System.status(of: path))?.size ?? 0
    let passCount = size / Self.shortestLine / settings.shard.count / Self.window + 1
    for pass in 0..<passCount {
      try compare(pass: UInt64(pass), of: UInt64(passCount))
      if faultCount > 0 { return }
    }
    if !suspects.isEmpty { try confirm() }
  }

  private mutating func note(_ fault: String) {
    faultCount += 1
    if faults.count < Self.toldFaults { faults.append(fault) }
  }

  /// Calls `body` with every line, those of other parts, too; what cannot be read is noted if `notes`.
  private mutating func forEachLine(
    notes: Bool = false, _ body: (inout Self, ManifestLine) -> Void
  ) throws(CommandFailure) {
    let reader = try ManifestReader(path, interruption)
    while let (bytes, number) = try reader.next() {
      if number % 4096 == 0, let signal = interruption.signal {
        throw CommandFailure(signal: signal)
      }
      do throws(ManifestLine.Fault) {
        let line = try ManifestLine(bytes, number: number, settings.naming)
        body(&self, line)
      } catch {
        if notes { note("Line \(number) \(error.words).") }
      }
    }
  }

  private mutating func compare(pass: UInt64, of passCount: UInt64) throws(CommandFailure) {
    var outputs = NumberTable()
    try forEachLine(notes: pass == 0) { (check, line) in
      let number = line.outputNumber
      guard check.settings.shard.contains(number) else { return }
      if pass == 0 {
        check.lineCount += 1
        check.checkLine(line)
      }
      if (number >> 40) % passCount == pass, !outputs.insert(number) {
        check.suspects.insert(number)
      }
    }
    if faultCount > 0 { return }
    try forEachLine { (check, line) in
      let number = ManifestLine.number(of: line.input)
      if (number >> 40) % passCount == pass, outputs.contains(number) {
        check.suspects.insert(number)
      }
    }
  }

  /// Checks what a line asks for.
  private mutating func checkLine(_ line: ManifestLine) {
    if ownFiles.contains(where: { FileName.last($0) == FileName.last(line.output) }),
      ownFiles.contains(FileName.canonical(line.output))
    {
      return note(
        "Line \(line.number) would replace “\(displayed(line.output))”, which this run needs.")
    }
    if line.output == "-" || line.input == "-" {
      return note("Line \(line.number) names “-”, but a manifest names files.")
    }
    let key = FileName.suffix(line.output) + " " + line.settings.identity
    if checked.contains(key) { return }
    do throws(UsageError) {
      var command = try settings.encoding.overridden(by: line.settings).command()
      command.inputs = [line.input]
      try command.validate()
      _ = try EncodePlan.format(of: command, for: line.output)
      if checked.count < 4096 { checked.insert(key) }
    } catch {
      note("Line \(line.number): \(error.sentence)")
    }
  }

  /// Compares the paths themselves where the numbers are equal.
  private mutating func confirm() throws(CommandFailure) {
    var makers: [String: Int] = [:]
    try forEachLine { (check, line) in
      guard check.suspects.contains(line.outputNumber) else { return }
      let output = ManifestLine.plain(line.output)
      if let first = makers[output] {
        check.note("Lines \(first) and \(line.number) both make “\(displayed(line.output))”.")
      } else {
        makers[output] = line.number
      }
    }
    try forEachLine { (check, line) in
      guard let maker = makers[ManifestLine.plain(line.input)] else { return }
      check.note(
        maker == line.number
          ? "Line \(maker) would replace its own input “\(displayed(line.input))”."
          : "Line \(maker) would replace “\(displayed(line.input))”, which line \(line.number) "
            + "reads.")
    }
  }
}
