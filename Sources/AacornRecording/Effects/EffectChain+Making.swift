extension EffectChain {
  /// Returns the chain for encoding a file; nil if there are no effects.
  static func ofFile(
    _ effects: [EffectDescription], channelCount: Int, sampleRate: Int
  ) throws(AACFileError) -> EffectChain? {
    if effects.isEmpty { return nil }
    do throws(EffectError) {
      return try EffectChain(effects, channelCount: channelCount, sampleRate: sampleRate)
    } catch {
      throw AACFileError(
        .effects(error.kind), error.problem,
        error.recoverySuggestion.isEmpty ? .none : .text(error.recoverySuggestion))
    }
  }
}

extension RecordingConfiguration {
  func rack(_ track: TrackConfiguration) throws(RecordingError) -> EffectRack {
    try rack(of: track.effects)
  }

  func mixRack() throws(RecordingError) -> EffectRack { try rack(of: effects) }

  private func rack(of effects: [EffectDescription]) throws(RecordingError) -> EffectRack {
    do throws(EffectError) {
      return try EffectRack(effects, channelCount: channelCount, sampleRate: sampleRate)
    } catch {
      throw .effects(error)
    }
  }

  /// Throws if these effects cannot be used in the recording.
  func validate(_ effects: [EffectDescription]) throws(EffectError) {
    if effects.count > EffectDescription.maxEffectCount { throw .tooMany }
    // Creating the effects is the only test for plugins and libraries.
    _ = try EffectChain(effects, channelCount: channelCount, sampleRate: sampleRate)
  }
}
