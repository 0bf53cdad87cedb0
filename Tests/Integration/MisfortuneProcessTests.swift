import Foundation
import SoundRigs
import Testing

/// The command with closed descriptors, full disks, competing writers and unused pipes.
@Suite struct MisfortuneProcessTests {
  private let folder: WorkFolder
  private let program: String

  init() throws {
    folder = try WorkFolder()
    program = try Program.aacorn.get().path
  }

  /// Runs a shell line in which `$A` is the command.
  private func shell(_ line: String) throws -> Program.Outcome {
    try Program.shell().run(["-c", "A='\(program)'; " + line], in: folder)
  }

  // MARK: - Descriptors

  @Test func closedStandardStreamsKeepRecordingIntact() throws {
    let outcome = try shell("$A record --device tone -d 1s c.m4a <&- >&- 2>&-")
    #expect(outcome.status == 0)
    #expect(try folder.read("c.m4a").prefix(8).suffix(4) == Array("ftyp".utf8)[...])
    #expect(try aacorn("inspect", "c.m4a", in: folder).status == 0)
  }

  @Test(arguments: [
    "inspect u.m4a", "inspect --json --frames u.m4a", "encode --json -f --tone 1 -o v.m4a",
    "record --json -f -d 300ms --device tone w.m4a", "repair --json u.m4a", "help", "--version",
    "completions bash", "encode -f --tone 1 -o v.m4a",
    "stream --json -d 300ms --device tone --save s.m4a",
  ])
  func unprintableResultsAreAFailure(command: String) throws {
    #expect(try aacorn("encode", "-q", "--tone", "1", "-o", "u.m4a", in: folder).status == 0)
    let outcome = try shell("$A \(command) > /dev/full")
    #expect(outcome.status == 4)
    #expect(outcome.errors.contains("Standard output could not be written: the disk is full."))
  }

  @Test func closedStandardOutputFailsOnlyForResults() throws {
    #expect(try shell("$A encode --tone 1 -o u.m4a >&-").status == 0)
    #expect(try shell("$A repair --check u.m4a >&-").status == 4)
    let outcome = try shell("$A inspect u.m4a >&-")
    #expect(outcome.status == 4)
    #expect(outcome.errors.contains("started without one"))
  }

  // MARK: - Files

  @Test(arguments: ["rm -r gone", "rm gone/x.m4a", ": > gone/x.m4a"])
  func lostRecordingFails(misfortune: String) throws {
    try folder.write([], to: "gone/other")
    let run = try Program.aacorn.get().start(
      ["record", "--json", "--device", "tone", "gone/x.m4a"], in: folder)
    #expect(run.waitFor("\"started\""))
    // An empty file cannot be truncated.
    #expect(eventually { ((try? folder.read("gone/x.m4a")) ?? []).count > 2000 })
    try run.whileStopped {
      let outcome = try shell(misfortune)
      #expect(outcome.status == 0, "\(outcome.errors)")
    }
    #expect(run.waitFor("\"output-lost\""))
    run.interrupt()
    let outcome = try run.wait()
    #expect(outcome.status == 5)
    let last = try #require(outcome.text.split(separator: "\n").last)
    #expect(last.contains("\"status\":\"error\"") && last.contains("\"error\":\"lost\""))
    let kept = misfortune.contains("-r") ? "x-002.m4a" : "gone/x-002.m4a"
    #expect(try aacorn("inspect", kept, in: folder).status == 0)
  }

  @Test func movedCompletePartIsOnlyReported() throws {
    let (outcome, report) = try split { "mkdir away; mv \($0) away" }
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.text.contains("\"outputs-away\"") && !outcome.text.contains("\"output-lost\""))
    #expect(report["status"] as? String == "ok")
    // The report lists exactly the files that exist.
    #expect(files(report) == folder.names.filter { $0 != "away" })
  }

  @Test func changedCompletePartFails() throws {
    let (outcome, report) = try split { "echo >> \($0)" }
    #expect(outcome.status == 5, "\(outcome.errors)")
    #expect(outcome.text.contains("\"output-lost\"") && !outcome.text.contains("\"outputs-away\""))
    #expect(report["status"] as? String == "error" && report["error"] as? String == "lost")
    #expect(files(report) == Array(folder.names.dropFirst()))
  }

  private func files(_ report: [String: Any]) -> [String] {
    let files = report["files"] as? [[String: Any]] ?? []
    return files.compactMap { $0["file"] as? String }.sorted()
  }

  /// Records in parts and damages the first part.
  ///
  /// Returns the outcome and the last JSON object.
  private func split(
    _ misfortune: (String) -> String
  ) throws -> (outcome: Program.Outcome, report: [String: Any]) {
    let run = try Program.aacorn.get().start(
      ["record", "--json", "--split", "1s", "--device", "tone", "x.m4a"], in: folder)
    #expect(run.waitFor("\"closed\""))
    let first = try #require(folder.names.first)
    #expect(try shell(misfortune(first)).status == 0)
    let count = closedCount(run)
    #expect(eventually { closedCount(run) > count })
    run.interrupt()
    let outcome = try run.wait()
    return (outcome, try lastObject(of: outcome.text))
  }

  /// The last JSON object in the lines.
  private func lastObject(of lines: String) throws -> [String: Any] {
    let last = try #require(lines.split(separator: "\n").last)
    let object = try JSONSerialization.jsonObject(with: Data(last.utf8))
    return try #require(object as? [String: Any])
  }

  private func closedCount(_ run: Program.Run) -> Int {
    run.outputSoFar.components(separatedBy: "\"closed\"").count - 1
  }

  /// The batch receives the lines one by one.
  ///
  /// The ledger is damaged after the first line or after the last.
  @Test(arguments: ["rm l", ": > l", "cp l k; mv k l"], [true, false])
  func lostLedgerFails(misfortune: String, isLast: Bool) throws {
    #expect(try aacorn("encode", "-q", "--tone", "1", "-o", "a.m4a", in: folder).status == 0)
    #expect(try aacorn("decode", "-q", "a.m4a", "-o", "a.wav", in: folder).status == 0)
    try folder.write(try folder.read("a.wav"), to: "b.wav")
    let rest = isLast ? ":" : "echo b.wav"
    let outcome = try shell(
      "rm a.m4a; { echo a.wav; for i in $(seq 2400); do grep -q a.wav l && break; sleep 0.05; done;"
        + " \(misfortune); \(rest); }"
        + " 2> /dev/null | $A batch - --ledger l")
    #expect(outcome.status == 4, "\(outcome.errors)")
    #expect(outcome.errors.contains("by another program during the run"), "\(outcome.errors)")
    #expect(!outcome.text.contains("The results of the lines"))
    #expect(!((try? folder.read("l")) ?? []).contains(0))
  }

  @Test(arguments: [
    ["record", "--device", "tone", "-d", "1s"], ["record", "-f", "--device", "tone", "-d", "1s"],
    ["encode", "-f", "--tone", "1", "-o"], ["repair", "--in-place"], ["repair"],
    ["repair", "--check"],
  ])
  func otherCommandsDoNotChangeActiveRecording(second: [String]) throws {
    let run = try Program.aacorn.get().start(
      ["record", "--json", "--device", "tone", "x.m4a"], in: folder)
    #expect(run.waitFor("\"started\""))
    let outcome = try Program.aacorn.get().run(second + ["x.m4a"], in: folder)
    #expect(outcome.status == 4)
    #expect(
      outcome.errors.contains("being written by “aacorn record” (process \(run.identifier))"),
      "\(outcome.errors)")
    run.interrupt()
    #expect(try run.wait().status == 0)
    #expect(try aacorn("inspect", "x.m4a", in: folder).status == 0)
    #expect(folder.names == ["x.m4a"])
  }

  // MARK: - Pipes

  @Test(arguments: [
    ["record", "-d", "1s", "--device", "tone"], ["encode", "--tone", "1", "-o"], ["inspect"],
    ["stream", "-d", "1s", "--device", "tone", "--save"],
  ])
  func firstSignalEndsWaitForPipe(command: [String]) throws {
    #expect(unsafe mkfifo(folder.path("f.m4a"), 0o600) == 0)
    let run = try Program.aacorn.get().start(command + ["f.m4a"], in: folder)
    #expect(waits(run.identifier))
    run.terminate()
    let outcome = try run.wait()
    #expect(outcome.status == 143 && !outcome.wasKilled, "\(outcome.errors)")
  }

  /// Records into a pipe without a reader, until two seconds of audio are queued.
  private func recordIntoAFullPipe(
    _ arguments: String
  ) throws -> (run: Program.Run, pipe: Int32) {
    #expect(unsafe mkfifo(folder.path("f"), 0o600) == 0)
    // With this open mode neither end waits for the other.
    let pipe = unsafe open(folder.path("f"), O_RDWR | O_NONBLOCK)
    #expect(pipe >= 0)
    let run = try Program.shell().start(
      ["-c", "exec '\(program)' record --json --levels \(arguments) -o - > f"], in: folder)
    // After the pipe is full, each level event means another 0.1 s of queued audio.
    #expect(eventually { isFull(pipe) })
    let count = levelCount(run)
    #expect(eventually { levelCount(run) >= count + 20 })
    return (run, pipe)
  }

  /// The limit of ten seconds starts after the last data that the pipe accepts.
  ///
  /// After the signal, the pipe still accepts a little data.
  @Test(arguments: [("wav", SIGINT), ("aac -b 256k", SIGTERM)])
  func signalEndsRecordingIntoStalledPipeAfterTenSeconds(
    format: String, signal: Int32
  ) throws {
    let (run, pipe) = try recordIntoAFullPipe("--device tone --format \(format)")
    defer { close(pipe) }
    let clock = ContinuousClock()
    let start = clock.now
    run.signal(signal)
    var bytes = [UInt8](repeating: 0, count: 4096)
    #expect(unsafe read(pipe, &bytes, bytes.count) > 0)
    let outcome = try run.wait()
    let elapsed = clock.now - start
    #expect(!outcome.wasKilled && outcome.status == 4, "\(outcome.errors)")
    #expect(elapsed > .seconds(9), "\(elapsed)")
    let report = try lastObject(of: outcome.errors)
    #expect(report["error"] as? String == "too-slow" && files(report).isEmpty)
    // A small part of the waiting audio was written. The report counts the remainder.
    let rate = try #require(report["sampleRate"] as? Int)
    let samples = try #require(report["samples"] as? Int)
    let unsaved = try #require(report["unsavedSamples"] as? Int)
    #expect(unsaved >= rate && unsaved < samples, "\(outcome.errors)")
    let message = report["message"] as? String
    #expect(message?.hasSuffix(" of sound could not be saved.") == true, "\(outcome.errors)")
  }

  /// Two signals within 0.25 s count as one.
  @Test(arguments: [SIGINT, SIGTERM])
  func secondSignalEndsRecordingIntoStalledPipeImmediately(signal: Int32) throws {
    let (run, pipe) = try recordIntoAFullPipe("--device tone --format wav")
    defer { close(pipe) }
    let hasEnded = eventually {
      if run.isRunning { run.signal(signal) }
      return !run.isRunning
    }
    let outcome = try run.wait()
    #expect(hasEnded && outcome.status == 128 + signal, "\(outcome.errors)")
  }

  /// The recording continues while the reader stalls, and the reader receives everything later.
  @Test func stalledReaderMissesNothing() throws {
    let (run, pipe) = try recordIntoAFullPipe(
      "--device counter --rate 48000 --channels 2 --format wav")
    defer { close(pipe) }
    var bytes: [UInt8] = []
    // Read more than the pipe and the queue hold.
    let hasCome = eventually {
      bytes += contents(of: pipe)
      return bytes.count > 4 * 48_000 * 4
    }
    #expect(hasCome, "\(bytes.count)")
    run.interrupt()
    let hasEnded = eventually {
      bytes += contents(of: pipe)
      return !run.isRunning
    }
    let outcome = try run.wait()
    bytes += contents(of: pipe)
    #expect(hasEnded && outcome.status == 0, "\(outcome.errors)")
    let report = try lastObject(of: outcome.errors)
    #expect(report["status"] as? String == "ok" && report["unsavedSamples"] as? Int == 0)
    let recorded = try Recorded(wav: bytes, events: outcome.errors, rate: 48_000, channels: 2)
    #expect(recorded.stretches.count == 1, "\(recorded.gaps)")
    #expect(recorded.stretches.first?.count == recorded.frameCount)
    #expect(recorded.frameCount == report["samples"] as? Int)
  }

  /// The content of a pipe, read without waiting.
  private func contents(of pipe: Int32) -> [UInt8] {
    var contents: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = unsafe read(pipe, &block, block.count)
      if count <= 0 { return contents }
      contents += block.prefix(count)
    }
  }

  /// Whether a pipe is full.
  private func isFull(_ pipe: Int32) -> Bool {
    var state = pollfd(fd: pipe, events: Int16(POLLOUT), revents: 0)
    return unsafe poll(&state, 1, 0) == 0
  }

  private func levelCount(_ run: Program.Run) -> Int {
    run.errorsSoFar.components(separatedBy: "\"level\"").count - 1
  }

  /// Waits until a process handles SIGTERM, which shows that it has started to wait.
  private func waits(_ process: Int32) -> Bool {
    eventually {
      let status = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
      let line = status?.split(separator: "\n").first { $0.hasPrefix("SigCgt:") }
      let mask = line.flatMap { UInt64($0.dropFirst(7).filter { !$0.isWhitespace }, radix: 16) }
      return (mask ?? 0) & 1 << UInt64(SIGTERM - 1) != 0
    }
  }

  @Test func aPipeIsReadFromItsFirstWriterOn() throws {
    #expect(unsafe mkfifo(folder.path("f.aac"), 0o600) == 0)
    let reader = try Program.aacorn.get().start(["inspect", "--json", "f.aac"], in: folder)
    #expect(waits(reader.identifier))
    #expect(try aacorn("encode", "-q", "--tone", "1", "-o", "f.aac", in: folder).status == 0)
    let outcome = try reader.wait()
    #expect(outcome.status == 0)
    #expect(outcome.text.contains("\"faults\""))
  }
}
