import AacornContainers
import AacornRecording
import AacornSystem

/// A queue that processes a plan's files, several in parallel, and reports them in the plan's
/// order.
final class FileQueue<Format: Equatable & Sendable, Report: FileReport>: Sendable {
  typealias Plan = FilePlan<Format>
  /// Creates one file; reports the progress as seconds done and, if known, seconds in total.
  typealias Work =
    @Sendable (Plan.Item, _ progress: (Double, Double?) -> Void) throws(CommandFailure) -> Report

  private enum Outcome {
    case made(Report)
    /// The output of a file in a folder exists already.
    case kept
    case failed(CommandFailure)
  }

  private struct State {
    var outcomes: [Outcome?]
    /// The index of the next outcome to print.
    var nextToPrint = 0
    var statuses: [ExitStatus] = []
    /// The number of existing outputs that were kept as the result of an earlier run.
    var keptCount = 0
    /// The number of existing files that were kept in the place of an output.
    var refusedCount = 0
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
      guard let item = try remainingWork(item) else { return .kept }
      let origin = item.isFound ? item.sourceStatus.map(OutputMark.origin) : nil
      let report = try make(item) { done, total in
        self.progress.advance(job: number, done: done, total: total)
      }
      if let origin { OutputMark.set(on: item.output, origin: origin) }
      return .made(report)
    } catch {
      // Another run may have made the output at the same time.
      if error.kind == .exists, hasOutput(item) { return .kept }
      return .failed(error)
    }
  }

  private func hasOutput(_ item: Plan.Item) -> Bool {
    do throws(CommandFailure) {
      return try remainingWork(item) == nil
    } catch {
      return false
    }
  }

  /// Returns the item to process; nil if its output exists, and was made from its unchanged source
  /// or is not older than it.
  ///
  /// Only for a source found in a folder: the output of a named source is requested, so an existing
  /// file in its place is an error.
  private func remainingWork(_ item: Plan.Item) throws(CommandFailure) -> Plan.Item? {
    guard item.isFound, !command.replacesExisting, let (path, source) = item.sourceStatus,
      let output = try? System.status(of: item.output), output.kind == .file,
      !System.isTaken(item.output)
    else { return item }
    if let mark = OutputMark(of: item.output), mark.origin.path == OutputMark.digest(of: path) {
      if mark.origin.state == OutputMark.state(of: source) { return nil }
      if mark.content == OutputMark.content(of: item.output) {
        var item = item
        item.isRenewed = true
        return item
      }
    }
    if source.modified <= output.modified { return nil }
    // The file may be the original: a recording, of which the source is a copy. Or another program
    // has changed it.
    throw CommandFailure(
      .exists, "“\(displayed(item.output))” is older than its source, and was left alone.",
      suggestion: .recoveryAction(.replaceOrRename))
  }

  /// Stores an outcome, and prints all outcomes up to the first one that is still missing.
  private func report(_ outcome: Outcome, at index: Int) {
    state.withLock { state in
      state.outcomes[index] = outcome
      progress.clear()
      while state.nextToPrint < plan.items.count, let outcome = state.outcomes[state.nextToPrint] {
        let item = plan.items[state.nextToPrint]
        switch outcome {
        case .made(let report):
          print(report)
          state.reports.append(report)
        case .kept:
          state.keptCount += 1
          if command.printsJSON { console.print(Self.keptObject(item)) }
        case .failed(let failure):
          print(failure, input: item.source.name, output: item.output)
          state.statuses.append(failure.exitStatus)
          if failure.kind == .exists { state.refusedCount += 1 }
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
      let isSummarized = state.reports.count + failed.count > 1 || state.keptCount > 0
      if isSummarized && !command.isQuiet && !command.printsJSON {
        printSummary(
          state.reports, keptCount: state.keptCount + state.refusedCount,
          failedCount: failed.count - state.refusedCount, elapsed: elapsed)
      }
      for files in SkippedFiles.groups(plan.skipped, searchedFor: plan.searchedFormats) {
        print(files)
      }
      if state.reports.count + state.keptCount > 0 && !failed.isEmpty { return .failed }
      let status = ExitStatus.combining(
        failed + state.reports.map(\.status).filter { $0 != .success })
      let hasUnreadable = plan.skipped.contains(where: \.isUnreadable)
      return status == .success && hasUnreadable ? .failed : status
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
      console.errors.write(Console.harmless(line) + "\n")
    } else {
      console.announce(line)
    }
  }

  private func print(_ skipped: SkippedFiles) {
    if command.printsJSON {
      for object in skipped.jsonObjects { console.print(object) }
    }
    if skipped.hasUnreadable || !command.isQuiet { console.printError(skipped.message) }
  }

  /// The JSON object for an output that exists already.
  private static func keptObject(_ item: Plan.Item) -> JSONValue {
    [
      "input": .text(item.source.name), "output": .text(item.output), "status": .text("kept"),
      "message": .text("The output exists already."),
    ]
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

extension FilePlan.Item {
  /// The path and the status of the source; nil if it is not a file.
  fileprivate var sourceStatus: (path: String, status: System.FileStatus)? {
    guard case .file(let path) = source, let status = try? System.status(of: path) else {
      return nil
    }
    return (path, status)
  }
}

/// An extended attribute of an output with the path and state of its source, and its own content.
///
/// It proves that an unchanged file may be replaced after a change of the source from which it was
/// made. Disks without such attributes, such as FAT, do not store it.
private struct OutputMark {
  /// The state of a source, and the digest of its path.
  struct Origin {
    let state: Substring
    let path: Substring
  }

  let origin: Origin
  let content: Substring

  private static let name = "user.aacorn.source"
  /// The number of bytes at both ends of an output that its mark covers, and thus its tags.
  private static let endByteCount = 1 << 16

  /// Reads the mark of a file; nil without one.
  init?(of path: String) {
    guard let parts = System.attribute(Self.name, of: path)?.split(separator: " "),
      parts.count == 3
    else { return nil }
    origin = Origin(state: parts[0], path: parts[1])
    content = parts[2]
  }

  static func set(on path: String, origin: Origin) {
    guard let content = content(of: path) else { return }
    System.setAttribute(name, of: path, to: "\(origin.state) \(origin.path) \(content)")
  }

  static func origin(path: String, status: System.FileStatus) -> Origin {
    Origin(state: state(of: status), path: digest(of: path))
  }

  /// The size and the modification time of a file.
  static func state(of status: System.FileStatus) -> Substring {
    "\(status.size)-\(status.modified)"
  }

  static func digest(of path: String) -> Substring {
    let path = (try? System.resolved(path)) ?? path
    return SHA256.text(SHA256.digest(of: Array(path.utf8)))[...]
  }

  /// The digest of both ends and the size of a file; nil if it cannot be read.
  static func content(of path: String) -> Substring? {
    guard (try? System.status(of: path))?.kind == .file,
      let file = try? InputFile(path, interruption: Interruption()), let size = file.size,
      let head = try? file.bytes(at: 0, count: endByteCount),
      let tail = try? file.bytes(at: max(head.count, size - endByteCount), count: endByteCount)
    else { return nil }
    return SHA256.text(SHA256.digest(of: head + tail + Array("\(size)".utf8)))[...]
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
  var outputName: String {
    if item.output == "-" { return "standard output" }
    return displayed(item.output) + (item.isRenewed ? ", again" : "")
  }
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
