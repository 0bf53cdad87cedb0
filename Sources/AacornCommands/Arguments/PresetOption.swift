import AacornCodec
import AacornRecording
import AacornSystem

extension CommandSyntax.Option {
  /// The option `--preset` of all commands that encode, which stores its preset in a property.
  static func preset(
    in section: String, _ property: any WritableKeyPath<Command, AACEncoder.Preset?> & Sendable
  ) -> Self {
    Self(
      description: OptionDescription(
        long: "preset", short: nil, value: .choice(AACEncoder.Preset.allCases.map(\.word)),
        section: section,
        help: "Profile, bitrate, channels and sampling rate for a purpose; the option for one of "
          + "them overrides it.",
        meanings: AACEncoder.Preset.meanings)
    ) { (command, value) throws(UsageError) in
      command[keyPath: property] = AACEncoder.Preset(word: value)
    }
  }
}

extension AACEncoder.Preset {
  /// Which there are and what each of them is, as a sentence.
  static var meanings: String {
    let all = allCases.map { "\($0.word) (\($0.meaning))" }
    return "Choose from: " + all.joined(separator: ", ") + "."
  }

  /// What it is for, and what that means.
  private var meaning: String {
    let settings = configuration
    let facts = [
      settings.profile.name, settings.channelCount == 1 ? "mono" : "stereo",
      QuantityText.frequency(settings.sampleRate),
      "\(settings.rateControl.nominalBitrate / 1000) kb/s",
    ]
    return purpose + ": " + facts.joined(separator: ", ")
  }

  private var purpose: String {
    switch self {
    case .smallSpeech: "a voice over a thin line"
    case .speech: "a voice, for every player"
    case .fineSpeech: "a voice in full"
    case .smallRadio: "a station over a thin line"
    case .radio: "a station of music and speech"
    case .music: "music for most listeners"
    case .fineMusic: "music close to the original"
    }
  }
}

extension EncodeCommand {
  /// The command with what its preset says where no option does.
  var completed: EncodeCommand {
    guard let settings = preset?.configuration else { return self }
    var command = self
    command.sound.rateControl = sound.rateControl ?? settings.rateControl
    command.sound.sampleRate = sound.sampleRate ?? settings.sampleRate
    command.sound.channelCount = sound.channelCount ?? settings.channelCount
    if !choosesProfile { command.sound.profile = settings.profile }
    return command
  }
}

extension SoundChoice {
  /// The choice with what its preset says where no option does.
  var completed: SoundChoice {
    guard let settings = preset?.configuration else { return self }
    var choice = self
    choice.rateControl = rateControl ?? settings.rateControl
    choice.sampleRate = sampleRate ?? settings.sampleRate
    choice.channelCount = channelCount ?? settings.channelCount
    choice.profile = profile ?? ProfileChoice(rawValue: settings.profile.word)
    return choice
  }
}
