import Platform
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

  /// The console of this process.
  static func process() -> Console {
    let interruption = Interruption.process
    let isDumb = System.environment("TERM") == "dumb"
    return Console(
      output: TextStream(descriptor: System.standardOutput, interruption),
      errors: TextStream(descriptor: System.standardError, interruption),
      isLive: System.isTerminal(System.standardError) && !isDumb,
      columns: System.columns(ofTerminal: System.standardError),
      interruption: interruption)
  }

  /// Prints a result.
  func print(_ line: String) {
    output.write(line + "\n")
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
  private let pending = Mutex<[UInt8]>([])
  private let sink: @Sendable ([UInt8]) -> Void

  /// Hands the text to `sink` in large pieces.
  init(_ sink: @escaping @Sendable ([UInt8]) -> Void) {
    self.sink = sink
  }

  /// Writes to a descriptor; a reader that went away counts as an interruption.
  convenience init(descriptor: Int32, _ interruption: Interruption) {
    self.init { bytes in
      var offset = 0
      do throws(SystemError) {
        while offset < bytes.count {
          offset += try System.write(descriptor, bytes, from: offset)
        }
      } catch {
        if error == .brokenPipe { interruption.raise(System.pipeSignal) }
      }
    }
  }

  /// Takes text; it may wait until `flush`.
  func write(_ text: String) {
    let bytes = PathText.encode(text)
    pending.withLock { pending in
      pending += bytes
      if pending.count >= 16_384 { empty(&pending) }
    }
  }

  /// Passes on everything that waits.
  func flush() {
    pending.withLock { empty(&$0) }
  }

  private func empty(_ pending: inout [UInt8]) {
    if pending.isEmpty { return }
    sink(pending)
    pending.removeAll(keepingCapacity: true)
  }
}
