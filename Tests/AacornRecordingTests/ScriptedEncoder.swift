import AacornApple
import AacornCodec
import AacornSystem

/// An encoder whose units contain their numbers, and which fails at a given unit.
struct ScriptedEncoder: AACEncoding {
  let audioSpecificConfig = AudioSpecificConfig(
    objectType: .lowComplexity, sampleRate: 48_000, channelConfiguration: 2)
  let timing = StreamTiming(
    sampleRate: 48_000, samplesPerUnit: 1000, priming: 1500, nominalBitrate: 64_000)
  var collectsStatistics = false
  var brokenUnit: Int?
  private var frameCount = 0
  private var unitCount = 0
  private var isFinished = false

  static let failure = AACBackEndError.call(.encode, status: -7)

  /// The requested bitrates.
  private let rates: Lock<[Int]>?

  init(brokenUnit: Int? = nil, rates: Lock<[Int]>? = nil) {
    (self.brokenUnit, self.rates) = (brokenUnit, rates)
  }

  mutating func encode(interleaved samples: Span<Float>) throws(AACBackEndError) {
    frameCount += samples.count / 2
  }

  mutating func finish() throws(AACBackEndError) -> StreamTrim {
    isFinished = true
    return timing.trim(of: frameCount)
  }

  mutating func nextAccessUnit(into unit: inout AccessUnit) throws(AACBackEndError) -> Bool {
    let available = isFinished ? timing.unitCount(for: frameCount) : frameCount / 1000
    guard unitCount < available else { return false }
    if unitCount == brokenUnit { throw Self.failure }
    unit = AccessUnit(
      bytes: [UInt8(truncatingIfNeeded: unitCount)], sampleCount: 1000,
      samplePosition: unitCount * 1000 - 1500)
    unitCount += 1
    return true
  }

  mutating func changeBitrate(to bitsPerSecond: Int) -> Bool {
    rates?.withLock { $0.append(bitsPerSecond) }
    return bitsPerSecond == 96_000
  }
}
