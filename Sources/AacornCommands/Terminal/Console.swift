import AacornRecording
import AacornSystem

/// A command's environment: where it prints, and what may interrupt it.
struct Console: Sendable {
  /// Results.
  let output: TextStream
  /// Errors, warnings and progress.
  let errors: TextStream
  /// Whether errors go to a terminal, where a line can be redrawn.
  let isLive: Bool
  /// The width of that terminal.
  let columns: Int
  let interruption: Interruption
  /// Whether the program was started without standard output, as some services are.
  var isOutputMissing = false
  /// The name of the stream that it belongs to, where there are several.
  var stream: String?

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
    output.write(label + line + "\n")
  }

  /// Prints an event or a result for programs, which learn of which stream it is.
  func print(_ object: JSONValue) {
    output.write(object.telling(stream: stream).encoded + "\n")
  }

  /// What precedes a line for people.
  private var label: String { stream.map { $0 + ": " } ?? "" }

  /// Reports work whose result is elsewhere; nobody misses it if the program has no output.
  func announce(_ line: String) {
    if !isOutputMissing { print(line) }
  }

  /// The status of a completed command, unless its results could not be printed.
  func status(_ status: ExitStatus) -> ExitStatus {
    guard let failure = output.failure, failure != .brokenPipe else { return status }
    let reason =
      isOutputMissing
      ? "the program was started without one"
      : failure == .diskFull ? "the disk is full" : failure.text
    printError(
      "Standard output could not be written: \(reason). The output is incomplete.")
    return status == .success ? .cannotWrite : status
  }

  /// Prints an error.
  func printError(_ sentence: String) {
    output.flush()
    errors.write("aacorn: \(label)\(sentence)\n")
    errors.flush()
  }

  /// Prints an error in the command line.
  func printUsageError(_ error: UsageError) {
    printError(error.sentence)
  }
}

/// Text for a terminal, a file or a test.
final class TextStream: Sendable {
  private struct State {
    var pending: [UInt8] = []
    var failure: SystemError?
  }

  private let state = Lock(State())
  private let sink: @Sendable ([UInt8]) throws(SystemError) -> Void

  /// Passes the text to `sink` in large pieces.
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

  /// Why text was lost, if any was; everything after it is lost as well, so that no line is
  /// partial.
  var failure: SystemError? { state.withLock { $0.failure } }

  /// Accepts text, which may wait until `flush`.
  func write(_ text: String) {
    let bytes = PathText.encode(text)
    state.withLock { state in
      state.pending += bytes
      if state.pending.count >= 16_384 { empty(&state) }
    }
  }

  /// Passes on all buffered text.
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

extension JSONValue {
  /// The event with the name of its stream, behind what it is and when it was.
  fileprivate func telling(stream: String?) -> JSONValue {
    guard let stream, case .object(var members) = self else { return self }
    members.insert(.init("stream", .text(stream)), at: min(2, members.count))
    return .object(members)
  }
}
