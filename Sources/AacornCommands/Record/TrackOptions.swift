import AacornRecording

/// The options for tracks, of all commands that capture audio.
extension CommandSyntax where Command: SoundCommand {
  static var trackOptions: [Option] { sourceOptions + placeOptions + timeOptions + filterOptions }

  private static var section: String { "Tracks" }

  private static var sourceOptions: [Option] {
    [
      .value(
        "source", .text("NAME=SOURCE"), in: section,
        "Make a track of a source: a device, a file or a built-in sound. May be given several times, "
          + "and all tracks are mixed. The first one gives the time and the end. What another program "
          + "plays is a device, too: a monitor (see “aacorn devices”). A single source needs no name."
      ) { (command, value) throws(UsageError) in
        try command.sound.wishes.add(source: value)
      },
      .value(
        "track-effects", .text("NAME=TEXT"), in: section,
        "Send a track through effects of its own, before its gain, its pan and the mix: "
          + "mic=\"highpass 80, gate -45\", or whatever --effects understands."
      ) { (command, value) throws(UsageError) in try command.sound.wishes.add(effects: value) },
    ]
  }

  private static var placeOptions: [Option] {
    [
      .value(
        "pan", .text("NAME=X"), in: section,
        "Put a track between left (-1) and right (1), at constant power."
      ) { (command, value) throws(UsageError) in try command.sound.wishes.add(pan: value) },
      .value("mute-track", .text("NAME"), in: section, "Begin with this track muted.") {
        (command, value) throws(UsageError) in
        command.sound.wishes.add(.muted, of: value, option: "--mute-track")
      },
      .value("solo", .text("NAME"), in: section, "Let only this track, or these, be heard.") {
        (command, value) throws(UsageError) in
        command.sound.wishes.add(.solo, of: value, option: "--solo")
      },
    ]
  }

  private static var timeOptions: [Option] {
    [
      .value(
        "loop-track", .text("NAME"), in: section,
        "Play the source of this track, a file, again and again."
      ) { (command, value) throws(UsageError) in
        command.sound.wishes.add(.looped, of: value, option: "--loop-track")
      },
      .value(
        "start", .text("NAME=TIME"), in: section,
        "Play a track, a file or a built-in sound, from this time of the recording on: music=10s; or, "
          + "with music=key, when its key is pressed. The keys 1 to 9 start and stop such tracks, in "
          + "the order in which they are named."
      ) { (command, value) throws(UsageError) in try command.sound.wishes.add(start: value) },
      .value(
        "stop", .text("NAME=TIME"), in: section,
        "Let such a track fall silent at this time of the recording: music=1:30."
      ) { (command, value) throws(UsageError) in try command.sound.wishes.add(stop: value) },
      .value(
        "fade", .text("NAME=IN/OUT"), in: section,
        "Fade such a track in whenever it starts, and out whenever it is stopped: music=2s, or "
          + "music=2s/4s for both."
      ) { (command, value) throws(UsageError) in try command.sound.wishes.add(fade: value) },
    ]
  }

  private static var filterOptions: [Option] {
    [
      .value(
        "duck", .text("NAMES=DB"), in: section,
        "Lower a track by so many decibels while another one is louder than -40 dB: music:mic=-12; "
          + "or, with music=-12, while any other one is. Behind it may stand threshold=-30, "
          + "attack=50ms, release=500ms and hold=500ms, each after a comma."
      ) { (command, value) throws(UsageError) in try command.sound.wishes.add(ducking: value) },
      .value(
        "cancel-echo", .text("NAME=OTHER"), in: section,
        "Take out of a track what it hears of another one, such as a monitor of the output: "
          + "mic=far; or mic=far,tail=300 if it is heard for so many milliseconds (200), with "
          + ",reference=mix for a single loudspeaker. Try --voice first. Needs libspeexdsp."
      ) { (command, value) throws(UsageError) in try command.sound.wishes.add(echo: value) },
      .value(
        "multitrack", .folder("FOLDER"), in: section,
        "Also write every track to a file of its own, as long as the mix and sample by sample "
          + "beside it: NAME.m4a, or whatever format the mix has."
      ) { (command, value) throws(UsageError) in
        if value.isEmpty { throw UsageError("The folder has an empty name.") }
        command.sound.multitrackFolder = value
      },
    ]
  }
}
