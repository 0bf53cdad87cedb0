import AacornRecording
import AacornSystem
import Testing

@testable import AacornCommands

/// The option `--cancel-echo` of the commands that capture audio.
@Suite struct EchoOptionTests {
  private let folder = TemporaryFolder()
  private let captured = CapturedConsole()

  private func echo(_ value: String, far: String = "far") throws -> EchoCancellation? {
    let command = try RecordCommand().parsing([
      "--cancel-echo", value, "--source", "mic=hw:1", "--source", far + "=tone",
    ])
    let tracks = try command.sound.resolved().tracks
    #expect(tracks[1].configuration.echoCancellation == nil)
    return tracks[0].configuration.echoCancellation
  }

  @Test func echoOptionIsParsed() throws {
    #expect(try echo("mic=far") == EchoCancellation(of: "far"))
    #expect(
      try echo("mic=far,tail=300") == EchoCancellation(of: "far", tail: .milliseconds(300)))
    #expect(
      try echo("mic=far,reference=mix,tail=80ms")
        == EchoCancellation(of: "far", tail: .milliseconds(80), reference: .mix))
    #expect(
      try echo("mic=left, right,reference=channels", far: "left, right")
        == EchoCancellation(of: "left, right"))
  }

  #if os(Linux)
  @Test func aRecordingWithoutEchoIsAsLong() throws {
    captured.aacorn(
      "record", folder.path("mix.wav"), "--source", "far=speech", "--source", "mic=tone",
      "--cancel-echo", "mic=far,reference=mix", "--multitrack", folder.path("parts"), "--unpaced",
      "-d", "1")
    let lengths = try ["mix.wav", "parts/mic.wav", "parts/far.wav"].map {
      try folder.read($0).count
    }
    #expect(Set(lengths).count == 1 && lengths[0] >= 48_000 * 4)
  }
  #endif

  @Test func missingEchoLibraryExitsWithCannotRead() throws {
    let plan = try LivePlan.recording("a.m4a")
    let missing = TrackError.echoCancellerMissing(library: "x.so", package: "x")
    #expect(LiveReport(plan, failure: .tracks(missing)).exitStatus == .cannotRead)
    #expect(LiveReport(plan, failure: .tracks(.noTracks)).exitStatus == .usage)
  }
}
