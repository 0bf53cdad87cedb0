import AacornDevices
import AacornRecording
import Testing

@testable import AacornCommands

/// The start, stop and fade times of tracks, and their keys.
@Suite struct TrackTimeTests {
  private let folder = TemporaryFolder()
  private let captured = CapturedConsole()

  private func tracks(_ arguments: [String]) throws -> [TrackConfiguration] {
    try RecordCommand().parsing(arguments).sound.resolved().tracks.map(\.configuration)
  }

  @Test func timesReachTheirTracks() throws {
    let settings = try tracks([
      "--start-track", "music=10", "--stop-track", "music=1:30", "--fade", "music=2/4", "--source",
      "mic=hw:1",
      "--source", "music=bed.mp3", "--source", "fx=tone", "--start-track", "fx=key", "--fade",
      "fx=500ms",
    ])
    #expect(settings[0] == TrackConfiguration("mic"))
    #expect(settings[1].startOffset == .seconds(10) && settings[1].startsByItself)
    #expect(settings[1].stopOffset == .seconds(90))
    #expect(settings[1].fadeIn == .seconds(2) && settings[1].fadeOut == .seconds(4))
    #expect(settings[2].startOffset == .zero && !settings[2].startsByItself)
    #expect(settings[2].stopOffset == nil)
    #expect(settings[2].fadeIn == .milliseconds(500) && settings[2].fadeOut == .zero)
  }

  @Test func lastTrackOptionApplies() throws {
    let sources = ["--source", "mic=hw:1", "--source", "fx=tone"]
    let timed = try tracks(sources + ["--start-track", "fx=key", "--start-track", "fx=3"])
    #expect(timed[1].startsByItself && timed[1].startOffset == .seconds(3))
    let waiting = try tracks(sources + ["--start-track", "fx=3", "--start-track", "fx=key"])
    #expect(!waiting[1].startsByItself && waiting[1].startOffset == .zero)
  }

  @Test func theFirstTrackStopsButDoesNotStart() throws {
    let settings = try tracks([
      "--source", "music=tone", "--stop-track", "music=5", "--fade", "music=1",
    ])
    #expect(settings[0].stopOffset == .seconds(5) && settings[0].fadeIn == .seconds(1))
  }

  // MARK: Keys

  @Test func filesAndBuiltInSoundsHaveKeysInTheirOrder() throws {
    let plan = try LivePlan.recording([
      "a.m4a", "--source", "mic=hw:1", "--source", "bed=bed.mp3", "--source", "guest=hw:2",
      "--source", "end=tone", "--start-track", "end=key",
    ])
    let keys = plan.trackKeys
    #expect(keys.names == ["bed", "end"] && keys.waiting == ["end"])
    #expect(keys.track(1) == "bed" && keys.track(2) == "end")
    #expect(keys.track(0) == nil && keys.track(3) == nil)
    #expect(keys.help == "Keys that start and stop tracks: 1 “bed”, 2 “end”.")
    let none = try LivePlan.recording(["a.m4a", "--device", "tone"]).trackKeys
    #expect(none.help == nil && none.warning == nil && none.track(1) == nil)
  }

  @Test func aTrackThatWaitsForAKeyHasOne() throws {
    let sources = (1...10).flatMap { ["--source", "t\($0)=tone"] }
    let ninth = try RecordCommand().parsing(["a.m4a"] + sources + ["--start-track", "t9=key"])
    #expect(try LivePlan(ninth).trackKeys.track(9) == "t9")
    captured.aacorn(["record", "a.m4a"] + sources + ["--start-track", "t10=key"], status: .usage)
    captured.expectErrors("There is no key for the track “t10”")
  }

  // MARK: A recording

  /// All samples of an audio file.
  private func samples(_ path: String) throws -> [Float] {
    var signal = try FileSignal(path: path)
    var samples: [Float] = []
    while signal.read(into: &samples, frameCount: 4096) > 0 {}
    return samples
  }

  @Test func trackIsAudibleFromStartToStop() throws {
    let mix = folder.path("mix.wav")
    captured.aacorn(
      "record", mix, "--source", "a=silence", "--source", "b=tone", "--start-track", "b=250ms",
      "--stop-track", "b=500ms", "--fade", "b=0/100ms", "--unpaced", "-d", "1", "--sample-format",
      "f32")
    let sound = try samples(mix)
    try #require(sound.count == 2 * 48_000)
    func isAudible(_ milliseconds: Range<Int>) -> Bool {
      sound[milliseconds.lowerBound * 96..<milliseconds.upperBound * 96].contains { $0 != 0 }
    }
    #expect(!isAudible(0..<250) && isAudible(250..<500))
    #expect(isAudible(500..<600) && !isAudible(600..<1000), "The track fades out after its stop.")
    captured.expectErrors("The track “b” starts.\n", "The track “b” stops.\n")
  }

  @Test func aStreamHasTimesToo() throws {
    let saved = folder.path("s.aac")
    captured.aacorn(
      "stream", "--save", saved, "--source", "a=silence", "--source", "b=tone", "--start-track",
      "b=100ms", "--stop-track", "b=200ms", "--unpaced", "-d", "1", "--json")
    let events = captured.output.split(separator: "\n").filter { $0.contains(#""track":"b""#) }
    #expect(events.contains { $0.hasPrefix(#"{"event":"track-started""#) })
    #expect(events.contains { $0.hasPrefix(#"{"event":"track-stopped""#) })
  }
}
