import AacornRecording
import AacornSystem

struct CutCommand: SpliceCommand, PartCommand {
  var inputs: [String] = []
  var output: String?
  var part = PartChoice()
  var replacesExisting = false
  var printsJSON = false
  var isQuiet = false

  static var syntax: CommandSyntax<CutCommand> {
    CommandSyntax(
      CommandDescription(
        name: "cut", summary: "Cuts a part out of an AAC file without encoding it again.",
        operands: .files("<file>"),
        discussion: [
          "The suffix of OUT selects the format. An M4A file is cut to the sample: it contains the "
            + "earlier frames that a decoder needs, and players skip them. Tags, cover, chapters and "
            + "recorded gaps are kept, but not the location. With HE-AAC, the part may start one "
            + "sample early.",
          "ADTS and LATM streams are cut to whole frames; the actual start and end are printed.",
          "Damaged frames are copied unchanged and reported.",
        ],
        examples: [
          ("aacorn cut show.m4a --start 1:30 --end 2:00 -o part.m4a", "Keep 30 seconds."),
          ("aacorn cut stream.aac --start 10s -o rest.aac", "Remove the first ten seconds."),
          ("aacorn cut talk.m4a --duration 10m -o beginning.m4a", "Keep the first ten minutes."),
        ],
        exitCodes: ExitStatus.table(failed: "the input cannot be cut there, or is damaged")),
      options: [("Part", partOptions(durationHelp: "Keep at most this duration."))]
        + outputOptions,
      inputs: \.inputs)
  }

  func run(in console: Console) throws(UsageError) -> ExitStatus {
    try reject(if: inputs.isEmpty, "There is nothing to cut.", hint: "Name a file.")
    try reject(
      if: inputs.count > 1, "Only one file can be cut at a time.",
      hint: "Use “aacorn join” for several files, and -o for the output.")
    try part.check()
    return try run(in: console) { (request, progress) throws(CommandFailure) in
      var request = request
      request.start = part.start
      request.end = part.end
      request.duration = part.duration
      var work = try CutWork(request, interruption: console.interruption)
      return try work.run(progress: progress)
    }
  }
}
