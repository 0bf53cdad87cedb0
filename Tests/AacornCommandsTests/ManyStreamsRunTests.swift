import AacornRecording
import AacornStreaming
import AacornSystem
import SoundRigs
import Testing

@testable import AacornCommands

/// Many streams run by the command, with built-in sounds and without a server.
@Suite struct ManyStreamsRunTests {
  private let folder = TemporaryFolder()
  private let captured = CapturedConsole()

  private func write(_ text: String) throws {
    try folder.write(text, to: "a.conf")
  }

  private func run(_ arguments: String...) -> AacornCommands.ExitStatus {
    captured.run(["stream", "--config", folder.path("a.conf")] + arguments)
  }

  /// Runs the command on a separate thread.
  private func start(_ arguments: String...) -> Lock<AacornCommands.ExitStatus?> {
    let status = Lock<AacornCommands.ExitStatus?>(nil)
    let path = folder.path("a.conf")
    let captured = captured
    _ = System.startThread {
      let outcome = captured.run(["stream", "--config", path, "--json"] + arguments)
      status.withLock { $0 = outcome }
    }
    return status
  }

  /// The output lines about a stream.
  private func lines(_ stream: String, _ words: String...) -> [Substring] {
    captured.output.split(separator: "\n").filter { line in
      line.contains("\"stream\":\"\(stream)\"") && words.allSatisfy { line.contains($0) }
    }
  }

  /// Waits until the output of a stream has become live.
  private func isLive(_ stream: String, times: Int = 1) -> Bool {
    eventually { lines(stream, #""event":"output""#, #""state":"live""#).count >= times }
  }

  /// Stops the command, and returns its exit status.
  private func stop(_ status: Lock<AacornCommands.ExitStatus?>) -> AacornCommands.ExitStatus? {
    captured.interruption.raise(System.terminateSignal)
    _ = eventually { status.withLock { $0 != nil } }
    return status.withLock(\.self)
  }

  @Test func checkOptionPrintsJSON() throws {
    try write("[one]\ndevice = tone\n[two]\nloop = yes\nsave = b.m4a\n")
    #expect(run("--check", "--json") == .usage)
    #expect(captured.errors.isEmpty)
    captured.expectOutput(#""line":3,"stream":"two","message":"Only a file can be looped with"#)
  }

  @Test func invalidListStartsNoStream() throws {
    try write(
      "[good]\ndevice = tone\nsave = \(folder.path("a.m4a"))\n[bad]\ndevice = tone\n")
    #expect(run() == .usage)
    #expect(folder.names == ["a.conf"])
  }

  @Test func allRunToTheirEnds() throws {
    try write(
      """
      device = tone
      unpaced = yes
      duration = 2
      save = \(folder.path)/{stream}.m4a
      [one]
      [two]
      duration = 3
      """)
    #expect(run("--json") == .success, "\(captured.errors)")
    #expect(folder.names == ["a.conf", "one.m4a", "two.m4a"])
    for name in ["one", "two"] {
      #expect(lines(name, #""event":"stream""#, #""state":"running""#).count == 1)
      #expect(lines(name, #""event":"stream""#, #""state":"ended","code":0"#).count == 1)
      #expect(lines(name, #"{"event":"stopped""#, #""status":"ok""#).count == 1)
      #expect(lines(name, #"{"event":"output""#, #""state":"live""#).count == 1)
    }
    // Existing files are never replaced.
    #expect(run("--json") == .success)
    #expect(
      folder.names == ["a.conf", "one-002.m4a", "one.m4a", "two-002.m4a", "two.m4a"])
    let people = CapturedConsole(running: ["stream", "--config", folder.path("a.conf")])
    people.expectErrors("aacorn: one: save (\(folder.path("one-003.m4a"))): started.")
    people.expectOutput("two: \(folder.path("two-003.m4a")): 0:03.0, ")
    people.expectErrors("aacorn: one: ended.")
  }

  @Test func aStreamThatFailsIsTriedAgainAndLeavesTheOthersAlone() throws {
    try write(
      """
      device = tone
      [good]
      save = \(folder.path)/good.aac
      [bad]
      device = file:\(folder.path)/later.wav
      save = \(folder.path)/bad.aac
      [never]
      device = file:\(folder.path)/later.wav
      save = \(folder.path)/never.aac
      restart = never
      """)
    let status = start()
    #expect(
      eventually { !lines("bad", #""state":"waiting","code":3,"delayMilliseconds":"#).isEmpty })
    #expect(eventually { !lines("never", #""state":"failed","code":3"#).isEmpty })
    #expect(isLive("good"))
    try folder.write(wavFile(frames: 44_100 * 60), to: "later.wav")
    #expect(isLive("bad"))
    // One of the streams has failed permanently.
    #expect(stop(status) == .failed)
    #expect(lines("good", #"{"event":"stopped""#, #""gaps":0"#).count == 1)
    #expect(lines("good", #""event":"stream""#, #""state":"running""#).count == 1)
    #expect(lines("good", #""state":"stopped","code":0"#).count == 1)
  }

  @Test func aFileThatIsReadAgainChangesOnlyWhatItSays() throws {
    let base = "device = tone\nsave = \(folder.path)/{stream}.aac\n"
    try write(base + "[same]\n[changed]\n[gone]\n")
    let status = start()
    for name in ["same", "changed", "gone"] {
      #expect(isLive(name))
    }
    // A file with errors changes nothing.
    try write(base + "[same]\nbitrate = none\n")
    captured.interruption.recordHangUp()
    #expect(eventually { captured.output.contains(#"{"event":"reload-refused""#) })
    captured.expectOutput(#""line":4,"stream":"same","message":"#)

    try write(base + "[new]\n[changed]\nbitrate = 64k\n[same]\n")
    captured.interruption.recordHangUp()
    let expected = #""new":["new"],"changed":["changed"],"gone":["gone"],"unchanged":1}"#
    #expect(eventually { captured.output.contains(expected) })
    #expect(isLive("new"))
    #expect(isLive("changed", times: 2))
    #expect(eventually { !lines("gone", #""state":"stopped","code":0"#).isEmpty })
    #expect(stop(status) == .success)
    #expect(lines("same", #"{"event":"stopped""#).count == 1)
    #expect(lines("same", #"{"event":"stopped""#, #""gaps":0"#).count == 1)
    #expect(lines("changed", #"{"event":"stopped""#).count == 2)
    #expect(
      folder.names == [
        "a.conf", "changed-002.aac", "changed.aac", "gone.aac", "new.aac", "same.aac",
      ])
  }

  @Test func outputMovesFromOneStreamToAnother() throws {
    let hls = folder.path("hls")
    func text(_ name: String) -> String {
      "[\(name)]\ndevice = tone\nhls = \(hls)\nhls-segment = 500ms\n"
    }
    try write(text("old"))
    let status = start()
    #expect(isLive("old"))
    try write(text("new"))
    captured.interruption.recordHangUp()
    #expect(isLive("new"))
    #expect(stop(status) != nil)
    // The two streams never used the folder at the same time.
    #expect(lines("new", #""state":"waiting""#).isEmpty, "\(captured.output)")
  }

  @Test func aHangUpBeforeTheStartReadsTheFileOnceMore() throws {
    try write("[one]\ndevice = tone\nsave = \(folder.path)/one.aac\n")
    captured.interruption.recordHangUp()
    let status = start()
    #expect(eventually { captured.output.contains(#""gone":[],"unchanged":1}"#) })
    #expect(isLive("one"))
    #expect(stop(status) == .success)
    #expect(lines("one", #"{"event":"stopped""#).count == 1)
  }

  @Test func stopDuringRestartDelaySucceeds() throws {
    try write("[bad]\nfile = \(folder.path)/later.wav\nsave = \(folder.path)/bad.aac\n")
    let status = start()
    #expect(eventually { !lines("bad", #""state":"waiting","code":3"#).isEmpty })
    #expect(stop(status) == .success)
    #expect(lines("bad", #""state":"stopped","code":0"#).count == 1)
  }
}
