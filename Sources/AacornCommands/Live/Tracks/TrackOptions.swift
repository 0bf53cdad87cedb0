import AacornRecording

/// The options for tracks, of all commands that capture audio.
extension CommandSyntax where Command: SoundCommand {
  static var trackOptions: [Option] {
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
        .init(option: $1, track: $0, change: .muted)
      },
      .track("solo", .text("NAME"), "Mix only this track; may be repeated.") {
        .init(option: $1, track: $0, change: .solo)
      },
      .track("loop-track", .text("NAME"), "Loop the file of this track.") {
        .init(option: $1, track: $0, change: .looped)
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

  /// The former names of options, from the previous version.
  static var formerTrackOptions: [Option] {
    [
      .former("start", now: "--start-track", .text("NAME=TIME")) {
        (command, value) throws(UsageError) in
        command.sound.trackArguments.add(try TrackArguments.start(value, "--start-track"))
      },
      .former("stop", now: "--stop-track", .text("NAME=TIME")) {
        (command, value) throws(UsageError) in
        command.sound.trackArguments.add(try TrackArguments.stop(value, "--stop-track"))
      },
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
