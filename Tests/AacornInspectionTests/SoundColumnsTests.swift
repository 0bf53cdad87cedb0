import Foundation
import TestSignals
import Testing

@testable import AacornInspection

@Suite struct SoundColumnsTests {
  private static func columns(
    _ samples: [Float], rate: Int, channels: Int = 1, chunk: Int = .max
  ) -> [[UInt8]] {
    var columns = SoundColumns(sampleRate: rate, channelCount: channels)
    var bytes: [UInt8] = []
    var start = 0
    while start < samples.count {
      let end = start + min(chunk, samples.count - start)
      columns.append(samples.span.extracting(start..<end))
      while columns.next(into: &bytes) {}
      start = end
    }
    return stride(from: 0, to: bytes.count, by: 98).map { Array(bytes[$0..<$0 + 98]) }
  }

  private static func sine(
    _ frequency: Double, rate: Int = 48_000, amplitude: Double = 1, count: Int
  ) -> [Float] {
    (0..<count).map { Float(amplitude * sin(2 * .pi * frequency * Double($0) / Double(rate))) }
  }

  private static func noise(_ count: Int, seed: UInt64) -> [Float] {
    var numbers = SeededNumbers(seed: seed)
    return numbers.floats(count, amplitude: 1)
  }

  /// The levels of a window of samples by the definition, with a plain Fourier sum in Double.
  private static func reference(_ samples: ArraySlice<Float>, rate: Int) -> [Double] {
    let length = samples.count
    let hann = samples.enumerated().map { index, sample in
      Double(sample) * (0.5 - 0.5 * cos(2 * .pi * Double(index) / Double(length)))
    }
    func power(_ bin: Int) -> Double {
      var (re, im) = (0.0, 0.0)
      for (index, value) in hann.enumerated() {
        let angle = 2 * .pi * Double(bin * index % length) / Double(length)
        re += value * cos(angle)
        im += value * sin(angle)
      }
      return re * re + im * im
    }
    let top = min(Double(length) / 2, 20_500 * Double(length) / Double(rate))
    let powers = (0...Int(top)).map(power)
    let full = Double(length * length) / 16 * 1.5
    func decibels(_ bin: Int) -> Double {
      guard bin >= 1, bin + 1 < powers.count else { return -.infinity }
      return 10 * log10(max((powers[bin - 1] + powers[bin] + powers[bin + 1]) / full, 1e-12))
    }
    return (0..<96).map { band in
      let low = 40 * pow(500, Double(band) / 96) * Double(length) / Double(rate)
      let high = 40 * pow(500, Double(band + 1) / 96) * Double(length) / Double(rate)
      let center = (low + high) / 2
      if center >= Double(length) / 2 { return 0 }
      let (first, last) = (Int(low.rounded(.up)), min(Int(high), length / 2 - 1))
      let level: Double
      if last > first {
        level = (first...last).map(decibels).max() ?? 0
      } else {
        let share = center - Double(Int(center))
        level = decibels(Int(center)) * (1 - share) + decibels(Int(center) + 1) * share
      }
      return min(max(255 + 2.55 * level, 0), 255)
    }
  }

  @Test(arguments: [44_100, 48_000, 22_050, 8000])
  func levelsAreThoseOfAPlainFourierSum(rate: Int) {
    let count = rate / 2
    let low = Self.sine(123.4, rate: rate, amplitude: 0.3, count: count)
    let high = Self.sine(Double(rate) * 0.3, rate: rate, amplitude: 0.02, count: count)
    let noise = Self.noise(count, seed: 5)
    let samples = (0..<count).map { low[$0] + high[$0] + noise[$0] * 0.001 }
    let columns = Self.columns(samples, rate: rate)
    #expect(columns.count == 25)
    let length = SoundColumns.windowLength(rate)
    for column in [12, 20] {
      let end = (column + 1) * rate / 50
      let expected = Self.reference(samples[(end - length)..<end], rate: rate)
      for band in 0..<96 {
        let found = Double(columns[column][2 + band])
        #expect(abs(found - expected[band]) <= 0.6, "band \(band) of column \(column)")
      }
    }
  }

  @Test(arguments: [44_100, 48_000, 96_000])
  func aSineAtFullScaleReads255WhereverItLies(rate: Int) {
    for frequency in [50.0, 99.3, 123, 440, 1000, 3333.3, 9871, 19_000] {
      let columns = Self.columns(
        Self.sine(frequency, rate: rate, count: rate * 2 / 5), rate: rate)
      let band = Int(96 * log(frequency / 40) / log(500))
      let levels = columns[15][2...]
      let near = levels[(2 + max(0, band - 1))...(2 + min(95, band + 1))]
      #expect((near.max() ?? 0) >= 254, "\(frequency) Hz at \(rate)")
      // The band an octave below is many main lobes away from the tone, so its level must be low.
      #expect(frequency < 400 || levels[2 + band - 12] < 120)
      #expect(columns[15][0] == 1 && columns[15][1] == 255 || frequency > 9000)
    }
  }

  @Test func silenceIsSilent() {
    for column in Self.columns([Float](repeating: 0, count: 44_100), rate: 44_100) {
      #expect(column == [128, 128] + [UInt8](repeating: 0, count: 96))
    }
  }

  @Test func lowestAndHighestAreThoseOfAllChannels() {
    // At 100 Hz, a column of 20 ms would have only two frames of three channels, so use 8,000 Hz.
    var samples = [Float](repeating: 0, count: 3 * 8000)
    samples[3 * 200 + 1] = 0.5
    samples[3 * 250 + 2] = -1
    let columns = Self.columns(samples, rate: 8000, channels: 3)
    #expect(columns[0][0] == 128 && columns[0][1] == 128)
    #expect(columns[1][0] == 1 && columns[1][1] == 192)
    #expect(columns[2][0] == 128 && columns[2][1] == 128)
  }

  @Test func channelsAreMixed() {
    let sine = Self.sine(1000, count: 19_200)
    let inPhase = Self.columns(sine.flatMap { [$0, $0] }, rate: 48_000, channels: 2)
    let alone = Self.columns(sine, rate: 48_000)
    #expect(inPhase == alone)
    let opposite = Self.columns(sine.flatMap { [$0, -$0] }, rate: 48_000, channels: 2)
    #expect(opposite[15][2...].allSatisfy { $0 == 0 })
    #expect(opposite[15][0] == 1 && opposite[15][1] == 255)
  }

  @Test(arguments: [1, 7, 441, 44_101])
  func columnsAreIndependentOfBlockSize(chunk: Int) {
    let samples = Self.noise(2 * 11_025, seed: 3)
    #expect(
      Self.columns(samples, rate: 11_025, channels: 2, chunk: chunk)
        == Self.columns(samples, rate: 11_025, channels: 2))
  }

  @Test func fiftyColumnsASecondAtAnyRate() {
    for rate in [7350, 11_025, 12_345, 44_100, 96_000, 192_000] {
      #expect(Self.columns([Float](repeating: 0.1, count: rate * 3), rate: rate).count == 150)
    }
  }

  @Test func invalidSamplesAreSilenceInColumns() {
    let poison: [Float] = [.nan, .infinity, -.infinity, .signalingNaN]
    let samples = (0..<44_100).map { poison[$0 % 4] }
    for column in Self.columns(samples, rate: 44_100) {
      #expect(column == [128, 128] + [UInt8](repeating: 0, count: 96))
    }
    let huge = (0..<44_100).map { $0 % 50 < 25 ? Float.greatestFiniteMagnitude : -3e38 }
    let column = Self.columns(huge, rate: 44_100)[20]
    #expect(column[0] == 1 && column[1] == 255 && column[2...].contains(255))
  }

  @Test func columnsAcceptAnyFormat() {
    let numbers = [Int.min, -1, 0, 1, 2, 65, Int.max]
    let forms = numbers.map { ($0, 44_100) } + numbers.map { (2, $0) } + [(Int.min, Int.min)]
    for (channelCount, rate) in forms {
      var columns = SoundColumns(sampleRate: rate, channelCount: channelCount)
      columns.append([Float](repeating: .nan, count: 200).span)
      #expect(columns.channelCount == min(max(channelCount, 1), 64))
      #expect(columns.sampleRate == min(max(rate, 1), 3_072_000))
    }
  }
}
