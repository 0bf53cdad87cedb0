import Foundation
import SoundRigs
import Testing

/// Commands for files and streams, with competing writers, full devices, unused pipes, and aliases
/// of their inputs.
@Suite struct FileMisfortuneProcessTests {
  private let folder: WorkFolder
  private let program: String

  init() throws {
    folder = try WorkFolder()
    program = try Program.aacorn.get().path
    #expect(try aacorn("encode", "-q", "--tone", "1", "-o", "u.m4a", in: folder).status == 0)
  }

  /// Runs a shell line in which `$A` is the command.
  private func shell(_ line: String) throws -> Program.Outcome {
    try Program.shell().run(["-c", "A='\(program)'; " + line], in: folder)
  }

  private func makeSamples() throws {
    #expect(try aacorn("decode", "-q", "u.m4a", "-o", "a.wav", in: folder).status == 0)
  }

  // MARK: - Results

  @Test(arguments: [
    "decode --json u.m4a -o v.wav", "cut --json u.m4a --start 0.2 -o v.m4a",
    "join --json u.m4a u.m4a -o v.m4a", "batch --json all.txt", "batch all.txt", "effects",
    "effects --json", "devices --backend synthetic", "devices --json --backend synthetic",
  ])
  func unprintableResultsAreAFailure(command: String) throws {
    try makeSamples()
    try folder.write(Array("a.wav\n".utf8), to: "all.txt")
    let outcome = try shell("$A \(command) > /dev/full")
    #expect(outcome.status == 4)
    #expect(outcome.errors.contains("Standard output could not be written: the disk is full."))
  }

  // MARK: - Files

  @Test(arguments: ["rm gone/x.m4a", ": > gone/x.m4a"])
  func lostSavedStreamContinuesInNewFile(misfortune: String) throws {
    try folder.write([], to: "gone/other")
    let run = try Program.aacorn.get().start(
      ["stream", "--json", "--device", "tone", "--save", "gone/x.m4a"], in: folder)
    // An empty file cannot be truncated.
    #expect(eventually { ((try? folder.read("gone/x.m4a")) ?? []).count > 2000 })
    #expect(try shell(misfortune).status == 0)
    #expect(eventually { (try? folder.read("gone/x-002.m4a")) != nil })
    run.interrupt()
    let outcome = try run.wait()
    #expect(outcome.status == 5, "\(outcome.errors)")
    #expect(outcome.text.contains("by another program while it was being written"))
    let last = try #require(outcome.text.split(separator: "\n").last)
    #expect(last.contains("\"error\":\"lost\",\"message\":\"“gone/x.m4a” was "), "\(last)")
    #expect(try aacorn("inspect", "gone/x-002.m4a", in: folder).status == 0)
  }

  @Test(arguments: [
    ["cut", "-f", "u.m4a", "--start", "0.2", "-o"], ["join", "-f", "u.m4a", "u.m4a", "-o"],
    ["stream", "-d", "1s", "--device", "tone", "--save"],
  ])
  func otherCommandsDoNotChangeActiveRecording(second: [String]) throws {
    try expectLocked("x.m4a", second + ["x.m4a"], status: 4)
  }

  @Test func decoderKeepsRecordingOfSamples() throws {
    try expectLocked("x.wav", ["decode", "-f", "u.m4a", "-o", "x.wav"], status: 4)
  }

  /// Only the line fails, and it can be retried.
  @Test func batchKeepsActiveRecording() throws {
    try makeSamples()
    try folder.write(Array("{\"input\": \"a.wav\", \"output\": \"x.m4a\"}\n".utf8), to: "all.txt")
    try expectLocked("x.m4a", ["batch", "-f", "--retries", "0", "all.txt"], status: 1)
  }

  /// Records into a file, runs a second command with this output, and expects the command to fail.
  private func expectLocked(_ file: String, _ second: [String], status: Int32) throws {
    let run = try Program.aacorn.get().start(
      ["record", "--json", "--device", "tone", file], in: folder)
    #expect(run.waitFor("\"started\""))
    let outcome = try Program.aacorn.get().run(second, in: folder)
    #expect(outcome.status == status, "\(outcome.errors)")
    #expect(
      outcome.errors.contains("being written by “aacorn record” (process \(run.identifier))"),
      "\(outcome.errors)")
    run.interrupt()
    #expect(try run.wait().status == 0)
    #expect(try folder.read(file).count > 40)
  }

  @Test(arguments: ["ln", "ln -s"])
  func outputWithOtherNameOfInputIsRejected(link: String) throws {
    #expect(try shell("cp u.m4a k.m4a; \(link) u.m4a l.m4a; \(link) u.m4a l.wav").status == 0)
    let bytes = try folder.read("u.m4a")
    for command in [
      "decode -f u.m4a -o l.wav", "cut -f u.m4a --start 0.2 -o l.m4a",
      "join -f k.m4a u.m4a -o l.m4a",
    ] {
      let outcome = try shell("$A \(command)")
      #expect(outcome.status == 4, "\(command)")
      #expect(outcome.errors.contains("is an input and cannot also be the output"), "\(command)")
      #expect(try folder.read("u.m4a") == bytes, "\(command)")
    }
  }

  @Test(arguments: [
    "record -d 300ms --device tone new.m4a", "encode --tone 1 -o new.m4a",
    "decode u.m4a -o new.wav", "cut u.m4a --start 0.2 -o new.m4a",
  ])
  func newFilesFollowUmask(command: String) throws {
    for (mask, permissions) in [("027", 0o640), ("077", 0o600)] {
      let outcome = try shell("umask \(mask); $A \(command)")
      #expect(outcome.status == 0, "\(outcome.errors)")
      let name = try #require(folder.names.first { $0.hasPrefix("new.") })
      let attributes = try FileManager.default.attributesOfItem(atPath: folder.path(name))
      #expect(attributes[.posixPermissions] as? Int == permissions, "\(mask)")
      try FileManager.default.removeItem(atPath: folder.path(name))
    }
  }

  // MARK: - Pipes

  @Test(arguments: [
    ["decode", "f.m4a", "-o", "v.wav"], ["decode", "u.m4a", "-o", "f.wav"],
    ["cut", "u.m4a", "--start", "0.2", "-o", "f.m4a"], ["join", "u.m4a", "u.m4a", "-o", "f.m4a"],
  ])
  func firstSignalEndsWaitForPipe(command: [String]) throws {
    for name in ["f.m4a", "f.wav"] { #expect(unsafe mkfifo(folder.path(name), 0o600) == 0) }
    let run = try Program.aacorn.get().start(command, in: folder)
    #expect(handlesSignals(run.identifier))
    run.terminate()
    let outcome = try run.wait()
    #expect(outcome.status == 143 && !outcome.wasKilled, "\(outcome.errors)")
  }

  /// These commands read their inputs more than once, so they reject a pipe instead of waiting.
  @Test(arguments: [
    ["cut", "f.m4a", "--start", "0.2", "-o", "v.m4a"], ["join", "f.m4a", "u.m4a", "-o", "v.m4a"],
  ])
  func cutAndJoinRejectPipes(command: [String]) throws {
    #expect(unsafe mkfifo(folder.path("f.m4a"), 0o600) == 0)
    let outcome = try Program.aacorn.get().run(command, in: folder)
    #expect(outcome.status == 1 && !outcome.wasKilled)
    #expect(outcome.errors.contains("“f.m4a” is not a regular file"), "\(outcome.errors)")
  }

  /// Waits until a process handles SIGTERM, which shows that it has started to wait.
  private func handlesSignals(_ process: Int32) -> Bool {
    eventually {
      let status = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
      let line = status?.split(separator: "\n").first { $0.hasPrefix("SigCgt:") }
      let mask = line.flatMap { UInt64($0.dropFirst(7).filter { !$0.isWhitespace }, radix: 16) }
      return (mask ?? 0) & 1 << UInt64(SIGTERM - 1) != 0
    }
  }
}
