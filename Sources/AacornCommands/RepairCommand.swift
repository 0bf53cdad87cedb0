import AacornRecording
import AacornSystem

struct RepairCommand: Subcommand {
  var inputs: [String] = []
  var output: String?
  var isInPlace = false
  var checksOnly = false
  var replacesExisting = false
  var sampleRate: Int?
  var channelCount: Int?
  var printsJSON = false
  var isQuiet = false

  static var syntax: CommandSyntax<RepairCommand> {
    CommandSyntax(
      CommandDescription(
        name: "repair", summary: "Repairs damaged, truncated and unfinished recordings.",
        operands: .files("<file>..."),
        discussion: [
          "Repairs truncated and damaged ADTS, LATM and M4A files, and M4A files without tables: "
            + "recordings of aacorn completely, other files where their frames can be found. The "
            + "result is placed next to FILE, with -repaired before its suffix; FILE is not changed.",
          "In a WAV or CAF file of a crashed recording, the lengths in the header are corrected.",
          "Damaged frames of a stream are removed. In an M4A file, silence replaces them, so that the "
            + "rest keeps its time.",
          "Every frame is read, and the result is inspected before it gets its name. If “aacorn "
            + "inspect” would report a fault in it, nothing is written, and the exit code is 1. "
            + "“Nothing to repair” means that FILE has no faults.",
        ],
        examples: [
          ("aacorn repair talk.m4a", "Make talk-repaired.m4a."),
          ("aacorn repair --check *.m4a", "List the files that need a repair."),
          ("aacorn repair --in-place talk.m4a", "Complete a recording of aacorn in place."),
        ],
        exitCodes: [
          ("0", "all files are free of faults now"),
          ("1", "a file cannot be repaired without faults, or with --check needs a repair"),
          ExitStatus.invalidCommandLine,
          ("3", "no file found, or none could be read"),
          ("4", "no output could be written"),
          ExitStatus.stoppedBySignal, ExitStatus.closedReader,
        ]),
      options: [
        (
          "Output",
          [
            .path(
              "output", short: "o", .file("OUT"),
              "Write OUT (default: the input's name with -repaired).", "output", \.output),
            .flag(
              "in-place", "Repair the file without a copy (recordings of aacorn, WAV, CAF).",
              \.isInPlace),
            .flag("check", "Report what can be repaired, without writing.", \.checksOnly),
            .force("Replace an existing file.", \.replacesExisting),
          ]
        ),
        (
          "Audio",
          [
            .value(
              "rate", short: "r", .text("HZ"), "Sampling rate, if the file does not state it.",
              \.sampleRate, OptionValue.frequency),
            .value(
              "channels", short: "c", .text("N"),
              "Number of channels, 1 to 8, if the file does not state it.", \.channelCount,
              OptionValue.count(upTo: 8)),
          ]
        ),
        (
          "Other",
          [.flag("json", "Print one JSON object per file.", \.printsJSON), .quiet(\.isQuiet)]
        ),
      ],
      inputs: \.inputs)
  }

  func run(in console: Console) throws(UsageError) -> ExitStatus {
    try validate()
    return console.process(inputs, output: output, asJSON: printsJSON) {
      (input) throws(CommandFailure) in
      let job = try RepairJob(input, command: self, interruption: console.interruption)
      let report = try job.run()
      print(report, in: console)
      return report.status == .repairable ? .failed : .success
    }
  }

  private func print(_ report: RepairReport, in console: Console) {
    if printsJSON {
      console.print(report.json)
    } else if !isQuiet {
      // The result of a check is its report; the result of a repair is a file.
      for line in report.lines {
        if checksOnly { console.print(line) } else { console.announce(line) }
      }
    }
    console.output.flush()
  }

  /// Rejects contradictory options.
  private func validate() throws(UsageError) {
    try reject(if: inputs.isEmpty, "There is nothing to repair.", hint: "Name a file.")
    try reject(
      if: output != nil && inputs.count > 1,
      "\(inputs.count) files cannot be written to one output.", hint: "Omit -o.")
    try reject(if: isInPlace && output != nil, "The options --in-place and -o exclude each other.")
    try reject(
      if: checksOnly && (isInPlace || output != nil), "With --check, nothing is written.",
      hint: "Omit --in-place and -o.")
    if inputs.contains("-") || output == "-" {
      throw UsageError("Only files can be repaired, not streams.", hint: "Name a file.")
    }
  }
}
