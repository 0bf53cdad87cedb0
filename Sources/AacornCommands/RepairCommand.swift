import AacornCodec
import AacornContainers
import AacornInspection
import AacornRecording
import AacornSignal
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
          "The AAC of a damaged transport stream is extracted, as ADTS or LATM, or as M4A if the "
            + "suffix of OUT is .m4a.",
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
          ("aacorn repair show.ts -o show.m4a", "Save the audio of a cut broadcast recording."),
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
              OptionValue.integer(in: 1...8)),
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

/// The result for one file, human-readable and as JSON.
struct RepairReport {
  enum Status: String {
    /// The file needs no repair: an inspection finds no error.
    case intact
    /// The file can be repaired, but was only checked.
    case repairable
    /// The file was repaired: an inspection of the result finds no error.
    case repaired
  }

  let input: String
  var status: Status
  /// The path of the repaired file; the input's path after a repair in place.
  var output: String?
  /// The repair of a file of frames.
  var plan: RepairPlan?
  /// The repair of a file of samples.
  var samples: SampleRepair?

  /// The maximum number of losses in the human-readable report.
  private static let lossLimit = 10

  private var sampleRate: Int { plan?.sampleRate ?? samples?.format.sampleRate ?? 0 }
  private var channelCount: Int {
    plan?.stream?.outputChannelCount ?? samples?.format.channelCount ?? 0
  }
  private var frameCount: Int { plan?.frameCount ?? samples?.frameCount ?? 0 }
  private var silentFrameCount: Int { plan?.silentFrameCount ?? 0 }
  /// The duration of the recovered audio in seconds.
  private var duration: Double {
    if let plan { return plan.duration }
    return samples.map { Double($0.frameCount) / Double($0.format.sampleRate) } ?? 0
  }
  /// The first parts that are omitted or replaced by silence.
  private var losses: [RepairLog.Loss] {
    plan?.losses.first ?? [samples?.loss].compactMap(\.self)
  }
  private var lossCount: Int { plan?.losses.count ?? losses.count }
  private var lostByteCount: Int {
    Int(clamping: plan?.losses.byteCount ?? samples?.loss?.length ?? 0)
  }
  private var tornJointCount: Int { plan?.tornJointCount ?? 0 }
  private var gapCount: Int { plan?.gapEntries.count ?? 0 }

  /// The human-readable report: one line, and one for each of the first losses.
  var lines: [String] {
    let name = displayed(input)
    if status == .intact { return ["\(name): nothing to repair"] }
    var facts = [
      lengthText + (status == .repaired ? " saved" : " can be saved"),
      QuantityText.count(frameCount, "frame"),
    ]
    facts.append(
      lossCount == 0
        ? "nothing lost"
        : "\(QuantityText.size(lostByteCount)) in "
          + "\(QuantityText.count(lossCount, "place")) lost")
    if silentFrameCount > 0 {
      facts.append(QuantityText.count(silentFrameCount, "frame") + " replaced by silence")
    }
    if gapCount > 0 { facts.append(QuantityText.count(gapCount, "recorded gap")) }
    let target = output.flatMap { $0 == input ? nil : " → " + displayed($0) } ?? ""
    let kind = plan?.isUnfinishedRecording == true ? "unfinished recording, " : ""
    var lines = [name + target + ": " + kind + facts.joined(separator: ", ")]
    for loss in losses.prefix(Self.lossLimit) {
      lines.append(
        "  at byte \(loss.offset), \(QuantityText.count(Int(clamping: loss.length), "byte")): "
          + loss.reason.description)
    }
    let rest = lossCount - min(losses.count, Self.lossLimit)
    if rest > 0 { lines.append("  and \(QuantityText.count(rest, "more place"))") }
    if tornJointCount > 0 {
      lines.append(
        "  after \(QuantityText.count(tornJointCount, "place")), high frequencies may be missing or too "
          + "loud until the next SBR header")
    }
    return lines
  }

  /// The duration of the recovered audio, and of all the audio if some is missing.
  private var lengthText: String {
    let recovered = QuantityText.duration(duration)
    guard let statedDuration = plan?.statedDuration, statedDuration > duration else {
      return recovered
    }
    let stated = QuantityText.duration(statedDuration)
    return stated == recovered ? recovered : "\(recovered) of \(stated)"
  }

  var json: JSONValue {
    [
      "input": .text(input), "output": .optional(output), "status": .text(status.rawValue),
      "sampleRate": sampleRate > 0 ? .integer(sampleRate) : .null,
      "channels": channelCount > 0 ? .integer(channelCount) : .null,
      "frames": status == .intact ? .null : .integer(frameCount),
      "duration": status == .intact ? .null : .decimal(duration, 6),
      "started": .optional(plan?.started), "gaps": .integer(gapCount),
      "lostBytes": .integer(lostByteCount), "lostPlaces": .integer(lossCount),
      "losses": .list(
        losses.map { loss in
          [
            "offset": .integer(loss.offset), "length": .integer(loss.length),
            "reason": .text(loss.reason.keyword),
          ]
        }),
      "silentFrames": .integer(silentFrameCount), "tornPlaces": .integer(tornJointCount),
    ]
  }
}
