import AacornCodec
import AacornContainers
import AacornDevices
import AacornRecording
import AacornSystem

/// The options that several commands have.
extension CommandSyntax.Option {
  /// Returns the option `--effects`.
  static func effects(_ property: Property<[EffectDescription]>) -> Self {
    .value("effects", .text("TEXT"), OptionValue.effectsHelp, property, OptionValue.effects)
  }

  /// Returns the option `--finish`.
  static func finish(_ property: Property<FileOutput.Finish?>) -> Self {
    .choice(
      "finish", [.compact, .inPlace],
      "Completion of an M4A file (default compact up to 64 MB, else in-place). compact: a copy with "
        + "the audio in one piece, which simple players need, replaces the file. in-place: no copy.",
      property)
  }

  /// Returns the options for the tags of commands that make M4A files.
  static func tags(_ tags: Property<MP4Tags>) -> [Self] {
    [
      .value("title", .text("TEXT"), "Title.") { $0[keyPath: tags].title = $1 },
      .value("artist", .text("TEXT"), "Performer or speaker.") { $0[keyPath: tags].artist = $1 },
      .value("album", .text("TEXT"), "Album.") { $0[keyPath: tags].album = $1 },
      .value("date", .text("TEXT"), "Year or date, such as 2024-05-31.") {
        $0[keyPath: tags].date = $1
      },
      .value("comment", .text("TEXT"), "Comment.") { $0[keyPath: tags].comment = $1 },
    ]
  }

  /// Returns the option `--backend`.
  static func backend(
    _ property: Property<DeviceBackend?>,
    _ help: String = "Sound system (default: the best that works)."
  ) -> Self {
    .choice("backend", OptionValue.backends, help, property)
  }

  static func force(_ help: String, _ property: Property<Bool>) -> Self {
    .flag("force", short: "f", alias: "y", help, property)
  }

  static func verbose(
    _ property: Property<Bool>, _ help: String = "Print the settings chosen and the reasons."
  ) -> Self {
    .flag("verbose", short: "v", help, property)
  }

  static func quiet(_ property: Property<Bool>) -> Self {
    .flag("quiet", short: "q", "Print only errors.", property)
  }
}

/// The messages of a command that runs for a long time.
struct ReportChoice: Sendable {
  /// Whether events and the result are printed as JSON.
  var printsJSON = false
  /// Whether levels are printed as well.
  var printsLevels = false
  var wantsDetails = false
  /// Whether only errors are printed.
  var isQuiet = false

  /// Whether the settings and the reasons for them are printed.
  var isVerbose: Bool { wantsDetails && !isQuiet }
}

extension MP4Tags {
  /// Whether an option has set a tag.
  var hasTexts: Bool { [title, artist, album, date, comment].contains { $0 != nil } }
}

/// The options `--start`, `--end` and `--duration` of commands that read a part of a file.
struct PartChoice: Equatable, Sendable {
  var start = Duration.zero
  var end: Duration?
  var duration: Duration?

  /// Rejects an end with a duration, and an end before the start.
  func check() throws(UsageError) {
    guard let end else { return }
    try reject(if: duration != nil, "The options --end and --duration exclude each other.")
    try reject(if: end <= start, "--end must be later than --start.")
  }
}

/// A command that reads a part of a file.
protocol PartCommand: Subcommand {
  var part: PartChoice { get set }
}

extension PartCommand {
  /// Returns the options; `durationHelp` explains `--duration`.
  static func partOptions(durationHelp: String) -> [CommandSyntax<Self>.Option] {
    [
      .value(
        "start", .text("TIME"),
        "Start at this time, such as 90, 1.5s or 1:30.25, to the sample (default 0).",
        \.part.start, OptionValue.position),
      .value(
        "end", .text("TIME"), "End at this time of the input (default: its end).", \.part.end,
        OptionValue.length),
      .value(
        "duration", short: "d", alias: "t", .text("TIME"), durationHelp, \.part.duration,
        OptionValue.length),
    ]
  }
}

/// The encoding of audio, as requested by options; nil means the default.
struct EncodingChoice: Equatable, Sendable {
  /// The defaults of the rate, the channels and the coding.
  var preset: AACEncoder.Preset?
  var rateControl: AACEncoder.RateControl?
  var effort: AACEncoder.Effort?
  var profile: ProfileChoice?
  var signaling: SignalingChoice?
  var sampleRate: Int?
  var channelCount: Int?
  var effects: [EffectDescription] = []

  /// The choice with the preset's settings for options that were not given.
  var completed: EncodingChoice {
    guard let settings = preset?.configuration else { return self }
    var choice = self
    choice.rateControl = rateControl ?? settings.rateControl
    choice.sampleRate = sampleRate ?? settings.sampleRate
    choice.channelCount = channelCount ?? settings.channelCount
    choice.profile = profile ?? ProfileChoice(rawValue: settings.profile.keyword)
    return choice
  }
}

extension CommandSyntax.Option {
  /// Returns the options from `--preset` to `--signaling` of all commands that encode.
  static func encoderOptions(
    _ encoding: Property<EncodingChoice>, bitrateHelp: String, averageHelp: String
  ) -> [Self] {
    let choose: @Sendable (inout Command, AACEncoder.RateControl) throws(UsageError) -> Void = {
      (command, choice) throws(UsageError) in
      let isSameKind =
        switch (command[keyPath: encoding].rateControl, choice) {
        case (nil, _), (.constant, .constant), (.average, .average), (.variable, .variable): true
        default: false
        }
      try reject(if: !isSameKind, "The options -b, --abr and --vbr exclude each other.")
      command[keyPath: encoding].rateControl = choice
    }
    return [
      .preset(encoding),
      .value("bitrate", short: "b", .text("RATE"), bitrateHelp) {
        (command, value) throws(UsageError) in
        try choose(&command, .constant(bitsPerSecond: OptionValue.bitrate(value)))
      },
      .value("abr", .text("RATE"), averageHelp) { (command, value) throws(UsageError) in
        try choose(&command, .average(bitsPerSecond: OptionValue.bitrate(value)))
      },
      .value(
        "vbr", .choice(["1", "2", "3", "4", "5"]),
        "Variable bitrate, quality 1 (small) to 5 (best)."
      ) { (command, value) throws(UsageError) in
        try choose(&command, .variable(level: Int(value) ?? 0))
      },
      .value(
        "effort", .choice(["fast", "balanced", "best"]),
        "Speed or quality of the encoder (default balanced)."
      ) { $0[keyPath: encoding].effort = OptionValue.effort($1) },
      .value(
        "profile", .choice(ProfileChoice.allCases.map(\.rawValue)), OptionValue.profileHelp
      ) { $0[keyPath: encoding].profile = ProfileChoice(rawValue: $1) },
      .value(
        "signaling", .choice(SignalingChoice.allCases.map(\.rawValue)), SignalingOption.help
      ) { $0[keyPath: encoding].signaling = SignalingChoice(rawValue: $1) },
    ]
  }

  private static func preset(_ encoding: Property<EncodingChoice>) -> Self {
    let keywords = AACEncoder.Preset.allCases.map(\.keyword)
    var option = Self.value(
      "preset", .choice(keywords),
      "Use the settings for a purpose: \(keywords.joined(separator: ", ")). A preset sets profile, "
        + "bitrate, channels and sampling rate, which is "
        + "\(QuantityText.frequency(AACEncoder.defaultSampleRate)) unless another is listed; an option "
        + "for one of them overrides it."
    ) { $0[keyPath: encoding].preset = AACEncoder.Preset(keyword: $1) }
    option.description.meanings = AACEncoder.Preset.meanings
    return option
  }
}

extension AACEncoder.Preset {
  /// The presets and their settings, grouped by purpose.
  static var meanings: [String] {
    var purposes: [String] = []
    for preset in allCases where !purposes.contains(preset.purpose) {
      purposes.append(preset.purpose)
    }
    return purposes.map { purpose in
      let presets = allCases.filter { $0.purpose == purpose }
      return purpose + ": " + presets.map(\.meaning).joined(separator: ", ") + "."
    }
  }

  /// The name and the settings of the preset.
  private var meaning: String {
    let settings = configuration
    var facts = [settings.profile.name, settings.channelCount == 1 ? "mono" : "stereo"]
    if settings.sampleRate != AACEncoder.defaultSampleRate {
      facts.append(QuantityText.frequency(settings.sampleRate))
    }
    facts.append("\(settings.rateControl.nominalBitrate / 1000) kb/s")
    return "\(keyword) (\(facts.joined(separator: ", ")))"
  }

  private var purpose: String {
    switch self {
    case .smallSpeech, .speech, .fineSpeech: "For a voice"
    case .smallRadio, .radio: "For a station"
    case .music, .fineMusic: "For music"
    }
  }
}

/// The option `--signaling` of all commands that encode.
enum SignalingOption {
  static var help: String {
    "Announcement of HE-AAC to players (default auto). implicit: in its frames only. compatible: "
      + "decoders without HE-AAC play the lower half of the spectrum. hierarchical: such decoders "
      + "reject it. auto: implicit in ADTS, hierarchical in LATM, otherwise compatible."
  }

  /// Rejects a signaling option with AAC-LC; if `profile` is nil, the bitrate determines the
  /// profile.
  static func check(
    _ signaling: AudioSpecificConfig.Signaling?, with profile: AACEncoder.Profile?
  ) throws(UsageError) {
    try reject(
      if: signaling != nil && profile == .lowComplexity,
      "AAC-LC has no band replication to signal.", hint: "Add --profile he, or omit --signaling.")
  }

  /// Rejects a signaling that a format does not support.
  static func check(
    _ signaling: AudioSpecificConfig.Signaling?, in format: OutputFormat
  ) throws(UsageError) {
    if let signaling, let problem = format.rejectionReason(of: signaling) {
      throw UsageError(problem, hint: "Omit --signaling, or use .m4a.")
    }
  }
}
