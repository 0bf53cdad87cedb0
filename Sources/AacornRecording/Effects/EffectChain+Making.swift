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
    do throws(EffectError) {
      return try EffectRack(
        track.effects, channelCount: channelCount, sampleRate: sampleRate)
    } catch {
      throw .effects(error)
    }
  }

  /// The chain for the mix; nil if there are no effects.
  func effectChain() throws(RecordingError) -> EffectChain? {
    if effects.isEmpty { return nil }
    do throws(EffectError) {
      return try EffectChain(effects, channelCount: channelCount, sampleRate: sampleRate)
    } catch {
      throw .effects(error)
    }
  }
}
