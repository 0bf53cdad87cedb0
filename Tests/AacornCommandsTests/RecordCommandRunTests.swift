import AacornSystem
import SoundRigs
import Testing

@testable import AacornCommands

/// Recordings of built-in sounds, run by the command.
@Suite struct RecordCommandRunTests {
  private let folder = TemporaryFolder()
  private let captured = CapturedConsole()

  /// Runs a recording, and performs an action once the first file exists.
  private func run(
    _ arguments: [String], _ action: @escaping @Sendable (Interruption) -> Void
  ) -> AacornCommands.ExitStatus {
    let captured = captured
    let thread = WorkerThread {
      _ = eventually { captured.errors.contains("Recording into") }
      action(captured.interruption)
    }
    defer { thread?.join() }
    return captured.run(arguments)
  }

  @Test(arguments: ["m4a", "aac", "wav", "caf"])
  func everyFormatHoldsWhatWasAskedFor(format: String) throws {
    let path = folder.path("a." + format)
    captured.aacorn("record", path, "--device", "tone", "--unpaced", "-d", "2.5", "--channels", "1")
    captured.expectOutput("a.\(format): 0:02.5, ")
    #expect(captured.output.hasSuffix(", no gaps\n"))
    #expect(captured.errors == "aacorn: Recording into “\(path)”.\n")
    #expect(folder.names == ["a." + format])
  }

  @Test func recordedFileIsIntactAndHasExactLength() throws {
    let path = folder.path("a.m4a")
    captured.aacorn("record", path, "--device", "speech", "--unpaced", "-d", "3", "-q")
    #expect(captured.output.isEmpty)
    #expect(captured.errors.isEmpty)
    captured.aacorn("inspect", "--json", path, output: #""samples":144000,"#, #""faults":[]"#)
  }

  @Test func onlyARequestedCompactCopyIsMissedWhereNoneIsPossible() {
    let path = "/dev/null"
    let arguments = [
      "record", path, "--format", "m4a", "--device", "tone", "--unpaced", "-d", "1",
    ]
    captured.aacorn(arguments)
    #expect(captured.errors == "aacorn: Recording into “\(path)”.\n")
    captured.aacorn(arguments + ["--finish", "compact"])
    captured.expectErrors(
      "“\(path)” is complete, but not compact: what was written there cannot be replaced by a copy",
      "“aacorn cut FILE -o OUT.m4a” makes a compact copy")
  }

  @Test func aFileIsPlayedToItsEnd() throws {
    let input = try folder.write(wavFile(frames: 30_000), to: "in.wav")
    let path = folder.path("out.wav")
    captured.aacorn("record", path, "--device", "file:" + input, "--unpaced")
    let before = try folder.read("in.wav").suffix(120_000)
    #expect(try folder.read("out.wav").suffix(120_000) == before)
  }

  @Test func aSplitRecordingHasNumberedFilesThatAddUp() throws {
    captured.aacorn(
      "record", folder.path("a.wav"), "--split", "1s", "-d", "2.5", "--device", "sweep", "--unpaced"
    )
    #expect(folder.names == ["a-001.wav", "a-002.wav", "a-003.wav"])
    let lines = captured.output.split(separator: "\n").map(String.init)
    #expect(lines.count == 4)
    #expect(lines[0].hasPrefix("loudness: -") && lines[0].contains(" LUFS, true peak -"))
    #expect(lines[3].contains("a-003.wav: 0:00.5, "))
  }

  @Test func jsonIsALineForEveryEvent() throws {
    let path = folder.path("a.m4a")
    let status = captured.run(
      ["record", path, "--device", "tone", "--unpaced", "-d", "1", "--rate", "48000", "--json"])
    #expect(status == .success)
    #expect(captured.errors.isEmpty)
    let lines = captured.output.split(separator: "\n").map(String.init)
    #expect(lines.allSatisfy { $0.hasPrefix(#"{"event":""#) && $0.hasSuffix("}") })
    #expect(lines.first?.hasPrefix(#"{"event":"started","time":""#) == true)
    #expect(lines.first?.contains(#""id":"tone""#) == true)
    #expect(lines.dropFirst().first?.hasPrefix(#"{"event":"opened""#) == true)
    #expect(lines.last?.hasPrefix(#"{"event":"stopped""#) == true)
    #expect(lines.last?.contains(#""status":"ok","error":null,"message":null,"#) == true)
    #expect(lines.last?.contains(#""samples":48000,"duration":1.000000,"gaps":0,"#) == true)
    #expect(lines.last?.contains(#","loudness":-"#) == true)
    #expect(lines.last?.contains(#","loudnessRange":null,"truePeak":-"#) == true)
    let closed = lines.first { $0.hasPrefix(#"{"event":"closed""#) }
    #expect(closed?.contains("\"file\":\"\(path)\",\"samples\":48000,") == true)
  }

  @Test func aFailureIsALineOfJSONToo() throws {
    let path = try folder.write([1], to: "a.m4a")
    let status = captured.run(
      ["record", path, "--device", "tone", "--unpaced", "-d", "1", "--json"])
    #expect(status == .cannotWrite)
    captured.expectOutput(#""event":"stopped""#, #""status":"error","error":"exists""#)
    #expect(captured.errors.isEmpty)
  }

  @Test func aSignalEndsTheRecordingWithSuccess() throws {
    let path = folder.path("a.m4a")
    let status = run(["record", path, "--device", "tone"]) {
      $0.raise(System.interruptSignal)
    }
    #expect(status == .success)
    #expect(captured.interruption.signal == nil)
    captured.expectOutput("a.m4a: 0:")
    captured.aacorn("inspect", path)
  }

  @Test func aHangUpBeginsANewFile() throws {
    let path = folder.path("a.aac")
    let captured = captured
    let status = run(["record", path, "--device", "tone"]) {
      $0.recordHangUp()
      _ = eventually { captured.errors.contains("a-002.aac") }
      $0.raise(System.terminateSignal)
    }
    #expect(status == .success)
    #expect(folder.names == ["a-002.aac", "a.aac"])
    captured.expectErrors("Recording into “\(folder.path("a-002.aac"))”.")
  }

  @Test func closedReaderEndsRecording() throws {
    let path = folder.path("a.m4a")
    let status = run(["record", path, "--device", "tone"]) {
      $0.raise(System.pipeSignal)
    }
    #expect(status.code == 141)
    #expect(CapturedConsole().run(["inspect", path]) == .success)
  }

  @Test func verboseOptionReportsChosenSystem() throws {
    let path = folder.path("a.wav")
    captured.aacorn("record", path, "--device", "tone", "--unpaced", "-d", "1", "--verbose")
    captured.expectErrors("The sound system is the built-in source.")
    captured.expectErrors("The program generates the audio.", "flushed to disk twice a second")
    captured.expectErrors("(2 channels, 48 kHz) since ")
  }

  @Test func lossOnTheWayIsWarnedOf() throws {
    let input = try folder.write(wavFile(frames: 30_000, channels: 4, rate: 47_000), to: "in.wav")
    captured.aacorn("record", folder.path("a.wav"), "--device", "file:" + input, "--unpaced")
    captured.expectErrors("Warning: The audio is converted from 47 kHz to 48 kHz.")
    captured.expectErrors("Warning: The device has 4 channels, the recording has 2.")
    let chosen = CapturedConsole()
    let arguments = [
      "--rate", "44100", "--channels", "2", "--device", "file:" + input, "--unpaced",
    ]
    chosen.aacorn(["record", folder.path("b.wav")] + arguments)
    #expect(!chosen.errors.contains("converted"))
    #expect(!chosen.errors.contains("The device has"))
  }
}
