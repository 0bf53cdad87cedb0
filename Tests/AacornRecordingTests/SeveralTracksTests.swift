import AacornDevices
import AacornRecording
import AacornSignal
import AacornSystem
import Simulation
import SoundRigs
import Testing

/// A device that opens only on request of a test.
private final class BarredSource: CaptureSource {
  let device: CaptureDevice?
  let failure: CaptureError? = nil
  let followsClock = true
  let diagnostics: [String] = []
  private let gate = Semaphore()
  private let state = Lock((startCount: 0, stopCount: 0))

  init(_ name: String) { device = CaptureDevice(backend: .synthetic, id: name, name: name) }

  var startCount: Int { state.withLock(\.startCount) }
  var stopCount: Int { state.withLock(\.stopCount) }

  func open() { gate.signal() }

  func start(_ sink: CaptureSink) throws(CaptureError) {
    state.withLock { $0.startCount += 1 }
    while !gate.wait(milliseconds: 60_000) {}
  }

  func stop() { state.withLock { $0.stopCount += 1 } }
}

/// A device that fails to open.
final class AbsentSource: CaptureSource {
  let device: CaptureDevice? = nil
  let failure: CaptureError? = nil
  let followsClock = false
  let diagnostics: [String] = []

  func start(_ sink: CaptureSink) throws(CaptureError) { throw .deviceBusy(id: "absent") }
  func stop() {}
}

/// Recordings of several sources, from capture to files.
@Suite(.simulated(seeds: 4, with: .all)) struct SeveralTracksTests {
  private static let counter = CounterSignal(sampleRate: 48_000, channelCount: 2)

  private static func configuration() -> RecordingConfiguration {
    RecordingConfiguration(sampleRate: 48_000, channelCount: 2, coding: .float32)
  }

  /// A source that plays the first frames of a signal as fast as the recording consumes them.
  private static func unpaced(
    _ signal: any SyntheticSignal = Self.counter, frames: Int
  ) -> SyntheticSource {
    SyntheticSource(
      CaptureDevice(backend: .synthetic, id: "test", name: "Test"),
      playing: SyntheticExcerpt(of: signal, frameCount: frames), pacing: .unpaced)
  }

  @Test func resumeReopensDevicesOfAllTracks() throws {
    let devices = [HandFedSource("a", origin: 0), HandFedSource("b", origin: 0)]
    let session = RecordingSession(Self.configuration())
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

  /// All samples of an audio file.
  private static func samples(_ path: String) throws -> [Float] {
    var signal = try FileSignal(path: path)
    var samples: [Float] = []
    while signal.read(into: &samples, frameCount: 4096) > 0 {}
    return samples
  }

  /// The samples and events of a recording.
  private final class Log: Sendable {
    let state = Lock<(samples: [Float], events: [RecorderEvent])>(([], []))

    var samples: [Float] { state.withLock(\.samples) }
    var events: [RecorderEvent] { state.withLock(\.events) }

    func session(_ configuration: RecordingConfiguration) -> RecordingSession {
      RecordingSession(
        configuration, events: { event in self.state.withLock { $0.events.append(event) } },
        sound: { self.take($0) })
    }

    private func take(_ sound: borrowing Span<Float>) {
      var piece: [Float] = []
      for index in 0..<sound.count { piece.append(sound[index]) }
      state.withLock { $0.samples += piece }
    }
  }

  @Test func aTrackByItselfIsTheSourceAsItIs() throws {
    let log = Log()
    let session = log.session(Self.configuration())
    let source = Self.unpaced(frames: 20_000)
    try session.start([TrackSource(TrackConfiguration("mic"), from: source)], outputs: [])
    #expect(try finalSummary(of: session).failure == nil)
    var expected: [Float] = []
    var counter = Self.counter
    _ = counter.read(into: &expected, frameCount: 20_000)
    #expect(log.samples == expected)
  }

  @Test func filesOfTheTracksAreAsLongAsTheMixAndAddUpToIt() throws {
    let folder = try Folder()
    var configuration = Self.configuration()
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
        TrackSource(TrackConfiguration("voice"), from: Self.unpaced(frames: 50_001)),
        TrackSource(bed, playing: tone),
      ], outputs: [FileOutput(folder.file("mix.wav"), .wav)])
    let summary = try finalSummary(of: session)
    #expect(summary.failure == nil && summary.sampleCount == 50_001)
    #expect(
      summary.outputs.map(\.name)
        == [folder.file("mix.wav"), folder.file("parts/voice.wav"), folder.file("parts/bed.wav")])
    #expect(summary.outputs.map(\.track) == [nil, "voice", "bed"])
    let mix = try Self.samples(folder.file("mix.wav"))
    let voice = try Self.samples(folder.file("parts/voice.wav"))
    let music = try Self.samples(folder.file("parts/bed.wav"))
    #expect(mix.count == 2 * 50_001 && voice.count == mix.count && music.count == mix.count)
    #expect(zip(voice, music).map { $0 + $1 } == mix)
    // The music is played in a loop and never falls silent.
    #expect(music.suffix(4800).contains { abs($0) > 0.001 })
  }

  @Test func partsAreSplitWithTheMix() throws {
    let folder = try Folder()
    var configuration = Self.configuration()
    configuration.split = .every(.milliseconds(250))
    var options = FileOutput.Options()
    options.isNumbered = true
    configuration.multitrack = Multitrack(folder.path, .wav, options)
    let session = RecordingSession(configuration)
    try session.start(
      [
        TrackSource(TrackConfiguration("a"), from: Self.unpaced(frames: 30_000)),
        TrackSource(TrackConfiguration("b"), playing: Self.counter),
      ], outputs: [FileOutput(folder.file("mix.wav"), .wav, options)])
    #expect(try finalSummary(of: session).failure == nil)
    for number in 1...3 {
      let mix = try Self.samples(folder.file("mix-00\(number).wav"))
      let parts = try ["a", "b"].map { try Self.samples(folder.file("\($0)-00\(number).wav")) }
      #expect(mix.count == (number < 3 ? 24_000 : 12_000))
      #expect(zip(parts[0], parts[1]).map { $0 + $1 } == mix)
    }
  }

  @Test func aSignalIsPlayedOnCommandFromItsBeginning() throws {
    let log = Log()
    let session = log.session(Self.configuration())
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
      let count = log.samples.count + 2 * frames
      #expect(device.deliver(frames))
      #expect(eventually { log.samples.count == count }, "The mix has the delivered frames.")
    }
    deliver(4800)
    #expect(log.samples.allSatisfy { $0 == 0 })
    for time in 1...2 {
      let before = log.samples.count
      #expect(session.startTrack(named: "jingle"))
      #expect(eventually { isPlaying() == true }, "The track starts.")
      deliver(4800)
      let newSamples = Array(log.samples[before...])
      var expected: [Float] = []
      var counter = Self.counter
      _ = counter.read(into: &expected, frameCount: 3000)
      #expect(Array(newSamples.prefix(6000)) == expected)
      #expect(newSamples.dropFirst(6000).allSatisfy { $0 == 0 })
      #expect(log.events.count { $0 == .trackStarted("jingle") } == time)
      #expect(log.events.count { $0 == .trackEnded("jingle") } == time)
    }
    #expect(!session.startTrack(named: "jingel"))
    #expect(!session.setGain(61, ofTrack: "jingle") && !session.setPan(-2, ofTrack: "jingle"))
    #expect(session.setGain(-6, ofTrack: "jingle") && session.setPan(0.5, ofTrack: "jingle"))
    #expect(session.setMuted(false, track: "mic") && session.setSolo(true, track: "mic"))
    #expect(session.stopTrack(named: "jingle"))
    #expect(session.toggleTrack(named: "jingle") && !session.toggleTrack(named: "jingel"))
  }

  @Test func aSignalThatCannotBeReadOnLeavesTheRestAlone() throws {
    let log = Log()
    let session = log.session(Self.configuration())
    let broken = SyntheticSource(
      CaptureDevice(backend: .synthetic, id: "broken", name: "Broken"), playing: Self.counter,
      pacing: .unpaced,
      faults: SyntheticFaults([.at(4800, .failure(.deviceBusy(id: "broken")))]))
    var muted = TrackConfiguration("mic")
    muted.isMuted = true
    try session.start(
      [
        TrackSource(muted, from: Self.unpaced(frames: 20_000)),
        TrackSource(TrackConfiguration("bed"), from: broken),
      ], outputs: [])
    let summary = try finalSummary(of: session)
    #expect(summary.failure == nil && summary.sampleCount == 20_000)
    #expect(log.events.contains(.trackFailed("bed", .capture(.deviceBusy(id: "broken")))))
    #expect(log.samples.dropFirst(9600).allSatisfy { $0 == 0 })
    #expect(log.samples.prefix(9600).contains { $0 != 0 })
  }

  @Test func aRecordingThatIsStoppedWhileATrackOpensDoesNotBegin() throws {
    let (leader, other) = (BarredSource("leader"), BarredSource("other"))
    let session = RecordingSession(Self.configuration())
    let result = Lock<RecordingError?>(nil)
    let hasThread = System.startThread {
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
    #expect(eventually { other.startCount == 1 }, "The device is being opened.")
    session.stop()
    #expect(eventually { result.withLock(\.self) == .stopped }, "The start fails without waiting.")
    other.open()
    #expect(eventually { other.stopCount > 0 }, "The device is stopped once it is open.")
    #expect(leader.startCount == 0)
  }

  @Test func aTrackThatCannotBeOpenedEndsTheBeginning() {
    let session = RecordingSession(Self.configuration())
    #expect(throws: RecordingError.capture(.deviceBusy(id: "absent"))) {
      try session.start(
        [
          TrackSource(TrackConfiguration("a"), from: Self.unpaced(frames: 10)),
          TrackSource(TrackConfiguration("b"), from: AbsentSource()),
        ], outputs: [])
    }
  }

  /// Invalid settings and their errors.
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
    let session = RecordingSession(Self.configuration())
    #expect(throws: RecordingError.tracks(mistake)) { try session.start(tracks, outputs: []) }
    #expect(mistake.message.hasSuffix(".") && mistake.message.contains(" "))
  }

  @Test func monoHasNoSidesAndClocksMustAgree() {
    var mono = Self.configuration()
    mono.channelCount = 1
    var bed = TrackConfiguration("bed")
    bed.pan = 0.5
    let mic = TrackConfiguration("mic")
    #expect(
      throws: RecordingError.tracks(.panWithoutStereo(track: "bed", channelCount: 1))
    ) {
      try RecordingSession(mono).start(
        [
          TrackSource(mic, from: Self.unpaced(frames: 10)),
          TrackSource(bed, playing: Self.counter),
        ], outputs: [])
    }
    #expect(throws: RecordingError.tracks(.otherClock(track: "other", leader: "mic"))) {
      try RecordingSession(Self.configuration()).start(
        [
          TrackSource(mic, from: Self.unpaced(frames: 10)),
          TrackSource(TrackConfiguration("other"), from: HandFedSource(origin: 0)),
        ], outputs: [])
    }
  }

  @Test func aRecorderTakesTracksToo() async throws {
    let recorder = Recorder(
      from: [
        TrackSource(TrackConfiguration("a"), from: Self.unpaced(frames: 4800)),
        TrackSource(TrackConfiguration("b"), playing: Self.counter),
      ], to: [], Self.configuration())
    try await recorder.start()
    #expect(await !recorder.startTrack(named: "c"))
    #expect(await recorder.setMuted(true, track: "b"))
    #expect(await recorder.setEffects([EffectDescription(.gain)], ofTrack: "b"))
    #expect(await !recorder.setEffects([], ofTrack: "c"))
    #expect(await recorder.end().sampleCount == 4800)
  }
}
