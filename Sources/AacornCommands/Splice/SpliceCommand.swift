/// A command that makes one AAC file of parts of others, without encoding again.
protocol SpliceCommand: Subcommand {
  var inputs: [String] { get }
  var output: String? { get set }
  var replacesExisting: Bool { get set }
  var printsJSON: Bool { get set }
  var isQuiet: Bool { get set }
}

extension SpliceCommand {
  /// The options for the output, and for what is told of it.
  static var outputOptions: [CommandSyntax<Self>.Option] {
    [
      .path(
        "output", short: "o", .file("OUT"), in: "Output",
        "Write to OUT, whose suffix chooses the format: .m4a, .aac or .latm, for example.",
        "output", \.output),
      .flag(
        "force", short: "f", alias: "y", in: "Output", "Replace an existing file.",
        \.replacesExisting),
      .flag("json", in: "Other", "Print one JSON object.", \.printsJSON),
      .flag("quiet", short: "q", in: "Other", "Print only errors.", \.isQuiet),
    ]
  }
}
