import AacornSystem
import Foundation
import Testing

@testable import AacornCommands

/// A section of a file in the folder `Transcripts`: command lines with their exit codes and texts.
///
/// Every section has its own folder, which is named `.` in command lines and texts.
///
/// | Line | Meaning |
/// |---|---|
/// | `== TITLE` | begins a section |
/// | `+ NAME wav FRAMES [CHANNELS [RATE]]` | a file, or `text …`, `bytes …`, `pipe`, `folder` |
/// | `% WORDS` | the first words of the following commands of the section |
/// | `$ COMMAND` | a command that succeeds; `$4` is for the exit code 4; quotes enclose spaces |
/// | `! TEXT` | a part of the errors; without a text, there are none |
/// | `> TEXT` | a part of the output; without a text, there is none |
/// | `~ TEXT` | a text that is in neither |
/// | `: NAME…` | the names in the folder |
///
/// A text may also be on the line of its command. `⋯` in a text stands for anything. With
/// ``request``, texts that are no longer printed are replaced in the file by the line that has most
/// of their words.
struct TranscriptSection: CustomTestStringConvertible, Sendable {
  /// A line of the file.
  private struct Line {
    let number: Int
    let content: String
    var mark: Substring { content.prefix { $0 != " " } }
    var text: String { String(content.dropFirst(mark.count + 1)) }
  }

  /// The environment variable that requests new texts.
  private static let request = "AACORN_STORE_TEXTS"
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("Transcripts")
  /// Held while a file is changed.
  private static let fileLock = Lock(())

  private let file: String
  private let title: String
  private var lines: [Line] = []

  var testDescription: String { "\(file): \(title)" }

  /// The sections of all files.
  static let all: [TranscriptSection] = {
    do {
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
      return try names.flatMap { try sections(of: $0) }
    } catch {
      preconditionFailure("\(folder.path): \(error)")
    }
  }()

  private static func sections(of file: String) throws -> [TranscriptSection] {
    var sections: [TranscriptSection] = []
    for (number, content) in try contents(of: file).enumerated() {
      let line = Line(number: number, content: content)
      if line.mark == "==" {
        sections.append(TranscriptSection(file: file, title: line.text))
      } else if !content.isEmpty && line.mark != "#" {
        precondition(!sections.isEmpty, "\(file): line \(number + 1) is before the first section")
        sections[sections.count - 1].lines.append(line)
      }
    }
    return sections
  }

  private static func contents(of file: String) throws -> [String] {
    try String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8)
      .components(separatedBy: "\n")
  }

  private init(file: String, title: String) {
    self.file = file
    self.title = title
  }

  /// Runs the commands, and expects their texts and exit codes.
  func run() throws {
    let folder = TemporaryFolder()
    var console = CapturedConsole()
    var start = ""
    for line in lines {
      switch line.mark {
      case "+": try Self.makeFile(line.text, in: folder)
      case "%": start = line.text + " "
      case "!": try expect(line.text, of: line, in: console.errors, folder)
      case ">": try expect(line.text, of: line, in: console.output, folder)
      case "~": #expect(!(console.output + console.errors).contains(line.text), "\(line.content)")
      case ":":
        let names = line.text.split(separator: " ").map(String.init)
        #expect(folder.names == names, "\(location(of: line))")
      case let mark where mark.hasPrefix("$"):
        console = CapturedConsole()
        let (words, text) = Self.parts(of: start + line.text)
        let result = console.run(Self.words(words, in: folder))
        #expect(
          result.code == Int32(mark.dropFirst()) ?? 0, "\(location(of: line)): \(console.errors)")
        if result == .usage {
          #expect(console.output.isEmpty && console.errors.hasPrefix("aacorn: "), "\(line.content)")
        }
        if let text {
          let printed = text.isOutput ? console.output : console.errors
          try expect(text.content, of: line, in: printed, folder)
        }
      default: Issue.record("\(location(of: line)): \(line.content)")
      }
    }
  }

  /// Separates a command from the text that it prints.
  private static func parts(
    of line: String
  ) -> (command: Substring, text: (content: String, isOutput: Bool)?) {
    for (mark, isOutput) in [(" ! ", false), (" > ", true)] {
      guard let range = line.firstRange(of: mark) else { continue }
      let content = String(line[range.upperBound...])
      return (line[..<range.lowerBound], (content: content, isOutput: isOutput))
    }
    return (line[...], nil)
  }

  /// Splits a command line at spaces outside quotes, and completes the paths of the folder.
  private static func words(_ line: Substring, in folder: TemporaryFolder) -> [String] {
    var words: [String] = []
    let parts = line.split(separator: "\"", omittingEmptySubsequences: false)
    for (index, part) in parts.enumerated() {
      if index % 2 == 1 {
        words.append(String(part))
      } else {
        words += part.split(separator: " ").map(String.init)
      }
    }
    return words.map { word in
      if word == "." { return folder.path }
      let start = word.hasPrefix("./") ? folder.path + word.dropFirst() : word
      return start.replacing("=./", with: "=" + folder.path + "/")
        .replacing(":./", with: ":" + folder.path + "/")
    }
  }

  private static func makeFile(_ text: String, in folder: TemporaryFolder) throws {
    let words = text.split(separator: " ", maxSplits: 2).map(String.init)
    let content = words.count > 2 ? words[2] : ""
    let numbers = content.split(separator: " ").compactMap { Int($0) }
    switch words[1] {
    case "wav":
      let bytes = wavFile(
        frames: numbers[0], channels: numbers.count > 1 ? numbers[1] : 2,
        rate: numbers.count > 2 ? numbers[2] : 44_100)
      try folder.write(bytes, to: words[0])
    case "bytes": try folder.write(numbers.map { UInt8($0) }, to: words[0])
    case "text": try folder.write(content.replacing("\\n", with: "\n"), to: words[0])
    case "pipe": folder.makePipe(words[0])
    case "folder": try System.makeFolder(folder.path(words[0]))
    default: Issue.record("Unknown kind of file: \(text)")
    }
  }

  /// Expects a text, or stores the printed one.
  private func expect(
    _ text: String, of line: Line, in printed: String, _ folder: TemporaryFolder
  ) throws {
    let printed = printed.replacing(folder.path, with: ".")
    if text.isEmpty {
      #expect(printed.isEmpty, "\(location(of: line))")
      return
    }
    if Self.contains(printed, text) { return }
    if System.environment(Self.request) == "1", let closest = Self.closest(to: text, in: printed) {
      try store(line.content.dropLast(text.count) + closest, at: line.number)
    }
    Issue.record("\(location(of: line)): \(line.content)\n\(printed)")
  }

  private func location(of line: Line) -> String { "\(file), line \(line.number + 1)" }

  /// Returns whether a text contains the parts of a pattern in their order.
  private static func contains(_ printed: String, _ pattern: String) -> Bool {
    var rest = printed[...]
    for part in pattern.split(separator: "⋯") {
      guard let range = rest.firstRange(of: part) else { return false }
      rest = rest[range.upperBound...]
    }
    return true
  }

  /// Returns the printed line that has most words of a text.
  private static func closest(to text: String, in printed: String) -> Substring? {
    let words = Set(text.split(separator: " "))
    func sharedCount(_ line: Substring) -> Int {
      words.intersection(line.split(separator: " ")).count
    }
    return printed.split(separator: "\n").max { sharedCount($0) < sharedCount($1) }
  }

  /// Replaces a line of the file.
  private func store(_ content: Substring, at number: Int) throws {
    try Self.fileLock.withLock { _ in
      var contents = try Self.contents(of: file)
      contents[number] = String(content)
      let text = contents.joined(separator: "\n")
      try text.write(
        to: Self.folder.appendingPathComponent(file), atomically: true, encoding: .utf8)
    }
  }
}

/// The texts of the commands.
///
/// After a change of their wording, store the new ones with
///
///     AACORN_STORE_TEXTS=1 Scripts/check-unit-tests --filter TranscriptTests
///
/// The suite then fails, and succeeds at the next run.
@Suite struct TranscriptTests {
  @Test(arguments: TranscriptSection.all)
  func commandPrintsStoredTexts(section: TranscriptSection) throws { try section.run() }
}
