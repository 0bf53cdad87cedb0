import AacornDevices
import AacornRecording
import Simulation
import SoundRigs
import TestSignals
import Testing

@testable import AacornPlayback

@Suite(.simulated(seeds: 4, with: .all)) struct PlayerEffectTests: PlayerSuite {
  let files: PlayedFiles
  let listener = PlayerListener()
  let target = PumpedTarget()

  init() throws { files = try PlayedFiles() }

  /// Two limiters, which only delay the samples of these tests.
  private static let neutral = "limiter -1, limiter -2"

  @Test(.realTime) func invalidEffectsThrowBeforeFetchingOrOpening() throws {
    let server = try WebServer { _, connection in connection.stall() }
    let session = session([server.address("/a.aac")]) {
      $0.effects = Array(repeating: EffectDescription(.gain), count: 33)
    }
    let error = #expect(throws: PlayerError.self) { try session.start() }
    guard case .effects(let reason) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(reason.message == "A chain can have at most 32 effects. Remove some of them.")
    #expect(server.questions.isEmpty && !target.isOpening)
  }

  @Test func effectsAreCheckedBeforeTheStart() throws {
    let session = session([])
    let gain = try EffectDescription.parse("gain -20")
    for (count, isAccepted) in [(32, true), (33, false)] {
      let effects = [EffectDescription](repeating: gain[0], count: count)
      #expect(session.setEffects(effects) == isAccepted)
    }
  }

  @Test func aSoundShorterThanWhatIsHeldBackIsWhole() throws {
    let session = try session(files.ramps(1..<101), effects: Self.neutral)
    try playToTheEnd(session)
    #expect(target.samples == ramp(1..<101))
  }

  @Test func volumeIsAppliedAfterEffects() throws {
    let loud = [Float](repeating: 0.9, count: 48_000)
    let session = try self.session([try files.wav(loud, to: "a.wav")], effects: "limiter -6") {
      $0.volume = 0.5
    }
    try playToTheEnd(session)
    // With the volume before the limiter, the level would be 0.45.
    #expect(target.samples.count == 48_000 && abs(target.samples[24_000] - 0.25) < 0.01)
  }

  /// The library of an effect may have to be loaded from a slow disk.
  @Test(.needsSimulation) func playerChecksEffectsOnASeparateThread() async throws {
    let player = Player(playing: [PlaylistItem("a.wav")], on: target)
    let before = Simulation.threadCount
    #expect(try await player.setEffects(EffectDescription.parse("gain -20")))
    #expect(Simulation.threadCount == before + 1)
    let many = Array(repeating: EffectDescription(.gain), count: 33)
    #expect(await !player.setEffects(many))
  }

  @Test func effectChangeDuringPlaybackLosesNoFrame() throws {
    let session = try session(files.ramps(0..<96_000), effects: Self.neutral)
    try session.start()
    #expect(
      eventually { (target.feed?.waitingFrameCount ?? 0) >= 10_000 }, "Playback does not start.")
    session.setEffects(try EffectDescription.parse("gain -20, limiter -3"))
    #expect(pump { listener.hasStopped })
    let played = target.samples
    try #require(played.count == 96_000)
    #expect(Array(played.prefix(9000)) == ramp(0..<9000))
    let soft = ramp(86_000..<96_000)
    #expect(zip(played.suffix(10_000), soft).allSatisfy { abs($0 - $1 * 0.1) < 1e-6 })
    #expect(soft.allSatisfy { $0 > 0.04 }, "Soft and loud are not the same.")
  }
}
