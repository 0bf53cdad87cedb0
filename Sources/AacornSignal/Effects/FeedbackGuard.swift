/// Makes sound quieter that a microphone hears again, before it howls.
///
/// A howl is a tone that holds almost all power, stays where it is, and is loud or grows. So may a flute
/// be; but only a howl goes when what is played goes. So the sound is made quieter for a moment, and what
/// comes in tells whose tone it is: several times, and equally soon each time, since a note may end by
/// itself in such a moment. When the moment comes is left to chance, which notes cannot keep time with.
package struct FeedbackGuard: Sendable {
  /// The factor for the sound at the end of the last block.
  package private(set) var damping: Float = 1

  private let sampleRate: Int
  private let channelCount: Int
  /// Samples of a look, and from one to the next.
  private let length: Int
  private let hop: Int
  private var transform: RealTransform
  private var window: [Float] = []
  private var powers: [Float]
  /// The last samples, the mean of all channels, and where the oldest is.
  private var ring: [Float]
  private var place = 0
  /// Samples until the next look.
  private var rest: Int
  private var suspicion = Suspicion()
  private var trial: Trial?
  private var suspect = Suspect()
  private var chance: UInt32 = 1
  /// Seconds until the next trial, and how many in the end proved nothing.
  private var pause: Float = 0
  private var acquittalCount = 0
  /// What the factor moves to, and at most when it has grown again.
  private var target: Float = 1
  private var ceiling: Float = 1
  /// Seconds until it grows again.
  private var restTime: Float = 0

  /// A tone that may be a howl.
  private struct Suspicion {
    var bin = 0
    /// Looks that had it, and its power at the first.
    var count = 0
    var firstPower: Float = 0
    /// Looks until it is tried.
    var patience = 0
  }

  /// A tone that went with what is played.
  private struct Suspect {
    var bin = 0
    /// How often it did, and after how many looks.
    var count = 0
    var lookCount = 0
    /// Seconds for which that counts.
    var time: Float = 0
  }

  /// A moment in which the sound is quieter.
  private struct Trial {
    let bin: Int
    /// The power of the tone when it began.
    let power: Float
    /// Whether nothing is changed, to see whether the tone goes by itself.
    let isIdle: Bool
    var lookCount = 0
    /// Looks in a row in which it was gone.
    var goneCount = 0
  }

  /// The part of all power that a tone has; and if it is so loud that it is cut off, which makes others
  /// of it.
  private static let purity: Float = 0.97
  private static let cutPurity: Float = 0.5
  private static let cut: Float = 0.5
  /// Bins on both sides of a tone that count as its own: far away, a howl is several that beat.
  private static let width = 5
  /// Bins by which it moves.
  private static let drift = 4
  /// Bins below are those of hum and rumble.
  private static let lowest = 4
  /// Seconds that a tone must last, and at most.
  private static let patience = 0.15...0.45
  /// How often its first power a howl has by then, or how strong it is: −12 dB of a full sine.
  private static let growth: Float = 4
  private static let loudness: Float = 0.063
  /// What is fainter is no howl yet: −50 dB.
  private static let faint: Float = 1e-5
  /// What a tone that dies away by itself has lost by then.
  private static let decay: Float = 0.7

  /// The factor of a trial, −12 dB: a compressor before the guard leaves a third of it to be seen.
  private static let dip: Float = 0.25
  /// What is left of a tone that goes with what is played, of its power.
  private static let gone: Float = 0.4
  /// What is left of one that has ended; howls of several tones beat, and lose less in that.
  private static let ended: Float = 0.1
  /// Looks by which two ways through the air may differ.
  private static let sameTime = 3
  /// Seconds from loudspeaker to microphone at most, buffers included.
  private static let farthest = 0.35
  /// Seconds for which a tone that went once is remembered.
  private static let memory: Float = 5

  /// A guard of interleaved channels.
  package init(sampleRate: Int, channelCount: Int) {
    precondition(sampleRate > 0 && channelCount > 0)
    self.sampleRate = sampleRate
    self.channelCount = channelCount
    // At least 70 ms, which tell the notes of a chord an octave below middle C from one tone.
    var length = 256
    while length * 100 < sampleRate * 7 { length *= 2 }
    self.length = length
    hop = length / 8
    rest = hop
    transform = RealTransform(length: length)
    powers = [Float](repeating: 0, count: length / 2 + 1)
    ring = [Float](repeating: 0, count: length)
    window.reserveCapacity(length)
    for index in 0..<length {
      let turn = (2 * Double(index) + 1) / Double(length)
      window.append(Float(0.5 - 0.5 * ElementaryFunctions.sinCosPi(turn).cos))
    }
  }

  /// Damps whole frames; true if the microphone has begun to hear them.
  package mutating func process(_ samples: inout [Float]) -> Bool {
    var hasBegun = false
    let scale = 1 / Float(channelCount)
    var index = 0
    for _ in 0..<samples.count / channelCount {
      var sum: Float = 0
      for _ in 0..<channelCount {
        sum += samples[index]
        index += 1
      }
      ring[place] = sum.isFinite ? sum * scale : 0
      place = (place + 1) % length
      rest -= 1
      if rest == 0 {
        rest = hop
        if look() { hasBegun = true }
      }
    }
    ramp(&samples)
    return hasBegun
  }

  // MARK: What comes in

  /// Looks at the last samples; true if they have turned out to be part of a howl.
  private mutating func look() -> Bool {
    transform.powers(of: ring, from: place, window: window, into: &powers)
    let seconds = Float(hop) / Float(sampleRate)
    pause = max(0, pause - seconds)
    suspect.time = max(0, suspect.time - seconds)
    if let trial { return proceed(with: trial) }
    if let bin = toneOnTrial() {
      let power = power(at: bin)
      trial = Trial(bin: bin, power: power, isIdle: power < Self.cut && isSuspect(bin) && toss())
      suspicion.count = 0
    }
    return false
  }

  /// The power of a tone, as of a sine's square.
  private func power(at bin: Int) -> Float {
    var tone: Float = 0
    let own = max(1, bin - Self.width)...min(powers.count - 1, bin + Self.width)
    for index in own { tone += powers[index] }
    // A sine of amplitude a has a²·3/16·n² in the bins of one side of this window's spectrum.
    return tone / (0.09375 * Float(length) * Float(length))
  }

  /// The place of a tone that has been all there is for long enough.
  private mutating func toneOnTrial() -> Int? {
    var (all, peak): (Float, Int) = (0, Self.lowest)
    for index in 1..<powers.count {
      all += powers[index]
      if index > Self.lowest && powers[index] > powers[peak] { peak = index }
    }
    let power = power(at: peak)
    let whole = all / (0.09375 * Float(length) * Float(length))
    let purity = power > Self.cut ? Self.cutPurity : Self.purity
    guard power > Self.faint, power > purity * whole else {
      suspicion.count = 0
      return nil
    }
    if suspicion.count == 0 || abs(peak - suspicion.bin) > Self.drift {
      suspicion = Suspicion(bin: peak, count: 0, firstPower: power, patience: nextPatience())
    }
    suspicion.count += 1
    guard suspicion.count >= suspicion.patience,
      power > Self.cut || power > Self.decay * suspicion.firstPower,
      power > Self.loudness || power > Self.growth * suspicion.firstPower,
      pause == 0 || isSuspect(peak)
    else { return nil }
    return peak
  }

  /// A part of 2²⁴ by chance, the same for the same sound (a linear congruence).
  private mutating func draw() -> UInt32 {
    chance = chance &* 1_664_525 &+ 1_013_904_223
    return chance >> 8
  }

  private mutating func toss() -> Bool { draw() < 1 << 23 }

  /// Looks to wait for, by chance.
  private mutating func nextPatience() -> Int {
    let part = Double(draw()) / Double(1 << 24)
    let span = Self.patience.upperBound - Self.patience.lowerBound
    let seconds = Self.patience.lowerBound + part * span
    return Int(seconds * Double(sampleRate) / Double(hop)) + 1
  }

  private func isSuspect(_ bin: Int) -> Bool {
    suspect.time > 0 && abs(bin - suspect.bin) <= Self.drift
  }

  /// Compares a tone with what it was before the dip; true if it is a howl.
  private mutating func proceed(with trial: Trial) -> Bool {
    var trial = trial
    trial.lookCount += 1
    let gone = (trial.isIdle ? Self.ended : Self.gone) * trial.power
    trial.goneCount = power(at: trial.bin) < gone ? trial.goneCount + 1 : 0
    self.trial = trial
    if trial.goneCount >= 3 { return conclude(trial) }
    // What the window still has of before the dip comes on top of the way through the air.
    let time = Double(trial.lookCount * hop - length) / Double(sampleRate)
    if time > Self.farthest {
      self.trial = nil
      if !trial.isIdle { acquit() }
    }
    return false
  }

  /// Ends a trial of a tone that has gone; true if it went as soon before, often enough.
  private mutating func conclude(_ trial: Trial) -> Bool {
    self.trial = nil
    if trial.isIdle {
      suspect.time = 0
      acquit()
      return false
    }
    let isSame =
      isSuspect(trial.bin) && abs(trial.lookCount - suspect.lookCount) <= Self.sameTime
    suspect = Suspect(
      bin: trial.bin, count: isSame ? suspect.count + 1 : 1, lookCount: trial.lookCount,
      time: Self.memory)
    if suspect.count < (trial.power > Self.cut ? 2 : 3) { return false }
    restTime = 2
    acquittalCount = 0
    // Where it has howled before, it would again.
    ceiling = max(0.06, ceiling * 0.5)
    target = max(0.004, target * 0.25)
    return true
  }

  /// Lets a tone be; somebody who plays the flute is not to be tried all the time.
  private mutating func acquit() {
    acquittalCount = min(acquittalCount + 1, 3)
    pause = 0.5 * Float(1 << acquittalCount)
  }

  // MARK: What goes out

  /// Moves the factor to its target: down in some milliseconds, up by 6 dB a second.
  private mutating func ramp(_ samples: inout [Float]) {
    let frameCount = samples.count / channelCount
    if frameCount == 0 { return }
    let seconds = Float(frameCount) / Float(sampleRate)
    restTime = max(0, restTime - seconds)
    // What was a howl may have been a flute: by 6 dB a minute it is forgotten.
    if restTime == 0 { ceiling = min(1, ceiling * (1 + 0.0116 * seconds)) }
    if restTime == 0 && target < ceiling { target = min(ceiling, target * (1 + 0.69 * seconds)) }
    let goal = trial?.isIdle == false ? target * Self.dip : target
    if damping == 1 && goal == 1 { return }
    let end = damping + (goal - damping) * min(1, seconds * 200)
    let step = (end - damping) / Float(frameCount)
    var index = 0
    for _ in 0..<frameCount {
      damping += step
      for _ in 0..<channelCount {
        samples[index] *= damping
        index += 1
      }
    }
    damping = abs(end - goal) < 1e-4 ? goal : end
  }
}
