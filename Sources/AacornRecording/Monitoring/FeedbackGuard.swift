/// Makes sound quieter that a microphone hears again, before it howls.
///
/// A howl is a pure tone that grows, or that is loud already. Whether a piece of sound is a pure tone
/// shows how well each sample is predicted by the two before it: of a sine nothing is left over.
struct FeedbackGuard {
  /// The factor for the sound at the end of the last block.
  private(set) var damping: Float = 1

  private let sampleRate: Int
  private let channelCount: Int
  /// The last samples of all channels together.
  private var mono: [Float] = []
  /// Seconds for which there has been a pure tone, and its power when it began.
  private var toneTime = 0.0
  private var firstPower = 0.0
  /// Seconds until the sound grows again, and what it may grow to.
  private var restTime = 0.0
  private var ceiling: Float = 1

  /// Samples that are looked at together.
  private static let pieceLength = 256
  /// How much of a tone's power the prediction may leave over: −17 dB.
  private static let impurity = 0.02
  /// A tone must last this long, in seconds.
  private static let patience = 0.12
  /// And have grown by 6 dB, or have this power: −12 dB of full scale.
  private static let growth = 4.0
  private static let loudness = 0.03
  /// What is fainter than −50 dB is no howl yet.
  private static let faint = 1e-5

  init(sampleRate: Int, channelCount: Int) {
    self.sampleRate = sampleRate
    self.channelCount = channelCount
  }

  /// Damps whole frames; true if the microphone has begun to hear them.
  mutating func process(_ samples: inout [Float]) -> Bool {
    var hasBegun = false
    let scale = 1 / Float(channelCount)
    for frame in 0..<samples.count / channelCount {
      var sum: Float = 0
      for channel in 0..<channelCount { sum += samples[frame * channelCount + channel] }
      mono.append(sum.isFinite ? sum * scale : 0)
      if mono.count == Self.pieceLength {
        if judge() { hasBegun = true }
        mono.removeAll(keepingCapacity: true)
      }
    }
    ramp(&samples)
    return hasBegun
  }

  /// Looks at a piece; true if it is part of a howl.
  private mutating func judge() -> Bool {
    let duration = Double(mono.count) / Double(sampleRate)
    restTime = max(0, restTime - duration)
    let (power, rest) = Self.prediction(mono)
    guard power > Self.faint, rest < Self.impurity else {
      toneTime = max(0, toneTime - 4 * duration)
      return false
    }
    if toneTime == 0 { firstPower = power }
    toneTime += duration
    guard toneTime >= Self.patience,
      power > Self.loudness || power > Self.growth * firstPower
    else { return false }
    toneTime = 0
    restTime = 2
    // Where it has howled before, it would again.
    ceiling = max(0.125, ceiling * 0.5)
    target = max(0.004, target * 0.25)
    return true
  }

  /// What the factor moves to.
  private var target: Float = 1

  /// Moves the factor towards its target: down in some milliseconds, up by 6 dB a second.
  private mutating func ramp(_ samples: inout [Float]) {
    let frameCount = samples.count / channelCount
    guard frameCount > 0 else { return }
    let seconds = Float(frameCount) / Float(sampleRate)
    if restTime == 0 && target < ceiling { target = min(ceiling, target * (1 + 0.69 * seconds)) }
    if damping == 1 && target == 1 { return }
    let part = min(1, seconds / 0.005)
    let end = damping + (target - damping) * part
    let step = (end - damping) / Float(frameCount)
    for frame in 0..<frameCount {
      damping += step
      for channel in 0..<channelCount { samples[frame * channelCount + channel] *= damping }
    }
    damping = end
  }

  /// The mean power of some samples, and the part of it that is left over when each is predicted by
  /// the two before it in the best possible way.
  private static func prediction(_ samples: [Float]) -> (power: Double, rest: Double) {
    var (c00, c11, c22, c01, c02, c12) = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    for index in 2..<samples.count {
      let x = Double(samples[index])
      let (y, z) = (Double(samples[index - 1]), Double(samples[index - 2]))
      c00 += x * x
      c11 += y * y
      c22 += z * z
      c01 += x * y
      c02 += x * z
      c12 += y * z
    }
    let power = c00 / Double(samples.count - 2)
    let determinant = c11 * c22 - c12 * c12
    guard c00 > 0, determinant > 1e-9 * c11 * c22 else { return (power, 1) }
    let a = (c01 * c22 - c02 * c12) / determinant
    let b = (c02 * c11 - c01 * c12) / determinant
    return (power, max(0, c00 - a * c01 - b * c02) / c00)
  }
}
