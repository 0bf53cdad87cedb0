import AacornContainers
import AacornDevices
import AacornRecording
import AacornSystem

struct RecordCommand: Subcommand, SoundCommand {
  var output: String?
  var format: FileFormat?
  var replacesExisting = false
  var synchronizes = true
  /// The way to complete an M4A file; nil for the default.
  var finish: FileOutput.Finish?
  var duration: Duration?
  var split = RecordingConfiguration.Split.never

  var sound = SoundChoice()
  var isFloat: Bool?
  var tags = MP4Tags()

  var report = ReportChoice()

  func run(in console: Console) throws(UsageError) -> ExitStatus {
    let plan = try LivePlan(self)
    let sources = SourceFiles(plan.sound.filePaths)
    let outputs = [plan.recording?.path].compactMap(\.self) + plan.trackPaths
    let replaced = outputs.compactMap { sources.replaced(byRecordingTo: $0) }.first
    return plan.run(replacing: replaced.map { .isInput($0, option: "-o") }, in: console)
  }
}

extension RecordCommand {
  static var syntax: CommandSyntax<RecordCommand> {
    CommandSyntax(
      CommandDescription(
        name: "record", summary: "Records audio to a file that survives crashes.",
        operands: .files("[file]"),
        discussion: [
          "Without a file, the name is made from the date and time. The suffix selects the format: "
            + ".m4a, .aac, .wav or .caf. The file can be played during the recording. A crash "
            + "costs at most the last second, and so does a power failure on a disk that flushes "
            + "in under 0.4 s. Lost audio is replaced by silence and listed in the report, so that "
            + "times stay correct.",
          "Keys: \(RecordKey.recordingList), 1 to 9 start and stop tracks (see --start-track), q or "
            + "Ctrl-C stops, ? lists the keys. Without a terminal, SIGTERM stops and SIGHUP starts a "
            + "new file.",
        ],
        essentials: [
          "duration", "split", "format", "force", "device", "monitor", "source", "preset",
          "bitrate", "vbr", "rate", "channels", "gain", "effects",
        ],
        examples: [
          ("aacorn record talk.m4a", "Record until q is pressed."),
          ("aacorn record -d 10s -b 128k talk.m4a", "Record ten seconds at 128 kb/s."),
          (
            "aacorn record --effects \"speech, loudness -16, limiter -1\" talk.m4a",
            "Process a voice and adjust it to the loudness of podcasts."
          ),
          ("aacorn record --preset fine-speech memo.m4a", "Use the settings for a voice."),
          (
            "aacorn record --device hw:1 --channel-map 3,4 --format wav",
            "Record two of eight inputs."
          ),
          (
            "aacorn record --source mic=hw:1 --source bed=bed.wav --duck bed=-12 show.m4a",
            "Mix music under a voice."
          ),
          (
            "aacorn record --source a=hw:1 --source b=end.wav --start-track b=key ab.m4a",
            "Start a tune with the key 1."
          ),
          (
            "aacorn record --source a=hw:1 --source b=hw:2 --track-effects a=speech ab.m4a",
            "Apply effects to one of two tracks."
          ),
          (
            "aacorn record --split 1h radio.m4a",
            "Record radio-001.m4a, radio-002.m4a, … without gaps."
          ),
          ("aacorn record -o - | ffmpeg -i - …", "Send the recording to another program."),
          ("aacorn record --device tone test.m4a", "Record a test signal without a microphone."),
        ],
        exitCodes: ExitStatus.recordTable),
      options: [("Output", outputOptions)] + CommandSyntax.deviceSections("Record") + [
        ("Audio", CommandSyntax.soundOptions(product: "file") + recordingOptions),
        ("Tags (M4A only)", Option.tags(\.tags)), ("Other", otherOptions),
      ]
    ) { (command, operand) throws(UsageError) in try command.choose(output: operand) }
  }

  private typealias Option = CommandSyntax<RecordCommand>.Option

  private static var outputOptions: [Option] {
    [
      .value(
        "output", short: "o", .file("FILE"),
        "Write FILE, like the operand; - is standard output (default format aac)."
      ) { (command, value) throws(UsageError) in try command.choose(output: value) },
      durationOption,
      .value(
        "split", .text("SIZE"),
        "Start a new file after a time (10m), a size (100MB) or two seconds of silence (on-silence). "
          + "The files follow one another without a gap.", \.split, OptionValue.split),
      .choice(
        "format", FileFormat.allCases,
        "File format (default: from the suffix, else m4a). m4a: AAC with tags and an exact length. "
          + "aac: an AAC stream (ADTS). wav, caf: PCM samples.", \.format),
      .value(
        "sample-format", .choice(["s16", "f32"]), "Sample format of WAV and CAF (default s16)."
      ) { $0.isFloat = $1 == "f32" },
      .force("Replace an existing file.", \.replacesExisting),
      .finish(\.finish),
      .value(
        "no-sync", .none,
        "Do not flush to disk twice a second. A power failure may then cost 30 seconds."
      ) { command, _ in command.synchronizes = false },
    ]
  }

  private static var recordingOptions: [Option] {
    [
      .flag("mute", "Start muted; the key m unmutes.", \.sound.isMuted),
      .flag(
        "wall-clock",
        "Follow the computer's clock instead of the device's. For recordings of many hours.",
        \.sound.followsWallClock),
    ]
  }

  private static var otherOptions: [Option] {
    [
      .flag("json", "Print one JSON object per event.", \.report.printsJSON),
      .flag(
        "levels", "With --json: also print levels and loudness, ten times a second.",
        \.report.printsLevels
      ),
      .verbose(\.report.wantsDetails),
      .quiet(\.report.isQuiet),
    ]
  }

  private mutating func choose(output value: String) throws(UsageError) {
    try reject(if: value.isEmpty, "The file has an empty name.")
    if let output, output != value {
      throw UsageError(
        "Only one file can be recorded, not both “\(displayed(output))” and “\(displayed(value))”.",
        hint: "Name one file.")
    }
    output = value
  }
}
