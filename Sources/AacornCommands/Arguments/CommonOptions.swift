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

/// The messages of a command that runs for a long time.
struct ReportChoice: Sendable {
  /// Whether events and the result are printed as JSON.
  var printsJSON = false
  /// Whether levels are printed as well.
  var printsLevels = false
  /// Whether `--verbose` was given; see `isVerbose`.
  var wantsDetails = false
  /// Whether only errors are printed.
  var isQuiet = false

  /// Whether the settings and the reasons for them are printed.
  var isVerbose: Bool { wantsDetails && !isQuiet }
}

extension MP4Tags {
  /// Whether an option has set a tag.
  var hasTexts: Bool { [title, artist, album, date, comment].contains { $0 != nil } }
}

/// The options `--start`, `--end` and `--duration` of commands that read a part of a file.
struct PartChoice: Equatable, Sendable {
  var start = Duration.zero
  var end: Duration?
  var duration: Duration?

  /// Rejects an end with a duration, and an end before the start.
  func check() throws(UsageError) {
    guard let end else { return }
    try reject(if: duration != nil, "The options --end and --duration exclude each other.")
    try reject(if: end <= start, "--end must be later than --start.")
  }
}

/// A command that reads a part of a file.
protocol PartCommand: Subcommand {
  var part: PartChoice { get set }
}

extension PartCommand {
  /// Returns the options; `durationHelp` explains `--duration`.
  static func partOptions(durationHelp: String) -> [CommandSyntax<Self>.Option] {
    [
      .value(
        "start", .text("TIME"),
        "Start at this time, such as 90, 1.5s or 1:30.25, to the sample (default 0).",
        \.part.start, OptionValue.position),
      .value(
        "end", .text("TIME"), "End at this time of the input (default: its end).", \.part.end,
        OptionValue.length),
      .value(
        "duration", short: "d", alias: "t", .text("TIME"), durationHelp, \.part.duration,
        OptionValue.length),
    ]
  }
}
