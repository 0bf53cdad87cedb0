import AacornRecording
import AacornSystem

/// `aacorn repair`.
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
        name: "repair", summary: "Recovers what a crashed recording contains.",
        operands: .files("<file>..."),
        discussion: [
          "Repairs ADTS and LATM streams and M4A files that are cut off or damaged, and M4A files "
            + "without their tables: those of aacorn completely, those of other programs as far as "
            + "their frames can be found. The result is placed next to FILE, with -repaired before "
            + "its suffix; FILE stays as it is.",
          "In a WAV or CAF file whose recording crashed, the lengths in the header are corrected.",
          "In a stream, damaged frames are left out. In an M4A file, silence takes their place, so "
            + "that what follows keeps its time.",
          "Every frame is read, and the result is inspected before it gets its name: if “aacorn "
            + "inspect” would find an error in it, nothing is written, and the code is 1. “Nothing "
            + "to repair” means that it finds no error in FILE.",
        ],
        examples: [
          ("aacorn repair talk.m4a", "makes talk-repaired.m4a"),
          ("aacorn repair --check *.m4a", "says which files need it"),
          ("aacorn repair --in-place talk.m4a", "completes a recording of aacorn in place"),
        ],
        exitCodes: [
          ("0", "all files are free of errors now, or already were"),
          ("1", "a file cannot be recovered without errors, or with --check needs repair"),
          ("2", "the command line is invalid"),
          ("3", "no file found, or none could be read"),
          ("4", "no output could be written"),
          ("129, 130, 143", "stopped by a hang-up, Ctrl-C or SIGTERM; nothing unfinished is left"),
          ("141", "the reader of standard output went away"),
        ]),
      options: [
        .path(
          "output", short: "o", .file("OUT"), in: "Output", "Write to OUT.", "output", \.output),
        .flag(
          "in-place", in: "Output",
          "Complete the file itself, without a copy; recordings of aacorn, WAV and CAF.",
          \.isInPlace),
        .flag("check", in: "Output", "Only say what could be done.", \.checksOnly),
        .flag(
          "force", short: "f", alias: "y", in: "Output", "Replace an existing file.",
          \.replacesExisting),
        .value(
          "rate", short: "r", .text("HZ"), in: "Sound",
          "The sampling rate, if the file does not state it."
        ) { (command, value) throws(UsageError) in
          command.sampleRate = try OptionValue.frequency(value, "--rate")
        },
        .value(
          "channels", short: "c", .text("N"), in: "Sound",
          "The channels, if the file does not state them."
        ) { (command, value) throws(UsageError) in
          command.channelCount = try OptionValue.count(value, "--channels", upTo: 8)
        },
        .flag("json", in: "Other", "Print one JSON object per file.", \.printsJSON),
        .flag("quiet", short: "q", in: "Other", "Print only errors.", \.isQuiet),
      ],
      inputs: \.inputs)
  }

  func run(in console: Console) throws(UsageError) -> ExitStatus {
    try validate()
    var statuses: [ExitStatus] = []
    for input in inputs {
      do throws(CommandFailure) {
        let job = try RepairJob(input, command: self, interruption: console.interruption)
        let report = try job.run()
        print(report, in: console)
        statuses.append(report.status == .repairable ? .failed : .success)
      } catch {
        if case .interrupted = error.kind { return error.exitStatus }
        if printsJSON {
          console.print(error.json(input: input, output: output).encoded)
        } else {
          console.printError(error.commandSentence)
        }
        statuses.append(error.exitStatus)
      }
    }
    let failed = statuses.filter { $0 != .success }
    return failed.count < statuses.count && !failed.isEmpty ? .failed : .combining(failed)
  }

  private func print(_ report: RepairReport, in console: Console) {
    if printsJSON {
      console.print(report.json.encoded)
    } else if !isQuiet {
      // Of a check, what it has found is the result; of a repair, the file is.
      for line in report.lines {
        if checksOnly { console.print(line) } else { console.announce(line) }
      }
    }
    console.output.flush()
  }

  /// Rejects contradictory options.
  private func validate() throws(UsageError) {
    if inputs.isEmpty { throw UsageError("There is nothing to repair.", advice: "Name a file.") }
    if output != nil && inputs.count > 1 {
      throw UsageError("\(inputs.count) files cannot all become one.", advice: "Leave -o out.")
    }
    if isInPlace && output != nil {
      throw UsageError("The options --in-place and -o exclude each other.")
    }
    if checksOnly && (isInPlace || output != nil) {
      throw UsageError("With --check, nothing is written.", advice: "Leave --in-place and -o out.")
    }
    if inputs.contains("-") || output == "-" {
      throw UsageError("Only files can be repaired, not streams.", advice: "Name a file.")
    }
  }
}
