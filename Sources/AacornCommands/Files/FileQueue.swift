import AacornRecording
import AacornSystem

/// A queue that processes a plan's files, several in parallel, and reports them in the plan's
/// order.
final class FileQueue<Format: Equatable & Sendable, Report: FileReport>: Sendable {
  typealias Plan = FilePlan<Format>
  typealias Outcome = Result<Report, CommandFailure>
  /// Creates one file; reports the progress as seconds done and, if known, seconds in total.
  ///
  /// If there are fewer files than threads, segments of each file are processed in parallel on
  /// `threadCount` threads. The bytes do not depend on this number.
  typealias Work =
    @Sendable (
      Plan.Item, _ threadCount: Int, _ progress: (Double, Double?) -> Void
    ) throws(CommandFailure) -> Report

  private struct State {
    var outcomes: [Outcome?]
    /// The index of the next outcome to print.
    var nextToPrint = 0
    var statuses: [ExitStatus] = []
    /// The number of outputs that were kept because they exist.
    var keptCount = 0
    var reports: [Report] = []
  }

  private let plan: Plan
  private let command: any FileCommand
  private let console: Console
  private let make: Work
  private let progress: ProgressLine
  private let state: Lock<State>
  private let nextItem = Atomic<Int>(0)

  init(_ plan: Plan, of command: any FileCommand, console: Console, make: @escaping Work) {
    self.plan = plan
    self.command = command
    self.console = console
    self.make = make
    state = Lock(State(outcomes: Array(repeating: nil, count: plan.items.count)))
    progress = ProgressLine(
      jobCount: plan.items.count,
      label: displayed(FileName.last(plan.items.first?.source.name ?? "")),
      isShown: !command.isQuiet, console: console)
  }

  /// Processes all files and returns the exit status.
  func run() -> ExitStatus {
    let start = System.seconds
    for failed in plan.failures { print(failed.failure, input: failed.input, output: nil) }
    Workers.run(min(command.jobCount ?? System.coreCount, plan.items.count)) { self.work() }
    progress.clear()
    return finish(elapsed: System.seconds - start)
  }

  private func work() {
    while console.interruption.signal == nil {
      let index = nextItem.add(1)
      guard index < plan.items.count else { return }
      let outcome = outcome(of: plan.items[index], number: index)
      progress.finish(job: index)
      report(outcome, at: index)
    }
  }

  private func outcome(of item: Plan.Item, number: Int) -> Outcome {
    do throws(CommandFailure) {
      let threadCount = (command.jobCount ?? System.coreCount) / max(1, plan.items.count)
      let report = try make(item, threadCount) { done, total in
        self.progress.advance(job: number, done: done, total: total)
      }
      return .success(report)
    } catch {
      return .failure(error)
    }
  }

  /// Stores an outcome, and prints all outcomes up to the first one that is still missing.
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
          if failure.kind == .exists { state.keptCount += 1 }
        }
        state.nextToPrint += 1
      }
      console.output.flush()
    }
  }

  private func finish(elapsed: Double) -> ExitStatus {
    state.withLock { state in
      if let signal = console.interruption.signal {
        if signal != System.pipeSignal {
          console.printError("Stopped. Finished files are kept; unfinished files were removed.")
        }
        return .interrupted(by: signal)
      }
      let failed = plan.failures.map(\.failure.exitStatus) + state.statuses
      if state.reports.count + failed.count > 1 && !command.isQuiet && !command.printsJSON {
        printSummary(
          state.reports, keptCount: state.keptCount, failedCount: failed.count - state.keptCount,
          elapsed: elapsed)
      }
      for files in SkippedFiles.groups(plan.skipped, searchedFor: plan.searchedFormats) {
        print(files)
      }
      print(SkippedFiles(entries: plan.outranked, reason: SkippedFiles.outrankedReason))
      if !state.reports.isEmpty && !failed.isEmpty { return .failed }
      let status = ExitStatus.combining(
        failed + state.reports.map(\.status).filter { $0 != .success })
      return status == .success && SkippedFiles.hasUnreadable(plan.skipped) ? .failed : status
    }
  }

  private func printSummary(
    _ reports: [Report], keptCount: Int, failedCount: Int, elapsed: Double
  ) {
    let duration = reports.reduce(0) { $0 + $1.summary.duration }
    let byteCount = reports.reduce(0) { $0 + $1.summary.byteCount }
    var facts = [
      QuantityText.count(reports.count, "file") + " " + participle,
      QuantityText.duration(duration), QuantityText.size(byteCount),
      QuantityText.speed(elapsed > 0 ? duration / elapsed : 0),
    ]
    if reports.isEmpty { facts = ["No files " + participle] }
    if keptCount > 0 { facts.append(QuantityText.count(keptCount, "existing file") + " kept") }
    if failedCount > 0 { facts.append("\(failedCount) failed") }
    printLine(facts.joined(separator: ", "))
  }

  /// The participle of the action, such as “encoded”.
  private var participle: String { type(of: command).verb.lowercased() + "d" }

  /// Prints a line to standard output, or to standard error if the audio is on standard output.
  private func printLine(_ line: String) {
    if plan.items.contains(where: { $0.output == "-" }) {
      console.errors.write(line + "\n")
    } else {
      console.announce(line)
    }
  }

  private func print(_ skipped: SkippedFiles) {
    if command.printsJSON {
      for object in skipped.jsonObjects { console.print(object) }
    }
    let isError = SkippedFiles.hasUnreadable(skipped.entries)
    if isError || !command.isQuiet, let message = skipped.message {
      console.printError(message)
    }
  }

  private func print(_ report: Report) {
    console.print(
      report, asJSON: command.printsJSON, isQuiet: command.isQuiet, printLine: printLine)
  }

  private func print(_ failure: CommandFailure, input: String, output: String?) {
    // An interruption is reported once, at the end.
    if case .interrupted = failure.kind { return }
    console.print(failure, input: input, output: output, asJSON: command.printsJSON)
  }
}

/// The result of making a file, human-readable and as JSON.
protocol WorkReport: Sendable {
  associatedtype Summary: FileSummary
  /// The properties of the output.
  var summary: Summary { get }
  /// The duration of the work in seconds.
  var elapsed: Double { get }
  var line: String { get }
  var json: JSONValue { get }
}

extension WorkReport {
  /// The exit status for damage, which is reported although the audio is kept.
  var status: ExitStatus { summary.isDamaged ? .failed : .success }

  /// The speed as a multiple of real time.
  var speed: Double { elapsed > 0 ? summary.duration / elapsed : 0 }
}

extension Console {
  /// Prints a report with its warnings; damage is printed even if `isQuiet`.
  func print(
    _ report: some WorkReport, asJSON: Bool, isQuiet: Bool, printLine: (String) -> Void
  ) {
    if !isQuiet || report.status != .success {
      for warning in report.summary.warnings { printError("Warning: " + warning) }
    }
    if asJSON {
      print(report.json)
    } else if !isQuiet {
      printLine(report.line)
    }
  }
}

/// The result for one input of a plan.
protocol FileReport: WorkReport {
  associatedtype Format: Equatable & Sendable
  var item: FilePlan<Format>.Item { get }
}

extension FileReport {
  /// The name of the output in `line`.
  var outputName: String { item.output == "-" ? "standard output" : displayed(item.output) }
}

/// The properties of audio that a command has written.
protocol FileSummary: Sendable {
  var sampleRate: Int { get }
  var sampleCount: Int { get }
  var byteCount: Int { get }
  var isDamaged: Bool { get }
  var warnings: [String] { get }
}

extension FileSummary {
  /// The duration of the audio in seconds.
  var duration: Double { sampleRate > 0 ? Double(sampleCount) / Double(sampleRate) : 0 }
}

extension AACFile.Summary: FileSummary {}
extension AACFile.DecodingSummary: FileSummary {}
extension AACFile.SpliceSummary: FileSummary {}

/// Threads that process files.
enum Workers {
  /// Calls `body` on up to `count` threads, and waits for all threads.
  ///
  /// The current thread works too, so a single file needs no other thread.
  static func run(_ count: Int, _ body: @escaping @Sendable () -> Void) {
    var threads: [WorkerThread] = []
    for _ in 1..<max(1, count) {
      guard let thread = WorkerThread({ body() }) else { break }
      threads.append(thread)
    }
    body()
    for thread in threads { thread.join() }
  }
}
