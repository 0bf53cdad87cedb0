import AacornRecording
import AacornSystem

/// What a recording goes through, for who wants to know.
enum EffectRemarks {
  /// A sentence or two for each track with effects of its own, and for the effects of the mix.
  static func lines(
    _ configuration: RecordingConfiguration, _ tracks: [TrackConfiguration]
  ) -> [String] {
    var lines: [String] = []
    for track in tracks where !track.effects.isEmpty {
      let name = displayed(track.name)
      lines.append(
        "The effects of the track “\(name)” are: " + words(of: track.effects, configuration))
    }
    if !configuration.effects.isEmpty {
      lines.append("The effects are: " + words(of: configuration.effects, configuration))
    }
    return lines
  }

  /// Effects, and by how much the sound comes out of them later, which listeners of a stream notice.
  private static func words(
    of effects: [EffectDescription], _ configuration: RecordingConfiguration
  ) -> String {
    let text = EffectDescription.text(effects) + "."
    let chain = try? EffectChain(
      effects, channelCount: configuration.channelCount, sampleRate: configuration.sampleRate)
    // Plugins may have gone since.
    guard let latency = chain?.latency else { return text }
    if latency == 0 { return text + " They add no latency." }
    let seconds = Double(latency) / Double(configuration.sampleRate)
    return text + " They add \(QuantityText.length(seconds)) of latency."
  }
}
