import AacornRecording
import AacornSystem

/// Looks through a manifest before anything is made: whether each line can be read, whether two make
/// the same file, and whether one makes what another reads.
///
/// It reads all of it once, and compares files by their numbers, so that it takes the same memory for
/// any number of lines. Only where two numbers are equal it reads again, and compares the paths.
struct ManifestCheck {
  /// Lines of the part that is to be made.
  private(set) var lineCount = 0
  /// What is wrong, in sentences, as many as help.
  private(set) var faults: [String] = []
  private(set) var faultCount = 0

  private let path: String
  private let settings: BatchRun.Settings
  private let interruption: Interruption
  /// Files that the run itself writes, and all that it needs.
  private let written: Set<[UInt8]>
  private let needed: Set<[UInt8]>
  /// Settings that have been found to be right, by their texts.
  private var checked: Set<String> = []
  /// Outputs of which there may be two, or which may be inputs.
  private var suspects: Set<UInt64> = []
  /// Whether there are more of them than are looked at.
  private(set) var hasMoreFaults = false
  private var places = ManifestPlaces()
  private var inputPlaces = ManifestPlaces()

  /// Sentences that are told.
  private static let toldFaults = 10
  /// Suspects that are looked at.
  private static let mostSuspects = 1 << 16

  /// Looks through all of it; the run itself writes the files at `written`.
  init(
    _ path: String, _ settings: BatchRun.Settings, written: [String], _ interruption: Interruption,
    recordLimit: Int = RecordLimit.usual, chosenFolder: String? = System.environment("TMPDIR")
  ) throws(CommandFailure) {
    self.path = path
    self.settings = settings
    self.written = Set(written.map { ManifestLine.plain(FileName.canonical($0)) })
    needed = self.written.union([ManifestLine.plain(FileName.canonical(path))])
    self.interruption = interruption
    let mentions = RecordPile<FileMention>(
      beside: written.first ?? path, limit: recordLimit, interruption, chosenFolder: chosenFolder)
    try look(mentions)
    if faultCount > 0 { return }
    try mentions.forEachGroup { (group) in
      for suspect in FileMention.suspects(group) {
        if suspects.count < Self.mostSuspects {
          suspects.insert(suspect)
        } else if !suspects.contains(suspect) {
          hasMoreFaults = true
        }
      }
    }
    if !suspects.isEmpty { try confirm() }
    if faultCount == 0, hasMoreFaults {
      note("Too many lines may write the same files to compare all of them.")
    }
  }

  private mutating func note(_ fault: String) {
    faultCount += 1
    if faults.count < Self.toldFaults { faults.append(fault) }
  }

  /// Calls `body` with every line, those of other parts, too; what cannot be read is noted if `notes`.
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
        if notes { note("Line \(number) \(error.words).") }
        continue
      }
      try body(&self, line)
    }
  }

  /// Checks each line by itself, and notes which files it makes and names.
  ///
  /// The parts of a manifest are told apart by paths as they are written, since machines may differ
  /// in what their links are; what would replace what is found by the files themselves.
  private mutating func look(_ mentions: RecordPile<FileMention>) throws(CommandFailure) {
    try forEachLine(notes: true) { (check, line) throws(CommandFailure) in
      let output = check.places.place(of: line.output)
      let input = check.inputPlaces.place(of: line.input)
      // Another part may make the same file under another spelling.
      let isOurs = check.settings.shard.contains(line.outputNumber)
      if isOurs {
        check.lineCount += 1
        check.checkLine(line, output)
      }
      if check.written.contains(input) {
        check.note("Line \(line.number) reads “\(displayed(line.input))”, which this run writes.")
      }
      // Nothing is compared if something is wrong already.
      if check.faultCount > 0 { return }
      try mentions.append(FileMention(ManifestLine.number(of: output), isMade: isOurs))
      try mentions.append(FileMention(ManifestLine.number(of: input), isMade: false))
    }
  }

  /// Checks what a line asks for.
  private mutating func checkLine(_ line: ManifestLine, _ output: [UInt8]) {
    if needed.contains(output) {
      return note(
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
      note("Line \(line.number): \(error.sentence)")
    }
  }

  /// Compares the paths themselves where the numbers are equal.
  private mutating func confirm() throws(CommandFailure) {
    var makers: [[UInt8]: Int] = [:]
    try forEachLine { (check, line) in
      let output = check.places.place(of: line.output)
      guard check.suspects.contains(FileMention.number(of: ManifestLine.number(of: output)))
      else { return }
      if let first = makers[output] {
        check.note("Lines \(first) and \(line.number) both make “\(displayed(line.output))”.")
      } else {
        makers[output] = line.number
      }
    }
    try forEachLine { (check, line) in
      guard let maker = makers[check.places.place(of: line.input)] else { return }
      check.note(
        maker == line.number
          ? "Line \(maker) would replace its own input “\(displayed(line.input))”."
          : "Line \(maker) would replace “\(displayed(line.input))”, which line \(line.number) "
            + "reads.")
    }
  }
}
