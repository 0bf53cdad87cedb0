import AacornContainers
import AacornDevices
import AacornSystem
import Testing

@testable import AacornCommands
@testable import AacornRecording

/// Several sources on the command line, one per track.
@Suite struct SeveralSourcesTests {
  private let folder = TemporaryFolder()
  private let captured = CapturedConsole()

  @Test func aSourceIsADeviceABuiltInSoundOrAFile() throws {
    let file = try folder.write([1], to: "bed.raw")
    #expect(SoundChoice.device(for: "tone") == "tone")
    #expect(SoundChoice.device(for: "hw:1,0") == "hw:1,0")
    #expect(
      SoundChoice.device(for: "alsa_input.pci.analog-stereo") == "alsa_input.pci.analog-stereo")
    #expect(SoundChoice.device(for: file) == "file:" + file)
    #expect(SoundChoice.device(for: "missing.mp3") == "file:missing.mp3")
    #expect(SoundChoice.device(for: "file:a") == "file:a")
    #expect(try RecordCommand().parsing(["--source", "tone"]).sound.resolved().device == "tone")
    #expect(try RecordCommand().parsing(["--source", "tone"]).sound.resolved().tracks.isEmpty)
  }

  @Test func optionsReachTheTracks() throws {
    let sound = try RecordCommand().parsing([
      "--gain", "music=-14", "--pan", "music=0.3", "--duck", "music:mic=-12", "--loop-track",
      "music", "--mute-track", "fx", "--solo", "mic", "--gain", "3", "--source", "mic=hw:1",
      "--source", "music=bed.mp3", "--source", "fx=tone", "--duck",
      "fx=6dB,threshold=-30,attack=20ms,release=1.5s,hold=0s",
    ]).sound.resolved()
    #expect(sound.device == "hw:1" && sound.gain == 3)
    #expect(sound.tracks.map(\.configuration.name) == ["mic", "music", "fx"])
    #expect(sound.tracks.map(\.source) == ["hw:1", "file:bed.mp3", "tone"])
    let settings = sound.tracks.map(\.configuration)
    #expect(settings[0].isSolo && settings[0].gain == 0 && settings[0].ducking == nil)
    #expect(settings[1].gain == -14 && settings[1].pan == 0.3 && settings[1].loops)
    #expect(settings[1].ducking == Ducking(of: .track("mic"), depth: 12))
    #expect(settings[2].isMuted && settings[2].ducking?.trigger == .others)
    #expect(
      settings[2].ducking
        == Ducking(
          threshold: -30, depth: 6, attack: .milliseconds(20), release: .milliseconds(1500),
          hold: .zero))
    #expect(sound.filePaths == ["bed.mp3"])
    // Resolving again changes nothing.
    #expect(try sound.resolved().tracks == sound.tracks)
  }

  @Test func effectsReachTheirTrackAndThoseOfTheMixTheMix() throws {
    let command = try RecordCommand().parsing([
      "--source", "mic=hw:1", "--source", "music=tone", "--effects", "limiter", "--track-effects",
      "mic=highpass 80 slope=24, gate -45", "-o", "a.m4a",
    ])
    let tracks = try command.sound.resolved().tracks.map(\.configuration)
    #expect(
      EffectDescription.text(tracks[0].effects) == "highpass 80Hz slope=24dB, gate -45dB")
    #expect(tracks[1].effects.isEmpty)
    #expect(try LivePlan(command).configuration.effects == [EffectDescription(.limiter)])
  }

  @Test func theFilesOfTheTracksHaveTheFormatOfTheMix() throws {
    let command = try RecordCommand().parsing([
      "-o", "mix.wav", "--source", "a=tone", "--source", "b=speech", "--multitrack", "parts",
    ])
    let plan = try LivePlan(command)
    #expect(plan.configuration.multitrack?.format == .wav)
    #expect(plan.trackPaths == ["parts/a.wav", "parts/b.wav"])
    #expect(try LivePlan.recording(["a.wav"]).configuration.multitrack == nil)
  }

  @Test func theFilesOfTheTracksHaveTheTagsOfTheMix() throws {
    let command = try RecordCommand().parsing([
      "-o", "mix.m4a", "--source", "a=tone", "--source", "b=speech", "--multitrack", "parts",
      "--title", "Talk",
    ])
    let plan = try LivePlan(command)
    #expect(plan.recording?.options.tags.title == "Talk")
    #expect(plan.configuration.multitrack?.options.tags.title == "Talk")
  }

  @Test func sameFileOrTestSignalMayBeTwoTracks() throws {
    let sound = try RecordCommand().parsing([
      "--source", "a=tone", "--source", "b=tone", "--source", "c=x.wav", "--source", "d=x.wav",
    ]).sound.resolved()
    #expect(sound.tracks.count == 4)
  }

  @Test func monitorUsesChosenSystem() throws {
    let plan = try LivePlan.recording(["--backend", "alsa", "--monitor", "hw:1", "a.m4a"])
    #expect(plan.configuration.monitor == MonitorConfiguration(device: "hw:1", backend: .alsa))
    #expect(plan.sound.monitorConfiguration == plan.configuration.monitor)
    // Without `--monitor`, a key may still turn the monitor on. It then uses
    // `monitorConfiguration`.
    let silent = try LivePlan.recording(["--backend", "alsa", "a.m4a"])
    #expect(silent.configuration.monitor == nil)
    #expect(silent.sound.monitorConfiguration == MonitorConfiguration(backend: .alsa))
    // The backend of the built-in sounds has no outputs, so the monitor uses the default backend.
    let built = try LivePlan.recording(["--backend", "synthetic", "--monitor", "default", "a.m4a"])
    #expect(built.configuration.monitor == MonitorConfiguration())
  }

  @Test func severalSourcesBecomeAMixAndAFileEach() throws {
    let mix = folder.path("mix.wav")
    let parts = folder.path("parts")
    captured.aacorn(
      "record", mix, "--source", "voice=speech", "--source", "bed=tone", "--gain", "bed=-12",
      "--duck", "bed=-6", "--multitrack", parts, "--unpaced", "-d", "1", "--sample-format", "f32")
    let lengths = try ["mix.wav", "parts/voice.wav", "parts/bed.wav"].map {
      try folder.read($0).count
    }
    #expect(Set(lengths).count == 1 && lengths[0] >= 48_000 * 8)
    // One line per file, and one about the audio.
    #expect(captured.output.split(separator: "\n").count == 4)
  }

  @Test(arguments: ["alsa", "pulse", "pipewire", "coreaudio", "synthetic"])
  func aSystemIsChosenForTheDevicesAmongTheSources(backend: String) throws {
    var choice = SoundChoice()
    choice.backend = DeviceBackend(rawValue: backend)
    choice.tracks = [
      SoundChoice.Track(configuration: TrackConfiguration("music"), source: "file:a.wav")
    ]
    choice.device = "file:a.wav"
    #expect(choice.isSynthetic)
    choice.tracks.append(
      SoundChoice.Track(configuration: TrackConfiguration("mic"), source: "hw:2"))
    choice.tracks[0].source = "hw:1"
    choice.device = "hw:1"
    #expect(choice.isSynthetic == (choice.backend == .synthetic))
  }

  // MARK: Display and JSON

  @Test func eventsOfATrackBearItsName() throws {
    let plan = try LivePlan.recording("a.m4a")
    func json(_ event: RecorderEvent) -> String? {
      event.json(wallTime: 1_000_000_000, plan: plan, file: nil)?.encoded
    }
    #expect(
      json(.track("music", .deviceLost))
        == #"{"event":"device-lost","time":"1970-01-01T00:00:01.000Z","track":"music"}"#)
    #expect(
      json(.trackEnded("music"))
        == #"{"event":"track-ended","time":"1970-01-01T00:00:01.000Z","track":"music"}"#)
    let failure = json(.trackFailed("music", .capture(.deviceBusy(id: "x"))))
    #expect(failure?.contains(#""track":"music","error":"cannot-capture","message":"#) == true)
    let gap = RecorderEvent.gap(
      RecordingGap(
        position: 0, length: 48_000, cause: .deviceLost, wallTime: 0, track: "music"))
    #expect(json(gap)?.hasSuffix(#""filled":true,"track":"music"}"#) == true)
    #expect(
      gap.message(sampleRate: 48_000)?.text.hasPrefix("1.0 s of audio of “music” is missing")
        == true
    )
    #expect(
      RecorderEvent.track("music", .deviceLost).message(sampleRate: 48_000)?.text
        == "Track “music”: The device was disconnected. Silence is recorded until it returns.")
    #expect(
      json(.trackStarted("music"))
        == #"{"event":"track-started","time":"1970-01-01T00:00:01.000Z","track":"music"}"#)
    #expect(
      json(.trackStopped("music"))
        == #"{"event":"track-stopped","time":"1970-01-01T00:00:01.000Z","track":"music"}"#)
    #expect(
      RecorderEvent.trackStopped("music").message(sampleRate: 48_000)?.text
        == "The track “music” stops.")
  }

  @Test func theLineShowsTheTracksWhereThereIsRoom() {
    var stream = LiveSnapshot()
    stream.levels = [LevelMeterDisplay.Reading(level: -18, hold: -12, isClipped: false)]
    stream.sound.tracks = [
      RecordingStatus.Track(name: "mic"), RecordingStatus.Track(name: "music"),
    ]
    stream.trackLevels = [-12.4, -.infinity].map { LevelMeterDisplay.Reading(hold: $0) }
    let line = LiveLine(stream: stream, isRecording: true)
    #expect(line.text(columns: 120).hasSuffix("  mic -12  music -∞"))
    #expect(!line.text(columns: 30).contains("music"))
    for columns in 1...150 { #expect(line.text(columns: columns).count <= max(1, columns - 1)) }
  }
}
