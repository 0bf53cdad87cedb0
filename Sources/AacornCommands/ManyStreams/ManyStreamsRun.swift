import AacornRecording
import AacornSystem
import AacornWeb

/// Many streams from the first to the last: starts them, reads their file again at a hang-up, and
/// ends them all at a signal.
struct ManyStreamsRun {
  private let command: StreamCommand
  private let path: String
  private let console: Console
  private let display: ManyStreamsDisplay
  private let board = ManyStreamsBoard()
  private var isStopping = false

  /// Milliseconds between checks, of which only a lost wake-up is ever noticed late.
  private static let look = 2000
  /// Milliseconds between the beginnings of two streams; blocks of sound last no multiple of it.
  private static let step = 7

  init(_ command: StreamCommand, _ path: String, in console: Console) {
    self.command = command
    self.path = path
    self.console = console
    display = ManyStreamsDisplay(command, in: console)
  }

  /// Streams all of a list, and returns the exit status; long work has begun before the list was read.
  mutating func run(_ list: StreamList) -> ExitStatus {
    checkDescriptors(for: list)
    if let warning = command.statusWarning { display.take(.warning(warning)) }
    let server: HTTPServer?
    do throws(NetworkError) {
      server = try startStatusServer()
    } catch {
      display.finish()
      console.printError(error.sentence)
      return console.concludeLongWork(.cannotWrite) {}
    }
    defer { server?.stop() }
    display.start { [board] in board.snapshots() }
    board.replace(list.entries.map(runner), at: System.wallNanoseconds)
    start(board.runners)
    control()
    display.finish()
    return console.concludeLongWork(status) {}
  }

  private mutating func control() {
    while true {
      let leaving = board.leaving
      if leaving.isEmpty && board.runners.allSatisfy(\.isOver) { return }
      console.interruption.wait(
        milliseconds: Self.look, orFor: nil,
        orForEndOf: isStopping ? nil : console.resultPipe(printsJSON: command.printsJSON))
      let isAsked = console.interruption.takeHangUps() > 0
      if console.interruption.signal != nil {
        stop()
      } else if isAsked {
        reload()
      }
    }
  }

  /// Starts streams one after another, so that hundreds do not open devices and servers at the same
  /// instant, nor wake all at the same time from then on.
  private func start(_ runners: [StreamEntryRunner]) {
    let leaving = board.leaving
    for (index, runner) in runners.enumerated() {
      runner.start(after: leaving.filter { $0.blocks(runner) }, delay: index * Self.step)
    }
  }

  private mutating func stop() {
    guard !isStopping else { return }
    isStopping = true
    for runner in board.runners { runner.stop() }
  }

  /// The outcome of all, in which what the file no longer names does not count.
  private var status: ExitStatus {
    ExitStatus.combining(board.runners.compactMap { $0.end?.status })
  }

  /// Every connection, file and wait of hundreds of streams has a descriptor: warns if there may be too
  /// few for all.
  private func checkDescriptors(for list: StreamList) {
    for notice in list.notices { display.take(.warning(notice)) }
    if let warning = DescriptorNeed.warning(for: list, besides: command) {
      display.take(.warning(warning))
    }
  }

  private func runner(of entry: StreamEntry) -> StreamEntryRunner {
    let interruption = console.interruption
    let runner = StreamEntryRunner(
      entry, console: { [display] in display.console(of: entry.name, $0) },
      events: { [display] in display.take($0) })
    runner.tellEnd { interruption.wake() }
    return runner
  }

  // MARK: - Reading the file again

  private mutating func reload() {
    let list: StreamList
    do throws(StreamsMistakes) {
      list = try StreamList(readingFrom: path, command)
    } catch {
      board.noteRefusal()
      return display.take(.refused(error))
    }
    var changes = StreamChanges()
    var rest: [String: StreamEntryRunner] = [:]
    for runner in board.runners { rest[runner.entry.name] = runner }
    var all: [StreamEntryRunner] = []
    var fresh: [StreamEntryRunner] = []
    for entry in list.entries {
      let old = rest.removeValue(forKey: entry.name)
      if let old, old.entry.isSame(as: entry), old.end?.kind != .failed {
        changes.unchangedCount += 1
        // What kept it from going on may be why the file is read again.
        old.hurry(after: changes.unchangedCount * Self.step)
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
    for old in board.runners where rest[old.entry.name] != nil {
      changes.gone.append(old.entry.name)
      dismiss(old)
    }
    board.replace(all, at: System.wallNanoseconds)
    display.take(.reloaded(changes))
    checkDescriptors(for: list)
    start(fresh)
  }

  private func dismiss(_ runner: StreamEntryRunner) {
    runner.stop()
    board.dismiss(runner)
  }

  // MARK: - The state of all

  private func startStatusServer() throws(NetworkError) -> HTTPServer? {
    guard let address = command.statusAddress else { return nil }
    let server = try HTTPServer(
      address: address.address, port: address.port,
      options: StatusPage.options(address: address.address)
    ) { [board] request, responder in
      responder.respond(
        ManyStreamsPage.response(
          to: request, board.snapshots(), board.reloads,
          leaving: board.leaving.map { $0.snapshot() }))
    }
    display.take(.listening(url: server.url))
    return server
  }
}

/// All streams, as they are wanted now.
final class ManyStreamsBoard: Sendable {
  private struct State {
    var runners: [StreamEntryRunner] = []
    var leaving: [StreamEntryRunner] = []
    var reloads = ManyStreamsPage.Reloads()
  }

  private let state = Lock(State())

  /// In the order of the file.
  var runners: [StreamEntryRunner] { state.withLock(\.runners) }

  /// Those that are no longer wanted, while they end.
  var leaving: [StreamEntryRunner] {
    state.withLock { state in
      state.leaving.removeAll(where: \.isOver)
      return state.leaving
    }
  }

  /// Counts one as no longer wanted.
  func dismiss(_ runner: StreamEntryRunner) { state.withLock { $0.leaving.append(runner) } }

  var reloads: ManyStreamsPage.Reloads { state.withLock(\.reloads) }

  /// How all of them are doing.
  func snapshots() -> [StreamEntrySnapshot] { runners.map { $0.snapshot() } }

  /// Replaces all by those that were read at a time.
  func replace(_ runners: [StreamEntryRunner], at wallTime: Int64) {
    state.withLock { state in
      // The first time is no repetition.
      if state.reloads.wallTime != 0 { state.reloads.count += 1 }
      state.runners = runners
      state.reloads.wallTime = wallTime
      state.reloads.isLastRefused = false
    }
  }

  /// Records that the file had mistakes.
  func noteRefusal() {
    state.withLock { state in
      state.reloads.count += 1
      state.reloads.refusedCount += 1
      state.reloads.isLastRefused = true
    }
  }
}

extension StreamEntryRunner {
  /// Whether it has what another one needs.
  fileprivate func blocks(_ other: StreamEntryRunner) -> Bool {
    if entry.name == other.entry.name { return true }
    let places = entry.places
    return other.entry.places.contains { wanted in
      places.contains { $0.key == wanted.key && $0.excludes(wanted) }
    }
  }
}
