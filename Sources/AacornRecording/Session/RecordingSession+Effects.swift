/// The effects of the recording.
extension RecordingSession {
  /// Replaces the recording's effects from now on; an empty list removes them.
  ///
  /// If the kinds of the effects and their order stay the same, the settings change gradually.
  /// Otherwise a crossfade leads to the new effects, even if their latency is longer. Either
  /// transition takes at most ten milliseconds and does not click. No sample is lost, repeated or
  /// moved. Throws and changes nothing if there are more than ``EffectDescription/maxEffectCount``
  /// effects or if one cannot be created.
  public func setEffects(_ effects: [EffectDescription]) throws(EffectError) {
    try configuration.validate(effects)
    changeEffects { $0.change(to: effects) }
  }

  /// Bypasses one of the recording's effects, or ends the bypass; ignores an unknown index.
  ///
  /// The bypass also ends when ``setEffects(_:)`` changes the kinds or the order of the effects.
  public func setBypassed(_ isBypassed: Bool, effect index: Int) {
    changeEffects { $0.bypass(index, isBypassed) }
  }

  /// Bypasses all of the recording's effects, including later ones, or ends the bypass.
  public func setBypassed(_ isBypassed: Bool) {
    changeEffects { $0.isBypassed = isBypassed }
  }

  private func changeEffects(_ change: @escaping @Sendable (inout EffectRack) -> Void) {
    control { $0.effectChanges.append(change) }
  }
}
