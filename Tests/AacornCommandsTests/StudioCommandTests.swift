import AacornContainers
import AacornRecording
import AacornStudio
import AacornSystem
import Foundation
import SoundRigs
import Testing

@testable import AacornCommands

@Suite struct StudioCommandTests {
  private static func parsed(_ arguments: [String]) throws -> StudioCommand? {
    try StudioCommand.syntax.parse(arguments, into: StudioCommand())
  }

  // MARK: Options

  @Test func optionsAreUnderstood() throws {
    let defaults = try #require(try Self.parsed([]))
    #expect(defaults.endpoint == .port(4848) && defaults.folder == nil && defaults.urls.isEmpty)
    #expect(!defaults.opensPage && !defaults.printsJSON)
    let command = try #require(
      try Self.parsed(["--port", "80", "--bind", "*", "--open", "--folder", "a b", "--json"]))
    #expect(command.port == 80 && command.address == "0.0.0.0" && command.folder == "a b")
    #expect(command.opensPage && command.printsJSON)
    #expect(command.endpoint == .port(80, address: "0.0.0.0"))
    let proxied = try #require(
      try Self.parsed(
        ["--socket", "/run/s", "--url", "https://a.example", "--url=http://b:8080/"]))
    #expect(proxied.endpoint == .socket("/run/s"))
    #expect(proxied.urls == ["https://a.example/", "http://b:8080/"])
    #expect(try Self.parsed(["-p0"])?.port == 0)
    for (text, address) in [
      ("localhost", "127.0.0.1"), ("192.168.1.5", "192.168.1.5"), ("::", "::"), ("[::1]", "::1"),
    ] { #expect(try Self.parsed(["--bind", text])?.address == address) }
  }

  @Test(
    arguments: [
      ["--port", ""], "--port x", "--port 65536", "--port -1", "--port +5",
      "--port 99999999999999999999", ["--bind", ""], "--bind host.example", "--bind 1.2.3.4:80",
      "--bind 1.2.3", ["--folder", ""], "folder", "--nothing", ["--socket", ""],
      "--socket s --port 0", "--socket s --bind ::1", "--socket s --open", "--url studio.example",
      "--url https://a/b", "--no-token --token-file f", "--token-file /nonexistent",
      "--token-file /", "--token 0123456789abcdef",
    ] as [Words])
  func invalidStudioArgumentsAreRejected(arguments: Words) {
    let captured = CapturedConsole(running: ["studio"] + arguments.words, status: .usage)
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

  // MARK: Access

  private static let token = "0123456789abcdef"

  private static func file(
    _ text: String, mode: Int = 0o600, in folder: TemporaryFolder
  ) throws -> String {
    let path = try folder.write(text, to: "token")
    folder.setPermissions(mode, of: "token")
    return path
  }

  @Test func tokenIsReadFromFileOrEnvironmentOrGenerated() throws {
    let folder = TemporaryFolder()
    let path = try Self.file(" \(Self.token)\n", in: folder)
    let defaults = try #require(try Self.parsed([]))
    let withFile = try #require(try Self.parsed(["--token-file", path]))
    let open = try #require(try Self.parsed(["--no-token"]))
    func variable(_ value: String) -> (String) -> String? {
      { $0 == "AACORN_STUDIO_TOKEN" ? value : nil }
    }
    let new = try defaults.access { _ in nil }
    #expect(new.token?.utf8.count == 32 && !defaults.hasChosenToken { _ in nil })
    #expect(try defaults.access { _ in nil } != new)
    #expect(try defaults.access(environment: variable("")).token?.utf8.count == 32)
    #expect(!defaults.hasChosenToken(environment: variable("")))
    let other = "fedcba9876543210"
    #expect(try defaults.access(environment: variable(other)) == .token(other))
    #expect(defaults.hasChosenToken(environment: variable(other)))
    #expect(try withFile.access(environment: variable(other)) == .token(Self.token))
    #expect(withFile.hasChosenToken { _ in nil })
    #expect(try open.access { _ in nil } == .unrestricted && !open.hasChosenToken { _ in nil })
    // One of the two options is a mistake, and the command cannot know which.
    #expect(throws: UsageError.self) { try open.check(environment: variable(other)) }
    try open.check { _ in nil }
  }

  @Test(arguments: [
    ("", 0o600, "is empty"), ("\n", 0o600, "is empty"), ("secret\n", 0o600, "fewer than 16"),
    ("0123456789abcdef\nx\n", 0o600, "several lines"),
    ("0123456789abcdef", 0o644, "Other users may read"), ("0123456789abcdef", 0o640, "chmod 600"),
  ])
  func unsuitableTokenFileIsRejected(text: String, mode: Int, words: String) throws {
    let folder = TemporaryFolder()
    let path = try Self.file(text, mode: mode, in: folder)
    let command = try #require(try Self.parsed(["--token-file", path]))
    let error = #expect(throws: UsageError.self) { try command.access { _ in nil } }
    #expect(error?.text.contains(words) == true, "\(error?.text ?? "")")
    #expect(error?.text.contains(path) == true && error?.text.contains("cdef") == false)
  }

  @Test func tokenFileOfAnotherUserIsRejected() throws {
    let folder = asOrdinaryUser { TemporaryFolder() }
    let path = try asOrdinaryUser { try Self.file(Self.token, mode: 0o600, in: folder) }
    let command = try #require(try Self.parsed(["--token-file", path]))
    // Without root privileges the test can only use its own files, which are accepted.
    if geteuid() != 0 {
      #expect(try command.access { _ in nil } == .token(Self.token))
      return
    }
    let error = #expect(throws: UsageError.self) { try command.access { _ in nil } }
    #expect(error?.text.contains("belongs to another user") == true)
  }

  /// systemd passes files that a group may read; only the service is in that group.
  @Test func serviceManagerTokenFileIsAccepted() throws {
    let folder = TemporaryFolder()
    let path = try Self.file(Self.token, mode: 0o440, in: folder)
    let command = try #require(try Self.parsed(["--token-file", path]))
    let access = try command.access { $0 == "CREDENTIALS_DIRECTORY" ? folder.path : nil }
    #expect(access == .token(Self.token))
  }

  // MARK: Runs

  /// Runs a studio until it has printed its address, stops it, and expects a success.
  private static func run(_ arguments: [String]) -> CapturedConsole {
    let captured = CapturedConsole()
    let interruption = captured.interruption
    let thread = WorkerThread("test") {
      _ = eventually {
        captured.output.contains("Recordings: ") || captured.output.contains("listening")
      }
      interruption.raise(System.interruptSignal)
    }
    captured.aacorn(["studio"] + arguments)
    thread?.join()
    return captured
  }

  @Test func studioPrintsAddressAndFolder() throws {
    let folder = TemporaryFolder()
    let captured = Self.run(["--port", "0", "--folder", folder.path("new")])
    let lines = captured.output.split(separator: "\n")
    #expect(lines.count == 3 && captured.errors.isEmpty, "\(captured.output)")
    #expect(
      lines[0].wholeMatch(of: /Studio: http:\/\/localhost:\d+\/\?code=[0-9a-f]{32}/) != nil)
    #expect(lines[1] == "Recordings: \(folder.path("new"))")
    #expect(lines[2] == "The address logs in one browser, once; SIGHUP prints another.")
    let made = try System.status(of: folder.path("new"))
    #expect(made.kind == .folder && made.permissions & 0o777 == 0o700)
  }

  @Test func relativeFolderIsShownWithItsFullPath() throws {
    let folder = TemporaryFolder()
    let target = try System.resolved(folder.path) + "/rec"
    let depth = try System.resolved(".").split(separator: "/").count
    let captured = Self.run([
      "--port", "0", "--folder", String(repeating: "../", count: depth) + target.dropFirst(),
    ])
    #expect(captured.output.contains("Recordings: \(target)\n"), "\(captured.output)")
  }

  @Test func withATokenOfOnesOwnTheAddressIsPlain() throws {
    let folder = TemporaryFolder()
    let path = try Self.file(Self.token, in: folder)
    let captured = Self.run(
      ["--port", "0", "--folder", folder.path("new"), "--token-file", path])
    let lines = captured.output.split(separator: "\n")
    #expect(lines.first?.wholeMatch(of: /Studio: http:\/\/localhost:\d+\//) != nil)
    #expect(lines.last?.hasPrefix("The page asks for the token; SIGHUP prints an address") == true)
    #expect(!captured.output.contains(Self.token) && captured.errors.isEmpty)
  }

  @Test func missingTokenPrintsConsequences() throws {
    let folder = TemporaryFolder()
    for (arguments, words) in [
      ([], "without a token, every user of this machine, and every program, can record here"),
      (["--bind", "0.0.0.0"], "without a token, everyone who can reach this machine can record"),
    ] {
      let captured = Self.run(
        ["--port", "0", "--folder", folder.path("new"), "--no-token"] + arguments)
      #expect(!captured.output.contains("code="))
      #expect(captured.errors.hasPrefix("aacorn: Warning: \(words)"), "\(captured.errors)")
    }
  }

  /// Runs a studio, and requests another address before the studio stops.
  @Test(arguments: [false, true]) func anotherAddressIsPrinted(isJSON: Bool) throws {
    let folder = TemporaryFolder()
    let captured = CapturedConsole()
    let interruption = captured.interruption
    let thread = WorkerThread("test") {
      let words = isJSON ? #""urls""# : "Studio: "
      _ = eventually { captured.output.contains(words) }
      interruption.recordHangUp()
      _ = eventually { captured.output.ranges(of: words).count >= 2 }
      interruption.raise(System.interruptSignal)
    }
    captured.aacorn(
      ["studio", "--port", "0", "--folder", folder.path] + (isJSON ? ["--json"] : []))
    thread?.join()
    let codes = captured.output.matches(of: /code=([0-9a-f]{32})/).map { String($0.output.1) }
    #expect(Set(codes).count == 2, "\(captured.output)")
    if isJSON { captured.expectOutput(#"{"event":"address","time":"#) }
  }

  @Test func unwritableFolderIsReported() throws {
    let folder = asOrdinaryUser { TemporaryFolder() }
    try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: folder.path)
    let captured = asOrdinaryUser {
      Self.run(["--port", "0", "--folder", folder.path])
    }
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder.path)
    #expect(captured.output.hasPrefix("Studio: "))
    #expect(captured.errors.hasPrefix("aacorn: Warning: Nothing can be recorded, because the "))
    captured.expectErrors("is not writable: permission denied. ")
  }

  @Test func openAddressPrintsWarning() throws {
    let folder = TemporaryFolder()
    let captured = Self.run(
      ["--port", "0", "--folder", folder.path, "--bind", "0.0.0.0"])
    let lines = captured.output.split(separator: "\n").filter { $0.hasPrefix("Studio: ") }
    #expect(!lines.isEmpty)
    for line in lines {
      let parts = line.split(separator: "/?code=")
      #expect(parts.count == 2 && parts.last?.utf8.count == 32)
      #expect(!line.contains("0.0.0.0"))
    }
    captured.expectErrors("not encrypted", "play all recordings", "only at localhost")
  }

  @Test func programsGetJSON() throws {
    let folder = TemporaryFolder()
    let captured = Self.run(["--port", "0", "--folder", folder.path, "--json"])
    let lines = captured.output.split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines.first?.hasPrefix(#"{"event":"listening","time":""#) == true)
    #expect(lines.first?.contains(#""url":"http://localhost:"#) == true)
    #expect(lines.last?.hasPrefix(#"{"event":"stopped","time":""#) == true)
    #expect(lines.last?.contains(#""file":null"#) == true)
  }

  @Test func removedRecordingIsReportedAsMissing() throws {
    let folder = TemporaryFolder()
    let recording = StudioRecording(
      name: "a.m4a", duration: .seconds(61), byteCount: 1, gapCount: 2)
    let report = StudioReport(StudioShutdownResult(recording), folder: folder.path)
    let path = try folder.write([1], to: "a.m4a")
    #expect(report.message == "Saved \(path), 1:01, 2 gaps.")
    #expect(report.json.encoded.contains(#"/a.m4a","duration":61"#))
    #expect(report.json.encoded.contains(#""losses":[]"#) && report.exitStatus == .success)
    try FileManager.default.removeItem(atPath: path)
    #expect(report.message?.contains("another program has moved or deleted it") == true)
    #expect(report.json.encoded.contains(#""file":null,"duration":61"#))
    #expect(report.exitStatus == .endedEarly)
    // Information that is not available is omitted; here the folder is a file.
    let other = StudioReport(
      StudioShutdownResult(recording), folder: try folder.write([1], to: "file"))
    #expect(other.message?.hasPrefix("Saved ") == true)
    #expect(other.json.encoded.contains(#"/file/a.m4a","duration":61"#))
  }

  @Test func lossIsPrintedOnceAndYieldsEndedEarly() throws {
    let folder = TemporaryFolder()
    #expect(StudioReport(nil, folder: folder.path).exitStatus == .success)
    let path = folder.path("a-002.m4a")
    let losses = ["It was removed.", "It is there."]
    let ending = StudioShutdownResult(nil, pathElsewhere: path, losses: losses)
    let report = StudioReport(ending, folder: folder.path)
    #expect(report.exitStatus == .endedEarly && report.message == nil)
    let captured = CapturedConsole()
    report.print(in: captured.console, asJSON: true, exceptLosses: ["It was removed."])
    #expect(captured.errors == "aacorn: It is there.\n")
    captured.expectOutput("\"file\":\"\(path)\"", #""losses":["It was removed.","It is there."]"#)
  }

  @Test func abandonedChangesArePrintedAndYieldEndedEarly() throws {
    let folder = TemporaryFolder()
    let recording = StudioRecording(
      name: "a.m4a", duration: .seconds(61), byteCount: 1, gapCount: 0)
    let path = try folder.write([1], to: "a.m4a")
    let report = StudioReport(
      StudioShutdownResult(recording, losses: ["Changes were abandoned."]), folder: folder.path)
    #expect(report.exitStatus == .endedEarly)
    let captured = CapturedConsole()
    report.print(in: captured.console, asJSON: false)
    #expect(captured.errors == "aacorn: Changes were abandoned.\n")
    #expect(captured.output == "Saved \(path), 1:01.\n")
  }
}
