#if os(Linux)
import AacornDevices
import Testing

@testable import AacornRecording

/// Effects of tracks after echo cancellation, when a signal is played again.
@Suite struct EchoStageEffectTests {
  private static let configuration = MixRig.configuration
  /// A filter that sounds for a long time after its input has become silent.
  private static let resonance = "lowpass 200 q=100"

  /// A microphone whose echo of a jingle is canceled.
  ///
  /// The text describes the effects of the jingle.
  private func settings(_ text: String) throws -> [TrackConfiguration] {
    var settings = [TrackConfiguration("mic"), TrackConfiguration("jingle")]
    settings[0].echoCancellation = EchoCancellation(of: "jingle")
    settings[1].startsByItself = false
    settings[1].effects = try EffectDescription.parse(text)
    return settings
  }

  private func stage(_ settings: [TrackConfiguration]) throws -> EchoStage {
    let racks = try settings.map { try Self.configuration.rack(of: $0.effects) }
    return try #require(
      try EchoStage(settings, effects: racks, channelCount: 2, sampleRate: 48_000))
  }

  /// The output of one track in blocks of 700 frames, while the other tracks are silent.
  ///
  /// The track's effects restart after `blocks` blocks.
  private func pass(
    _ sound: [Float], track: Int, _ settings: [TrackConfiguration], restartAfter blocks: Int?
  ) throws -> [Float] {
    var stage = try stage(settings)
    var result: [Float] = []
    for (number, start) in stride(from: 0, to: sound.count, by: 1400).enumerated() {
      if number == blocks { stage.restartEffects(of: track) }
      let block = Array(sound[start..<min(start + 1400, sound.count)])
      var chunks = [[Float]](
        repeating: [Float](repeating: 0, count: block.count), count: settings.count)
      chunks[track] = block
      stage.process(&chunks)
      #expect(Set(chunks.map(\.count)).count == 1)
      result += chunks[track]
    }
    let rest = stage.finish()
    #expect(Set(rest.map(\.count)).count == 1 && stage.heldCount == 0)
    return result + rest[track]
  }

  /// `frameCount` frames of 0.25, followed by silence.
  private func burst(_ frameCount: Int, of all: Int) -> [Float] {
    (0..<2 * all).map { $0 < 2 * frameCount ? 0.25 : 0 }
  }

  @Test func restartDiscardsOldEffectTail() throws {
    let settings = try settings(Self.resonance)
    let sound = burst(700, of: 7000)
    let kept = try pass(sound, track: 1, settings, restartAfter: nil)
    let restarted = try pass(sound, track: 1, settings, restartAfter: 1)
    #expect(kept.count == sound.count && restarted.count == sound.count)
    #expect(kept[1400...].contains { $0.magnitude > 0.01 })
    #expect(restarted[1400...].allSatisfy { $0 == 0 })
  }

  /// The limiters only delay the noise, which is too quiet for them to change.
  @Test(arguments: [0, 1, 5, 9])
  func aRestartLosesAndMovesNoFrame(blocks: Int) throws {
    let settings = try settings("limiter -1, limiter -2")
    let sound = noise(2 * 7001, amplitude: 0.25, seed: 6)
    #expect(try pass(sound, track: 1, settings, restartAfter: blocks) == sound)
  }

  @Test func effectsApplyToTheHeldEndOfTheMicrophone() throws {
    let sound = noise(2 * 7001, amplitude: 0.25, seed: 6)
    let outputs = try ["gain 0", "gain -20"].map { text in
      var settings = try settings("gain 0")
      settings[0].effects = try EffectDescription.parse(text)
      return try pass(sound, track: 0, settings, restartAfter: nil)
    }
    #expect(outputs.map(\.count) == [sound.count, sound.count])
    #expect(zip(outputs[0], outputs[1]).allSatisfy { abs($0 * 0.1 - $1) < 1e-6 })
    #expect(outputs[0].suffix(20).contains { abs($0) > 0.01 })
  }

  @Test func changedEffectsApplyAfterEchoCancellation() throws {
    var settings = try settings("gain 0")
    settings[1].startsByItself = true
    var rig = try MixRig(settings)
    rig.mixdown.echoes = try stage(settings)
    let gain = try EffectDescription.parse("gain -20")
    rig.mixdown.apply(.effects(gain), to: "jingle")
    try rig.mix(0, 0.25, frames: 4800)
    #expect(rig.mixed.count > 8000 && rig.mixed.suffix(2000).allSatisfy { abs($0 - 0.025) < 1e-3 })
  }

  /// Echo cancellation delays a track, so its effects restart after the same delay.
  @Test func restartFollowsDelayOfEchoCancellation() throws {
    var settings = try settings("gain 0")
    settings[0].effects = try EffectDescription.parse(Self.resonance)
    // The burst has whole blocks of the canceller, so that the output becomes silent at the same
    // frame as the input.
    let sound = burst(4 * 480, of: 9600)
    let kept = try pass(sound, track: 0, settings, restartAfter: nil)
    let restarted = try pass(sound, track: 0, settings, restartAfter: 3)
    #expect(kept.count == sound.count && restarted.count == sound.count)
    #expect(kept[(2 * 2100)...].contains { $0.magnitude > 0.01 })
    #expect(restarted[(2 * 2100)...].allSatisfy { $0 == 0 })
  }
}
#endif
