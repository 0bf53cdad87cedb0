import AacornCodec
import AacornDevices
import AacornRecording
import AacornSystem

/// The options of all commands that capture audio.
extension CommandSyntax where Command: SoundCommand {
  /// Returns the options for the source, the monitor and the tracks.
  ///
  /// `verb` is the action of the command, for the help.
  static func deviceSections(_ verb: String) -> [Section] {
    let options: [Option] = [
      .value(
        "device", .device("DEVICE"),
        "\(verb) from this device (default: the system's; see “aacorn devices”). DEVICE is an ID, a "
          + "name or the unique start of a name, or a test signal: tone, sweep, speech, silence, "
          + "counter or file:PATH."
      ) { (command, value) throws(UsageError) in
        try reject(if: value.isEmpty, "The device has an empty name.")
        if let first = command.sound.device, first != value {
          throw UsageError(
            "Only one device can be the source, not both “\(displayed(first))” and "
              + "“\(displayed(value))”.", hint: "Give --device once, or use --source for tracks.")
        }
        command.sound.device = value
      },
      .backend(\.sound.backend),
      .value(
        "channel-map", .text("LIST"),
        "Use these channels of the device, such as 3,4 (the first is 1). With tracks, applies to the "
          + "first.", \.sound.channelMap, OptionValue.channelMap),
      .flag(
        "voice", "Remove echo and noise with the sound system, on every device.",
        \.sound.isVoiceProcessed),
      .value(
        "monitor", .text("DEVICE"),
        "Play the input, or the mix of the tracks, on this output (“default” is the system's). Use "
          + "headphones. “aacorn devices --outputs” lists the outputs."
      ) { (command, value) throws(UsageError) in
        try reject(if: value.isEmpty, "The monitor output has an empty name.")
        command.sound.configureMonitor { $0.device = value == "default" ? nil : value }
      },
      .flag(
        "monitor-mix",
        "Monitor the processed audio, with gain, mute and effects, some milliseconds later.",
        \.sound.monitorsRecording),
      .value("monitor-gain", .text("DB"), "Gain of the monitor, -60 to 60 decibels (default 0).") {
        (command, value) throws(UsageError) in
        let gain = try OptionValue.gain(value, "--monitor-gain")
        command.sound.configureMonitor { $0.volume = Gain.factor(decibels: gain) }
      },
      .flag("unpaced", "Run files and test signals as fast as possible.", \.sound.isUnpaced),
    ]
    return [("Source and monitor", options), ("Tracks", trackOptions)]
  }

  /// Returns the options for the processing.
  ///
  /// `product` is the word for the result, for the help.
  static func soundOptions(product: String) -> [Option] {
    let encoderOptions = Option.encoderOptions(
      \.sound.preset, \.sound.rateControl, { $0.sound.effort = $1 },
      bitrateHelp: "Constant bitrate (default 64k per channel). With --profile he, the default is "
        + "32k per channel; with he2, less.",
      averageHelp: "Average bitrate.")
    return encoderOptions + [
      .choice("profile", ProfileChoice.allCases, OptionValue.profileHelp, \.sound.profile),
      .value("signaling", .choice(SignalingOption.keywords), SignalingOption.help) {
        $0.sound.signaling = SignalingChoice(rawValue: $1)
      },
      .value(
        "rate", short: "r", .text("HZ"),
        "Sampling rate of the \(product) (default 48000, or the rate of a file as source).",
        \.sound.sampleRate, OptionValue.frequency),
      .value(
        "channels", short: "c", .text("N"), "Number of channels of the \(product) (default 2).",
        \.sound.channelCount, OptionValue.count(upTo: 64)),
      .value("gain", .text("DB"), "Gain, -60 to 60 decibels (default 0); NAME=DB for one track.") {
        (command, value) throws(UsageError) in
        guard let (name, text) = TrackArguments.parts(value) else {
          command.sound.gain = try OptionValue.gain(value)
          return
        }
        let gain = try OptionValue.gain(text)
        command.sound.trackArguments.add(
          TrackArguments.Argument(option: "--gain", track: name, change: .gain(gain)))
      },
      .effects(\.sound.effects),
    ]
  }
}
