import AacornCodec
import AacornContainers
import AacornDevices
import AacornRecording
import AacornSystem

/// The options that several commands have.
extension CommandSyntax.Option {
  static func effects(_ property: Property<[EffectDescription]>) -> Self {
    .value("effects", .text("TEXT"), OptionValue.effectsHelp, property, OptionValue.effects)
  }

  static func finish(_ property: Property<FileOutput.Finish?>) -> Self {
    .choice(
      "finish", [.compact, .inPlace],
      "Completion of an M4A file. By default, a compact copy replaces the file if it fits on the "
        + "disk; simple players need its audio in one piece. Between two parts of a recording, a "
        + "copy that takes longer than a minute is given up. compact: more time there, too. "
        + "in-place: no copy.",
      property)
  }

  /// Returns the options for the tags of commands that make M4A files.
  static func tags(_ tags: Property<MP4Tags>) -> [Self] {
    [
      .value("title", .text("TEXT"), "Title.") { $0[keyPath: tags].title = $1 },
      .value("artist", .text("TEXT"), "Performer or speaker.") { $0[keyPath: tags].artist = $1 },
      .value("album", .text("TEXT"), "Album.") { $0[keyPath: tags].album = $1 },
      .value("date", .text("DATE"), "Year or date, such as 2024 or 2024-05-31.") {
        (command, value) throws(UsageError) in
        command[keyPath: tags].date = try OptionValue.date(value, "--date")
      },
      .value("comment", .text("TEXT"), "Comment.") { $0[keyPath: tags].comment = $1 },
    ]
  }

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

extension MP4Tags {
  /// Whether an option has set a tag.
  var hasTexts: Bool { [title, artist, album, date, comment].contains { $0 != nil } }
}
