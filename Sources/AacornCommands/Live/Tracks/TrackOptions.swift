import AacornRecording

/// The options for tracks, of all commands that capture audio.
extension CommandSyntax where Command: SoundCommand {
  static var trackOptions: [Option] {
    sourceOptions + positionOptions + timeOptions + filterOptions
  }

  private static var section: String { "Tracks" }

  private static var sourceOptions: [Option] {
    [
      .value(
        "source", .text("NAME=SOURCE"), in: section,
        "Add a track from a device, a file or a test signal; all tracks are mixed. May be repeated. "
          + "The first track sets the clock and the end. The output of other programs is a device "
          + "named “Monitor of …” (see “aacorn devices”). A single source needs no name."
      ) { (command, value) throws(UsageError) in
        try command.sound.trackArguments.add(source: value)
      },
      .value(
        "track-effects", .text("NAME=TEXT"), in: section,
        "Apply effects to a track, such as mic=\"highpass 80, gate -45\" (see --effects). They "
          + "precede gain, pan and mix."
      ) { (command, value) throws(UsageError) in
        try command.sound.trackArguments.add(effects: value)
      },
    ]
  }

  private static var positionOptions: [Option] {
    [
      .value(
        "pan", .text("NAME=X"), in: section,
        "Pan a track from -1 (left) to 1 (right), at constant power."
      ) { (command, value) throws(UsageError) in try command.sound.trackArguments.add(pan: value) },
      .value("mute-track", .text("NAME"), in: section, "Start with this track muted.") {
        (command, value) throws(UsageError) in
        command.sound.trackArguments.add(.muted, of: value, option: "--mute-track")
      },
      .value("solo", .text("NAME"), in: section, "Mix only this track; may be repeated.") {
        (command, value) throws(UsageError) in
        command.sound.trackArguments.add(.solo, of: value, option: "--solo")
      },
    ]
  }

  private static var timeOptions: [Option] {
    [
      .value(
        "loop-track", .text("NAME"), in: section,
        "Loop the file of this track."
      ) { (command, value) throws(UsageError) in
        command.sound.trackArguments.add(.looped, of: value, option: "--loop-track")
      },
      .value(
        "start-track", .text("NAME=TIME"), in: section,
        "Start a track at this time of the recording: music=10s, or at its key: music=key. For files "
          + "and test signals. The keys 1 to 9 start and stop them, in the order of their sources."
      ) { (command, value) throws(UsageError) in try command.sound.trackArguments.add(start: value)
      },
      .value(
        "stop-track", .text("NAME=TIME"), in: section,
        "Stop such a track at this time of the recording, such as music=1:30."
      ) { (command, value) throws(UsageError) in try command.sound.trackArguments.add(stop: value)
      },
      .value(
        "fade", .text("NAME=IN/OUT"), in: section,
        "Fade such a track in and out, such as music=2s/4s, at most 10m. music=2s only fades in."
      ) { (command, value) throws(UsageError) in try command.sound.trackArguments.add(fade: value)
      },
    ]
  }

  /// The former names of options, from the previous version.
  static var formerTrackOptions: [Option] {
    [
      .former("start", now: "--start-track", .text("NAME=TIME")) {
        (command, value) throws(UsageError) in try command.sound.trackArguments.add(start: value)
      },
      .former("stop", now: "--stop-track", .text("NAME=TIME")) {
        (command, value) throws(UsageError) in try command.sound.trackArguments.add(stop: value)
      },
    ]
  }

  private static var filterOptions: [Option] {
    [
      .value(
        "duck", .text("NAMES=DB"), in: section,
        "Lower a track while another is loud: music:mic=-12, or music=-12 for any other. Append "
          + "other settings, each after a comma: threshold=-40, attack=50ms, release=500ms and "
          + "hold=500ms are the defaults."
      ) { (command, value) throws(UsageError) in
        try command.sound.trackArguments.add(ducking: value)
      },
      .value(
        "cancel-echo", .text("NAME=OTHER"), in: section,
        "Remove the echo of a track from another: mic=far (needs libspeexdsp). mic=far,tail=300 "
          + "removes 300 ms of echo (10 to 1000, default 200); ,reference=mix is for a single "
          + "loudspeaker. Try --voice first."
      ) { (command, value) throws(UsageError) in try command.sound.trackArguments.add(echo: value)
      },
      .path(
        "multitrack", .folder("FOLDER"), in: section,
        "Also write each track to FOLDER/NAME, in the format of the mix. All files start and end at "
          + "the same sample.",
        "folder", \.sound.multitrackFolder),
    ]
  }
}
