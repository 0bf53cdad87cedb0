import AacornInspection
import AacornRecording
import AacornSystem

struct InspectCommand: Subcommand {
  var inputs: [String] = []
  var decodesSound = false
  var printsFrames = false
  var printsJSON = false
  var plotPath: String?
  var replacesExisting = false

  static var syntax: CommandSyntax<InspectCommand> {
    CommandSyntax(
      CommandDescription(
        name: "inspect", summary: "Reports the content and the faults of AAC files.",
        operands: .files("<file>..."),
        discussion: [
          "Reads ADTS, LATM/LOAS, ADIF, MP4 and MPEG transport streams. The content decides, not the "
            + "name; - is standard input. Every frame is parsed to its last bit. Faults are listed "
            + "with their position and length in bytes. In a transport stream, the first AAC stream is "
            + "inspected.",
          "With --sound the file is also decoded. The report then includes loudness (ITU-R BS.1770-4), "
            + "loudness range (EBU Tech 3342), sample peak, true peak, clipping, digital silence, "
            + "concealed frames and the exact duration. Loud music may exceed full scale by 1 to 3 dB; "
            + "a peak above 6 dB is a fault.",
          "Length, Bitrate and Faults are for all users. The other lines help developers of encoders: "
            + "Buffer is the decoder's buffer that a constant rate needs, Windows are the lengths of "
            + "transform blocks, and Tools are the coding methods of AAC that occur.",
          "The gaps of a recording are listed; a stream has them in NAME.gaps.json next to it.",
        ],
        examples: [
          ("aacorn inspect song.m4a", "Print a report."),
          ("aacorn inspect --sound song.m4a", "Include loudness, peaks and silence."),
          ("aacorn inspect --plot rate.svg song.m4a", "Draw the bitrate over time."),
          ("aacorn inspect --frames song.aac | less", "List all frames."),
          (
            "curl -s http://radio.example/live | head -c 500000 | aacorn inspect -",
            "Inspect the start of a stream."
          ),
        ],
        exitCodes: ExitStatus.table(
          failed:
            "a fault was found (notes do not count). With --sound also: frames were concealed, "
            + "the audio is more than 6 dB above full scale, or it cannot be decoded")),
      options: [
        (
          "Analysis",
          [
            .flag(
              "sound", "Decode and measure the audio. Standard input is limited to 64 MB.",
              \.decodesSound)
          ]
        ),
        (
          "Output",
          [
            .flag("frames", "Print a line for each frame.", \.printsFrames),
            .flag(
              "json", "Print one JSON object per file, and with --frames one per frame.",
              \.printsJSON),
            .path(
              "plot", .file("FILE.svg"), "Draw the bitrate over time as SVG.", "picture", \.plotPath
            ),
            .force("Replace an existing FILE.svg.", \.replacesExisting),
          ]
        ),
      ],
      inputs: \.inputs)
  }

  func run(in console: Console) throws(UsageError) -> ExitStatus {
    try reject(
      if: inputs.isEmpty, "There is nothing to inspect.",
      hint: "Name a file, or - for standard input.")
    try reject(
      if: plotPath != nil && inputs.count > 1, "The option --plot draws only one file at a time.")
    if plotPath == "-" && (printsJSON || printsFrames) {
      throw UsageError("The picture and the report cannot both go to standard output.")
    }
    try OptionValue.checkStandardInput(in: inputs)
    return console.process(inputs, asJSON: printsJSON) { (input) throws(CommandFailure) in
      try inspect(input, console)
    }
  }

  private func inspect(_ input: String, _ console: Console) throws(CommandFailure) -> ExitStatus {
    if let plotPath, SourceFiles([input, GapSidecar.path(of: input)]).contains(plotPath) {
      throw .isInput(plotPath, option: "--plot")
    }
    if printsFrames && !printsJSON { console.print(FrameTable.header) }
    let session = try InspectSession(
      input, decodesSound: decodesSound, interruption: console.interruption
    ) { row in
      guard printsFrames else { return }
      if printsJSON {
        console.print(FrameTable.json(row))
      } else {
        console.print(FrameTable.line(row))
      }
    }
    let inspected = try session.run()
    if printsJSON {
      console.print(inspected.json)
    } else if plotPath != "-" {
      if printsFrames { console.print("") }
      for line in inspected.lines { console.print(line) }
    }
    if let plotPath {
      try OutputFile.write(
        Array(inspected.chart.svg.utf8), to: plotPath, replacing: replacesExisting,
        interruption: console.interruption)
    }
    console.output.flush()
    return inspected.report.isFaultless ? .success : .failed
  }
}
