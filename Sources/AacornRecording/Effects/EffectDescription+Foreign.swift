extension EffectDescription {
  /// Creates an effect of a plugin or a library; throws the reason if that fails.
  func foreignEffect(
    channelCount: Int, sampleRate: Int
  ) throws(EffectError) -> any AdjustableEffect {
    #if os(Linux)
    guard kind == .ladspa else {
      return try DenoiseEffect(depth: values[0], channelCount: channelCount, sampleRate: sampleRate)
    }
    guard let plugin else { throw EffectError("The effect ladspa requires a plugin.") }
    return try LADSPAEffect(plugin, channelCount: channelCount, sampleRate: sampleRate)
    #else
    throw EffectError(
      "The effect \(kind.rawValue) works on Linux only.", "Remove it on this system.",
      kind: .missing)
    #endif
  }
}
