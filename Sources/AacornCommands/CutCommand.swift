import AacornRecording
import AacornSystem

/// `aacorn cut`.
struct CutCommand: SpliceCommand {
  var inputs: [String] = []
  var output: String?
  var start = Duration.zero
  var end: Duration?
  var duration: Duration?
  var replacesExisting = false
  var printsJSON = false
  var isQuiet = false

  static var syntax: CommandSyntax<CutCommand> {
    CommandSyntax(
      CommandDescription(
        name: "cut", summary: "Cuts a part out of an AAC file without encoding it again.",
        operands: .files("<file>"),
        discussion: [
          "The suffix of OUT chooses the format. An M4A file plays exactly what was asked for, to "
            + "the sample: the frames before it that a decoder needs are in the file and are not "
            + "heard. Tags, cover, chapters and notes of gaps are kept, but no location. With "
            + "HE-AAC other players may begin one sample earlier.",
          "ADTS and LATM streams consist of whole frames and cannot leave out a part of one; where "
            + "the result really begins and ends is told.",
          "Damaged frames are copied as they are, and told.",
        ],
        examples: [
          (
            "aacorn cut show.m4a --start 1:30 --end 2:00 -o part.m4a",
            "half a minute, to the sample"
          ),
          ("aacorn cut stream.aac --start 10s -o rest.aac", "all but ten seconds, to the frame"),
          ("aacorn cut talk.m4a --duration 10m -o beginning.m4a", "the first ten minutes"),
        ],
        exitCodes: ExitStatus.table(failed: "the input cannot be cut there, or is damaged"),
        hints: [
          ("--ss", "Choose the part with --start and --end, or --duration."),
          ("-t", "Choose the part with --start and --duration."),
          ("--to", "Choose the end with --end."),
        ]),
      options: [
        .value(
          "start", .text("TIME"), in: "Part",
          "Begin at this time, such as 90, 1.5s or 1:30.25, with up to nine decimals."
        ) { (command, value) throws(UsageError) in
          command.start = try OptionValue.moment(value, "--start")
        },
        .value(
          "end", .text("TIME"), in: "Part", "End at this time of the input, or where it ends."
        ) { (command, value) throws(UsageError) in
          command.end = try OptionValue.length(value, "--end")
        },
        .value(
          "duration", .text("TIME"), in: "Part", "Take no more than this."
        ) { (command, value) throws(UsageError) in
          command.duration = try OptionValue.length(value, "--duration")
        },
      ] + outputOptions,
      inputs: \.inputs)
  }

  func run(in console: Console) throws(UsageError) -> ExitStatus {
    let job = try makeJob()
    return job.run(in: console) { (job, progress) throws(CommandFailure) in
      var request = try job.request()
      request.start = start
      request.end = end
      request.duration = duration
      var work = try CutWork(request, interruption: console.interruption)
      return try work.run(progress: progress)
    }
  }

  private func makeJob() throws(UsageError) -> SpliceJob {
    if inputs.isEmpty { throw UsageError("There is nothing to cut.", advice: "Name a file.") }
    if inputs.count > 1 {
      throw UsageError(
        "Only one file can be cut at a time.",
        advice: "Put several together with “aacorn join”; the output needs -o.")
    }
    if end != nil && duration != nil {
      throw UsageError("The options --end and --duration exclude each other.")
    }
    if let end, end <= start {
      throw UsageError("--end must be later than --start.")
    }
    return try SpliceJob(self)
  }
}
