import AacornSystem
import Foundation
import SoundRigs
import StreamRigs
import Testing

/// `aacorn studio`, run as a process, with a browser.
@Suite(.serialized) struct StudioProcessTests {
  let folder = WorkFolder()

  private func studio(
    _ arguments: [String] = [], hasToken: Bool = true,
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws -> StudioProgram {
    try StudioProgram(arguments, hasToken: hasToken, in: folder, environment: environment)
  }

  private struct End: Decodable {
    var file: String?
    var duration: Double?
    var bytes: Int?
    var gaps: Int?
  }

  private func end(of outcome: Program.Outcome) throws -> End {
    let line = try #require(outcome.text.split(separator: "\n").last)
    return try JSONDecoder().decode(End.self, from: Data(line.utf8))
  }

  @Test func askingForTheEndDuringARecordingLosesNothing() throws {
    let studio = try studio()
    let began = Date()
    try studio.record("format=m4a&name=talk&sampleRate=48000&channels=2")
    #expect(try studio.waitForState("\"phase\":\"recording\""))
    #expect(eventually { studio.seconds > 1 }, "Audio is recorded.")
    let recorded = studio.seconds
    studio.run.signal(SIGTERM)
    let outcome = try studio.run.wait()
    let elapsed = Date().timeIntervalSince(began)
    #expect(outcome.status == 0 && !outcome.wasKilled, "\(outcome.errors)")
    let end = try end(of: outcome)
    let file = try #require(end.file)
    #expect(file.hasSuffix("talk.m4a") && end.gaps == 0)
    let duration = try #require(end.duration)
    // At least the reported duration, and no more than the elapsed time.
    #expect(duration > recorded - 0.05 && duration < elapsed + 0.05)
    let bytes = try folder.read("talk.m4a")
    #expect(bytes.count == end.bytes)
    // All of the reported audio can be decoded.
    let decoded = try Program.ffmpeg().run(
      ["-nostdin", "-v", "error", "-i", "talk.m4a", "-f", "s16le", "-ac", "1", "-"],
      in: folder)
    #expect(decoded.status == 0 && decoded.errors.isEmpty, "\(decoded.errors)")
    let samples = decoded.output.count / 2
    #expect(abs(Double(samples) / 48_000 - duration) < 0.05)
    try folder.aacorn("inspect", "talk.m4a")
  }

  @Test func secondStudioUsesAnotherPort() throws {
    let arguments = ["studio", "--json", "--folder", "."]
    let runs = try (0..<2).map { _ in
      let run = try folder.start(arguments)
      #expect(run.waitFor("\"listening\""))
      return run
    }
    // The first studio gets the default port 4848, unless another program uses that port.
    #expect(runs[0].outputSoFar.contains("\"port\":4848") || runs[0].errorsSoFar.contains("4848"))
    #expect(!runs[1].outputSoFar.contains("\"port\":4848"))
    #expect(runs[1].waitForError("Port 4848 is in use"))
    try folder.aacorn("studio", "--port", "4848", "--folder", ".", status: 4, errors: "Port 4848")
    for run in runs {
      try run.end(SIGTERM)
    }
  }

  /// A studio that opens a browser, and the address that it passes.
  private func opened(
    _ arguments: [String], openerStatus: Int = 0
  ) throws -> (studio: StudioProgram, address: String) {
    let script =
      "#!/bin/sh\necho \"$@\" > part.txt && mv part.txt opened.txt\nexit \(openerStatus)\n"
    try folder.write(Array(script.utf8), to: "bin/xdg-open")
    #expect(unsafe chmod(folder.path("bin/xdg-open"), 0o755) == 0)
    var environment = ProcessInfo.processInfo.environment
    environment["PATH"] = folder.path("bin") + ":" + (environment["PATH"] ?? "/usr/bin:/bin")
    let studio = try studio(["--open"] + arguments, hasToken: false, environment: environment)
    #expect(eventually { folder.names.contains("opened.txt") }, "A browser is opened.")
    return (studio, String(decoding: try folder.read("opened.txt"), as: UTF8.self))
  }

  /// All users of the machine can see the arguments of a browser.
  @Test func browserOpensWithOneTimeCode() throws {
    let (studio, address) = try opened([])
    let start = "http://localhost:\(studio.port)"
    #expect(address.hasPrefix(start + "/?code=") && address != studio.url + "\n", "\(address)")
    let path = String(address.dropFirst(start.count).dropLast())
    let welcome = try studio.ask("GET", path)
    #expect(welcome.hasPrefix("HTTP/1.1 303"), "\(welcome)")
    let name = "aacorn-studio-\(studio.port)="
    let rest = try #require(welcome.split(separator: name).dropFirst().first)
    let token = rest.prefix { $0 != ";" }
    #expect(token.count == 32 && !path.contains(token) && !studio.url.contains(token))
    let response = try studio.ask("GET", path)
    #expect(response.hasPrefix("HTTP/1.1 401"), "\(response)")
    #expect(response.contains("one-time address") && !response.contains(token))
    let page = try studio.ask("GET", "/", header: "Cookie: \(name)\(token)")
    #expect(page.hasPrefix("HTTP/1.1 200") && page.contains("<!doctype html>"))
    _ = try studio.end()
  }

  /// The command line of the opener contains the code, and every user can read that.
  ///
  /// If the opener fails, the code must be invalid.
  @Test func codeOfUnopenedBrowserIsInvalid() throws {
    let (studio, address) = try opened([], openerStatus: 3)
    #expect(studio.run.waitForError("status 3"))
    let path = try #require(address.split(separator: "/").last).dropLast()
    #expect(path.hasPrefix("?code="), "\(address)")
    let response = try studio.ask("GET", "/\(path)")
    #expect(response.hasPrefix("HTTP/1.1 401"), "\(response)")
    #expect(try studio.end().errors.contains("Open the address above yourself."))
  }

  @Test func missingBrowserIsReportedWithoutFailure() throws {
    var environment = ProcessInfo.processInfo.environment
    environment["PATH"] = folder.path("bin")
    let studio = try studio(["--open"], environment: environment)
    #expect(studio.run.waitForError("There is no program"))
    #expect(try studio.end().errors.contains("Open the address above yourself."))
  }
}
