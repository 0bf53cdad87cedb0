import AacornSignal
import Foundation
import Testing

@Suite struct LimiterEffectTests {
  private static let sounds: [(name: String, samples: [Float])] = {
    let count = 24_000
    let white = noise(count)
    var clicks = [Float](repeating: 0, count: count)
    for index in stride(from: 100, to: count, by: 331) {
      clicks[index] = index % 2 == 0 ? 100 : -30
    }
    return [
      ("a quarter of the rate", sine(12_000, level: 12, count: count, phase: Double.pi / 4)),
      ("near half of it", sine(17_000, level: 6, count: count)),
      ("noise", white.map { $0 * 10 }),
      ("signs", white.map { $0 < 0 ? -4 : 4 }),
      ("clicks", clicks),
      ("a square", sine(837, count: count).map { $0 < 0 ? -10 : 10 }),
      (
        "bursts",
        sine(14_880, count: count).enumerated().map { $1 * ($0 / 300 % 2 == 0 ? 100 : 0.1) }
      ),
      ("swelling", white.enumerated().map { $1 * Float(exp(4 * sin(Double($0) / 110))) }),
    ]
  }()

  @Test(arguments: [(-1.0, 100.0), (-0.1, 0.1), (-20, 1)])
  func nothingIsAboveTheCeiling(ceiling: Double, release: Double) {
    for (name, samples) in Self.sounds {
      let effect = LimiterEffect(
        .init(ceiling: ceiling, release: release), channelCount: 1, sampleRate: 48_000)
      let result = processed(effect, samples + [Float](repeating: 0, count: 1000))
      var meter = TruePeakMeter(channelCount: 1)
      meter.process(result.span)
      let peak = 20 * log10(Double(meter.peak))
      #expect(peak < ceiling + 0.1, "\(name): \(peak)")
      #expect(peak > ceiling - 0.1, "\(name): \(peak)")
    }
  }

  @Test func audioBelowCeilingIsDelayedAndBitExact() {
    let effect = LimiterEffect(channelCount: 2, sampleRate: 44_100)
    let samples = noise(20_000).map { $0 * 0.3 }
    let result = processed(effect, samples, channelCount: 2)
    let delayedSampleCount = 2 * effect.latency
    #expect(effect.latency > 100 && effect.latency < 250)
    #expect(result[..<delayedSampleCount].allSatisfy { $0 == 0 })
    #expect(
      result[delayedSampleCount...].elementsEqual(samples[..<(samples.count - delayedSampleCount)]))
  }

  @Test func gainFallsBeforePeakAndRecovers() {
    let effect = LimiterEffect(.init(ceiling: -6, release: 50), channelCount: 1, sampleRate: 48_000)
    var samples = [Float](repeating: 0.1, count: 48_000)
    samples[9600] = 2
    let result = processed(effect, samples)
    #expect(maxStep(Array(result[1000..<9600 + effect.latency - 20])) < 0.002)
    #expect(result[9600 + effect.latency - 20] < 0.03)
    #expect(result[47_999] == 0.1)
  }

  @Test(arguments: [1, 100, 255, 256, 1000, 5003])
  func idleTimeDoesNotChangeOutput(silence: Int) {
    let effect = LimiterEffect(.init(ceiling: -6, release: 20), channelCount: 2, sampleRate: 48_000)
    // From loud peaks to soft samples, during which the limiter is idle, and back.
    let loud = noise(6000)
    let soft = noise(96_000, seed: 3).map { $0 * 0.2 }
    let samples = loud + soft + loud
    let wanted = processed(effect, samples, channelCount: 2)
    let rest = [Float](repeating: 0, count: 2 * silence)
    let result = processed(effect, rest + samples, channelCount: 2)
    #expect(result[..<rest.count].allSatisfy { $0 == 0 })
    #expect(result[rest.count...].elementsEqual(wanted))
    let again = samples.count - loud.count
    #expect(
      wanted[(again - 20_000)..<again].elementsEqual(
        samples[(again - 20_000 - 2 * effect.latency)..<(again - 2 * effect.latency)]))
  }

  @Test func channelsAreLimitedAlike() {
    let effect = LimiterEffect(channelCount: 2, sampleRate: 48_000)
    var frames: [Float] = []
    for sample in sine(500, level: 12, count: 9600) { frames += [sample, 0.1] }
    let result = processed(effect, frames, channelCount: 2)
    // The softer channel is also reduced by 13 dB.
    #expect(abs(result[2 * 9000 + 1] - 0.1 * Float(pow(10, -13.0 / 20))) < 0.002)
  }
}
