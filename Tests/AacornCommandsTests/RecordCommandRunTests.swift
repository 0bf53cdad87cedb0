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
    let thread = WorkerThread("test") {
      _ = eventually { captured.errors.contains("Recording into") }
      action(captured.interruption)
    }
    defer { thread?.join() }
    return captured.run(arguments)
  }

  @Test func aFileIsPlayedToItsEnd() throws {
    let input = try folder.write(wavFile(frames: 30_000), to: "in.wav")
    let path = folder.path("out.wav")
    captured.aacorn("record", path, "--device", "file:" + input, "--unpaced")
    let before = try folder.read("in.wav").suffix(120_000)
    #expect(try folder.read("out.wav").suffix(120_000) == before)
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
}
