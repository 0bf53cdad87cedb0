import AacornSignal

/// Detects acoustic feedback to a microphone, and attenuates the output before it howls.
///
/// A howl is a tone that has almost all power, keeps its frequency, and is loud or grows. A flute
/// can match this description. But only a howl fades when the output is attenuated. So the guard
/// attenuates the output briefly and checks whether the tone in the input fades. It repeats this
/// probe, since a note may end by itself during a probe; the delay until the fade must be equal
/// each time. The probes start at random times, so that no rhythm can coincide with them.
struct FeedbackGuard: Sendable {
  /// The factor of the output at the end of the last block.
  private(set) var gain: Float = 1

  private let sampleRate: Int
  private let channelCount: Int
  /// The number of samples per spectrum, and between two spectra.
  private let length: Int
  private let hop: Int
  private var transform: RealTransform
  private var window: [Float] = []
  private var powers: [Float]
  /// The last samples, averaged over all channels, and the index of the oldest.
  private var ring: [Float]
  private var oldestIndex = 0
  private var samplesUntilSpectrum: Int
  private var candidate = FeedbackCandidate()
  private var probe: FeedbackProbe?
  private var fadedTone = FadedTone()
  private var randomState: UInt32 = 1
  /// The seconds until the next probe, and the number of recent probes without a result.
  private var secondsUntilProbe: Float = 0
  private var failedProbeCount = 0
  /// The target of the factor, and the maximum to which the factor recovers.
  private var target: Float = 1
  private var ceiling: Float = 1
  /// The seconds until the factor begins to recover.
  private var holdTime: Float = 0

  /// A tone that may be a howl.
  private struct FeedbackCandidate {
    var bin = 0
    /// The number of spectra with the tone, and its power in the first one.
    var count = 0
    var firstPower: Float = 0
    /// The number of spectra until a probe starts.
    var requiredCount = 0
  }

  /// A tone that faded in a probe.
  private struct FadedTone {
    var bin = 0
    /// The number of probes in which the tone faded, and the number of spectra until the fade.
    var count = 0
    var spectrumCount = 0
    /// The seconds until this result expires.
    var time: Float = 0
  }

  /// A probe: a short attenuation of the output.
  private struct FeedbackProbe {
    let bin: Int
    /// The power of the tone at the start of the probe.
    let power: Float
    /// Whether the probe attenuates nothing, to check whether the tone fades by itself.
    let isIdle: Bool
    var spectrumCount = 0
    /// The number of consecutive spectra without the tone.
    var fadedCount = 0
  }

  /// The minimum share of a tone in the power of the spectrum.
  ///
  /// `clippedPurity` applies to a tone above `clippingPower`, which is clipped and has overtones.
  private static let purity: Float = 0.97
  private static let clippedPurity: Float = 0.5
  private static let clippingPower: Float = 0.5
  /// The number of bins on both sides that belong to a tone.
  ///
  /// Over a long path, a howl consists of several tones, which beat.
  private static let width = 5
  /// The maximum drift of a tone, in bins.
  private static let drift = 4
  /// The lowest bin of a howl; lower bins are hum and rumble.
  private static let lowest = 4
  /// The range of seconds that a tone must last before a probe.
  private static let requiredSeconds = 0.15...0.45
  /// The minimum growth of a howl's power since the first spectrum; above `loudness` (−12 dB), a
  /// howl need not grow.
  private static let growth: Float = 4
  private static let loudness: Float = 0.063
  /// The power below which a tone is not a howl yet: −50 dB.
  private static let minTonePower: Float = 1e-5
  /// A tone decays by itself if its power falls below this fraction of the power in the first
  /// spectrum.
  private static let decay: Float = 0.7

  /// The factor of the output during a probe: −12 dB.
  ///
  /// A compressor after the guard may reduce this attenuation to a third: the fade by 4 dB is still
  /// detected.
  private static let probeGain: Float = 0.25
  /// The fraction of a tone's power below which a probe counts the tone as faded: −4 dB.
  private static let fadedShare: Float = 0.4
  /// The fraction of a tone's power below which an idle probe counts the tone as ended: −10 dB.
  ///
  /// The beating of a howl that consists of several tones reduces its power by less.
  private static let endedToneFraction: Float = 0.1
  /// The maximum difference between two delays that count as equal, in spectra.
  private static let maxEqualDelayDifference = 3
  /// The maximum delay from loudspeaker to microphone in seconds, including buffers.
  private static let maxDelay = 0.35
  /// The seconds for which the result of a probe is kept.
  private static let resultLifetimeSeconds: Float = 5

  /// Creates a guard of interleaved channels.
  init(sampleRate: Int, channelCount: Int) {
    precondition(sampleRate > 0 && channelCount > 0)
    self.sampleRate = sampleRate
    self.channelCount = channelCount
    // At least 70 ms, to distinguish a chord an octave below middle C from one tone.
    var length = 256
    while length * 100 < sampleRate * 7 { length *= 2 }
    self.length = length
    hop = length / 8
    samplesUntilSpectrum = hop
    transform = RealTransform(length: length)
    powers = [Float](repeating: 0, count: length / 2 + 1)
    ring = [Float](repeating: 0, count: length)
    window.reserveCapacity(length)
    for index in 0..<length {
      let turn = (2 * Double(index) + 1) / Double(length)
      window.append(Float(0.5 - 0.5 * ElementaryFunctions.sinCosPi(turn).cos))
    }
  }

  /// Attenuates whole frames; returns true if a howl was detected.
  mutating func process(_ samples: inout [Float]) -> Bool {
    var hasBegun = false
    let scale = 1 / Float(channelCount)
    var index = 0
    for _ in 0..<samples.count / channelCount {
      var sum: Float = 0
      for _ in 0..<channelCount {
        sum += samples[index]
        index += 1
      }
      ring[oldestIndex] = sum.isFinite ? sum * scale : 0
      oldestIndex = (oldestIndex + 1) % length
      samplesUntilSpectrum -= 1
      if samplesUntilSpectrum == 0 {
        samplesUntilSpectrum = hop
        if analyze() { hasBegun = true }
      }
    }
    ramp(&samples)
    return hasBegun
  }

  // MARK: Input

  /// Analyzes the last samples; returns true if they are part of a howl.
  private mutating func analyze() -> Bool {
    transform.powers(of: ring, from: oldestIndex, window: window, into: &powers)
    let seconds = Float(hop) / Float(sampleRate)
    secondsUntilProbe = max(0, secondsUntilProbe - seconds)
    fadedTone.time = max(0, fadedTone.time - seconds)
    if let probe { return proceed(with: probe) }
    if let bin = toneToProbe() {
      let power = power(at: bin)
      probe = FeedbackProbe(
        bin: bin, power: power,
        isIdle: power < Self.clippingPower && isFadedTone(bin) && randomBool())
      candidate.count = 0
    }
    return false
  }

  /// Returns the power of a tone: the square of its amplitude.
  private func power(at bin: Int) -> Float {
    var tone: Float = 0
    let own = max(1, bin - Self.width)...min(powers.count - 1, bin + Self.width)
    for index in own { tone += powers[index] }
    // A sine of amplitude a has a²·3/32·n² in the bins from 0 to n/2 of this window's spectrum.
    return tone / (0.09375 * Float(length) * Float(length))
  }

  /// Returns the bin of a dominant tone that has lasted long enough for a probe.
  private mutating func toneToProbe() -> Int? {
    var (all, peak): (Float, Int) = (0, Self.lowest)
    for index in 1..<powers.count {
      all += powers[index]
      if index > Self.lowest && powers[index] > powers[peak] { peak = index }
    }
    let power = power(at: peak)
    let whole = all / (0.09375 * Float(length) * Float(length))
    let purity = power > Self.clippingPower ? Self.clippedPurity : Self.purity
    guard power > Self.minTonePower, power > purity * whole else {
      candidate.count = 0
      return nil
    }
    if candidate.count == 0 || abs(peak - candidate.bin) > Self.drift {
      candidate = FeedbackCandidate(
        bin: peak, count: 0, firstPower: power, requiredCount: nextRequiredCount())
    }
    candidate.count += 1
    guard candidate.count >= candidate.requiredCount,
      power > Self.clippingPower || power > Self.decay * candidate.firstPower,
      power > Self.loudness || power > Self.growth * candidate.firstPower,
      secondsUntilProbe == 0 || isFadedTone(peak)
    else { return nil }
    return peak
  }

  /// Returns a pseudorandom 24-bit number, reproducible for the same input (a linear congruence).
  private mutating func nextRandom() -> UInt32 {
    randomState = randomState &* 1_664_525 &+ 1_013_904_223
    return randomState >> 8
  }

  private mutating func randomBool() -> Bool { nextRandom() < 1 << 23 }

  /// Returns a random number of spectra to wait.
  private mutating func nextRequiredCount() -> Int {
    let part = Double(nextRandom()) / Double(1 << 24)
    let span = Self.requiredSeconds.upperBound - Self.requiredSeconds.lowerBound
    let seconds = Self.requiredSeconds.lowerBound + part * span
    return Int(seconds * Double(sampleRate) / Double(hop)) + 1
  }

  private func isFadedTone(_ bin: Int) -> Bool {
    fadedTone.time > 0 && abs(bin - fadedTone.bin) <= Self.drift
  }

  /// Compares a tone with its power before the probe; returns true if it is a howl.
  private mutating func proceed(with probe: FeedbackProbe) -> Bool {
    var probe = probe
    probe.spectrumCount += 1
    let fadedPower = (probe.isIdle ? Self.endedToneFraction : Self.fadedShare) * probe.power
    probe.fadedCount = power(at: probe.bin) < fadedPower ? probe.fadedCount + 1 : 0
    self.probe = probe
    if probe.fadedCount >= 3 { return finish(probe) }
    // The window of `length` samples contains samples from before the probe, which delays the
    // detection. This delay is subtracted from the time.
    let time = Double(probe.spectrumCount * hop - length) / Double(sampleRate)
    if time > Self.maxDelay {
      self.probe = nil
      if !probe.isIdle { lengthenPause() }
    }
    return false
  }

  /// Ends a probe in which the tone faded; returns true if enough probes had the same delay.
  private mutating func finish(_ probe: FeedbackProbe) -> Bool {
    self.probe = nil
    if probe.isIdle {
      fadedTone.time = 0
      lengthenPause()
      return false
    }
    let isSame =
      isFadedTone(probe.bin)
      && abs(probe.spectrumCount - fadedTone.spectrumCount) <= Self.maxEqualDelayDifference
    fadedTone = FadedTone(
      bin: probe.bin, count: isSame ? fadedTone.count + 1 : 1, spectrumCount: probe.spectrumCount,
      time: Self.resultLifetimeSeconds)
    if fadedTone.count < (probe.power > Self.clippingPower ? 2 : 3) { return false }
    holdTime = 2
    failedProbeCount = 0
    // Feedback at this level would return, so the maximum is lowered.
    ceiling = max(0.06, ceiling * 0.5)
    target = max(0.004, target * 0.25)
    return true
  }

  /// Ends a probe without feedback; the pause grows, so that a flute is not probed all the time.
  private mutating func lengthenPause() {
    failedProbeCount = min(failedProbeCount + 1, 3)
    secondsUntilProbe = 0.5 * Float(1 << failedProbeCount)
  }

  // MARK: Output

  /// Moves the factor to its target: down within milliseconds, up by 6 dB per second.
  private mutating func ramp(_ samples: inout [Float]) {
    let frameCount = samples.count / channelCount
    if frameCount == 0 { return }
    let seconds = Float(frameCount) / Float(sampleRate)
    holdTime = max(0, holdTime - seconds)
    // The detection may have been wrong, so the maximum recovers by 6 dB per minute.
    if holdTime == 0 { ceiling = min(1, ceiling * (1 + 0.0116 * seconds)) }
    if holdTime == 0 && target < ceiling { target = min(ceiling, target * (1 + 0.69 * seconds)) }
    let goal = probe?.isIdle == false ? target * Self.probeGain : target
    if gain == 1 && goal == 1 { return }
    let end = gain + (goal - gain) * min(1, seconds * 200)
    let step = (end - gain) / Float(frameCount)
    var index = 0
    for _ in 0..<frameCount {
      gain += step
      for _ in 0..<channelCount {
        samples[index] *= gain
        index += 1
      }
    }
    gain = abs(end - goal) < 1e-4 ? goal : end
  }
}
