import AacornRecording
import AacornSystem
import AacornWeb

/// Many programmes from the first to the last: starts them, reads their file again at a hang-up, and
/// ends them all at a signal.
struct ProgrammesRun {
  private let command: StreamCommand
  private let path: String
  private let console: Console
  private let display: ProgrammesDisplay
  private let board = ProgrammesBoard()
  /// Programmes that are no longer wanted, while they end.
  private var leaving: [ProgrammeRunner] = []
  private var isStopping = false

  /// Milliseconds between checks, of which only a lost wake-up is ever noticed late.
  private static let look = 2000

  init(_ command: StreamCommand, _ path: String, in console: Console) {
    self.command = command
    self.path = path
    self.console = console
    display = ProgrammesDisplay(command, in: console)
  }

  /// Streams all of a list, and returns the exit status; long work has begun before the list was read.
  mutating func run(_ list: ProgrammeList) -> ExitStatus {
    // Every connection, file and wait of hundreds of programmes has a descriptor.
    System.raiseDescriptorLimit()
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
    board.replace(list.programmes.map(runner), at: System.wallNanoseconds)
    for runner in board.runners { runner.start() }
    control()
    display.finish()
    return console.concludeLongWork(status) {}
  }

  private mutating func control() {
    while true {
      leaving.removeAll(where: \.isOver)
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

  private mutating func stop() {
    guard !isStopping else { return }
    isStopping = true
    for runner in board.runners { runner.stop() }
  }

  /// The outcome of all, in which what the file no longer names does not count.
  private var status: ExitStatus {
    ExitStatus.combining(board.runners.compactMap { $0.end?.status })
  }

  private func runner(of programme: Programme) -> ProgrammeRunner {
    let interruption = console.interruption
    let runner = ProgrammeRunner(
      programme, console: { [display] in display.console(of: programme.name, $0) },
      events: { [display] in display.take($0) })
    runner.tellEnd { interruption.wake() }
    return runner
  }

  // MARK: - Reading the file again

  private mutating func reload() {
    let list: ProgrammeList
    do throws(ProgrammeMistakes) {
      list = try ProgrammeList(readingFrom: path, command)
    } catch {
      board.noteRefusal()
      return display.take(.refused(error))
    }
    var changes = ProgrammeChanges()
    var rest: [String: ProgrammeRunner] = [:]
    for runner in board.runners { rest[runner.programme.name] = runner }
    var all: [ProgrammeRunner] = []
    var fresh: [ProgrammeRunner] = []
    for programme in list.programmes {
      let old = rest.removeValue(forKey: programme.name)
      if let old, old.programme.isSame(as: programme), old.end?.kind != .failed {
        changes.unchangedCount += 1
        // What kept it from going on may be why the file is read again.
        old.hurry()
        all.append(old)
        continue
      }
      if let old {
        changes.changed.append(programme.name)
        dismiss(old)
      } else {
        changes.new.append(programme.name)
      }
      let new = runner(of: programme)
      all.append(new)
      fresh.append(new)
    }
    for old in board.runners where rest[old.programme.name] != nil {
      changes.gone.append(old.programme.name)
      dismiss(old)
    }
    board.replace(all, at: System.wallNanoseconds)
    display.take(.reloaded(changes))
    for runner in fresh { runner.start(after: leaving.filter { $0.blocks(runner) }) }
  }

  private mutating func dismiss(_ runner: ProgrammeRunner) {
    runner.stop()
    leaving.append(runner)
  }

  // MARK: - The state of all

  private func startStatusServer() throws(NetworkError) -> HTTPServer? {
    guard let address = command.statusAddress else { return nil }
    let server = try HTTPServer(
      address: address.address, port: address.port,
      options: StatusPage.options(address: address.address)
    ) { [board] request, responder in
      responder.respond(
        ProgrammesPage.response(to: request, board.snapshots(), board.reloads))
    }
    display.take(.listening(url: server.url))
    return server
  }
}

/// All programmes, as they are wanted now.
final class ProgrammesBoard: Sendable {
  private struct State {
    var runners: [ProgrammeRunner] = []
    var reloads = ProgrammesPage.Reloads()
  }

  private let state = Lock(State())

  /// In the order of the file.
  var runners: [ProgrammeRunner] { state.withLock(\.runners) }

  var reloads: ProgrammesPage.Reloads { state.withLock(\.reloads) }

  /// How all of them are doing.
  func snapshots() -> [ProgrammeSnapshot] { runners.map { $0.snapshot() } }

  /// Replaces all by those that were read at a time.
  func replace(_ runners: [ProgrammeRunner], at wallTime: Int64) {
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

extension ProgrammeRunner {
  /// Whether it has what another one needs.
  fileprivate func blocks(_ other: ProgrammeRunner) -> Bool {
    if programme.name == other.programme.name { return true }
    let keys = Set(programme.places.map(\.key))
    return other.programme.places.contains { keys.contains($0.key) }
  }
}
