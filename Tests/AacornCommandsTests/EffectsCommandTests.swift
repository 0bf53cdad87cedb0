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
    for kind in EffectKind.allCases {
      #expect(lines.contains { $0.hasPrefix("  \(kind.rawValue) ") }, "\(kind)")
    }
    for preset in EffectPreset.allCases {
      #expect(lines.contains { $0.hasPrefix("  \(preset.rawValue) ") }, "\(preset)")
    }
    #expect(lines.contains("Presets"))
  }

  @Test func effectTableFitsTerminalWidth() {
    for line in EffectTable.lines { #expect(line.count <= HelpText.width, "\(line)") }
  }

  @Test func programsGetAnObjectForEach() {
    captured.aacorn("effects", "--json")
    let lines = captured.output.split(separator: "\n").map(String.init)
    #expect(lines.count == EffectKind.allCases.count + EffectPreset.allCases.count)
    #expect(
      lines.first
        == #"{"type":"effect","name":"gain","parameters":[{"name":"gain","unit":"dB","#
        + #""minimum":-60,"maximum":60,"default":0}]}"#)
  }
}
