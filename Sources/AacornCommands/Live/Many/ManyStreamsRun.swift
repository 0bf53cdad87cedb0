import AacornNetwork
import AacornRecording
import AacornSystem

/// A run of many streams: starts them, reloads their file at SIGHUP, and stops them at a signal.
struct ManyStreamsRun {
  private let command: StreamCommand
  private let path: String
  private let console: Console
  private let display: ManyStreamsDisplay
  private let registry = StreamRegistry()
  private var isStopping = false

  /// The poll interval in milliseconds, a fallback for lost wake-ups.
  private static let pollInterval = 2000
  /// The delay between the starts of two streams in milliseconds.
  ///
  /// Block durations are not multiples of this prime number, so the streams do not wake up
  /// together.
  private static let step = 7

  init(_ command: StreamCommand, _ path: String, in console: Console) {
    self.command = command
    self.path = path
    self.console = console
    display = ManyStreamsDisplay(command, in: console)
  }

  /// Runs all streams of a list and returns the exit status.
  ///
  /// The caller must have called `beginLongWork`.
  mutating func run(_ list: StreamList) -> ExitStatus {
    checkDescriptors(for: list)
    if let warning = command.statusAddress?.warning(option: "--listen-status") {
      display.enqueue(.warning(warning))
    }
    let server: HTTPServer?
    do throws(NetworkError) {
      server = try startStatusServer()
    } catch {
      display.finish()
      console.printError(error.message)
      return console.finishLongWork(.cannotWrite) {}
    }
    defer { server?.stop() }
    display.start { [registry] in registry.snapshots() }
    registry.replace(list.entries.map(runner), at: System.wallNanoseconds)
    start(registry.runners)
    control()
    display.finish()
    return console.finishLongWork(status) {}
  }

  private mutating func control() {
    while true {
      let leaving = registry.leaving
      if leaving.isEmpty && registry.runners.allSatisfy(\.isFinished) { return }
      console.interruption.wait(
        milliseconds: Self.pollInterval, orFor: nil,
        orForEndOf: isStopping ? nil : console.resultPipe(printsJSON: command.report.printsJSON))
      let isAsked = console.interruption.takeHangUps() > 0
      if console.interruption.signal != nil {
        stop()
      } else if isAsked {
        reload()
      }
    }
  }

  /// Starts streams one after another.
  ///
  /// Hundreds of streams should not open devices and servers, or wake up, at the same time.
  private func start(_ runners: [StreamEntryRunner]) {
    let leaving = registry.leaving
    for (index, runner) in runners.enumerated() {
      runner.start(after: leaving.filter { $0.conflicts(with: runner) }, delay: index * Self.step)
    }
  }

  private mutating func stop() {
    guard !isStopping else { return }
    isStopping = true
    for runner in registry.runners { runner.stop() }
  }

  /// The combined exit status of the streams in the file; removed streams do not count.
  private var status: ExitStatus {
    ExitStatus.combining(registry.snapshots().compactMap(\.endStatus))
  }

  /// Warns if the limit of descriptors may be too low, and prints the list's notices about old
  /// option names.
  private func checkDescriptors(for list: StreamList) {
    for notice in list.notices { display.enqueue(.warning(notice)) }
    if let warning = DescriptorEstimate.warning(for: list, besides: command) {
      display.enqueue(.warning(warning))
    }
  }

  private func runner(of entry: StreamEntry) -> StreamEntryRunner {
    let interruption = console.interruption
    let runner = StreamEntryRunner(
      entry, console: { [display] in display.console(of: entry.name, $0) },
      events: { [display] in display.enqueue($0) })
    runner.callAtEnd { interruption.wake() }
    return runner
  }

  // MARK: - Reading the file again

  private mutating func reload() {
    let list: StreamList
    do throws(StreamsMistakes) {
      list = try StreamList(readingFrom: path, command)
    } catch {
      registry.recordRejection()
      return display.enqueue(.refused(error))
    }
    var changes = StreamChanges()
    var rest: [String: StreamEntryRunner] = [:]
    for runner in registry.runners { rest[runner.entry.name] = runner }
    var all: [StreamEntryRunner] = []
    var fresh: [StreamEntryRunner] = []
    for entry in list.entries {
      let old = rest.removeValue(forKey: entry.name)
      if let old, old.entry.isSame(as: entry), old.snapshot().state != .failed {
        changes.unchangedCount += 1
        // The user may have reloaded the file after fixing the cause of a failure, so shorten the
        // wait for a restart.
        old.startSoon(after: changes.unchangedCount * Self.step)
        all.append(old)
        continue
      }
      if let old {
        changes.changed.append(entry.name)
        dismiss(old)
      } else {
        changes.new.append(entry.name)
      }
      let new = runner(of: entry)
      all.append(new)
      fresh.append(new)
    }
    for old in registry.runners where rest[old.entry.name] != nil {
      changes.removed.append(old.entry.name)
      dismiss(old)
    }
    registry.replace(all, at: System.wallNanoseconds)
    display.enqueue(.reloaded(changes))
    checkDescriptors(for: list)
    start(fresh)
  }

  private func dismiss(_ runner: StreamEntryRunner) {
    runner.stop()
    registry.dismiss(runner)
  }

  // MARK: - The state of all

  private func startStatusServer() throws(NetworkError) -> HTTPServer? {
    guard let address = command.statusAddress else { return nil }
    let server = try StatusPage.server(at: address) { [registry] request in
      ManyStreamsPage.response(
        to: request, registry.snapshots(), registry.reloads,
        leaving: registry.leaving.map { $0.snapshot() })
    }
    display.enqueue(.listening(url: server.url))
    return server
  }
}

/// The status store of all streams.
final class StreamRegistry: Sendable {
  private struct State {
    var runners: [StreamEntryRunner] = []
    var leaving: [StreamEntryRunner] = []
    var reloads = ManyStreamsPage.Reloads()
  }

  private let state = Lock(State())

  /// The streams in the order of the file.
  var runners: [StreamEntryRunner] { state.withLock(\.runners) }

  /// The removed streams that have not ended yet.
  var leaving: [StreamEntryRunner] {
    state.withLock { state in
      state.leaving.removeAll(where: \.isFinished)
      return state.leaving
    }
  }

  /// Adds a stream to the removed ones.
  func dismiss(_ runner: StreamEntryRunner) { state.withLock { $0.leaving.append(runner) } }

  var reloads: ManyStreamsPage.Reloads { state.withLock(\.reloads) }

  /// Returns the current state of the streams in the file.
  func snapshots() -> [StreamEntrySnapshot] { runners.map { $0.snapshot() } }

  /// Replaces the streams by the streams of a file that was read at `wallTime`.
  func replace(_ runners: [StreamEntryRunner], at wallTime: Int64) {
    state.withLock { state in
      // The first call is not a reload.
      if state.reloads.wallTime != 0 { state.reloads.count += 1 }
      state.runners = runners
      state.reloads.wallTime = wallTime
      state.reloads.isLastRefused = false
    }
  }

  /// Records a reload that was rejected because of mistakes in the file.
  func recordRejection() {
    state.withLock { state in
      state.reloads.count += 1
      state.reloads.refusedCount += 1
      state.reloads.isLastRefused = true
    }
  }
}

extension StreamEntryRunner {
  /// Returns whether the stream uses a name or an output that another one needs.
  fileprivate func conflicts(with other: StreamEntryRunner) -> Bool {
    if entry.name == other.entry.name { return true }
    let targets = entry.targets
    return other.entry.targets.contains { wanted in
      targets.contains { $0.key == wanted.key && $0.conflicts(with: wanted) }
    }
  }
}
