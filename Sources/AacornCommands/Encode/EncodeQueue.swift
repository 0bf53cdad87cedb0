import AacornRecording
import AacornSystem
import Synchronization

/// Encodes a plan's files, several at once, and reports on them in the plan's order.
///
/// With fewer files than threads, segments of a file are encoded in parallel as well. The bytes do
/// not depend on the number of threads.
final class EncodeQueue: Sendable {
  typealias Outcome = Result<EncodeReport, CommandFailure>

  private struct State {
    var outcomes: [Outcome?]
    /// The first outcome not yet printed.
    var nextToPrint = 0
    var statuses: [ExitStatus] = []
    var reports: [EncodeReport] = []
  }

  private let plan: EncodePlan
  private let command: EncodeCommand
  private let console: Console
  private let coverImage: [UInt8]
  private let progress: ProgressLine
  private let state: Lock<State>
  private let nextItem = Atomic<Int>(0)

  init(_ plan: EncodePlan, command: EncodeCommand, coverImage: [UInt8], console: Console) {
    self.plan = plan
    self.command = command
    self.coverImage = coverImage
    self.console = console
    state = Lock(State(outcomes: Array(repeating: nil, count: plan.items.count)))
    progress = ProgressLine(
      jobCount: plan.items.count,
      label: displayed(FileName.last(plan.items.first?.source.name ?? "")),
      isShown: !command.isQuiet, console: console)
  }

  /// Does all the work and returns the exit status.
  func run() -> ExitStatus {
    let start = System.seconds
    for failed in plan.failures { print(failed.failure, input: failed.input, output: nil) }
    let threadCount = min(command.jobCount ?? System.coreCount, plan.items.count)
    var threads: [WorkerThread] = []
    // This thread works too, so a single file needs no other.
    for _ in 1..<max(1, threadCount) {
      guard let thread = WorkerThread({ self.work() }) else { break }
      threads.append(thread)
    }
    work()
    for thread in threads { thread.join() }
    progress.clear()
    return conclude(elapsed: System.seconds - start)
  }

  private func work() {
    while console.interruption.signal == nil {
      let index = nextItem.wrappingAdd(1, ordering: .relaxed).oldValue
      guard index < plan.items.count else { return }
      let outcome = encode(plan.items[index], number: index)
      progress.finish(job: index)
      report(outcome, at: index)
    }
  }

  private func encode(_ item: EncodePlan.Item, number: Int) -> Outcome {
    let start = System.seconds
    var request = EncodeRequest(item, of: command, coverImage: coverImage)
    request.threadCount = (command.jobCount ?? System.coreCount) / max(1, plan.items.count)
    do throws(CommandFailure) {
      var work = try EncodeWork(request, interruption: console.interruption)
      let summary = try work.run { done, total in
        self.progress.advance(job: number, done: done, total: total)
      }
      return .success(
        EncodeReport(item: item, summary: summary, elapsed: System.seconds - start))
    } catch {
      return .failure(error)
    }
  }

  /// Stores an outcome, and prints all those whose turn it is.
  private func report(_ outcome: Outcome, at index: Int) {
    state.withLock { state in
      state.outcomes[index] = outcome
      progress.clear()
      while state.nextToPrint < plan.items.count, let outcome = state.outcomes[state.nextToPrint] {
        let item = plan.items[state.nextToPrint]
        switch outcome {
        case .success(let report):
          print(report)
          state.reports.append(report)
        case .failure(let failure):
          print(failure, input: item.source.name, output: item.output)
          state.statuses.append(failure.exitStatus)
        }
        state.nextToPrint += 1
      }
      console.output.flush()
    }
  }

  private func conclude(elapsed: Double) -> ExitStatus {
    state.withLock { state in
      if let signal = console.interruption.signal {
        if signal != System.pipeSignal {
          console.printError("Stopped. Finished files are kept; nothing unfinished is left behind.")
        }
        return .interrupted(by: signal)
      }
      let failed = plan.failures.map(\.failure.exitStatus) + state.statuses
      if state.reports.count + failed.count > 1 && !command.isQuiet && !command.printsJSON {
        printSummary(state.reports, failedCount: failed.count, elapsed: elapsed)
      }
      print(LeftOutFiles(entries: plan.leftOut))
      if !state.reports.isEmpty && !failed.isEmpty { return .failed }
      return .combining(failed)
    }
  }

  private func printSummary(_ reports: [EncodeReport], failedCount: Int, elapsed: Double) {
    let duration = reports.reduce(0) { $0 + $1.duration }
    let byteCount = reports.reduce(0) { $0 + $1.summary.byteCount }
    var facts = [
      QuantityText.count(reports.count, "file") + " encoded", QuantityText.duration(duration),
      QuantityText.size(byteCount), QuantityText.speed(elapsed > 0 ? duration / elapsed : 0),
    ]
    if failedCount > 0 { facts.append("\(failedCount) failed") }
    tell(facts.joined(separator: ", "))
  }

  /// Reports completed files, but not into audio on standard output.
  private func tell(_ line: String) {
    if plan.items.contains(where: { $0.output == "-" }) {
      console.errors.write(line + "\n")
    } else {
      console.announce(line)
    }
  }

  private func print(_ leftOut: LeftOutFiles) {
    if command.printsJSON {
      for object in leftOut.objects { console.print(object.encoded) }
    }
    if !command.isQuiet, let sentence = leftOut.sentence { console.printError(sentence) }
  }

  private func print(_ report: EncodeReport) {
    if !command.isQuiet {
      for warning in report.summary.warnings { console.printError("Warning: " + warning) }
    }
    if command.printsJSON {
      console.print(report.json.encoded)
    } else if !command.isQuiet {
      tell(report.line)
    }
  }

  private func print(_ failure: CommandFailure, input: String, output: String?) {
    // An interruption is reported once, at the end.
    if case .interrupted = failure.kind { return }
    if command.printsJSON {
      console.print(failure.json(input: input, output: output).encoded)
    } else {
      console.printError(failure.commandSentence)
    }
  }
}
