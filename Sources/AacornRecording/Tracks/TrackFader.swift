import AacornSignal
import AacornSystem

/// Applies the level of a track: gain, pan, mute, solo and fades.
///
/// Every change is a linear ramp on the time line of the mix. So nothing clicks, and the result
/// does not depend on block sizes.
struct TrackFader {
  /// The name and the initial settings of the track.
  let configuration: TrackConfiguration
  /// The factor of the track's own gain.
  var gain: Float
  /// The position between left and right.
  var pan: Double
  var isMuted: Bool
  var isSolo: Bool
  /// The position in the mix of the automatic fade-out; nil if it is past or not set.
  var stopPosition: Int?
  private let sampleRate: Int
  private let channelCount: Int
  /// The factor of each channel.
  private var levels: [GainRamp]
  /// The factor of the fade-in or fade-out.
  private var presence: GainRamp
  /// Whether the track has ever been faded in.
  private(set) var hasBegun = false
  private var ducker: Ducker?
  /// The ducking factors of the next frames.
  private var duckingFactors: [Float] = []
  /// The peak magnitude since the last `takePeak`.
  private var peak: Float = 0

  /// Creates a fader that is silent until it is faded in.
  init(_ configuration: TrackConfiguration, sampleRate: Int, channelCount: Int) {
    self.configuration = configuration
    self.sampleRate = sampleRate
    self.channelCount = channelCount
    gain = Gain.factor(decibels: configuration.gain)
    pan = configuration.pan
    isMuted = configuration.isMuted
    isSolo = configuration.isSolo
    stopPosition = configuration.stopOffset?.sampleCount(at: sampleRate)
    levels = Array(repeating: GainRamp(0), count: channelCount)
    presence = GainRamp(0)
    ducker = configuration.ducking.map { Ducker($0, sampleRate: sampleRate) }
  }

  /// The length in samples of a change of gain, pan, mute or solo.
  private var rampLength: Int { max(1, sampleRate / 100) }

  /// The tracks to measure for ducking; nil without ducking.
  var trigger: Ducking.Trigger? { configuration.ducking?.trigger }

  var isFadedIn: Bool { presence.target == 1 }

  var isFadedOut: Bool { presence.isSettled && presence.target == 0 }

  /// Moves to the current settings; `isSilenced` if the mix or another track's solo silences it.
  ///
  /// With `isFirst`, the levels change immediately.
  mutating func update(master: Float, isSilenced: Bool, isFirst: Bool = false) {
    let level = isMuted || isSilenced ? 0 : gain * master
    for channel in levels.indices {
      levels[channel].move(
        to: level * Self.factor(pan: pan, channel: channel, of: channelCount),
        over: isFirst ? 0 : rampLength)
    }
  }

  /// Returns the constant-power factor of a channel.
  static func factor(pan: Double, channel: Int, of channelCount: Int) -> Float {
    // The factor of the center must be exactly 1; the computed √2 · sin(π/4) is rounded.
    if channelCount != 2 || pan == 0 { return 1 }
    let (sine, cosine) = ElementaryFunctions.sinCosPi((pan + 1) / 4)
    return Float(2.0.squareRoot() * (channel == 0 ? cosine : sine))
  }

  /// Fades in from the next sample on, or after `delay` samples.
  mutating func fadeIn(after delay: Int = 0) {
    hasBegun = true
    presence.move(to: 1, over: configuration.fadeIn.sampleCount(at: sampleRate), after: delay)
  }

  /// Fades out from the next sample on, or after `delay` samples.
  mutating func fadeOut(after delay: Int = 0) {
    presence.move(
      to: 0, over: max(rampLength, configuration.fadeOut.sampleCount(at: sampleRate)), after: delay)
  }

  /// Resets the fade to silence: the previous signal has ended, and the next one has its own fade.
  mutating func resetFade() { presence = GainRamp(0) }

  /// Applies gain, pan and fades to whole frames.
  mutating func apply(to frames: inout [Float]) {
    let isUnchanged = presence.isSettled && levels.allSatisfy { $0.isSettled && $0.value == 1 }
    if isUnchanged && presence.value == 1 { return }
    var index = 0
    while index < frames.count {
      let present = presence.next()
      for channel in 0..<channelCount {
        frames[index] *= levels[channel].next() * present
        index += 1
      }
    }
  }

  /// Computes the ducking from the other tracks' peaks, one for each of the next frames.
  mutating func computeDucking(_ peaks: [Float]) {
    duckingFactors.removeAll(keepingCapacity: true)
    for peak in peaks { duckingFactors.append(ducker?.factor(at: peak) ?? 1) }
  }

  /// Applies the ducking and measures the result.
  mutating func finish(_ frames: inout [Float]) {
    if trigger != nil {
      var index = 0
      for duck in duckingFactors {
        for _ in 0..<channelCount {
          frames[index] *= duck
          index += 1
        }
      }
    }
    for sample in frames {
      let magnitude = sample.magnitude
      peak = magnitude > peak ? magnitude : peak
    }
  }

  /// Returns the peak magnitude since the last call.
  mutating func takePeak() -> Float {
    defer { peak = 0 }
    return peak
  }
}

/// A factor that moves to its target linearly, sample by sample, independent of block sizes.
struct GainRamp {
  /// The factor of the last sample.
  private(set) var value: Float
  /// The factor at the end of the ramp.
  private(set) var target: Float
  private var start: Float
  /// The samples since the ramp began, negative during a delay, and the ramp's length.
  private var position = 0
  private var length = 0

  init(_ value: Float) {
    (self.value, target, start) = (value, value, value)
  }

  var isSettled: Bool { position == length }

  /// Moves to another factor from the next sample on, reaching it after `length` samples.
  ///
  /// With a delay, the factor stays unchanged for `delay` samples first.
  mutating func move(to target: Float, over length: Int, after delay: Int = 0) {
    if target == self.target { return }
    self.target = target
    start = value
    position = -max(0, delay)
    self.length = max(position < 0 ? 1 : 0, length)
    if self.length == 0 { value = target }
  }

  /// Returns the factor of the next sample.
  mutating func next() -> Float {
    if position < length {
      position += 1
      if position <= 0 { return value }
      value =
        position == length
        ? target : start + (target - start) * (Float(position) / Float(length))
    }
    return value
  }
}

/// Gain in decibels and as a factor.
package enum Gain {
  package static func factor(decibels: Double) -> Float {
    Float(Decibels.amplitude(decibels))
  }

  /// Returns the decibels in `6`, `-3.5` or `+6dB`; nil if it is not a number or is outside −60 to
  /// 60.
  package static func parse(_ text: String) -> Double? {
    EffectUnit.decibels.value(of: text).flatMap { abs($0) <= 60 ? $0 : nil }
  }
}
