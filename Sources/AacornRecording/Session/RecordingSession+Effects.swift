/// What the recording goes through.
extension RecordingSession {
  /// Sends the recording through other effects from now on, or through none.
  ///
  /// Those of the same kinds, in the same order, move to their new numbers; others take over, even if
  /// they hear further ahead. Both is done within ten milliseconds, without a click, and no sample is
  /// lost, doubled or moved by it. It throws, and leaves the effects as they are, if these are more than
  /// ``EffectDescription/mostEffects``, or if one of them cannot be made.
  public func setEffects(_ effects: [EffectDescription]) throws(EffectError) {
    try configuration.validate(effects)
    changeEffects { $0.change(to: effects) }
  }

  /// Takes one of the recording's effects out of the way, or back; one that there is not changes
  /// nothing.
  ///
  /// Other effects that take over are in the way.
  public func setBypassed(_ isBypassed: Bool, effect index: Int) {
    changeEffects { $0.bypass(index, isBypassed) }
  }

  /// Takes all of the recording's effects out of the way, or back, those too that take over later.
  public func setBypassed(_ isBypassed: Bool) {
    changeEffects { $0.isBypassed = isBypassed }
  }

  private func changeEffects(_ change: @escaping @Sendable (inout EffectRack) -> Void) {
    control { $0.effectChanges.append(change) }
  }
}
