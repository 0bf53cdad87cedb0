extension EffectChain {
  /// The chain for a file that is encoded; nil if there are no effects.
  static func ofFile(
    _ effects: [EffectDescription], channelCount: Int, sampleRate: Int
  ) throws(AACFileError) -> EffectChain? {
    if effects.isEmpty { return nil }
    do throws(EffectError) {
      return try EffectChain(effects, channelCount: channelCount, sampleRate: sampleRate)
    } catch {
      throw AACFileError(
        .effects(error.kind), error.problem, error.advice.isEmpty ? .none : .words(error.advice))
    }
  }
}

extension RecordingConfiguration {
  /// What a track with these settings goes through.
  func rack(_ track: TrackConfiguration) throws(RecordingError) -> EffectRack {
    try rack(of: track.effects)
  }

  /// What the mix goes through.
  func mixRack() throws(RecordingError) -> EffectRack { try rack(of: effects) }

  private func rack(of effects: [EffectDescription]) throws(RecordingError) -> EffectRack {
    do throws(EffectError) {
      return try EffectRack(effects, channelCount: channelCount, sampleRate: sampleRate)
    } catch {
      throw .effects(error)
    }
  }

  /// Throws why sound of the recording cannot go through other effects.
  func validate(_ effects: [EffectDescription]) throws(EffectError) {
    if effects.count > EffectDescription.mostEffects { throw .tooMany }
    // Only making them tells whether the code of others is there.
    _ = try EffectChain(effects, channelCount: channelCount, sampleRate: sampleRate)
  }
}
