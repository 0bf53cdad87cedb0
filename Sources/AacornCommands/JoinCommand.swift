import AacornRecording
import AacornSystem

struct JoinCommand: SpliceCommand {
  var inputs: [String] = []
  var output: String?
  var replacesExisting = false
  var printsJSON = false
  var isQuiet = false

  static var syntax: CommandSyntax<JoinCommand> {
    CommandSyntax(
      CommandDescription(
        name: "join", summary: "Joins AAC files without encoding them again.",
        operands: .files("<file> <file>..."),
        discussion: [
          "All files must have the same sampling rate, channels and AAC profile; the first file that "
            + "differs is reported. The suffix of OUT selects the format. Tags, cover and recorded gaps "
            + "are copied from the first file; the chapters of all files follow one another.",
          "An M4A file is joined to the sample: its edit list has an entry for each file and skips "
            + "delays and padding. Players that read only the first entry play a fraction of a second "
            + "more at each joint. ADTS and LATM streams are joined by whole frames; the extra audio "
            + "at the joints is reported.",
        ],
        examples: [
          ("aacorn join part-1.m4a part-2.m4a -o whole.m4a", "Join two files without a gap."),
          ("aacorn join *.aac -o all.aac", "Join streams by whole frames."),
        ],
        exitCodes: ExitStatus.table(failed: "the files cannot be joined, or one is damaged")),
      options: outputOptions,
      inputs: \.inputs)
  }

  func run(in console: Console) throws(UsageError) -> ExitStatus {
    try reject(
      if: inputs.count < 2,
      inputs.isEmpty ? "There is nothing to join." : "One file alone cannot be joined.",
      hint: "Name two or more files.")
    return try run(in: console) { (request, progress) throws(CommandFailure) in
      var work = try JoinWork(request, interruption: console.interruption)
      return try work.run(progress: progress)
    }
  }
}
