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

  static let mistakes: [([String], String)] = [
    (["mic"], "Write it like mic=far"),
    (["=far"], "Write it like mic=far"),
    (["mic="], "Write it like mic=far"),
    (["mic=tail=300"], "Write it like mic=far"),
    (["mic=far,room=large"], "Write it like mic=far"),
    (["mic=far,reference=left"], "Write it like mic=far"),
    (["mic=far,tail=9"], "Choose from 10 to 1000 milliseconds, such as tail=300."),
    (["mic=far,tail=1e2"], "Choose from 10 to 1000 milliseconds, such as tail=300."),
    (["mic=far,tail=99999999999999999999"], "Choose from 10 to 1000 milliseconds"),
    (["mic=fear"], "--cancel-echo is for “fear”, but there is no track of that name."),
    (["mike=far"], "--cancel-echo is for “mike”, but there is no track of that name."),
    (["mic=mic"], "The track “mic” cannot remove its own echo."),
    (["mic=far", "far=mic"], "The tracks “mic”, “far” remove each other's echo in a cycle."),
  ]

  @Test(arguments: mistakes)
  func invalidEchoOptionIsReported(values: [String], words: String) {
    let options = values.flatMap { ["--cancel-echo", $0] }
    captured.aacorn(
      ["record", "-o", "mix.m4a", "--source", "mic=tone", "--source", "far=speech"] + options,
      status: .usage)
    #expect(captured.errors.hasPrefix("aacorn: ") && captured.errors.contains(words))
    #expect(captured.output.isEmpty)
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
