import AacornRecording
import AacornSystem

/// `aacorn effects`.
struct EffectsCommand: Subcommand {
  var printsJSON = false

  static var syntax: CommandSyntax<EffectsCommand> {
    CommandSyntax(
      CommandDescription(
        name: "effects", summary: "Lists the effects that sound can be sent through.",
        operands: .none,
        discussion: [
          "What stands here is for --effects of “aacorn record”, “aacorn stream”, “aacorn encode” and "
            + "“aacorn play”, and for --track-effects: effects with their numbers, as they are unless something else is said, and with the "
            + "range of these, of plugins at 48 kHz, where switches are on or off; presets, which stand for several effects; and the LADSPA plugins of "
            + "this computer that have one input and one output, or two of each.",
          "Plugins are looked for in the folders of LADSPA_PATH and where systems keep them. Looking "
            + "for them loads them.",
        ],
        examples: [
          ("aacorn effects", "a list"),
          ("aacorn effects --json", "for programs"),
        ],
        exitCodes: [
          ("0", "all is well, even if there are no plugins"),
          ("2", "the command line is invalid"),
          ("141", "the reader of standard output went away"),
        ]),
      options: [
        .flag(
          "json", in: "Output", "Print one JSON object per effect, preset and plugin.",
          \.printsJSON)
      ]
    ) { (command, operand) throws(UsageError) in
      throw UsageError(
        "“\(displayed(operand))” is an unexpected argument.",
        advice: "The command takes options only.")
    }
  }

  func run(in console: Console) throws(UsageError) -> ExitStatus {
    let plugins = InstalledPlugin.all()
    if printsJSON {
      for value in EffectTable.values(plugins) { console.print(value.encoded) }
    } else {
      for line in EffectTable.lines(plugins) { console.print(line) }
    }
    return .success
  }
}
