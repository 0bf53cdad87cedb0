/// A command that makes one AAC file from parts of other AAC files, without encoding the audio
/// again.
protocol SpliceCommand: Subcommand {
  var inputs: [String] { get }
  var output: String? { get set }
  var replacesExisting: Bool { get set }
  var printsJSON: Bool { get set }
  var isQuiet: Bool { get set }
}

extension SpliceCommand {
  /// The options for the output and the report.
  static var outputOptions: [CommandSyntax<Self>.Option] {
    [
      .path(
        "output", short: "o", .file("OUT"), in: "Output",
        "Write OUT; its suffix selects the format: .m4a, .aac, .latm.",
        "output", \.output),
      .flag(
        "force", short: "f", alias: "y", in: "Output", "Replace an existing file.",
        \.replacesExisting),
      .flag("json", in: "Other", "Print one JSON object.", \.printsJSON),
      .flag("quiet", short: "q", in: "Other", "Print only errors.", \.isQuiet),
    ]
  }
}
