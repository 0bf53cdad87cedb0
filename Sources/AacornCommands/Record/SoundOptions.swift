import AacornCodec
import AacornDevices
import AacornRecording
import AacornSystem

/// The options of all commands that capture audio.
extension CommandSyntax where Command: SoundCommand {
  /// The options for the source, or for tracks of several; `verb` is what the command does with the audio.
  static func deviceOptions(_ verb: String) -> [Option] {
    let section = "Device"
    let options: [Option] = [
      .value(
        "device", .device("DEVICE"), in: section,
        "\(verb) from this device only, by its id or its name (see “aacorn devices”), or from a "
          + "built-in sound: tone, sweep, speech, silence, counter, file:PATH. Without it, the "
          + "default device is used."
      ) { (command, value) throws(UsageError) in
        if value.isEmpty { throw UsageError("The device has an empty name.") }
        if let first = command.sound.device, first != value {
          throw UsageError(
            "The sound cannot come from both “\(displayed(first))” and “\(displayed(value))”.",
            advice: "Give --device once.")
        }
        command.sound.device = value
      },
      .value(
        "backend", .choice(OptionValue.backends), in: section,
        "The sound system; the default is the best one that works."
      ) { (command, value) throws(UsageError) in
        command.sound.backend = CaptureBackend(rawValue: value)
      },
      .value(
        "channel-map", .text("LIST"), in: section,
        "Use these channels of the device, or of that of the first track, such as 3,4; the "
          + "first is 1."
      ) { (command, value) throws(UsageError) in
        command.sound.channelMap = try OptionValue.channelMap(value)
      },
      .flag(
        "voice", in: section,
        "Have the sound system remove echo and noise; of several tracks, from every device.",
        \.sound.isVoiceProcessed),
      .value(
        "monitor", .text("DEVICE"), in: section,
        "Hear what comes in on this output, by its id or its name (see “aacorn devices --outputs”); "
          + "“default” is the system's. Of several tracks the mix is heard. Use headphones."
      ) { (command, value) throws(UsageError) in
        if value.isEmpty { throw UsageError("The output to hear on has an empty name.") }
        command.sound.hear { $0.device = value == "default" ? nil : value }
      },
      .flag(
        "monitor-mix", in: section,
        "Hear what is recorded instead, with gain, mute and effects, some milliseconds later.",
        \.sound.hearsRecording),
      .value("monitor-gain", .text("DB"), in: section, "Hear it louder (6) or quieter (-6).") {
        (command, value) throws(UsageError) in
        let gain = try OptionValue.gain(value, "--monitor-gain")
        command.sound.hear { $0.volume = Gain.factor(decibels: gain) }
      },
      .flag(
        "unpaced", in: section, "Built-in sounds only: as fast as possible.", \.sound.isUnpaced),
    ]
    return options + trackOptions
  }

  /// The options for the processing; `product` is what results.
  static func soundOptions(product: String) -> [Option] {
    let section = "Sound"
    return [
      .preset(in: section, \.sound.preset),
      .value(
        "bitrate", short: "b", .text("RATE"), in: section,
        "Constant bitrate; the default is 64k per channel, 32k with --profile he, less with he2."
      ) { (command, value) throws(UsageError) in
        try command.sound.choose(.constant(bitsPerSecond: OptionValue.bitrate(value)))
      },
      .value("abr", .text("RATE"), in: section, "Average bitrate.") {
        (command, value) throws(UsageError) in
        try command.sound.choose(.average(bitsPerSecond: OptionValue.bitrate(value)))
      },
      .value(
        "vbr", .choice(["1", "2", "3", "4", "5"]), in: section,
        "Variable bitrate: constant quality, 1 (small) to 5 (best)."
      ) { (command, value) throws(UsageError) in
        try command.sound.choose(.variable(level: Int(value) ?? 0))
      },
      .value(
        "effort", .choice(["fast", "balanced", "best"]), in: section,
        "How hard to search for the best encoding; the default is balanced."
      ) { (command, value) throws(UsageError) in
        command.sound.effort = OptionValue.effort(value)
      },
      .value(
        "profile", .choice(ProfileChoice.allCases.map(\.rawValue)), in: section,
        "lc: AAC-LC, for 44k per channel and more; the default. he: HE-AAC, for less, at sampling "
          + "rates from 16000 to 48000. he2: HE-AAC v2, for stereo below 28k. auto: chooses by these "
          + "limits, and by lower ones at rates below 44100."
      ) { (command, value) throws(UsageError) in
        command.sound.profile = ProfileChoice(rawValue: value)
      },
      .value(
        "signaling", .choice(SignalingOption.words), in: section, SignalingOption.help
      ) { (command, value) throws(UsageError) in
        command.sound.signaling = SignalingChoice(rawValue: value)
      },
      .value(
        "rate", short: "r", .text("HZ"), in: section,
        "Sampling rate of the \(product); the default is 48000, or that of the file to play."
      ) { (command, value) throws(UsageError) in
        command.sound.sampleRate = try OptionValue.frequency(value, "--rate")
      },
      .value(
        "channels", short: "c", .text("N"), in: section,
        "Channels of the \(product); the default is 2."
      ) {
        (command, value) throws(UsageError) in
        command.sound.channelCount = try OptionValue.count(value, "--channels", upTo: 64)
      },
      .value(
        "gain", .text("DB"), in: section,
        "Make it louder (6) or quieter (-6); NAME=DB does so with a track."
      ) { (command, value) throws(UsageError) in
        guard let (name, text) = TrackWishes.parts(value) else {
          command.sound.gain = try OptionValue.gain(value)
          return
        }
        command.sound.wishes.add(.gain(try OptionValue.gain(text)), of: name, option: "--gain")
      },
      .value("effects", .text("TEXT"), in: section, OptionValue.effectsHelp) {
        (command, value) throws(UsageError) in
        command.sound.effects = try OptionValue.effects(value)
      },
    ]
  }
}
