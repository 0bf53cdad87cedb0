/// Makes sound quieter that a microphone hears again, before it howls.
///
/// A howl is a tone that holds almost all power, stays where it is, and grows or is loud already. A
/// voice has several partials, and moves.
package struct FeedbackGuard: Sendable {
  /// The factor for the sound at the end of the last block.
  package private(set) var damping: Float = 1

  private let sampleRate: Int
  private let channelCount: Int
  private var transform = RealTransform(length: length)
  private var window: [Float] = []
  private var powers = [Float](repeating: 0, count: length / 2 + 1)
  /// The last samples, the mean of all channels, and where the oldest is.
  private var ring = [Float](repeating: 0, count: length)
  private var place = 0
  /// Samples until the next look.
  private var rest = hop
  /// Where the tone is, and for how many looks; its power at the first.
  private var bin = 0
  private var toneCount = 0
  private var firstPower: Float = 0
  /// What the factor moves to, and at most when it has grown again.
  private var target: Float = 1
  private var ceiling: Float = 1
  /// Seconds until it grows again.
  private var restTime: Float = 0

  /// Samples of a look, and from one to the next.
  private static let length = 1024
  private static let hop = 256
  /// The part of all power that a tone has, in its five bins.
  private static let purity: Float = 0.97
  /// Bins below are those of hum and rumble.
  private static let lowest = 4
  /// Seconds that a tone must last.
  private static let patience = 0.15
  /// How often its first power a howl has by then, or how strong it is: −12 dB of a full sine.
  private static let growth: Float = 4
  private static let loudness: Float = 0.063
  /// What is fainter is no howl yet: −50 dB.
  private static let faint: Float = 1e-5

  /// A guard of interleaved channels.
  package init(sampleRate: Int, channelCount: Int) {
    precondition(sampleRate > 0 && channelCount > 0)
    self.sampleRate = sampleRate
    self.channelCount = channelCount
    window.reserveCapacity(Self.length)
    for index in 0..<Self.length {
      let turn = (2 * Double(index) + 1) / Double(Self.length)
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
      place = (place + 1) % Self.length
      rest -= 1
      if rest == 0 {
        rest = Self.hop
        if look() { hasBegun = true }
      }
    }
    ramp(&samples)
    return hasBegun
  }

  /// Looks at the last samples; true if they are part of a howl.
  private mutating func look() -> Bool {
    transform.powers(of: ring, from: place, window: window, into: &powers)
    var (all, peak): (Float, Int) = (0, Self.lowest)
    for index in 1..<powers.count {
      all += powers[index]
      if index > Self.lowest && powers[index] > powers[peak] { peak = index }
    }
    let near = max(1, peak - 2)...min(powers.count - 1, peak + 2)
    var tone: Float = 0
    for index in near { tone += powers[index] }
    // A sine of amplitude a has a²·3/16·n² in the bins of one side of this window's spectrum.
    let power = tone / (0.09375 * Float(Self.length) * Float(Self.length))
    guard power > Self.faint, tone > Self.purity * all else {
      toneCount = 0
      return false
    }
    if toneCount == 0 || abs(peak - bin) > 1 {
      (bin, toneCount, firstPower) = (peak, 0, power)
    }
    toneCount += 1
    let time = Double(toneCount * Self.hop) / Double(sampleRate)
    guard time >= Self.patience, power > Self.loudness || power > Self.growth * firstPower else {
      return false
    }
    toneCount = 0
    restTime = 2
    // Where it has howled before, it would again.
    ceiling = max(0.06, ceiling * 0.5)
    target = max(0.004, target * 0.25)
    return true
  }

  /// Moves the factor to its target: down in some milliseconds, up by 6 dB a second.
  private mutating func ramp(_ samples: inout [Float]) {
    let frameCount = samples.count / channelCount
    if frameCount == 0 { return }
    let seconds = Float(frameCount) / Float(sampleRate)
    restTime = max(0, restTime - seconds)
    // What was a howl may have been a flute: by 6 dB a minute it is forgotten.
    if restTime == 0 { ceiling = min(1, ceiling * (1 + 0.0116 * seconds)) }
    if restTime == 0 && target < ceiling { target = min(ceiling, target * (1 + 0.69 * seconds)) }
    if damping == 1 && target == 1 { return }
    let end = damping + (target - damping) * min(1, seconds * 200)
    let step = (end - damping) / Float(frameCount)
    var index = 0
    for _ in 0..<frameCount {
      damping += step
      for _ in 0..<channelCount {
        samples[index] *= damping
        index += 1
      }
    }
    damping = end
  }
}
