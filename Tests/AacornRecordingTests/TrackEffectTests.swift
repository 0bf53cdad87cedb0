import AacornDevices
import AacornSignal
import Testing

@testable import AacornRecording

@Suite struct TrackEffectTests {
  private static let configuration = MixRig.configuration

  private func rig(leader: String, follower: String) throws -> MixRig {
    var settings = [TrackConfiguration("one"), TrackConfiguration("other")]
    for (index, text) in [leader, follower].enumerated() where !text.isEmpty {
      settings[index].effects = try EffectDescription.parse(text)
    }
    return try MixRig(settings, keepsTracks: true)
  }

  /// Noise below the ceiling of every limiter.
  private func quietNoise(_ frameCount: Int, seed: Int) -> [Float] {
    noise(2 * frameCount, amplitude: 0.25, seed: seed)
  }

  @Test(arguments: [
    ("limiter -1", ""), ("", "limiter -1"), ("limiter -1, limiter -2", "limiter -1"),
    ("limiter -1", "limiter -1, limiter -2, limiter -3"),
  ])
  func delayingEffectsKeepTracksAligned(leader: String, follower: String) throws {
    for length in [1, 480, 20_000] {
      var rig = try rig(leader: leader, follower: follower)
      let (one, other) = (quietNoise(20_000, seed: 1), quietNoise(20_000, seed: 2))
      for start in stride(from: 0, to: one.count, by: 2 * length) {
        let end = min(start + 2 * length, one.count)
        try rig.mix(Array(one[start..<end]), Array(other[start..<end]))
      }
      let held = max(rig.mixdown.leader.effects.heldCount, rig.mixdown.followers[0].heldCount)
      #expect(held > 100 && rig.mixdown.position == 20_000 - held)
      try rig.end()
      #expect(rig.parts[0] == one)
      #expect(rig.parts[1] == other)
      #expect(rig.mixed == zip(one, other).map { $0 + $1 })
    }
  }

  @Test func duckingListensToWhatTheEffectsMake() throws {
    for (text, isLowered) in [("gain -40", false), ("gain -10", true)] {
      var settings = [TrackConfiguration("one"), TrackConfiguration("other")]
      settings[0].ducking = Ducking(of: .track("other"), threshold: -20, depth: 20)
      settings[1].effects = try EffectDescription.parse(text)
      var rig = try MixRig(settings, keepsTracks: true)
      try rig.mix(0.25, 0.5, frames: 9600)
      #expect(((rig.parts[0].last ?? 0) < 0.05) == isLowered)
    }
  }

  @Test func effectsAreChangedAndPassedByWhileTheTrackRuns() throws {
    var rig = try rig(leader: "", follower: "")
    try rig.mix(0.25, 0.5, frames: 480)
    #expect(rig.mixed == constant(0.75, 960))
    func command(_ change: TrackChange, _ name: String = "other") {
      rig.mixdown.apply(change, to: name)
    }
    command(.effects(try EffectDescription.parse("gain -20")))
    try rig.mix(0.25, 0.5, frames: 600)
    // After half of the crossfade, half of the change is audible.
    #expect(abs(rig.mixed[2 * (480 + 239)] - 0.525) < 1e-5)
    #expect(abs((rig.mixed.last ?? 0) - 0.3) < 1e-6)
    command(.bypass(0, true))
    try rig.mix(0.25, 0.5, frames: 600)
    #expect(rig.mixed.last == 0.75)
    // The first track has its own effects. Unknown effects and tracks are ignored.
    command(.effects(try EffectDescription.parse("gain -6.0206, limiter -1")), "one")
    command(.bypass(5, true), "one")
    command(.effects([]), "nobody")
    try rig.mix(0.25, 0.5, frames: 2000)
    #expect(abs((rig.mixed.last ?? 0) - 0.625) < 1e-5)
    command(.effects([]))
    command(.effects([]), "one")
    try rig.mix(0.25, 0.5, frames: 2000)
    #expect(rig.mixed.last == 0.75)
    try rig.end()
    #expect(rig.mixed.count == 2 * (480 + 600 + 600 + 2000 + 2000))
    #expect(rig.parts.allSatisfy { $0.count == rig.mixed.count })
  }

  @Test func replayedSignalHasCurrentEffects() throws {
    var settings = TrackConfiguration("jingle")
    settings.startsByItself = false
    settings.effects = try EffectDescription.parse("gain -20")
    let source = HandFedSource()
    var track = try FollowerTrack(
      settings, Self.configuration, pace: .mix, source: source,
      effects: Self.configuration.rack(of: settings.effects))
    var position = 0
    func expectOutput(times factor: Float) {
      let first = source.nextFrame
      source.deliver(480)
      _ = track.receive(at: position, needed: 480, nil, mayWait: false)
      var samples: [Float] = []
      track.take(480, at: position, into: &samples)
      position += 480
      let wrong = (0..<480).first { frame in
        let value = CounterSignal.value(frame: first + frame, channel: 1) * factor
        return abs(samples[2 * frame + 1] - value) > 1e-5
      }
      #expect(wrong == nil)
    }
    track.start(at: position)
    expectOutput(times: 0.1)
    track.stop()
    track.track.effects.change(to: [EffectDescription(.limiter)])
    track.track.effects.change(to: [])
    track.start(at: position)
    expectOutput(times: 1)
    #expect(track.heldCount == 0)
  }

  // MARK: Recordings

  /// The files of a recording: the mix, a voice without effects, and a music bed with effects.
  private func record(_ text: String) throws -> [[Float]] {
    let folder = try Folder()
    var configuration = Self.configuration
    configuration.multitrack = Multitrack(folder.path, .wav)
    let tone = ToneSignal(sampleRate: 48_000, channelCount: 2)
    let leader = SyntheticSource.test(tone, frames: 30_001)
    var bed = TrackConfiguration("bed")
    bed.effects = try EffectDescription.parse(text)
    let session = RecordingSession(configuration)
    try session.start(
      [TrackSource(TrackConfiguration("voice"), from: leader), TrackSource(bed, playing: tone)],
      outputs: [FileOutput(folder.file("mix.wav"), .wav)])
    #expect(try finalSummary(of: session).sampleCount == 30_001)
    let many = [EffectDescription](repeating: EffectDescription(.gain), count: 33)
    #expect(session.change(.effects([]), of: "bed") && !session.change(.effects([]), of: "bet"))
    #expect(!session.change(.effects(many), of: "bed"))
    #expect(session.change(.bypass(0, true), of: "voice"))
    #expect(!session.change(.bypass(0, true), of: "vice"))
    return try ["mix", "voice", "bed"].map { try folder.samples($0 + ".wav") }
  }

  @Test func filesOfTheTracksHaveTheirEffectsAndAddUpToTheMix() throws {
    let plain = try record("gain -20")
    #expect(plain.allSatisfy { $0.count == 2 * 30_001 })
    #expect(zip(plain[1], plain[2]).map { $0 + $1 } == plain[0])
    #expect(zip(plain[1], plain[2]).allSatisfy { abs($0 * 0.1 - $1) < 1e-6 })
    #expect(plain[1].contains { abs($0) > 0.1 })
    // A limiter neither changes nor delays a signal this quiet.
    #expect(try record("gain -20, limiter -1, limiter -2") == plain)
  }
}
