import Foundation
import SoundRigs
import Testing

/// The command with closed descriptors, full disks, competing writers and unused pipes.
@Suite struct FaultProcessTests {
  private let folder = WorkFolder()

  // MARK: - Descriptors

  @Test func closedStandardStreamsKeepRecordingIntact() throws {
    try folder.shell("$AACORN record --device tone -d 1s c.m4a <&- >&- 2>&-", status: 0)
    #expect(try folder.read("c.m4a").prefix(8).suffix(4) == Array("ftyp".utf8)[...])
    try folder.aacorn("inspect", "c.m4a")
  }

  /// `UnprintableResultTests` has the results of all commands.
  @Test func fullOrMissingOutputFailsOnlyForResults() throws {
    try folder.shell("$AACORN encode --tone 1 -o u.m4a >&-", status: 0)
    try folder.shell("$AACORN inspect u.m4a >&-", status: 4, errors: "started without one")
    let full = try folder.shell("$AACORN inspect u.m4a > /dev/full", status: 4)
    #expect(full.errors.contains("Standard output could not be written: the disk is full."))
    try folder.shell("$AACORN encode --tone 1 --format aac -o - > /dev/full", status: 4)
  }

  // MARK: - Files

  @Test func lostRecordingFails() throws {
    try folder.write([], to: "gone/other")
    let run = try folder.start(["record", "--json", "--device", "tone", "gone/x.m4a"])
    #expect(run.waitFor("\"started\""))
    // An empty file cannot be truncated.
    #expect(eventually { ((try? folder.read("gone/x.m4a")) ?? []).count > 2000 })
    try run.whileStopped { try FileManager.default.removeItem(atPath: folder.path("gone")) }
    #expect(run.waitFor("\"output-lost\""))
    let outcome = try run.end(SIGINT, status: 5)
    let last = try #require(outcome.text.split(separator: "\n").last)
    #expect(last.contains("\"status\":\"error\"") && last.contains("\"error\":\"lost\""))
    try folder.aacorn("inspect", "x-002.m4a")
  }

  @Test func otherCommandsDoNotChangeActiveRecording() throws {
    try folder.aacorn("encode", "-q", "--tone", "1", "-o", "u.m4a")
    try folder.aacorn("decode", "-q", "u.m4a", "-o", "a.wav")
    try folder.write((#"{"input": "a.wav", "output": "x.m4a"}"# + "\n").utf8, to: "all.txt")
    let runs = try ["x.m4a", "x.wav"].map {
      try folder.start(["record", "--json", "--device", "tone", $0])
    }
    for run in runs { #expect(run.waitFor("\"started\"")) }
    for command in [
      "record --device tone -d 1s x.m4a", "record -f --device tone -d 1s x.m4a",
      "stream -d 1s --device tone --save x.m4a", "encode -f --tone 1 -o x.m4a",
      "repair --in-place x.m4a", "repair x.m4a", "repair --check x.m4a",
      "cut -f u.m4a --start 0.2 -o x.m4a", "join -f u.m4a u.m4a -o x.m4a",
      "decode -f u.m4a -o x.wav", "batch -f --retries 0 all.txt",
    ] {
      // In a batch only the line fails, and it can be retried.
      let outcome = try folder.aacorn(
        command.split(separator: " ").map(String.init), status: command.hasPrefix("batch") ? 1 : 4)
      let process = runs[command.hasSuffix("wav") ? 1 : 0].identifier
      #expect(
        outcome.errors.contains("being written by “aacorn record” (process \(process))"),
        "\(command): \(outcome.errors)")
    }
    for run in runs {
      try run.end(SIGINT)
    }
    try folder.aacorn("inspect", "x.m4a")
    #expect(try folder.read("x.wav").count > 40)
    #expect(folder.names.filter { $0.hasSuffix("m4a") } == ["u.m4a", "x.m4a"])
  }

  @Test(arguments: [("027", 0o640), ("077", 0o600)])
  func newFilesFollowUmask(mask: String, permissions: Int) throws {
    try folder.aacorn("encode", "-q", "--tone", "1", "-o", "u.m4a")
    let commands = [
      "record -d 300ms --device tone 1.m4a", "encode --tone 1 -o 2.m4a", "decode u.m4a -o 3.wav",
      "cut u.m4a --start 0.2 -o 4.m4a",
    ]
    for command in commands { try folder.shell("umask \(mask); $AACORN \(command)", status: 0) }
    for name in ["1.m4a", "2.m4a", "3.wav", "4.m4a"] {
      let attributes = try FileManager.default.attributesOfItem(atPath: folder.path(name))
      #expect(attributes[.posixPermissions] as? Int == permissions, "\(name)")
    }
  }

  // MARK: - Pipes

  @Test(arguments: [
    "record -d 1s --device tone f.m4a", "encode --tone 1 -o f.m4a", "inspect f.m4a",
    "stream -d 1s --device tone --save f.m4a", "decode f.m4a -o v.wav", "decode u.m4a -o f.wav",
    "cut u.m4a --start 0.2 -o f.m4a", "join u.m4a u.m4a -o f.m4a",
  ])
  func firstSignalEndsWaitForPipe(command: String) throws {
    if command.contains("u.m4a") { try folder.aacorn("encode", "-q", "--tone", "1", "-o", "u.m4a") }
    for name in ["f.m4a", "f.wav"] { folder.makePipe(name) }
    let run = try folder.start(command.split(separator: " ").map(String.init))
    #expect(run.waitForHandler(of: SIGTERM))
    try run.end(SIGTERM, status: 143)
  }

  /// Records into a pipe without a reader, until two seconds of audio are queued.
  private func recordIntoAFullPipe(
    _ arguments: String
  ) throws -> (run: Program.Run, pipe: Int32) {
    folder.makePipe("f")
    // With this open mode neither end waits for the other.
    let pipe = unsafe open(folder.path("f"), O_RDWR | O_NONBLOCK)
    #expect(pipe >= 0)
    let program = try Program.aacorn.get().path
    let run = try Program.shell().start(
      ["-c", "exec '\(program)' record --json --levels \(arguments) -o - > f"], in: folder)
    // After the pipe is full, each level event means another 0.1 s of queued audio.
    #expect(eventually { isFull(pipe) })
    let count = levelCount(run)
    #expect(eventually { levelCount(run) >= count + 20 })
    return (run, pipe)
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
    let report = try #require(StreamProgram.events(in: outcome.errors).last)
    #expect(report["status"] as? String == "ok" && report["unsavedSamples"] as? Int == 0)
    // The counter increases by 7 from frame to frame.
    let start = try #require(bytes.firstRange(of: Array("data".utf8))).upperBound + 4
    let values = stride(from: start, to: bytes.count - 3, by: 4).map {
      UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8
    }
    let isConsecutive = zip(values, values.dropFirst()).allSatisfy { $1 == $0 &+ 7 }
    #expect(isConsecutive)
    #expect(values.count == report["samples"] as? Int)
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

  @Test func aPipeIsReadFromItsFirstWriterOn() throws {
    folder.makePipe("f.aac")
    let reader = try folder.start(["inspect", "--json", "f.aac"])
    #expect(reader.waitForHandler(of: SIGTERM))
    try folder.aacorn("encode", "-q", "--tone", "1", "-o", "f.aac")
    let outcome = try reader.wait()
    #expect(outcome.status == 0)
    #expect(outcome.text.contains("\"faults\""))
  }
}
