import AacornRecording
import AacornSystem

/// Messages about the effects of a recording, for `--verbose`.
enum EffectSummary {
  /// Returns messages about the effects of each track and of the mix.
  static func lines(
    _ configuration: RecordingConfiguration, _ tracks: [TrackConfiguration]
  ) -> [String] {
    var lines: [String] = []
    for track in tracks where !track.effects.isEmpty {
      let name = displayed(track.name)
      lines.append(
        "The effects of the track “\(name)” are: " + effectText(of: track.effects, configuration))
    }
    if !configuration.effects.isEmpty {
      lines.append("The effects are: " + effectText(of: configuration.effects, configuration))
    }
    return lines
  }

  /// Returns the effects and their latency, which delays a live stream.
  private static func effectText(
    of effects: [EffectDescription], _ configuration: RecordingConfiguration
  ) -> String {
    let text = EffectDescription.text(effects) + "."
    let chain = try? EffectChain(
      effects, channelCount: configuration.channelCount, sampleRate: configuration.sampleRate)
    // The chain is nil if a plugin was removed after the options were checked.
    guard let latency = chain?.latency else { return text }
    if latency == 0 { return text + " They add no latency." }
    let seconds = Double(latency) / Double(configuration.sampleRate)
    return text + " They add \(QuantityText.length(seconds)) of latency."
  }
}
