import AacornDevices
import AacornSignal
import AacornSystem
import DeviceRigs
import Simulation
import SoundRigs
import Testing

@testable import AacornRecording

@Suite(.simulated(seeds: 4, with: .all)) struct SeveralTracksTests {
  private static let counter = CounterSignal(sampleRate: 48_000, channelCount: 2)
  private static let configuration = RecordingConfiguration.stereo(.float32)

  private let log = RecordingLog()

  private static func track(_ name: String, frames: Int = 10) -> TrackSource {
    TrackSource(TrackConfiguration(name), from: SyntheticSource.test(frames: frames))
  }

  @Test func resumeReopensDevicesOfAllTracks() throws {
    let devices = [HandFedSource("a", origin: 0), HandFedSource("b", origin: 0)]
    let session = RecordingSession(Self.configuration)
    try session.start(
      devices.map { TrackSource(TrackConfiguration($0.device?.id ?? ""), from: $0) }, outputs: [])
    session.setPaused(false)
    #expect(
      eventually { devices.allSatisfy { $0.resumptionCount == 1 } },
      "Each device is resumed once.")
    session.setPaused(true)
    session.setPaused(false)
    #expect(
      eventually { devices.allSatisfy { $0.resumptionCount == 2 } }, "Each one resumes again.")
    session.stop()
    _ = try finalSummary(of: session)
  }

  @Test func filesOfTheTracksAreAsLongAsTheMixAndAddUpToIt() throws {
    let folder = try Folder()
    var configuration = Self.configuration
    configuration.multitrack = Multitrack(folder.file("parts"), .wav)
    var bed = TrackConfiguration("bed")
    bed.gain = -9
    bed.pan = 0.25
    bed.loops = true
    bed.ducking = Ducking(of: .track("voice"), threshold: -12, depth: 10)
    let tone = SyntheticExcerpt(
      of: ToneSignal(sampleRate: 44_100, channelCount: 1), frameCount: 10_000)
    let session = RecordingSession(configuration)
    try session.start(
      [
        Self.track("voice", frames: 50_001),
        TrackSource(bed, playing: tone),
      ], outputs: [FileOutput(folder.file("mix.wav"), .wav)])
    let summary = try finalSummary(of: session)
    #expect(summary.failure == nil && summary.sampleCount == 50_001)
    #expect(
      summary.outputs.map(\.name)
        == [folder.file("mix.wav"), folder.file("parts/voice.wav"), folder.file("parts/bed.wav")])
    #expect(summary.outputs.map(\.track) == [nil, "voice", "bed"])
    let mix = try folder.samples("mix.wav")
    let voice = try folder.samples("parts/voice.wav")
    let music = try folder.samples("parts/bed.wav")
    #expect(mix.count == 2 * 50_001 && voice.count == mix.count && music.count == mix.count)
    #expect(zip(voice, music).map { $0 + $1 } == mix)
    // The music is played in a loop and never falls silent.
    #expect(music.suffix(4800).contains { abs($0) > 0.001 })
  }

  @Test func partsAreSplitWithTheMix() throws {
    let folder = try Folder()
    var configuration = Self.configuration
    configuration.split = .every(.milliseconds(250))
    configuration.multitrack = Multitrack(folder.path, .wav, options: .numbered)
    let session = RecordingSession(configuration)
    try session.start(
      [
        Self.track("a", frames: 30_000),
        TrackSource(TrackConfiguration("b"), playing: Self.counter),
      ], outputs: [FileOutput(folder.file("mix.wav"), .wav, options: .numbered)])
    #expect(try finalSummary(of: session).failure == nil)
    for number in 1...3 {
      let mix = try folder.samples("mix-00\(number).wav")
      let parts = try ["a", "b"].map { try folder.samples("\($0)-00\(number).wav") }
      #expect(mix.count == (number < 3 ? 24_000 : 12_000))
      #expect(zip(parts[0], parts[1]).map { $0 + $1 } == mix)
    }
  }

  @Test func aSignalIsPlayedOnCommandFromItsBeginning() throws {
    let session = log.session(Self.configuration, hasTap: true)
    let device = HandFedSource()
    var muted = TrackConfiguration("mic")
    muted.isMuted = true
    var jingle = TrackConfiguration("jingle")
    jingle.startsByItself = false
    let excerpt = SyntheticExcerpt(of: Self.counter, frameCount: 3000)
    try session.start(
      [TrackSource(muted, from: device), TrackSource(jingle, playing: excerpt)], outputs: [])
    defer { session.stop() }
    func isPlaying() -> Bool? { session.takeStatus().tracks.last?.isPlaying }
    func deliver(_ frames: Int) {
      let count = log.sound.count + 2 * frames
      #expect(device.deliver(frames))
      #expect(eventually { log.sound.count == count }, "The mix has the delivered frames.")
    }
    deliver(4800)
    #expect(log.sound.allSatisfy { $0 == 0 })
    for time in 1...2 {
      let before = log.sound.count
      #expect(session.change(.start, of: "jingle"))
      #expect(eventually { isPlaying() == true }, "The track starts.")
      deliver(4800)
      let newSamples = Array(log.sound[before...])
      #expect(Array(newSamples.prefix(6000)) == counterSamples(frames: 3000))
      #expect(newSamples.dropFirst(6000).allSatisfy { $0 == 0 })
      #expect(log.events.count { $0 == .trackStarted("jingle") } == time)
      #expect(log.events.count { $0 == .trackEnded("jingle") } == time)
    }
    #expect(!session.change(.start, of: "jingel"))
    #expect(!session.change(.gain(61), of: "jingle") && !session.change(.pan(-2), of: "jingle"))
    #expect(session.change(.gain(-6), of: "jingle") && session.change(.pan(0.5), of: "jingle"))
    #expect(session.change(.muted(false), of: "mic") && session.change(.solo(true), of: "mic"))
    #expect(session.change(.stop, of: "jingle"))
    #expect(session.change(.toggle, of: "jingle") && !session.change(.toggle, of: "jingel"))
  }

  @Test func aSignalThatCannotBeReadOnLeavesTheRestAlone() throws {
    let session = log.session(Self.configuration, hasTap: true)
    let broken = FaultySource.test(faults: [.at(4800, .failure(.deviceBusy(id: "broken")))])
    var muted = TrackConfiguration("mic")
    muted.isMuted = true
    try session.start(
      [
        TrackSource(muted, from: SyntheticSource.test(frames: 20_000)),
        TrackSource(TrackConfiguration("bed"), from: broken),
      ], outputs: [])
    let summary = try finalSummary(of: session)
    #expect(summary.failure == nil && summary.sampleCount == 20_000)
    #expect(log.events.contains(.trackFailed("bed", .capture(.deviceBusy(id: "broken")))))
    #expect(log.sound.dropFirst(9600).allSatisfy { $0 == 0 })
    #expect(log.sound.prefix(9600).contains { $0 != 0 })
  }

  @Test func aRecordingThatIsStoppedWhileATrackOpensDoesNotBegin() throws {
    let (leader, other) = (SlowSource("leader"), SlowSource("other"))
    let session = RecordingSession(Self.configuration)
    let result = Lock<RecordingError?>(nil)
    let hasThread = System.startThread("test") {
      do throws(RecordingError) {
        try session.start(
          [
            TrackSource(TrackConfiguration("a"), from: leader),
            TrackSource(TrackConfiguration("b"), from: other),
          ], outputs: [])
      } catch {
        result.withLock { $0 = error }
      }
    }
    try #require(hasThread)
    #expect(eventually { other.isOpening }, "The device is being opened.")
    session.stop()
    #expect(eventually { result.withLock(\.self) == .stopped }, "The start fails without waiting.")
    other.open()
    #expect(eventually { other.stopCount > 0 }, "The device is stopped once it is open.")
    #expect(!leader.isOpening)
  }

  static let mistakes: [(TrackError, @Sendable (inout [TrackConfiguration]) -> Void)] = [
    (.noTracks, { $0 = [] }),
    (.unsuitableName(""), { $0[1].name = "" }),
    (.unsuitableName("a/b"), { $0[1].name = "a/b" }),
    (.repeatedName("MIC"), { $0[1].name = "MIC" }),
    (
      .tooManyEffects(33, track: "bed"),
      { $0[1].effects = Array(repeating: EffectDescription(.gain), count: 33) }
    ),
    (.gainOutOfRange(61, track: "bed"), { $0[1].gain = 61 }),
    (.panOutOfRange(-1.5, track: "bed"), { $0[1].pan = -1.5 }),
    (.impossibleTime(track: "mic"), { $0[0].startOffset = .seconds(1) }),
    (.impossibleTime(track: "bed"), { $0[1].fadeIn = .seconds(-1) }),
    (.impossibleTime(track: "bed"), { $0[1].stopOffset = .seconds(86_401) }),
    (.stopsBeforeStart(track: "mic"), { $0[0].stopOffset = .zero }),
    (
      .stopsBeforeStart(track: "bed"),
      {
        $0[1].startOffset = .seconds(2)
        $0[1].stopOffset = .seconds(2)
      }
    ),
    (.unknownTrack("mice"), { $0[1].ducking = Ducking(of: .track("mice")) }),
    (.ducksItself("bed"), { $0[1].ducking = Ducking(of: .track("bed")) }),
    (.impossibleDucking(track: "bed"), { $0[1].ducking = Ducking(depth: -3) }),
  ]

  @Test(arguments: mistakes.indices)
  func invalidTrackSettingsThrowTrackError(index: Int) {
    let (mistake, change) = Self.mistakes[index]
    var settings = [TrackConfiguration("mic"), TrackConfiguration("bed")]
    change(&settings)
    let tracks = settings.map { TrackSource($0, playing: Self.counter) }
    let session = RecordingSession(Self.configuration)
    #expect(throws: RecordingError.tracks(mistake)) { try session.start(tracks, outputs: []) }
    #expect(mistake.message.hasSuffix(".") && mistake.message.contains(" "))
  }

  @Test func monoHasNoSidesAndClocksMustAgree() {
    var settings = [TrackConfiguration("mic"), TrackConfiguration("bed")]
    settings[1].pan = 0.5
    var mono = Self.configuration
    mono.channelCount = 1
    #expect(throws: RecordingError.tracks(.panWithoutStereo(track: "bed", channelCount: 1))) {
      try RecordingSession(mono).start(
        settings.map { TrackSource($0, playing: Self.counter) }, outputs: [])
    }
    let other = TrackSource(TrackConfiguration("other"), from: HandFedSource(origin: 0))
    #expect(throws: RecordingError.tracks(.otherClock(track: "other", leader: "mic"))) {
      try RecordingSession(Self.configuration).start([Self.track("mic"), other], outputs: [])
    }
  }

  @Test func aRecorderTakesTracksToo() async throws {
    let recorder = Recorder(
      from: [
        Self.track("a", frames: 4800),
        TrackSource(TrackConfiguration("b"), playing: Self.counter),
      ], to: [], Self.configuration)
    try await recorder.start()
    #expect(await !recorder.startTrack(named: "c"))
    #expect(await recorder.setMuted(true, track: "b"))
    #expect(await recorder.setEffects([EffectDescription(.gain)], ofTrack: "b"))
    #expect(await !recorder.setEffects([], ofTrack: "c"))
    #expect(await recorder.end().sampleCount == 4800)
  }

  @Test func theFailureOfATracksFileIsALossOfTheRecording() {
    let session = log.session(Self.configuration)
    let error = OutputError(.diskFull, "The disk is full.")
    session.reportPartEvent(.outputFailed(name: "parts/mic.wav", error))
    session.reportPartEvent(.outputOpened("parts/bed.wav"))
    #expect(
      log.events == [.outputLost(name: "parts/mic.wav", error), .outputOpened("parts/bed.wav")])
  }
}
