import AacornRecording
import Testing

@testable import AacornCommands

/// The command `aacorn effects`.
@Suite struct EffectsCommandTests {
  private let captured = CapturedConsole()

  @Test func everyEffectAndPresetIsListedWithItsNumbers() {
    captured.aacorn("effects")
    #expect(captured.errors.isEmpty)
    let lines = captured.output.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.first == "Effects")
    #expect(lines.contains("  gain        gain 0dB (-60dB to 60dB)"))
    #expect(
      lines.contains("  highpass    frequency 80Hz (10Hz to 20000Hz), slope 12dB (12dB to 24dB)"))
    for kind in EffectKind.allCases where kind != .ladspa {
      #expect(lines.contains { $0.hasPrefix("  \(kind.rawValue) ") }, "\(kind)")
    }
    for preset in EffectPreset.allCases {
      #expect(lines.contains { $0.hasPrefix("  \(preset.rawValue) ") }, "\(preset)")
    }
    #expect(lines.contains("Presets") && lines.contains("LADSPA plugins"))
  }

  @Test func effectTableFitsTerminalWidth() {
    // Plugins are excluded because their names have any length.
    for line in EffectTable.lines([]) { #expect(line.count <= HelpText.width, "\(line)") }
    #expect(EffectTable.lines([]).suffix(2) == ["LADSPA plugins", "  none"])
  }

  @Test func pluginNumbersHaveReadablePrecision() {
    let unit = EffectUnit.number
    #expect(unit.shortText(of: Double(Float(0.1))) == "0.1")
    #expect(unit.shortText(of: 632.455_532) == "632.4555")
    #expect(unit.shortText(of: Double(Float(0.49)) * 48_000) == "23520")
    #expect(unit.shortText(of: 16_777_215) == "16777215")
    #expect(unit.shortText(of: -100) == "-100" && unit.shortText(of: -0.0) == "0")
  }

  @Test func programsGetAnObjectForEach() {
    captured.aacorn("effects", "--json")
    let lines = captured.output.split(separator: "\n").map(String.init)
    let own = EffectKind.allCases.count - 1 + EffectPreset.allCases.count
    #expect(lines.count >= own)
    #expect(
      lines.first
        == #"{"type":"effect","name":"gain","parameters":[{"name":"gain","unit":"dB","#
        + #""minimum":-60,"maximum":60,"default":0}]}"#)
    for line in lines.dropFirst(own) {
      #expect(line.hasPrefix(#"{"type":"plugin","name":"ladspa "#))
    }
  }

  #if os(Linux)
  @Test func pluginsAreListedAsTheyAreWritten() {
    captured.aacorn("effects")
    captured.expectOutput("\n  ladspa amp:amp_mono  Mono Amplifier\n      gain=1 (from 0)\n")
    captured.expectOutput("stages(2_poles_per_stage)=1 (1 to 10, whole)")
    let json = CapturedConsole(running: ["effects", "--json"])
    json.expectOutput(
      #""title":"Mono Amplifier","maker":"Richard Furse (LADSPA example plugins)","channels":1,"#
        + #""parameters":[{"name":"gain","title":"Gain","minimum":0,"maximum":null,"default":1,"#
        + #""values":"number"}]}"#)
  }
  #endif
}
