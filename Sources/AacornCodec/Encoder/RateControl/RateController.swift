/// Chooses each frame's noise level so that the requested rate is met and quality stays even.
///
/// The controller slowly seeks the noise level at which frames need the mean number of bits on
/// average. At that level, a demanding frame gets more bits than the mean and an easy one fewer;
/// the reservoir covers the difference within its limits. The controller restarts at every segment
/// of the stream; only a reservoir whose rate has changed continues.
struct RateController: SegmentStage {
  /// The model of the decoder's buffer; nil unless the rate is constant.
  private(set) var reservoir: BitReservoir?
  private var control: AACEncoder.RateControl
  private let sampleRate: Int
  private let bufferedChannels: Int
  /// The fixed noise level of a variable rate.
  private let fixedLevel: Float?
  let largestFrame: Int
  private var meanBits: Float
  /// The mean before a change of the rate; nil once the next frame's noise level was chosen.
  private var previousMean: Float?
  /// The reservoir before a change of the rate, until the frame in progress ends.
  ///
  /// Of several changes in a frame only the last one takes effect.
  private var previousReservoir: BitReservoir?
  /// Whether the rate has changed since the first frame.
  private var hasChanged = false
  /// Bits under (+) or over (−) the allowance of an average rate up to now.
  private var balance: Float = 0
  private var frameCount = 0
  /// The number of frames in the current segment.
  private var segmentFrames: Int { frameCount % AACEncoder.segmentFrameCount }
  private let framesInTenSeconds: Float
  private var typicalLevel: Float
  /// The mean noise level of the last frames.
  private var recentLevel: Float
  /// The reduction of the noise level that recent fill bits would have paid for.
  private var bonus: Float = 0
  /// Actual bits per predicted bit of long and of short blocks, learned from the previous frames.
  private var corrections: (long: Float, short: Float) = (1, 1)

  init(
    _ control: AACEncoder.RateControl, sampleRate: Int, bufferedChannels: Int, variableLevel: Float,
    nominalRate: Float
  ) {
    self.control = control
    self.sampleRate = sampleRate
    self.bufferedChannels = bufferedChannels
    largestFrame = FrameLimits.bufferBitsPerChannel * bufferedChannels
    framesInTenSeconds = Float(sampleRate) / 102.4
    switch control {
    case .constant(let rate):
      reservoir = BitReservoir(
        bitsPerSecond: rate, sampleRate: sampleRate, bufferedChannels: bufferedChannels)
      meanBits = Float(rate) * 1024 / Float(sampleRate)
      fixedLevel = nil
      typicalLevel = Self.firstLevel(meanBits, bufferedChannels)
    case .average(let rate):
      meanBits = Float(rate) * 1024 / Float(sampleRate)
      fixedLevel = nil
      typicalLevel = Self.firstLevel(meanBits, bufferedChannels)
      balance = -Self.extraFrames * meanBits
    case .variable:
      meanBits = nominalRate * 1024 / Float(sampleRate)
      fixedLevel = variableLevel
      typicalLevel = variableLevel
    }
    recentLevel = typicalLevel
  }

  /// The controller learns from every frame of the segment, and from none before it.
  static var lookBack: Int { 0 }

  /// Resets all learned values.
  ///
  /// Only the level of the reservoir continues, like a decoder's buffer: the previous segment ends
  /// with the level that this segment begins with.
  mutating func begin(atFrame index: Int) {
    if case .constant(let rate) = control, !hasChanged {
      reservoir = BitReservoir(
        bitsPerSecond: rate, sampleRate: sampleRate, bufferedChannels: bufferedChannels,
        frameIndex: index)
    }
    if fixedLevel == nil { typicalLevel = Self.firstLevel(meanBits, bufferedChannels) }
    previousMean = nil
    previousReservoir = nil
    balance = 0
    frameCount = index
    bonus = 0
    recentLevel = typicalLevel
    corrections = (1, 1)
  }

  /// The current bits per second; 0 for a variable rate.
  var bitrate: Int { control.nominalBitrate }

  /// Changes the rate from the next frame on; a variable rate cannot change.
  mutating func setBitrate(_ bitsPerSecond: Int) {
    if bitrate == 0 || bitrate == bitsPerSecond { return }
    if case .constant = control {
      control = .constant(bitsPerSecond: bitsPerSecond)
    } else {
      control = .average(bitsPerSecond: bitsPerSecond)
    }
    if frameCount == 0 {
      self = RateController(
        control, sampleRate: sampleRate, bufferedChannels: bufferedChannels, variableLevel: 0,
        nominalRate: 0)
      return
    }
    let before = meanBits
    meanBits = Float(bitsPerSecond) * 1024 / Float(sampleRate)
    // Scaled, so that the balance remains the same number of frames.
    balance *= meanBits / before
    previousReservoir = previousReservoir ?? reservoir
    reservoir = previousReservoir.map { BitReservoir(continuing: $0, bitsPerSecond: bitsPerSecond) }
    previousMean = previousMean ?? before
    hasChanged = true
  }

  /// Returns the noise level at which most audio needs this many bits per frame.
  private static func firstLevel(_ bits: Float, _ channels: Int) -> Float {
    max(lowestFirstLevel, levelOfNoBits - levelPerBit * bits / Float(1024 * channels))
  }

  /// The line of noise level over bits per sample from which a segment starts, and its lower end.
  private static let levelOfNoBits: Float = 10
  private static let levelPerBit: Float = 3.5
  private static let lowestFirstLevel: Float = -4
  /// The number of frames by which the stream is longer than the audio, which the rate refers to.
  private static let extraFrames: Float = 1.5

  /// The minimum share of a variable rate's nominal bits that a frame gets, and the maximum
  /// reduction of the noise level for that purpose.
  private static let minShare: Float = 0.4
  private static let maxRefinement: Float = 5
  /// The share of a frame's demand above or below the mean that its size follows.
  private static let demandShare: Float = 0.5
  /// The minimum share of the mean that a frame of a constant rate gets if it needs that much.
  private static let minConstantShare: Float = 0.5
  /// The share of the reservoir's maximum above which no frame is planned.
  private static let maxReservoirShare: Float = 0.92
  /// The share of the reservoir's excess that a frame gets.
  private static let excessShare: Float = 0.12
  /// The number of frames at the beginning over which `excessShare` rises from zero.
  private static let framesBeforeSaving: Float = 8
  /// The bonus for a mean frame of fill bits.
  private static let bonusPerFill: Float = 0.4
  /// The maximum of the bonus.
  private static let maxBonus: Float = 8
  /// The factor of the bonus for each frame while the reservoir is low.
  private static let bonusDecay: Float = 0.8
  /// The share by which the maximum bonus lowers the target of the reservoir.
  private static let bonusTargetShare: Float = 0.6
  /// The share of the balance of an average rate that a frame gets.
  private static let balanceShare: Float = 0.05
  /// The minimum share of the mean that a frame of an average rate gets.
  private static let minAverageShare: Float = 0.1
  /// The share of the bits of ten seconds, or of the elapsed time if that is longer, by which the
  /// total may be off.
  private static let tolerance: Float = 0.0035
  /// The share of the remaining bits of a segment by which the total may be off.
  private static let remainingTolerance: Float = 0.1
  /// The minimum number of bits for the lines of a frame.
  private static let minLineBits: Float = 8
  /// The factor from a frame's share of the mean to its weight, which is at most 1.
  private static let weightFactor: Float = 3
  /// The maximum step of the typical level in a frame, and after a change of the rate.
  private static let maxStep: Float = 4
  private static let maxRateStep: Float = 12
  /// The minimum slope of a frame's bits, as a share of the mean.
  private static let minSlopeShare: Float = 0.05
  /// The share of a Newton step that the typical level moves: at first, divided by the number of
  /// frames since then, and the minimum.
  private static let firstStepShare: Float = 0.5
  private static let minStepShare: Float = 0.1
  /// The minimum number of actual and predicted bits from which the corrections learn.
  private static let minLearningBits = 50
  /// The limits of the ratio of actual to predicted bits, and its share in a correction.
  private static let minCorrection: Float = 0.3
  private static let maxCorrection: Float = 3
  private static let correctionShare: Float = 0.1
  /// The share of a new frame in `recentLevel`, which is thus the mean of about five frames.
  private static let recentShare: Float = 0.2
  /// The level below which noise is always inaudible.
  private static let lowestLevel: Float = -12

  /// The likely noise level of the next frame.
  ///
  /// Between attacks, which raise the typical level, frames may have a much lower one. Before the
  /// first frame of a segment, nothing is known of the sound, and little noise is safe.
  var likelyLevel: Float {
    let level = min(typicalLevel, recentLevel)
    return segmentFrames == 0 && fixedLevel == nil ? min(level, 0) : level
  }

  var maxBitCount: Int { (reservoir?.maxBitCount ?? largestFrame) & ~7 }
  /// The minimum number of bits, up to which the frame must be filled.
  var minBitCount: Int { reservoir?.minBitCount ?? 0 }

  /// Returns the noise level for a frame with this demand and `overhead` bits of side information.
  mutating func level(for demand: DemandModel, overhead: Int, isShort: Bool) -> Float {
    let side = Float(overhead)
    let mean = meanBits
    if let fixedLevel {
      // In simple audio, above all a lone tone, noise is more audible than the model predicts. Such
      // audio gets a share of the nominal bits if finer noise can use them.
      let fine = demand.level(for: Self.minShare * mean, from: fixedLevel)
      let result = min(fixedLevel, max(fixedLevel - Self.maxRefinement, fine))
      updateRecentLevel(result)
      return result
    }
    let correction = isShort ? corrections.short : corrections.long
    if segmentFrames == 0 {
      calibrate(demand, target: max(Self.minLineBits, mean - side) / correction)
    } else if let previousMean {
      let old = max(Self.minLineBits, previousMean - side) / correction
      let new = max(Self.minLineBits, mean - side) / correction
      adjustTypicalLevel(demand, from: old, to: new, previousMean)
    }
    previousMean = nil
    let level = typicalLevel
    let (bits, slope) = demand.bits(at: level)
    let asked = bits * correction + side
    updateTypicalLevel(bits: bits * correction, slope: slope * correction, side: side)
    var wanted: Float
    if let reservoir {
      // After a silence the reservoir may stay low: the next silence fills it with unused bits.
      let target =
        Float(reservoir.targetLevel) * (1 - Self.bonusTargetShare * min(1, bonus / Self.maxBonus))
      let excess = Float(reservoir.level) - target
      // The reservoir fills up after the first frames, which may begin amid a sound.
      let share = Self.excessShare * min(1, Float(frameCount) / Self.framesBeforeSaving)
      wanted = mean + (asked - mean) * Self.demandShare + excess * share
      if bonus > 0 {
        // After a silence, which needed only fill bits, a sound gets bits that were saved.
        let finer = demand.bits(at: level - bonus).bits * correction + side
        wanted += min(max(0, finer - max(asked, wanted)), max(0, excess))
      }
      wanted = min(wanted, Float(reservoir.maxBitCount) * Self.maxReservoirShare)
      wanted = max(wanted, min(mean * Self.minConstantShare, asked))
      // Bits that a full buffer requires are better spent on audio than on filling.
      wanted = max(wanted, Float(reservoir.minBitCount))
    } else {
      // At the end of a segment the balance must be zero.
      let remaining = Float(AACEncoder.segmentFrameCount - 1 - segmentFrames)
      let allowance =
        min(
          max(framesInTenSeconds, Float(frameCount)) * Self.tolerance,
          remaining * Self.remainingTolerance) * mean
      wanted = min(asked + balance * Self.balanceShare, mean + balance + allowance)
      wanted = max(wanted, mean + balance - allowance, mean * Self.minAverageShare)
      wanted = min(wanted, Float(largestFrame - 8))
    }
    let result = demand.level(
      for: max(Self.minLineBits, wanted - side) / correction, from: level)
    updateRecentLevel(result)
    return result
  }

  private mutating func updateRecentLevel(_ level: Float) {
    recentLevel += (max(Self.lowestLevel, level) - recentLevel) * Self.recentShare
  }

  /// Starts with the level at which the first frame needs the mean, unless it is nearly silent.
  private mutating func calibrate(_ demand: DemandModel, target: Float) {
    let level = typicalLevel
    let fair = demand.level(for: target, from: level)
    let weight = min(1, Self.weightFactor * demand.bits(at: level).bits / target)
    typicalLevel = level + min(Self.maxStep, max(-Self.maxStep, fair - level)) * weight
  }

  /// Moves the levels after a change of the rate.
  ///
  /// The step takes this frame from `old` to `new` bits. A nearly silent frame is not
  /// representative, so the step of typical audio applies instead.
  private mutating func adjustTypicalLevel(
    _ demand: DemandModel, from old: Float, to new: Float, _ previousMean: Float
  ) {
    let typicalStep =
      Self.firstLevel(meanBits, bufferedChannels) - Self.firstLevel(previousMean, bufferedChannels)
    let first = demand.level(for: old, from: typicalLevel)
    let change = demand.level(for: new, from: first) - first
    let frameStep = min(Self.maxRateStep, max(-Self.maxRateStep, change))
    let weight = min(1, Self.weightFactor * demand.bits(at: typicalLevel).bits / new)
    let step = typicalStep + (frameStep - typicalStep) * weight
    typicalLevel = max(Self.lowestLevel, typicalLevel + step)
    recentLevel = max(Self.lowestLevel, recentLevel + step)
  }

  /// Moves the typical level toward the level at which this frame would need the mean.
  ///
  /// The step is a fraction of one Newton step. A frame is weighted by its demand: near-silence
  /// needs no bits at any level and does not predict the audio that follows.
  private mutating func updateTypicalLevel(bits: Float, slope: Float, side: Float) {
    let gap = (bits + side - meanBits) / max(slope, meanBits * Self.minSlopeShare)
    let weight = min(1, Self.weightFactor * bits / meanBits)
    let share = max(Self.minStepShare, Self.firstStepShare / Float(segmentFrames + 1))
    let step = min(Self.maxStep, max(-Self.maxStep, gap))
    typicalLevel = max(Self.lowestLevel, typicalLevel + step * weight * share)
  }

  /// Records a finished frame.
  ///
  /// `bits` is the size of the frame, of which `fill` are fill bits; `spectral` counts only lines
  /// and scalefactors, as does the prediction.
  mutating func endFrame(
    bits: Int, fill: Int, spectral: Int, predicted: Float, isShort: Bool
  ) {
    if predicted > Float(Self.minLearningBits) && spectral > Self.minLearningBits {
      let actual = Float(spectral) / predicted
      let ratio = min(Self.maxCorrection, max(Self.minCorrection, actual))
      if isShort {
        corrections.short += (ratio - corrections.short) * Self.correctionShare
      } else {
        corrections.long += (ratio - corrections.long) * Self.correctionShare
      }
    }
    if let reservoir {
      if fill > 0 {
        bonus = min(Self.maxBonus, bonus + Self.bonusPerFill * Float(fill) / meanBits)
      } else if reservoir.level < reservoir.targetLevel {
        bonus *= Self.bonusDecay
      }
    } else {
      balance += meanBits - Float(bits)
    }
    frameCount += 1
    previousReservoir = nil
    reservoir?.endFrame(bits: bits)
  }
}
