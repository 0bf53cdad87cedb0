import AacornDevices
import AacornSignal
import TestSignals
import Testing

@testable import AacornRecording

@Suite("Damping feedback") struct FeedbackGuardTests {
  private static let rate = 48_000

  private static func sine(_ frequency: Double, at frame: Int) -> Float {
    Float(ElementaryFunctions.sinCosPi(2 * frequency * Double(frame) / Double(rate)).sin)
  }

  /// The results of a guard for audio without a feedback loop: reported howls, and reductions of
  /// the level.
  private func guarded(
    seconds: Int, _ sound: (Int) -> Float
  ) -> (reports: Int, dips: Int, gain: Float) {
    var guarding = FeedbackGuard(sampleRate: Self.rate, channelCount: 1)
    var (reports, dips, last) = (0, 0, Float(1))
    for start in stride(from: 0, to: seconds * Self.rate, by: 240) {
      var samples = (start..<start + 240).map(sound)
      if guarding.process(&samples) { reports += 1 }
      if guarding.gain < 0.5 && last >= 0.5 { dips += 1 }
      last = guarding.gain
    }
    return (reports, dips, last)
  }

  @Test func steadyToneIsProbedAndKept() {
    let result = guarded(seconds: 60) { 0.7 * Self.sine(1730, at: $0) }
    #expect(result.reports == 0)
    #expect((1...20).contains(result.dips), "\(result.dips)")
  }

  /// Repeated chords that decay, as from an electric piano.
  @Test func musicOfPureTonesPasses() {
    let chords = [[220.0, 277, 330], [196, 247, 294], [175, 220, 262], [165, 208, 247]]
    let result = guarded(seconds: 120) { frame in
      let (chord, frameInChord) = (frame / (5 * Self.rate), frame % (5 * Self.rate))
      let seconds = Float(frameInChord) / Float(Self.rate)
      let level = 0.45 * max(0, 1 - seconds / 3) * min(1, 50 * seconds)
      return chords[chord % 4].reduce(0) { $0 + level * Self.sine($1, at: frame) }
    }
    #expect(result.reports == 0 && result.dips == 0)
  }

  /// Tones that start and end by themselves, also while the guard tests for feedback.
  @Test(arguments: [true, false]) func melodyOfPureTonesIsHardlyReportedAsFeedback(
    changesPitch: Bool
  ) {
    var dice = SeededNumbers(seed: 5)
    let notes = (0..<500).map { _ in
      (Double.random(in: 300...1800, using: &dice), Float.random(in: 0.2...0.6, using: &dice))
    }
    let result = guarded(seconds: 300) { frame in
      let length = Self.rate * 3 / 5
      let (pitch, seconds) = notes[frame / length]
      let time = Float(frame % length) / Float(Self.rate)
      let level = time < seconds ? min(1, 50 * time) : max(0, 1 - 50 * (time - seconds))
      return 0.6 * level * Self.sine(changesPitch ? pitch : 880, at: frame)
    }
    #expect(result.reports <= (changesPitch ? 0 : 3), "\(result.reports)")
  }

  @Test func voicesPassUnchanged() {
    var voice = SpeechSignal(sampleRate: 48_000, channelCount: 1)
    var guarding = FeedbackGuard(sampleRate: 48_000, channelCount: 1)
    var changes = 0
    for _ in 0..<2000 {
      var samples: [Float] = []
      _ = voice.read(into: &samples, frameCount: 240)
      var processed = samples
      if guarding.process(&processed) || processed != samples { changes += 1 }
    }
    #expect(changes == 0)
  }

  /// A path from the loudspeaker to the microphone in a room with one resonance.
  private struct Room {
    let gain: Float
    private var air: [Float]
    private var position = 0
    private var filter: (Float, Float) = (0, 0)
    private var dice = SeededNumbers(seed: 1)

    init(milliseconds: Int, gain: Float) {
      self.gain = gain
      air = [Float](repeating: 0, count: max(240, 48 * milliseconds))
    }

    mutating func listen() -> [Float] {
      (0..<240).map { index in
        let returned = air[(position + index) % air.count]
        let resonance = returned * 0.0098 + 1.9 * filter.0 - 0.96 * filter.1
        filter = (resonance, filter.0)
        let noise = Float.random(in: -0.003...0.003, using: &dice)
        return min(max(noise + gain * resonance, -1), 1)
      }
    }

    /// Plays the processed block through the loudspeaker into the room.
    mutating func play(_ samples: [Float]) {
      for (index, sample) in samples.enumerated() { air[(position + index) % air.count] = sample }
      position = (position + samples.count) % air.count
    }
  }

  /// The final peak level, and the number of seconds with a peak above 0.5.
  private func loudness(
    milliseconds: Int, gain: Float, isGuarded: Bool
  ) -> (late: Float, loudSeconds: Double, reports: Int) {
    var room = Room(milliseconds: milliseconds, gain: gain)
    var guarding = FeedbackGuard(sampleRate: Self.rate, channelCount: 1)
    var (late, loudSeconds, reports) = (Float(0), 0.0, 0)
    for block in 0..<3000 {
      var samples = room.listen()
      let loudest = samples.reduce(0) { max($0, abs($1)) }
      if loudest > 0.5 { loudSeconds += 0.005 }
      if block > 2600 { late = max(late, loudest) }
      if isGuarded, guarding.process(&samples) { reports += 1 }
      room.play(samples)
    }
    return (late, loudSeconds, reports)
  }

  @Test(arguments: [(5, 1.25), (5, 2.5), (20, 1.25), (20, 1.5), (50, 1.5), (100, 1.5)])
  func aLoopHowlsOnlyWithoutIt(milliseconds: Int, gain: Float) {
    let bare = loudness(milliseconds: milliseconds, gain: gain, isGuarded: false)
    #expect(bare.late > 0.9 && bare.loudSeconds > 7)
    let kept = loudness(milliseconds: milliseconds, gain: gain, isGuarded: true)
    #expect(kept.late < 0.5 && kept.loudSeconds < 2.5, "\(kept)")
    #expect(kept.reports >= 1)
  }

  @Test func loopWithoutHowlIsUnchanged() {
    let kept = loudness(milliseconds: 20, gain: 0.8, isGuarded: true)
    #expect(kept.reports == 0)
  }
}
