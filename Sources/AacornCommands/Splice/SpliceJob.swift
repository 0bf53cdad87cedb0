import AacornRecording
import AacornSystem

/// The common part of `aacorn cut` and `aacorn join`: one output, and a report about it.
struct SpliceJob {
  /// Makes the file; reports the progress as seconds done and, if known, seconds in total.
  typealias Work = (
    SpliceJob, _ progress: (Double, Double?) -> Void
  ) throws(CommandFailure) -> AACFile.SpliceSummary

  let inputs: [String]
  let output: String
  let replacesExisting: Bool
  let printsJSON: Bool
  let isQuiet: Bool

  /// Rejects streams and outputs with unsupported suffixes.
  init(_ command: some SpliceCommand) throws(UsageError) {
    guard let output = command.output else {
      throw UsageError("The output has no name.", hint: "Name it with -o.")
    }
    if command.inputs.contains("-") || output == "-" {
      throw UsageError("Only files can be cut and joined, not streams.", hint: "Name a file.")
    }
    if OutputFormat(suffix: FileName.suffix(output)) == nil {
      throw UsageError(
        "The suffix of “\(displayed(output))” does not match any format that AAC is written to.",
        hint: "Use .m4a, .aac or .latm; “aacorn decode” makes WAV, AIFF and CAF files.")
    }
    inputs = command.inputs
    self.output = output
    replacesExisting = command.replacesExisting
    printsJSON = command.printsJSON
    isQuiet = command.isQuiet
  }

  func request() throws(CommandFailure) -> SpliceRequest {
    if SourceFiles(inputs).contains(output) { throw .isInput(output, option: "-o") }
    var request = try SpliceRequest(inputs, to: output)
    request.replacesExisting = replacesExisting
    return request
  }

  /// Makes the file and reports the result.
  func run(in console: Console, _ work: Work) -> ExitStatus {
    let start = System.seconds
    let progress = ProgressLine(
      jobCount: 1, label: displayed(FileName.last(output)), isShown: !isQuiet, console: console)
    do throws(CommandFailure) {
      let summary = try work(self) { done, total in
        progress.advance(job: 0, done: done, total: total)
      }
      progress.clear()
      print(
        SpliceReport(job: self, summary: summary, elapsed: System.seconds - start), in: console)
      // The audio is kept, and the exit status reports the damage.
      return summary.isDamaged ? .failed : .success
    } catch {
      progress.clear()
      if case .interrupted = error.kind {
        if error.signal != System.pipeSignal {
          console.printError("Stopped. Unfinished files were removed.")
        }
      } else {
        console.print(
          error, input: inputs.first ?? "", output: output, message: error.spliceMessage,
          asJSON: printsJSON)
      }
      return error.exitStatus
    }
  }

  private func print(_ report: SpliceReport, in console: Console) {
    // Print damage warnings even with --quiet.
    if !isQuiet || report.summary.isDamaged {
      for warning in report.summary.warnings { console.printError("Warning: " + warning) }
    }
    if printsJSON {
      console.print(report.json)
    } else if !isQuiet {
      console.announce(report.line)
    }
    console.output.flush()
  }
}

/// A command that makes one AAC file from parts of other AAC files, without encoding the audio
/// again.
protocol SpliceCommand: Subcommand {
  var inputs: [String] { get }
  var output: String? { get set }
  var replacesExisting: Bool { get set }
  var printsJSON: Bool { get set }
  var isQuiet: Bool { get set }
}

extension SpliceCommand {
  static var outputOptions: [CommandSyntax<Self>.Section] {
    [
      (
        "Output",
        [
          .path(
            "output", short: "o", .file("OUT"),
            "Write OUT; its suffix selects the format: .m4a, .aac, .latm.", "output", \.output),
          .force("Replace an existing file.", \.replacesExisting),
        ]
      ),
      ("Other", [.flag("json", "Print one JSON object.", \.printsJSON), .quiet(\.isQuiet)]),
    ]
  }
}

/// The result of cutting or joining, human-readable and as JSON.
struct SpliceReport {
  let job: SpliceJob
  /// The properties of the output.
  let summary: AACFile.SpliceSummary
  /// The duration of the work in seconds.
  let elapsed: Double

  /// A human-readable line.
  var line: String {
    let facts = [
      QuantityText.duration(summary.duration), QuantityText.frequency(summary.sampleRate),
      QuantityText.count(summary.channelCount, "channel"),
      QuantityText.count(summary.frameCount, "frame"), QuantityText.size(summary.byteCount),
      summary.isExact ? "sample-accurate" : "frame-accurate",
    ]
    return displayed(job.output) + ": " + facts.joined(separator: ", ")
  }

  /// The result as JSON, with stable names and order of the keys.
  var json: JSONValue {
    .object([
      .init("inputs", .texts(job.inputs)), .init("output", .text(job.output)),
      .init("status", .text(summary.isDamaged ? "damaged" : "ok")),
      .init("exact", .flag(summary.isExact)),
      .init("sampleRate", .integer(summary.sampleRate)),
      .init("channels", .integer(summary.channelCount)),
      .init("samples", .integer(summary.sampleCount)),
      .init("duration", .decimal(summary.duration, 6)),
      .init("frames", .integer(summary.frameCount)), .init("bytes", .integer(summary.byteCount)),
      .init("pieces", .list(summary.pieces.map(Self.json))),
      .init("elapsed", .decimal(elapsed, 3)),
      .init("warnings", .texts(summary.warnings)),
    ])
  }

  private static func json(_ piece: AACFile.SpliceSummary.Piece) -> JSONValue {
    .object([
      .init("input", .text(piece.input)), .init("start", seconds(piece.start)),
      .init("duration", seconds(piece.duration)),
      .init("excessBefore", seconds(piece.excessBefore)),
      .init("excessAfter", seconds(piece.excessAfter)),
    ])
  }

  private static func seconds(_ duration: Duration) -> JSONValue {
    .decimal(duration / .seconds(1), 6)
  }
}
