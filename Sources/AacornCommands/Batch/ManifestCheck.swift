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
  /// Files that the run itself writes, and all that it needs.
  private let written: Set<[UInt8]>
  private let needed: Set<[UInt8]>
  /// Settings that have been found to be right, by their texts.
  private var checked: Set<String> = []
  /// Outputs of which there may be two, or which may be inputs.
  private var suspects: Set<UInt64> = []
  private var places = ManifestPlaces()

  /// Sentences that are told.
  private static let toldFaults = 10
  /// Outputs that are compared at a time; each takes up to 64 bytes.
  private static let window = 1 << 20
  /// No line is shorter than this on the average.
  private static let shortestLine = 16

  /// Looks through all of it; the run itself writes the files at `written`.
  init(
    _ path: String, _ settings: BatchRun.Settings, written: [String], _ interruption: Interruption
  ) throws(CommandFailure) {
    self.path = path
    self.settings = settings
    self.written = Set(written.map { ManifestLine.plain(FileName.canonical($0)) })
    needed = self.written.union([ManifestLine.plain(FileName.canonical(path))])
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

  /// The parts of a manifest are told apart by paths as they are written, since machines may differ
  /// in what their links are; what would replace what is found by the files themselves.
  private mutating func compare(pass: UInt64, of passCount: UInt64) throws(CommandFailure) {
    var outputs = NumberTable()
    func isLookedAt(_ number: UInt64) -> Bool { (number >> 40) % passCount == pass }
    try forEachLine(notes: pass == 0) { (check, line) in
      guard check.settings.shard.contains(line.outputNumber) else { return }
      let place = check.places.place(of: line.output)
      if pass == 0 {
        check.lineCount += 1
        check.checkLine(line, place)
      }
      let number = ManifestLine.number(of: place)
      if isLookedAt(number), !outputs.insert(number) { check.suspects.insert(number) }
    }
    if faultCount > 0 { return }
    try forEachLine { (check, line) in
      let input = check.places.place(of: line.input)
      if pass == 0, check.written.contains(input) {
        check.note("Line \(line.number) reads “\(displayed(line.input))”, which this run writes.")
      }
      let number = ManifestLine.number(of: input)
      if isLookedAt(number), outputs.contains(number) { check.suspects.insert(number) }
      // Another part may make the same file under another spelling.
      if check.settings.shard.contains(line.outputNumber) { return }
      let other = ManifestLine.number(of: check.places.place(of: line.output))
      if isLookedAt(other), outputs.contains(other) { check.suspects.insert(other) }
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
      guard check.suspects.contains(ManifestLine.number(of: output)) else { return }
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
