import AacornRecording
import AacornSystem

/// `aacorn join`.
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
          "All files must have the same rate, channels and kind of coding; the first one that does "
            + "not fit is named. The suffix of OUT chooses the format. Tags, cover and notes of "
            + "gaps are those of the first file; the chapters of all follow one another.",
          "In an M4A file the sounds follow one another to the sample: its edit list has one entry "
            + "for each file and leaves out the delays and paddings in between. Players that know "
            + "only the first entry play these as well, a fraction of a second at each border. "
            + "ADTS and LATM streams consist of whole frames; what is heard at the borders is told.",
        ],
        examples: [
          ("aacorn join part-1.m4a part-2.m4a -o whole.m4a", "one after the other, without a gap"),
          ("aacorn join *.aac -o all.aac", "streams, to the frame"),
        ],
        exitCodes: ExitStatus.table(failed: "the files cannot be joined, or one is damaged"),
        hints: [("-i", "Name the inputs without an option, and the output with -o.")]),
      options: outputOptions,
      inputs: \.inputs)
  }

  func run(in console: Console) throws(UsageError) -> ExitStatus {
    if inputs.count < 2 {
      throw UsageError(
        inputs.isEmpty ? "There is nothing to join." : "One file alone cannot be joined.",
        advice: "Name two or more files.")
    }
    let job = try SpliceJob(self)
    return job.run(in: console) { (job, progress) throws(CommandFailure) in
      var work = try JoinWork(job.request(), interruption: console.interruption)
      return try work.run(progress: progress)
    }
  }
}
