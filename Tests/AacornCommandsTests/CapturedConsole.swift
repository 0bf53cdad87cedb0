import AacornSystem
import Testing

@testable import AacornCommands

/// A console that collects its output in strings.
final class CapturedConsole: Sendable {
  private let outputText = Lock("")
  private let errorText = Lock("")
  let interruption = Interruption()

  init() {}

  /// Runs a command line, and expects its exit status.
  @discardableResult
  init(
    running arguments: [String], status: AacornCommands.ExitStatus = .success,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    aacorn(arguments, status: status, sourceLocation: sourceLocation)
  }

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

  /// Runs a command line, and expects its exit status, and texts in the console.
  func aacorn(
    _ arguments: String..., status: AacornCommands.ExitStatus = .success, errors: String...,
    output: String..., sourceLocation: SourceLocation = #_sourceLocation
  ) {
    aacorn(arguments, status: status, sourceLocation: sourceLocation)
    expect(errors, in: self.errors, sourceLocation)
    expect(output, in: self.output, sourceLocation)
  }

  /// Runs a command line, and expects its exit status, and texts in the console.
  func aacorn(
    _ arguments: [String], status: AacornCommands.ExitStatus = .success, errors: String...,
    output: String..., sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(
      run(arguments) == status, "\(arguments): \(self.errors)", sourceLocation: sourceLocation)
    expect(errors, in: self.errors, sourceLocation)
    expect(output, in: self.output, sourceLocation)
  }

  /// Expects texts in the errors.
  func expectErrors(_ texts: String..., sourceLocation: SourceLocation = #_sourceLocation) {
    expect(texts, in: errors, sourceLocation)
  }

  /// Expects texts in the output.
  func expectOutput(_ texts: String..., sourceLocation: SourceLocation = #_sourceLocation) {
    expect(texts, in: output, sourceLocation)
  }

  private func expect(_ texts: [String], in whole: String, _ sourceLocation: SourceLocation) {
    for text in texts {
      #expect(whole.contains(text), "\(text)\n\(whole)", sourceLocation: sourceLocation)
    }
  }

  /// Runs a command line like the program.
  func run(_ arguments: [String]) -> AacornCommands.ExitStatus {
    let console = console
    let status = RootCommand.run(arguments, in: console)
    console.output.flush()
    console.errors.flush()
    return status
  }
}

extension Subcommand {
  /// The command of a command line that does not ask for help.
  func parsing(_ arguments: [String]) throws -> Self {
    guard let command = try Self.syntax.parse(arguments, into: self) else {
      throw UsageError("help")
    }
    return command
  }
}

extension LivePlan {
  static func recording(_ arguments: String...) throws -> LivePlan { try recording(arguments) }

  static func recording(_ arguments: [String]) throws -> LivePlan {
    try LivePlan(RecordCommand().parsing(arguments))
  }
}

extension LivePlan {
  init(_ arguments: [String], environment: [String: String] = [:]) throws {
    try self.init(StreamCommand().parsing(arguments)) { environment[$0] }
  }
}

extension PlayPlan {
  init(_ arguments: [String]) throws {
    try self.init(PlayCommand().parsing(arguments), interruption: Interruption())
  }
}

/// The words of a command line: a text with single spaces, or an array if a word has a space.
struct Words: ExpressibleByStringLiteral, ExpressibleByArrayLiteral, Sendable {
  let words: [String]

  init(stringLiteral text: String) { words = text.split(separator: " ").map(String.init) }

  init(arrayLiteral words: String...) { self.words = words }
}
