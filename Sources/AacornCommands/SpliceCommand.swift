import AacornContainers
import AacornRecording
import AacornSystem

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
  /// The options for the output and the report.
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

  /// Makes the output with `work`, and reports the result.
  ///
  /// `work` reports its progress as seconds done and, if known, seconds in total.
  func run(
    in console: Console,
    _ work: (
      SpliceRequest, _ progress: (Double, Double?) -> Void
    ) throws(CommandFailure) -> AACFile.SpliceSummary
  ) throws(UsageError) -> ExitStatus {
    let output = try checkedOutput()
    let start = System.seconds
    let progress = ProgressLine(
      jobCount: 1, label: displayed(FileName.last(output)), isShown: !isQuiet, console: console)
    do throws(CommandFailure) {
      let summary = try work(request(output)) { done, total in
        progress.advance(job: 0, done: done, total: total)
      }
      progress.clear()
      let report = SpliceReport(
        inputs: inputs, output: output, summary: summary, elapsed: System.seconds - start)
      console.print(
        report, asJSON: printsJSON, isQuiet: isQuiet, printLine: console.announce)
      console.output.flush()
      return report.status
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

  /// Returns the output; rejects streams and outputs with unsupported suffixes.
  private func checkedOutput() throws(UsageError) -> String {
    guard let output else {
      throw UsageError("The output has no name.", hint: "Name it with -o.")
    }
    if inputs.contains("-") || output == "-" {
      throw UsageError("Only files can be cut and joined, not streams.", hint: "Name a file.")
    }
    try reject(
      if: OutputFormat(suffix: FileName.suffix(output)) == nil,
      "The suffix of “\(displayed(output))” does not match any format that AAC is written to.",
      hint: "Use .m4a, .aac or .latm; “aacorn decode” makes WAV, AIFF and CAF files.")
    return output
  }

  private func request(_ output: String) throws(CommandFailure) -> SpliceRequest {
    if SourceFiles(inputs).contains(output) { throw .isInput(output, option: "-o") }
    var request = try SpliceRequest(inputs, to: output)
    request.replacesExisting = replacesExisting
    return request
  }
}

/// The result of cutting or joining, human-readable and as JSON.
struct SpliceReport: WorkReport {
  let inputs: [String]
  let output: String
  let summary: AACFile.SpliceSummary
  let elapsed: Double

  var line: String {
    let facts = [
      QuantityText.duration(summary.duration), QuantityText.frequency(summary.sampleRate),
      QuantityText.count(summary.channelCount, "channel"),
      QuantityText.count(summary.frameCount, "frame"), QuantityText.size(summary.byteCount),
      summary.isExact ? "sample-accurate" : "frame-accurate",
    ]
    return displayed(output) + ": " + facts.joined(separator: ", ")
  }

  var json: JSONValue {
    [
      "inputs": .texts(inputs), "output": .text(output),
      "status": .text(summary.isDamaged ? "damaged" : "ok"), "exact": .flag(summary.isExact),
      "sampleRate": .integer(summary.sampleRate), "channels": .integer(summary.channelCount),
      "samples": .integer(summary.sampleCount), "duration": .decimal(summary.duration, 6),
      "frames": .integer(summary.frameCount), "bytes": .integer(summary.byteCount),
      "pieces": .list(summary.pieces.map(Self.json)), "elapsed": .decimal(elapsed, 3),
      "warnings": .texts(summary.warnings),
    ]
  }

  private static func json(_ piece: AACFile.SpliceSummary.Piece) -> JSONValue {
    [
      "input": .text(piece.input), "start": seconds(piece.start),
      "duration": seconds(piece.duration), "excessBefore": seconds(piece.excessBefore),
      "excessAfter": seconds(piece.excessAfter),
    ]
  }

  private static func seconds(_ duration: Duration) -> JSONValue {
    .decimal(duration / .seconds(1), 6)
  }
}
