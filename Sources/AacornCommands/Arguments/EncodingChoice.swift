import AacornCodec
import AacornContainers
import AacornDevices
import AacornRecording
import AacornSystem

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
      ) { $0[keyPath: encoding].effort = $1 == "fast" ? .fast : $1 == "best" ? .best : .balanced },
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
