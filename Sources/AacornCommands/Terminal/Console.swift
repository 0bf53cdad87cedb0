import AacornSystem
import Synchronization

/// What a command has of the world around it: where it prints, and who may interrupt it.
struct Console: Sendable {
  /// Results.
  let output: TextStream
  /// Errors, warnings and progress.
  let errors: TextStream
  /// Whether errors go to a terminal, where a line can be drawn over.
  let isLive: Bool
  /// The width of that terminal.
  let columns: Int
  let interruption: Interruption
  /// Whether the program was started without a standard output, as some services are.
  var isOutputMissing = false

  /// The console of this process.
  static func process(isOutputMissing: Bool) -> Console {
    let interruption = Interruption.process
    let isDumb = System.environment("TERM") == "dumb"
    return Console(
      output: TextStream(descriptor: System.standardOutput, interruption),
      errors: TextStream(descriptor: System.standardError, interruption),
      isLive: System.isTerminal(System.standardError) && !isDumb,
      columns: System.columns(ofTerminal: System.standardError),
      interruption: interruption, isOutputMissing: isOutputMissing)
  }

  /// Prints a result.
  func print(_ line: String) {
    output.write(line + "\n")
  }

  /// Tells of work whose result is elsewhere; nobody misses it who gave the program no place for it.
  func announce(_ line: String) {
    if !isOutputMissing { print(line) }
  }

  /// The status of a command that was done, unless its results could not be printed.
  func status(_ status: ExitStatus) -> ExitStatus {
    guard let failure = output.failure, failure != .brokenPipe else { return status }
    let reason =
      isOutputMissing
      ? "the program was started without one"
      : failure == .diskFull ? "the disk is full" : failure.text
    printError(
      "Standard output could not be written to: \(reason). What was printed there is incomplete.")
    return status == .success ? .cannotWrite : status
  }

  /// Tells what went wrong.
  func printError(_ sentence: String) {
    output.flush()
    errors.write("aacorn: \(sentence)\n")
    errors.flush()
  }

  /// Tells what went wrong with the command line.
  func printUsageError(_ error: UsageError) {
    printError(error.sentence)
  }
}

/// Text on its way to a terminal, a file or a test.
final class TextStream: Sendable {
  private struct State {
    var pending: [UInt8] = []
    var failure: SystemError?
  }

  private let state = Mutex(State())
  private let sink: @Sendable ([UInt8]) throws(SystemError) -> Void

  /// Hands the text to `sink` in large pieces.
  init(_ sink: @escaping @Sendable ([UInt8]) throws(SystemError) -> Void) {
    self.sink = sink
  }

  /// Writes to a descriptor; a reader that went away counts as an interruption.
  convenience init(descriptor: Int32, _ interruption: Interruption) {
    self.init { (bytes) throws(SystemError) in
      var offset = 0
      do throws(SystemError) {
        while offset < bytes.count {
          offset += try System.write(descriptor, bytes, from: offset)
        }
      } catch {
        if error == .brokenPipe { interruption.raise(System.pipeSignal) }
        throw error
      }
    }
  }

  /// Why text was lost, if some was; what follows is lost as well, so that no line stands half.
  var failure: SystemError? { state.withLock(\.failure) }

  /// Takes text; it may wait until `flush`.
  func write(_ text: String) {
    let bytes = PathText.encode(text)
    state.withLock { state in
      state.pending += bytes
      if state.pending.count >= 16_384 { empty(&state) }
    }
  }

  /// Passes on everything that waits.
  func flush() {
    state.withLock { empty(&$0) }
  }

  private func empty(_ state: inout State) {
    if state.pending.isEmpty { return }
    defer { state.pending.removeAll(keepingCapacity: true) }
    if state.failure != nil { return }
    do throws(SystemError) {
      try sink(state.pending)
    } catch {
      state.failure = error
    }
  }
}
