import AacornSignal
import Foundation

/// The common members of the effects.
protocol AudioEffect: Sendable {
  var latency: Int { get }
  mutating func process(_ samples: inout MutableSpan<Float>)
  mutating func reset()
}

extension GainEffect: AudioEffect {}
extension HighPassEffect: AudioEffect {}
extension EqualizerEffect: AudioEffect {}
extension GateEffect: AudioEffect {}
extension ExpanderEffect: AudioEffect {}
extension CompressorEffect: AudioEffect {}
extension DeEsserEffect: AudioEffect {}
extension LimiterEffect: AudioEffect {}
extension LoudnessEffect: AudioEffect {}

/// Applies a copy of an effect to samples.
///
/// `blocks` are the lengths of successive blocks in frames, used in a cycle; without them, all
/// samples are one block.
func processed(
  _ effect: any AudioEffect, _ samples: [Float], channelCount: Int = 1, blocks: [Int] = []
) -> [Float] {
  var effect = effect
  return pass(&effect, samples, channelCount: channelCount, blocks: blocks)
}

func pass(
  _ effect: inout any AudioEffect, _ samples: [Float], channelCount: Int = 1, blocks: [Int] = []
) -> [Float] {
  var result: [Float] = []
  var (start, turn) = (0, 0)
  while start < samples.count {
    let length = blocks.isEmpty ? samples.count : blocks[turn % blocks.count] * channelCount
    var block = Array(samples[start..<min(start + length, samples.count)])
    var span = block.mutableSpan
    effect.process(&span)
    result += block
    start += length
    turn += 1
  }
  return result
}

/// Calls `body` with pieces of interleaved samples.
///
/// `lengths` are in frames, and used in a cycle.
func inPieces(
  _ samples: [Float], of lengths: [Int], channelCount: Int = 1, _ body: (Span<Float>) -> Void
) {
  let frameCount = samples.count / channelCount
  var (start, turn) = (0, 0)
  while start < frameCount {
    let end = start + min(lengths[turn % lengths.count], frameCount - start)
    body(samples.span.extracting(start * channelCount..<end * channelCount))
    start = end
    turn += 1
  }
}

/// Returns a sine; its peak is `amplitude` or `level` decibels.
func sine(
  _ frequency: Double, rate: Int = 48_000, amplitude: Double = 1, level: Double = 0,
  count: Int = 48_000, phase: Double = 0
) -> [Float] {
  let peak = amplitude * pow(10, level / 20)
  return (0..<count).map { index in
    Float(peak * sin(2 * Double.pi * frequency * Double(index) / Double(rate) + phase))
  }
}

func noise(_ count: Int, seed: UInt32 = 7) -> [Float] {
  var state = seed
  return (0..<count).map { _ in
    state = state &* 1_664_525 &+ 1_013_904_223
    return Float(Int32(bitPattern: state)) * 0x1p-31
  }
}

/// The level of a sine with the power of these samples, in decibels.
func sineLevel(_ samples: some Collection<Float>) -> Double {
  let power = samples.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(samples.count)
  return 10 * log10(2 * power)
}

func maxStep(_ samples: [Float]) -> Float {
  zip(samples, samples.dropFirst()).reduce(0) { max($0, ($1.1 - $1.0).magnitude) }
}

/// The gain of an impulse response at a frequency at 48 kHz, in decibels.
func response(_ impulse: [Float], at frequency: Double) -> Double {
  var (real, imaginary) = (0.0, 0.0)
  for (index, sample) in impulse.enumerated() where sample != 0 {
    let angle = 2 * Double.pi * frequency * Double(index) / 48_000
    real += Double(sample) * cos(angle)
    imaginary -= Double(sample) * sin(angle)
  }
  return 10 * log10(real * real + imaginary * imaginary)
}

/// Returns one of each effect, with settings that change the signal.
func everyEffect(channelCount: Int, sampleRate rate: Int = 48_000) -> [any AudioEffect] {
  let bands: [EqualizerEffect.Band] = [
    .init(.lowShelf, frequency: 200, decibels: 6), .init(.peak, frequency: 3000, decibels: -9),
    .init(.highShelf, frequency: 9000, decibels: 4), .init(.notch, frequency: 50, quality: 5),
  ]
  let pass = HighPassEffect.Settings(frequency: 120, slope: .twentyFour)
  return [
    GainEffect(decibels: -6, channelCount: channelCount, sampleRate: rate),
    HighPassEffect(pass, channelCount: channelCount, sampleRate: rate),
    EqualizerEffect(bands, channelCount: channelCount, sampleRate: rate),
    GateEffect(.init(threshold: -12), channelCount: channelCount, sampleRate: rate),
    ExpanderEffect(.init(threshold: -6), channelCount: channelCount, sampleRate: rate),
    CompressorEffect(.init(threshold: -30), channelCount: channelCount, sampleRate: rate),
    DeEsserEffect(channelCount: channelCount, sampleRate: rate),
    LimiterEffect(.init(ceiling: -9), channelCount: channelCount, sampleRate: rate),
    LoudnessEffect(channelCount: channelCount, sampleRate: rate),
  ]
}
