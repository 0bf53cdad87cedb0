import Foundation
import Platform
import SoundRigs
import Studio
import Testing

@testable import AacornCommands

@Suite struct StudioCommandTests {
  private static func parsed(_ arguments: [String]) throws -> StudioCommand? {
    switch try ArgumentParser(StudioCommand.syntax).parse(arguments, into: StudioCommand()) {
    case .help: nil
    case .run(let command): command
    }
  }

  // MARK: Options

  @Test func optionsAreUnderstood() throws {
    let usual = try #require(try Self.parsed([]))
    #expect(usual.port == nil && usual.address == "127.0.0.1" && usual.folder == nil)
    #expect(!usual.opensPage && !usual.printsJSON)
    let command = try #require(
      try Self.parsed(["--port", "80", "--bind", "*", "--open", "--folder", "a b", "--json"]))
    #expect(command.port == 80 && command.address == "0.0.0.0" && command.folder == "a b")
    #expect(command.opensPage && command.printsJSON)
    #expect(try Self.parsed(["-p0"])?.port == 0)
    for (text, address) in [
      ("localhost", "127.0.0.1"), ("192.168.1.5", "192.168.1.5"), ("::", "::"), ("[::1]", "::1"),
    ] { #expect(try Self.parsed(["--bind", text])?.address == address) }
  }

  @Test(arguments: [
    ["--port", ""], ["--port", "x"], ["--port", "65536"], ["--port", "-1"], ["--port", "+5"],
    ["--port", "99999999999999999999"], ["--bind", ""], ["--bind", "host.example"],
    ["--bind", "1.2.3.4:80"], ["--bind", "1.2.3"], ["--folder", ""], ["folder"], ["--nothing"],
  ])
  func whatMakesNoSenseIsSaidSo(arguments: [String]) {
    let captured = CapturedConsole()
    #expect(captured.run(["studio"] + arguments) == .usage)
    #expect(captured.errors.hasPrefix("aacorn: ") && captured.output.isEmpty)
  }

  @Test func theFolderIsInTheHomeFolderUnlessGiven() throws {
    let command = try #require(try Self.parsed([]))
    func folder(_ home: String?) -> String {
      command.chosenFolder { $0 == "HOME" ? home : nil }
    }
    #expect(folder("/home/x") == "/home/x/Recordings")
    #expect(folder("/") == "/Recordings")
    #expect(folder(nil) == "Recordings")
    #expect(folder("x") == "Recordings")
    var other = command
    other.folder = "talks"
    #expect(other.chosenFolder { _ in "/home/x" } == "talks")
  }

  // MARK: Runs

  /// Runs a studio until it has said where it is, and ends it.
  private static func run(_ arguments: [String]) -> (AacornCommands.ExitStatus, CapturedConsole) {
    let captured = CapturedConsole()
    let interruption = captured.interruption
    let thread = WorkerThread {
      _ = comesTrue {
        captured.output.contains("Recordings: ") || captured.output.contains("listening")
      }
      interruption.raise(System.interruptSignal)
    }
    let status = captured.run(["studio"] + arguments)
    thread?.join()
    return (status, captured)
  }

  @Test func itSaysWhereItIs() throws {
    let folder = try TemporaryFolder()
    let (status, captured) = Self.run(["--port", "0", "--folder", folder.path("new")])
    #expect(status == .success)
    #expect(captured.output.hasPrefix("Studio: http://localhost:"))
    #expect(captured.output.hasSuffix("Recordings: \(folder.path("new"))\n"))
    #expect(!captured.output.contains("token") && captured.errors.isEmpty)
    #expect(try System.status(of: folder.path("new")).kind == .folder)
  }

  @Test(.enabled(if: getuid() != 0, "Nothing is forbidden to root."))
  func aFolderThatCannotBeWrittenToIsSaid() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: folder.path)
    let (status, captured) = Self.run(["--port", "0", "--folder", folder.path])
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder.path)
    #expect(status == .success && captured.output.hasPrefix("Studio: "))
    #expect(captured.errors.hasPrefix("Warning: Nothing can be recorded: the folder “"))
    #expect(captured.errors.contains("cannot be written to: permission denied. "))
  }

  @Test func boundElsewhereItHasATokenAndAWarning() throws {
    let folder = try TemporaryFolder()
    for _ in 0..<2 {
      let (status, captured) = Self.run(
        ["--port", "0", "--folder", folder.path, "--bind", "0.0.0.0"])
      #expect(status == .success)
      let lines = captured.output.split(separator: "\n").filter { $0.hasPrefix("Studio: ") }
      #expect(!lines.isEmpty)
      for line in lines {
        let parts = line.split(separator: "/?token=")
        #expect(parts.count == 2 && parts.last?.utf8.count == 32)
        #expect(!line.contains("0.0.0.0"))
      }
      for word in ["not encrypted", "hear all recordings", "localhost only"] {
        #expect(captured.errors.contains(word))
      }
    }
  }

  @Test func programsGetJSON() throws {
    let folder = try TemporaryFolder()
    let (status, captured) = Self.run(["--port", "0", "--folder", folder.path, "--json"])
    #expect(status == .success)
    let lines = captured.output.split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines.first?.hasPrefix(#"{"event":"listening","time":""#) == true)
    #expect(lines.first?.contains(#""url":"http://localhost:"#) == true)
    #expect(lines.last?.hasPrefix(#"{"event":"stopped","time":""#) == true)
    #expect(lines.last?.contains(#""file":null"#) == true)
  }

  @Test func whatWasTakenAwayIsNotSaidToBeSaved() throws {
    let folder = try TemporaryFolder()
    let recording = StudioRecording(name: "a.m4a", seconds: 61, byteCount: 1, gapCount: 2)
    let report = StudioReport(recording, folder: folder.path)
    let path = try folder.write([1], to: "a.m4a")
    #expect(report.sentence == "Saved \(path), 1:01, 2 gaps.")
    #expect(report.json.encoded.contains(#"/a.m4a","duration":61"#))
    try FileManager.default.removeItem(atPath: path)
    #expect(report.sentence?.contains("another program has moved or deleted it") == true)
    #expect(report.json.encoded.contains(#""file":null,"duration":61"#))
    // What cannot be found out says nothing: here the folder is a file.
    let other = StudioReport(recording, folder: try folder.write([1], to: "file"))
    #expect(other.sentence?.hasPrefix("Saved ") == true)
    #expect(other.json.encoded.contains(#"/file/a.m4a","duration":61"#))
  }

  @Test func aTakenPortOrFolderIsAFailure() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write([1], to: "file")
    let captured = CapturedConsole()
    #expect(captured.run(["studio", "--port", "0", "--folder", file]) == .cannotWrite)
    #expect(captured.errors.contains("cannot be made") && captured.output.isEmpty)
    let json = CapturedConsole()
    #expect(json.run(["studio", "--json", "--port", "0", "--folder", file]) == .cannotWrite)
    #expect(json.output.contains(#""event":"stopped""#) && json.output.contains("message"))
  }
}
