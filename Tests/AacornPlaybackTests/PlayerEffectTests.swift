import AacornDevices
import AacornRecording
import AacornSystem
import Simulation
import SoundRigs
import Testing

@testable import AacornPlayback

/// Effects during playback.
@Suite(.simulated(seeds: 4, with: .all)) struct PlayerEffectTests {
  private let files: PlayedFiles
  private let target = PumpedTarget()

  init() throws { files = try PlayedFiles() }

  /// Two limiters, which only delay the samples of these tests.
  private static let neutral = "limiter -1, limiter -2"

  private func session(
    _ paths: [String], _ effects: String = Self.neutral,
    _ change: (inout PlayerConfiguration) -> Void = { _ in }
  ) throws -> PlayerSession {
    var configuration = PlayerConfiguration()
    configuration.effects = try EffectDescription.parse(effects)
    change(&configuration)
    return PlayerSession(playing: paths.map { PlaylistItem($0) }, on: target, configuration)
  }

  /// Plays frames until `condition` returns true; returns false on timeout.
  private func pump(by count: Int = 256, until condition: () -> Bool) -> Bool {
    eventually {
      if condition() { return true }
      while target.pump(count) == count, !condition() {}
      return condition()
    }
  }

  /// Waits until `count` frames are available.
  private func waits(for count: Int) -> Bool {
    eventually { (target.feed?.waitingFrameCount ?? 0) >= count }
  }

  @Test func itemsFollowEachOtherAndPositionsAreThoseOfWhatSounds() throws {
    let paths = [
      try files.wav(ramp(0..<5001), to: "a.wav"), try files.wav(ramp(5001..<5002), to: "b.wav"),
      try files.wav(ramp(5002..<20_000), to: "c.wav"),
    ]
    let session = try self.session(paths)
    try session.start()
    #expect(waits(for: 10_000), "More is decoded than the effects hold back.")
    target.pump(5000)
    #expect(session.position?.index == 0)
    #expect(session.position?.time == Duration.seconds(5000.0 / 48_000))
    target.pump(1)
    #expect(session.position?.index == 1 && session.position?.time == .zero)
    target.pump(11)
    #expect(session.position?.index == 2)
    #expect(session.position?.time == Duration.seconds(10.0 / 48_000))
    #expect(pump { session.summary != nil })
    #expect(target.samples == ramp(0..<20_000))
    #expect(session.summary?.playedDuration == Duration(samples: 20_000, at: 48_000))
    #expect(session.summary?.playedItemCount == 3 && session.summary?.isComplete == true)
  }

  @Test(.realTime) func invalidEffectsThrowBeforeFetchingOrOpening() throws {
    let server = try WebServer { _, connection in connection.stall() }
    let session = try self.session(
      [server.address("/a.aac")], "gain 1, ladspa /no/such/folder/voice.so:leveler")
    let error = #expect(throws: PlayerError.self) { try session.start() }
    guard case .effects(let reason) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(reason.kind == .missing && reason.message.contains("/no/such/folder/voice.so"))
    #expect(server.questions.isEmpty && !target.isOpening)
  }

  @Test func aSoundShorterThanWhatIsHeldBackIsWhole() throws {
    let session = try self.session([try files.wav(ramp(1..<101), to: "a.wav")])
    try session.start()
    #expect(pump { session.summary != nil })
    #expect(target.samples == ramp(1..<101))
  }

  @Test func anotherRateFollowsWhatTheFirstOneEndsWith() throws {
    let paths = [
      try files.wav(ramp(0..<4410), to: "a.wav", rate: 44_100),
      try files.wav(ramp(0..<4800), to: "b.wav"),
    ]
    let session = try self.session(paths)
    try session.start()
    #expect(waits(for: 9600), "Both are decoded.")
    target.pump(4810)
    #expect(session.position?.index == 1)
    #expect(session.position?.time == Duration.seconds(10.0 / 48_000))
    #expect(pump { session.summary != nil })
    #expect(target.samples.count == 9600)
    #expect(Array(target.samples.suffix(4800)) == ramp(0..<4800))
  }

  @Test func seekWithEffectsIsExactAndDropsEarlierAudio() throws {
    let session = try self.session([try files.wav(ramp(0..<192_000), to: "a.wav")])
    try session.start()
    #expect(pump { target.samples.count >= 1000 })
    session.seek(to: .seconds(2))
    #expect(pump { session.summary != nil })
    let played = target.samples
    let jump = try #require(played.firstIndex(of: Float(96_000) / 2_097_152))
    #expect(Array(played[..<jump]) == ramp(0..<jump))
    #expect(Array(played[jump...]) == ramp(96_000..<192_000))
  }

  @Test(arguments: [0.5, 2.0])
  func speedChangesLengthAndPosition(speed: Double) throws {
    let path = try files.wav(ramp(0..<96_000), to: "a.wav")
    let session = try self.session([path]) { $0.speed = speed }
    try session.start()
    #expect(pump(by: 240) { target.samples.count >= 24_000 })
    let position = try #require(session.position)
    let expected = Double(target.samples.count) * speed / 48_000
    #expect(abs(position.time / .seconds(1) - expected) < 0.001)
    #expect(pump { session.summary != nil })
    #expect(abs(Double(target.samples.count) - 96_000 / speed) <= 1)
  }

  @Test func volumeIsAppliedAfterEffects() throws {
    let loud = [Float](repeating: 0.9, count: 48_000)
    let session = try self.session([try files.wav(loud, to: "a.wav")], "limiter -6") {
      $0.volume = 0.5
    }
    try session.start()
    #expect(pump { session.summary != nil })
    // With the volume before the limiter, the level would be 0.45.
    #expect(target.samples.count == 48_000 && abs(target.samples[24_000] - 0.25) < 0.01)
  }

  @Test func effectChangeDuringPlaybackLosesNoFrame() throws {
    let session = try self.session([try files.wav(ramp(0..<96_000), to: "a.wav")])
    try session.start()
    #expect(waits(for: 10_000), "Playback does not start.")
    session.setEffects(try EffectDescription.parse("gain -20, limiter -3"))
    #expect(pump { session.summary != nil })
    let played = target.samples
    try #require(played.count == 96_000)
    #expect(Array(played.prefix(9000)) == ramp(0..<9000))
    let soft = ramp(86_000..<96_000)
    #expect(zip(played.suffix(10_000), soft).allSatisfy { abs($0 - $1 * 0.1) < 1e-6 })
    #expect(soft.allSatisfy { $0 > 0.04 }, "Soft and loud are not the same.")
  }
}
