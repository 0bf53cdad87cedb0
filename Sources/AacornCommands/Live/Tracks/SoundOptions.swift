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
      .value(
        "monitor-mix", .none,
        "Monitor the processed audio, with gain, mute and effects, some milliseconds later."
      ) { command, _ in command.sound.configureMonitor { $0.point = .recording } },
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
      \.sound.encoding,
      bitrateHelp: "Constant bitrate (default 64k per channel). With --profile he, the default is "
        + "32k per channel; with he2, less.",
      averageHelp: "Average bitrate.")
    return encoderOptions + [
      .value(
        "rate", short: "r", .text("HZ"),
        "Sampling rate of the \(product) (default 48000, or the rate of a file as source).",
        \.sound.encoding.sampleRate, OptionValue.frequency),
      .value(
        "channels", short: "c", .text("N"), "Number of channels of the \(product) (default 2).",
        \.sound.encoding.channelCount, OptionValue.integer(in: 1...64)),
      .value("gain", .text("DB"), "Gain, -60 to 60 decibels (default 0); NAME=DB for one track.") {
        (command, value) throws(UsageError) in
        guard let (name, text) = TrackArguments.parts(value) else {
          command.sound.gain = try OptionValue.gain(value)
          return
        }
        let gain = try OptionValue.gain(text)
        command.sound.trackArguments.add(
          TrackArguments.Argument(option: "--gain", track: name) { $0.gain = gain })
      },
      .effects(\.sound.encoding.effects),
    ]
  }

  private static var trackOptions: [Option] {
    [
      .value(
        "source", .text("NAME=SOURCE"),
        "Add a track from a device, a file or a test signal; all tracks are mixed. May be repeated. "
          + "The first track sets the clock and the end. The output of other programs is a device "
          + "named “Monitor of …” (see “aacorn devices”). A single source needs no name."
      ) { (command, value) throws(UsageError) in
        try command.sound.trackArguments.add(source: value)
      },
      .track(
        "track-effects", .text("NAME=TEXT"),
        "Apply effects to a track, such as mic=\"highpass 80, gate -45\" (see --effects). They "
          + "precede gain, pan and mix.", TrackArguments.effects),
      .track(
        "pan", .text("NAME=X"), "Pan a track from -1 (left) to 1 (right), at constant power.",
        TrackArguments.pan),
      .track("mute-track", .text("NAME"), "Start with this track muted.") {
        .init(option: $1, track: $0) { $0.isMuted = true }
      },
      .track("solo", .text("NAME"), "Mix only this track; may be repeated.") {
        .init(option: $1, track: $0) { $0.isSolo = true }
      },
      .track("loop-track", .text("NAME"), "Loop the file of this track.") {
        .init(option: $1, track: $0, scope: .files) { $0.loops = true }
      },
      .track(
        "start-track", .text("NAME=TIME"),
        "Start a track at this time of the recording: music=10s, or at its key: music=key. For files "
          + "and test signals. The keys 1 to 9 start and stop them, in the order of their sources.",
        TrackArguments.start),
      .track(
        "stop-track", .text("NAME=TIME"),
        "Stop such a track at this time of the recording, such as music=1:30.", TrackArguments.stop),
      .track(
        "fade", .text("NAME=IN/OUT"),
        "Fade such a track in and out, such as music=2s/4s, at most 10m. music=2s only fades in.",
        TrackArguments.fade),
      .track(
        "duck", .text("NAMES=DB"),
        "Lower a track while another is loud: music:mic=-12, or music=-12 for any other. Append "
          + "other settings, each after a comma: threshold=-40, attack=50ms, release=500ms and "
          + "hold=500ms are the defaults.", TrackArguments.ducking),
      .track(
        "cancel-echo", .text("NAME=OTHER"),
        "Remove the echo of a track from another: mic=far (needs libspeexdsp). mic=far,tail=300 "
          + "removes 300 ms of echo (10 to 1000, default 200); ,reference=mix is for a single "
          + "loudspeaker. Try --voice first.", TrackArguments.echo),
      .path(
        "multitrack", .folder("FOLDER"),
        "Also write each track to FOLDER/NAME, in the format of the mix. All files start and end at "
          + "the same sample.", "folder", \.sound.multitrackFolder),
    ]
  }
}

extension CommandSyntax.Option where Command: SoundCommand {
  /// Returns an option about one track.
  fileprivate static func track(
    _ long: String, _ value: OptionDescription.Value, _ help: String,
    _ parse: @escaping Parser<TrackArguments.Argument>
  ) -> Self {
    .value(long, value, help) { (command, value) throws(UsageError) in
      command.sound.trackArguments.add(try parse(value, "--" + long))
    }
  }
}
