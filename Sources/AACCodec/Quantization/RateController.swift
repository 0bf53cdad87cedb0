/// Decides each frame's noise level so that the rate asked for is met and quality stays even.
///
/// The controller follows the noise level that would spend exactly the mean on every frame, slowly;
/// at that slow level a demanding frame asks for more bits than the mean and an easy one for less,
/// and the reservoir pays, as far as it goes.
struct RateController: Sendable {
  /// Bits the decoder's buffer can still take; nil unless the rate is constant.
  private(set) var reservoir: BitReservoir?
  private let control: Encoder.RateControl
  private let sampleRate: Int
  private let bufferedChannels: Int
  /// The fixed noise level of a variable rate.
  private let fixedLevel: Float?
  private let largestFrame: Int
  private let meanBits: Float
  /// Bits under (+) or over (−) what an average rate allows so far.
  private var balance: Float = 0
  private var frameCount = 0
  private let framesInTenSeconds: Float
  private var slowLevel: Float?
  /// Real bits per predicted bit, learnt from the frames so far.
  private var correction: Float = 1

  init(
    _ control: Encoder.RateControl, sampleRate: Int, bufferedChannels: Int, variableLevel: Float
  ) {
    self.control = control
    self.sampleRate = sampleRate
    self.bufferedChannels = bufferedChannels
    largestFrame = 6144 * bufferedChannels
    framesInTenSeconds = Float(sampleRate) / 102.4
    switch control {
    case .constant(let rate):
      reservoir = BitReservoir(
        bitsPerSecond: rate, sampleRate: sampleRate, bufferedChannels: bufferedChannels)
      meanBits = Float(rate) * 1024 / Float(sampleRate)
      fixedLevel = nil
    case .average(let rate):
      meanBits = Float(rate) * 1024 / Float(sampleRate)
      fixedLevel = nil
      // The stream has one to two frames more than the sound lasts.
      balance = -1.5 * meanBits
    case .variable:
      meanBits = 0
      fixedLevel = variableLevel
    }
  }

  /// Starts afresh before a frame, the first of a segment.
  mutating func begin(frameIndex: Int) {
    if case .constant(let rate) = control {
      reservoir = BitReservoir(
        bitsPerSecond: rate, sampleRate: sampleRate, bufferedChannels: bufferedChannels,
        frameIndex: frameIndex)
    }
    balance = 0
    frameCount = frameIndex
    slowLevel = nil
    correction = 1
  }

  /// The noise level that frames usually get; nil before the first.
  var usualLevel: Float? { fixedLevel ?? slowLevel }

  /// The most bits the frame may have.
  var most: Int { (reservoir?.most ?? largestFrame) & ~7 }
  /// The fewest bits it must be filled up to.
  var least: Int { reservoir?.least ?? 0 }

  /// The noise level for a frame with this demand and so many bits of side information.
  mutating func level(for demand: DemandModel, overhead: Int) -> Float {
    if let fixedLevel { return fixedLevel }
    let side = Float(overhead)
    let mean = meanBits
    let fair = demand.level(
      for: max(8, mean - side) / correction, from: slowLevel ?? 0)
    let slow = slowLevel.map { $0 + (fair - $0) * 0.06 } ?? fair
    slowLevel = slow
    let asked = demand.bits(at: slow).bits * correction + side
    var wanted: Float
    if let reservoir {
      let excess = Float(reservoir.level - reservoir.restLevel)
      wanted = mean + (asked - mean) * 0.5 + excess * 0.12
      wanted = min(wanted, Float(reservoir.most) * 0.92)
      wanted = max(wanted, min(mean * 0.5, asked))
    } else {
      // The total may be off by 0.35 % of what ten seconds, or all so far, are allowed.
      let allowance = max(framesInTenSeconds, Float(frameCount)) * mean * 0.0035
      wanted = min(asked + balance * 0.05, mean + balance + allowance)
      wanted = max(wanted, mean + balance - allowance, mean * 0.1)
      wanted = min(wanted, Float(largestFrame - 8))
    }
    return demand.level(for: max(8, wanted - side) / correction, from: slow)
  }

  /// Books a finished frame: its bits in all, those of lines and scalefactors, and those predicted.
  mutating func endFrame(bits: Int, spectral: Int, predicted: Float) {
    if predicted > 50 && spectral > 50 {
      let ratio = min(3, max(0.3, Float(spectral) / predicted))
      correction += (ratio - correction) * 0.1
    }
    if reservoir == nil { balance += meanBits - Float(bits) }
    frameCount += 1
    reservoir?.endFrame(bits: bits)
  }
}
