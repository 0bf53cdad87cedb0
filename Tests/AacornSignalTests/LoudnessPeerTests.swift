import AacornSignal
import Foundation
import Testing

/// Loudness measurements, compared with libebur128 on the same samples.
struct LoudnessPeerTests {
  /// Returns a sound whose tones, noise and levels change every one or two seconds.
  private func sound(seconds: Int, rate: Int, channels: Int) -> [Float] {
    let noise = noise(seconds * rate * channels, seed: 1)
    var samples: [Float] = []
    samples.reserveCapacity(seconds * rate * channels)
    for frame in 0..<seconds * rate {
      let time = Double(frame) / Double(rate)
      let part = Int(time / 1.7)
      let level = pow(10, Double(-(part * 7 % 31)) / 20)
      let tone = sin(2 * Double.pi * Double(90 + part % 9 * 517) * time)
      for channel in 0..<channels {
        let balance = 1 - 0.12 * Double(channel)
        let hiss = Double(noise[samples.count])
        samples.append(Float(level * balance * (0.6 * tone + 0.3 * hiss)))
      }
    }
    return samples
  }

  /// Expects equal loudness after each second, within 0.1 LU.
  @discardableResult
  private func compare(
    _ samples: [Float], rate: Int, channels: Int
  ) throws -> (ours: AudioMeter, theirs: EBUR128) {
    let theirs = try EBUR128(channelCount: channels, sampleRate: rate)
    let layout = ChannelLayout.standard(channelCount: channels)
    var ours = AudioMeter(channelCount: channels, sampleRate: rate, layout: layout)
    let piece = rate * channels
    var compared = 0
    for start in stride(from: 0, to: samples.count - piece + 1, by: piece) {
      let part = Array(samples[start..<start + piece])
      try theirs.process(part)
      ours.process(part.span)
      let (momentary, shortTerm) = (try theirs.momentary, try theirs.shortTerm)
      if momentary > -70 {
        let found = try #require(ours.loudness.momentary)
        #expect(abs(Double(found) - momentary) <= 0.1, "\(start): \(found), \(momentary)")
        compared += 1
      }
      if start >= 3 * piece, shortTerm > -70 {
        let found = try #require(ours.loudness.shortTerm)
        #expect(abs(Double(found) - shortTerm) <= 0.1, "\(start): \(found), \(shortTerm)")
        compared += 1
      }
    }
    #expect(compared >= 10)
    let integrated = (try #require(ours.loudness.integrated), try theirs.integrated)
    #expect(abs(Double(integrated.0) - integrated.1) <= 0.1, "\(integrated)")
    try comparePeaks(ours, theirs, within: 0.2)
    return (ours, theirs)
  }

  /// The excess of a true peak over the samples depends on the filter, and the filters differ.
  private func comparePeaks(_ ours: AudioMeter, _ theirs: EBUR128, within tolerance: Double) throws
  {
    let peaks = (20 * log10(Double(ours.truePeak)), 20 * log10(try theirs.truePeak))
    #expect(abs(peaks.0 - peaks.1) <= tolerance, "\(peaks)")
  }

  @Test(arguments: [(48_000, 1), (48_000, 2), (44_100, 2), (32_000, 2), (48_000, 6)])
  func loudnessMatchesLibebur128(rate: Int, channels: Int) throws {
    let samples = sound(seconds: 20, rate: rate, channels: channels)
    try compare(samples, rate: rate, channels: channels)
  }

  /// Returns a tone in both channels with a sequence of levels, each for `seconds`.
  private func tones(_ levels: [Double], seconds: Int) -> [Float] {
    levels.flatMap { level in
      let amplitude = pow(10, level / 20)
      return sine(1000, amplitude: amplitude, count: seconds * 48_000).flatMap { [$0, $0] }
    }
  }

  /// EBU Tech 3342, cases 1 to 4.
  ///
  /// At transitions, the range depends on the measurement interval.
  @Test(arguments: [[-20.0, -30], [-20, -15], [-40, -20], [-50, -35, -20, -35, -50]])
  func loudnessRangeMatchesLibebur128(levels: [Double]) throws {
    let (ours, theirs) = try compare(tones(levels, seconds: 20), rate: 48_000, channels: 2)
    let range = (try #require(ours.loudness.range), try theirs.range)
    #expect(abs(Double(range.0) - range.1) <= 0.1, "\(range)")
  }

  /// EBU Tech 3341, cases 15 to 18: tones with peaks between samples, given by their period in
  /// samples and their phase in degrees.
  @Test(arguments: [(4, 0.0), (4, 45), (6, 60), (8, 67.5)])
  func truePeakMatchesLibebur128(period: Int, phase: Double) throws {
    let count = 5 * 48_000
    let samples = (0..<count).map { frame -> Float in
      // Fade both ends to avoid ringing.
      let edge = min(1, Double(min(frame, count - 1 - frame)) / 480)
      let angle = 2 * Double.pi * Double(frame) / Double(period) + phase * Double.pi / 180
      return Float(0.5 * edge * sin(angle))
    }
    let theirs = try EBUR128(channelCount: 1, sampleRate: 48_000)
    var ours = AudioMeter(channelCount: 1, sampleRate: 48_000)
    try theirs.process(samples)
    ours.process(samples.span)
    try comparePeaks(ours, theirs, within: 0.1)
  }
}
