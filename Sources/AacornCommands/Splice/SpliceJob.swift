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

  /// Returns the request for the library.
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
      } else if printsJSON {
        console.print(
          error.json(
            input: inputs.first ?? "", output: output, message: error.spliceMessage
          ).encoded)
      } else {
        console.printError(error.spliceMessage)
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
      console.print(report.json.encoded)
    } else if !isQuiet {
      console.announce(report.line)
    }
    console.output.flush()
  }
}
