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
