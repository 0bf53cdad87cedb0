import AacornSystem

@testable import AacornCommands

/// A console that collects its output in strings.
final class CapturedConsole: Sendable {
  private let outputText = Lock("")
  private let errorText = Lock("")
  let interruption = Interruption()

  /// The console to pass to a command.
  var console: Console {
    Console(
      output: TextStream { bytes in
        self.outputText.withLock { $0 += String(decoding: bytes, as: UTF8.self) }
      },
      errors: TextStream { bytes in
        self.errorText.withLock { $0 += String(decoding: bytes, as: UTF8.self) }
      },
      isLive: false, columns: 80, interruption: interruption)
  }

  var output: String { outputText.withLock { $0 } }
  var errors: String { errorText.withLock { $0 } }

  /// Runs a command line like the program.
  func run(_ arguments: [String]) -> ExitStatus {
    let console = console
    let status = RootCommand.run(arguments, in: console)
    console.output.flush()
    console.errors.flush()
    return status
  }
}
