import AacornRecording

/// The options for several sources, of all commands that capture audio.
extension CommandSyntax where Command: SoundCommand {
  static var trackOptions: [Option] {
    let section = "Several sources"
    return [
      .value(
        "source", .text("NAME=SOURCE"), in: section,
        "Take sound from a device or a file under a name; may be given several times, and all are "
          + "mixed. The first one gives the time and the end. What another program plays is a device, "
          + "too: a monitor (see “aacorn devices”). A single source needs no name."
      ) { (command, value) throws(UsageError) in
        try command.sound.wishes.add(source: value)
      },
      .value(
        "track-effects", .text("NAME=TEXT"), in: section,
        "Send a source through effects of its own, before its gain, its pan and the mix: "
          + "mic=\"highpass 80, gate -45\", or whatever --effects understands."
      ) { (command, value) throws(UsageError) in try command.sound.wishes.add(effects: value) },
      .value(
        "pan", .text("NAME=X"), in: section,
        "Put a source between left (-1) and right (1), at constant power."
      ) { (command, value) throws(UsageError) in try command.sound.wishes.add(pan: value) },
      .value("mute-source", .text("NAME"), in: section, "Begin with this source muted.") {
        (command, value) throws(UsageError) in
        command.sound.wishes.add(.muted, of: value, option: "--mute-source")
      },
      .value("solo", .text("NAME"), in: section, "Let only this source, or these, be heard.") {
        (command, value) throws(UsageError) in
        command.sound.wishes.add(.solo, of: value, option: "--solo")
      },
      .value(
        "loop-source", .text("NAME"), in: section, "Play this source, a file, again and again."
      ) { (command, value) throws(UsageError) in
        command.sound.wishes.add(.looped, of: value, option: "--loop-source")
      },
      .value(
        "duck", .text("NAMES=DB"), in: section,
        "Lower a source by so many decibels while another one is louder than -40 dB: music:mic=-12; "
          + "or, with music=-12, while any other one is."
      ) { (command, value) throws(UsageError) in try command.sound.wishes.add(ducking: value) },
      .value(
        "cancel-echo", .text("NAME=OTHER"), in: section,
        "Take out of a source what it hears of another one, such as a monitor of the output: "
          + "mic=far; or mic=far,tail=300 if it is heard for so many milliseconds (200), with "
          + ",reference=mix for a single loudspeaker. Try --voice first. Needs libspeexdsp."
      ) { (command, value) throws(UsageError) in try command.sound.wishes.add(echo: value) },
      .value(
        "multitrack", .folder("FOLDER"), in: section,
        "Also write every source to a file of its own, as long as the mix and sample by sample "
          + "beside it: NAME.m4a, or whatever format the mix has."
      ) { (command, value) throws(UsageError) in
        if value.isEmpty { throw UsageError("The folder has an empty name.") }
        command.sound.multitrackFolder = value
      },
    ]
  }
}
