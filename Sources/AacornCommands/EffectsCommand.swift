import AacornRecording
import AacornSystem

struct EffectsCommand: Subcommand {
  var printsJSON = false

  static var syntax: CommandSyntax<EffectsCommand> {
    CommandSyntax(
      CommandDescription(
        name: "effects", summary: "Lists effects, presets and plugins.",
        operands: .none,
        discussion: [
          "The list is for --effects of “aacorn record”, “aacorn stream”, “aacorn encode” and “aacorn "
            + "play”, and for --track-effects. It contains the effects with the defaults and ranges of "
            + "their settings, the presets with their effects, and the LADSPA plugins of this computer "
            + "with one input and output, or two of each, with their ranges at 48 kHz.",
          "Plugins are searched in the folders of LADSPA_PATH and in the system's folders. The search "
            + "loads them.",
        ],
        examples: [
          ("aacorn effects", "Print the list."),
          ("aacorn effects --json", "Print JSON for programs."),
        ],
        exitCodes: [
          ("0", "success, also without plugins"),
          ("2", "the command line is invalid"),
          ("141", "the reader of standard output closed it"),
        ]),
      options: [
        (
          "Output",
          [.flag("json", "Print one JSON object per effect, preset and plugin.", \.printsJSON)]
        )
      ],
      operandHint: "“aacorn effects” lists all presets and effects with their settings.")
  }

  func run(in console: Console) throws(UsageError) -> ExitStatus {
    let plugins = InstalledPlugin.all()
    if printsJSON {
      for value in EffectTable.values(plugins) { console.print(value) }
    } else {
      for line in EffectTable.lines(plugins) { console.print(line) }
    }
    return .success
  }
}
