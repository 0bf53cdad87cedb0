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
/// | `! TEXT`, `> TEXT` | a part of a line of the errors or of the output |
/// | `!! TEXT`, `>> TEXT` | the complete next line |
/// | `!`, `>` | the end of the errors or of the output |
/// | `~ TEXT` | a text that is in neither |
/// | `: NAME…` | the names in the folder |
/// | `= NAME BYTE…` | the content of a file |
///
/// Each text follows the previous one in the errors or in the output, and may also be on the line of
/// its command. `⋯` in a text stands for anything in the same line. With ``request``, texts that are
/// no longer printed are replaced in the file by the line that has most of their words.
struct TranscriptSection: CustomTestStringConvertible, Sendable {
  /// A line of the file.
  private struct Line {
    let number: Int
    let content: String
    var mark: Substring { content.prefix { $0 != " " } }
    var text: String { String(content.dropFirst(mark.count + 1)) }
    /// Whether the text is a complete line.
    var isComplete: Bool { mark == "!!" || mark == ">>" }
  }

  /// A printed text, and its lines after the last expected one.
  private struct PrintedText {
    let text: String
    /// The rest of the last expected line, and the lines after it.
    private var lines: [Substring] = [""]

    init(_ text: String, in folder: TemporaryFolder) {
      self.text = text.replacing(folder.path, with: ".")
      lines += self.text.split(separator: "\n", omittingEmptySubsequences: false)
      if text.isEmpty || text.hasSuffix("\n") { lines.removeLast() }
    }

    /// Moves past an expected text; returns false if it does not follow.
    mutating func skip(_ line: Line) -> Bool {
      if line.isComplete {
        guard lines.count > 1 else { return false }
        let next = "\n\(lines[1])\n"
        guard Self.end(of: "\n\(line.text)\n", in: next[...]) != nil else { return false }
        lines[1] = ""
        lines.removeFirst()
        return true
      }
      if line.text.isEmpty { return lines.count == 1 }
      for index in lines.indices {
        guard let end = Self.end(of: line.text, in: lines[index]) else { continue }
        lines[index] = lines[index][end...]
        lines.removeFirst(index)
        return true
      }
      return false
    }

    /// Returns the end of a pattern, or nil if the line does not contain its parts in their order.
    private static func end(of pattern: String, in line: Substring) -> String.Index? {
      var rest = line
      for part in pattern.split(separator: "⋯") {
        guard let range = rest.firstRange(of: part) else { return nil }
        rest = rest[range.upperBound...]
      }
      return rest.startIndex
    }

    /// Returns the line that has most words of an expected text.
    func closest(to line: Line) -> Substring? {
      if line.isComplete { return lines.dropFirst().first }
      let words = Set(line.text.split(separator: " "))
      func sharedCount(_ line: Substring) -> Int {
        words.intersection(line.split(separator: " ")).count
      }
      return lines.max { sharedCount($0) < sharedCount($1) }
    }
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
        sections[sections.count - 1].lines += parts(of: line)
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

  /// Separates a command from the text that it prints.
  private static func parts(of line: Line) -> [Line] {
    guard line.mark.hasPrefix("$") else { return [line] }
    for mark in [" ! ", " > ", " !! ", " >> "] {
      guard let range = line.content.firstRange(of: mark) else { continue }
      let (command, text) = (line.content[..<range.lowerBound], line.content[range.lowerBound...])
      return [command, text.dropFirst()].map { Line(number: line.number, content: String($0)) }
    }
    return [line]
  }

  /// Runs the commands, and expects their texts and exit codes.
  func run() throws {
    let folder = TemporaryFolder()
    var output = PrintedText("", in: folder)
    var errors = PrintedText("", in: folder)
    var start = ""
    for line in lines {
      switch line.mark {
      case "+": try Self.makeFile(line.text, in: folder)
      case "%": start = line.text + " "
      case "!", "!!": try expect(line, in: &errors)
      case ">", ">>": try expect(line, in: &output)
      case "~": #expect(!(output.text + errors.text).contains(line.text), "\(location(of: line))")
      case ":":
        let names = line.text.split(separator: " ").map(String.init)
        #expect(folder.names == names, "\(location(of: line))")
      case "=":
        let words = line.text.split(separator: " ")
        let bytes = words.dropFirst().compactMap { UInt8($0) }
        #expect(try folder.read(String(words[0])) == bytes, "\(location(of: line))")
      case let mark where mark.hasPrefix("$"):
        let console = CapturedConsole()
        let result = console.run(Self.words(start + line.text, in: folder))
        output = PrintedText(console.output, in: folder)
        errors = PrintedText(console.errors, in: folder)
        #expect(
          result.code == Int32(mark.dropFirst()) ?? 0, "\(location(of: line)): \(errors.text)")
        if result == .usage {
          #expect(output.text.isEmpty && errors.text.hasPrefix("aacorn: "), "\(line.content)")
        }
      default: Issue.record("\(location(of: line)): \(line.content)")
      }
    }
  }

  /// Splits a command line at spaces outside quotes, and completes the paths of the folder.
  private static func words(_ line: String, in folder: TemporaryFolder) -> [String] {
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
  private func expect(_ line: Line, in printed: inout PrintedText) throws {
    if printed.skip(line) { return }
    if System.environment(Self.request) == "1", !line.text.isEmpty,
      let closest = printed.closest(to: line)
    {
      try store(closest, insteadOf: line)
      _ = printed.skip(Line(number: line.number, content: "\(line.mark) \(closest)"))
    }
    Issue.record("\(location(of: line)): \(line.content)\n\(printed.text)")
  }

  private func location(of line: Line) -> String { "\(file), line \(line.number + 1)" }

  /// Replaces the text of a line of the file.
  private func store(_ text: Substring, insteadOf line: Line) throws {
    try Self.fileLock.withLock { _ in
      var contents = try Self.contents(of: file)
      contents[line.number] = String(contents[line.number].dropLast(line.text.count) + text)
      try contents.joined(separator: "\n").write(
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
