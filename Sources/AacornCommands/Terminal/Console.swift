import AacornContainers
import AacornRecording
import AacornSystem

/// The environment of a command: its output streams, and its interruption.
struct Console: Sendable {
  var output: TextStream
  /// The stream for errors, warnings and progress.
  let errors: TextStream
  /// Whether errors are printed to a terminal, where a line can be redrawn.
  let isLive: Bool
  /// The width of the terminal in characters.
  let columns: Int
  let interruption: Interruption
  /// Whether the program was started without standard output, as some services are.
  var isOutputMissing = false

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

  func print(_ text: String) {
    output.write(Self.harmless(text) + "\n")
  }

  /// Returns text whose only control characters are line ends, so it cannot steer the terminal.
  ///
  /// Most untrusted text is escaped already where a message quotes it. This is for all other text.
  static func harmless(_ text: String) -> String {
    if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F || $0 == 0x0A }) { return text }
    return text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
      .map { displayed(String($0)) }.joined(separator: "\n")
  }

  /// Prints an event or a result as JSON.
  func print(_ object: JSONValue) {
    output.write(object.encoded + "\n")
  }

  /// Prints a message about work whose result is not the printed text but, for example, a file.
  ///
  /// Prints nothing if standard output is missing.
  func announce(_ line: String) {
    if !isOutputMissing { print(line) }
  }

  /// Returns the status of a completed command, or an error if its results could not be printed.
  func status(_ status: ExitStatus) -> ExitStatus {
    guard let failure = output.failure, failure != .brokenPipe else { return status }
    let reason =
      isOutputMissing
      ? "the program was started without one"
      : AACFileError.reason(of: failure)
    printError(
      "Standard output could not be written: \(reason). The output is incomplete.")
    return status == .success ? .cannotWrite : status
  }

  func printError(_ message: String) {
    output.flush()
    errors.write(Self.harmless("aacorn: \(message)") + "\n")
    errors.flush()
  }
}

/// A buffered text stream to a terminal, a file or a test.
final class TextStream: Sendable {
  private struct State {
    var pending: [UInt8] = []
    var failure: SystemError?
  }

  private let state = Lock(State())
  private let sink: @Sendable ([UInt8]) throws(SystemError) -> Void

  /// Creates a stream that passes its text to `sink` in large blocks.
  init(_ sink: @escaping @Sendable ([UInt8]) throws(SystemError) -> Void) {
    self.sink = sink
  }

  /// Creates a stream that writes to a descriptor; a closed pipe counts as an interruption.
  convenience init(descriptor: Int32, _ interruption: Interruption) {
    self.init { (bytes) throws(SystemError) in
      do throws(SystemError) {
        try System.write(descriptor, bytes)
      } catch {
        if error == .brokenPipe { interruption.raise(System.pipeSignal) }
        throw error
      }
    }
  }

  /// The error that lost text, or nil.
  ///
  /// All later text is discarded as well, so that no line is partial.
  var failure: SystemError? { state.withLock { $0.failure } }

  /// Appends text, which may stay in the buffer until `flush`.
  func write(_ text: String) {
    let bytes = PathText.encode(text)
    state.withLock { state in
      state.pending += bytes
      if state.pending.count >= 16_384 { empty(&state) }
    }
  }

  /// Writes all buffered text.
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

/// The signal handling of commands that run until the user stops them.
extension Console {
  /// Makes the first signal request an orderly end; without a terminal, SIGHUP is only counted.
  func beginLongWork() {
    guard interruption === Interruption.process else { return }
    let hasTerminal = isLive || System.isTerminal(System.standardInput)
    Interruption.watchSignalsOfLongWork(countsHangUps: !hasTerminal)
  }

  /// Returns the pipe to which results are printed, to detect that its reader has closed it.
  func resultPipe(printsJSON: Bool) -> Int32? {
    printsJSON && interruption === Interruption.process ? System.standardOutput : nil
  }

  /// Reports the result and returns the status of the work: an orderly end at a signal is a
  /// success.
  func finishLongWork(_ status: ExitStatus, report: () -> Void) -> ExitStatus {
    let signal = interruption.signal
    if signal != System.pipeSignal { interruption.acknowledge() }
    report()
    return signal == System.pipeSignal ? .interrupted(by: System.pipeSignal) : status
  }
}

/// The JSON of the commands, in which names and order of the keys are stable.
extension JSONValue {
  /// Returns an event with its members, after its type and time.
  static func event(
    _ name: String, at wallTime: Int64 = System.wallNanoseconds, _ members: JSONValue = [:]
  ) -> JSONValue {
    ["event": .text(name), "time": .text(Timestamp.iso8601(wallTime))] + members
  }

  static func texts(_ values: some Sequence<String>) -> JSONValue {
    .list(values.map { .text($0) })
  }
}
