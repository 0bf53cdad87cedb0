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

  @Test(arguments: [["mic=tone", "music=file:none.wav"], ["music=file:none.wav", "mic=tone"]])
  func missingFileErrorNamesTheTrack(sources: [String]) {
    let arguments = sources.flatMap { ["--source", $0] }
    let file = folder.path("a.m4a")
    captured.aacorn(["record", "-d", "1", "--unpaced", file] + arguments, status: .cannotRead)
    captured.expectErrors(
      "Cannot read “none.wav”: no such file or folder (the source of the track “music”). Check "
        + "the name.")
    #expect(folder.names.isEmpty)
  }

  @Test func emptyFileErrorNamesTheTrackBeforeTheRemedy() throws {
    let empty = try folder.write([], to: "e.wav")
    captured.aacorn(
      "record", "-d", "1", "--unpaced", folder.path("a.m4a"), "--source", "bed=\(empty)",
      "--source", "tone=tone", status: .cannotRead)
    captured.expectErrors(
      "it is empty (the source of the track “bed”). Check the program that created it.")
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

  static let mistakes: [(Words, String)] = [
    ("--source tone --source speech", "Several sources need names"),
    ("--source a=tone --source speech", "Several sources need names"),
    ("--source a=tone --source A=speech", "Two tracks are named “A”."),
    ("--source a=", "The track “a” has no source."),
    (["--source", ""], "--source needs a name and a source."),
    ("--source a=tone --device tone", "Give --device or --source."),
    ("--source music=tone --gain musik=3", "Did you mean music?"),
    ("--source a=tone --source b=tone --solo c", "The tracks are a, b."),
    ("--mute-track a", "Name it with --source a=…."),
    ("--source a=tone --gain a=61", "--gain must be -60 to 60 decibels, not 61."),
    ("--source a=tone --track-effects a=limitter", "Did you mean limiter?"),
    ("--source a=tone --track-effects speech", "Write it like mic=speech"),
    ("--source a=tone --track-effects b=speech", "there is no track of that name."),
    ("--source a=tone --pan a=1.5", "-1 is left, 1 is right."),
    ("--source a=tone --pan 0.5", "Write it like music=0.3"),
    ("--source a=tone --pan a=0.5 --channels 1", "Choose two channels, or no pan."),
    ("--source a=tone --loop-track a", "Only files can be looped, but the source"),
    ("--source a=tone --duck a:b=-12", "there is no track of that name."),
    ("--source a=tone --duck a:a=-12", "cannot duck for itself."),
    ("--source a=tone --duck a:-12", "Write it like music:mic=-12"),
    ("--source a=tone --duck a=200", "Write it like music:mic=-12"),
    ("--source a=tone --duck a=-6,attack", "Write it like music:mic=-12"),
    ("--source a=tone --duck a=-6,attack=soon", "Write it like music:mic=-12"),
    ("--source a=tone --duck a=-6,threshold=3", "Write it like music:mic=-12"),
    ("--source a=tone --duck a=-6,release=2m", "Write it like music:mic=-12"),
    ("--multitrack x", "--multitrack is for tracks."),
    (
      ["--source", "music=~/no such folder/bed.mp3"],
      "The shell does not expand ~ here; write $HOME/no such folder/bed.mp3."
    ), (["--source", "music=file:~/no such folder/bed"], "write $HOME/no such folder/bed."),
    ("--source mix=tone --multitrack .", "would both be written to"),
    ("--source a=tone --source b=hw:7 --unpaced", "cannot be --unpaced."),
    (
      "--source a=hw:7 --source b=hw:7",
      "The tracks “a” and “b” have the same source, the device “hw:7”."
    ), ("--loudness -16", "--effects “loudness -16, limiter -1” does it"),
    ("--monitor-gain 600", "--monitor-gain must be -60 to 60 decibels, not 600."),
    ("--monitor -d 2s", "The option --monitor needs a value (DEVICE), but -d follows."),
  ]

  @Test(arguments: mistakes)
  func invalidTrackOptionIsReported(arguments: Words, words: String) {
    captured.aacorn(["record", "-o", "mix.m4a"] + arguments.words, status: .usage)
    #expect(captured.errors.hasPrefix("aacorn: "))
    captured.expectErrors(words)
    #expect(captured.output.isEmpty)
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

  @Test func aStreamTakesSeveralSourcesButNoFileBesides() throws {
    captured.aacorn(
      "stream", "a.wav", "--source", "b=tone", "--save", folder.path("s.m4a"), status: .usage)
    captured.expectErrors("Omit the file, or --device, --source and --backend.")
    #expect(folder.names.isEmpty)
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

  @Test func verboseOptionReportsTrackEffects() throws {
    captured.aacorn(
      "record", "-v", folder.path("mix.wav"), "--source", "voice=speech", "--source", "bed=tone",
      "--track-effects", "bed=gain -20", "--unpaced", "-d", "1")
    captured.expectErrors("The effects of the track “bed” are: gain -20dB. They add no latency.")
    #expect(!captured.errors.contains("“voice” are"))
  }

  @Test func multitrackFileOverSourceFails() throws {
    let bed = try folder.write([1, 2, 3], to: "bed.wav")
    captured.aacorn(
      "record", folder.path("mix.wav"), "--source", "voice=speech", "--source", "bed=" + bed,
      "--multitrack", folder.path, "--force", "--unpaced", "-d", "1", status: .cannotWrite)
    #expect(try folder.read("bed.wav") == [1, 2, 3])
    #expect(folder.names == ["bed.wav"])
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
