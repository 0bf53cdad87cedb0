import AacornSignal
import Foundation
import Testing

/// The tests of EBU Tech 3341 and 3342 with generated tones.
struct LoudnessMeterTests {
  /// A tone of 1 kHz for some seconds, with a peak level per channel.
  private struct Tone {
    var seconds: Double
    var levels: [Double]

    init(_ seconds: Double, _ levels: Double...) {
      self.seconds = seconds
      self.levels = levels
    }
  }

  private func samples(_ tones: [Tone], rate: Int, frequency: Double = 1000) -> [Float] {
    var samples: [Float] = []
    for tone in tones {
      let amplitudes = tone.levels.map { pow(10, $0 / 20) }
      for index in 0..<Int((tone.seconds * Double(rate)).rounded()) {
        let sine = sin(2 * Double.pi * frequency * Double(index) / Double(rate))
        for amplitude in amplitudes { samples.append(Float(amplitude * sine)) }
      }
    }
    return samples
  }

  private func meter(
    _ tones: [Tone], rate: Int = 48_000, layout: ChannelLayout? = nil, frequency: Double = 1000
  ) -> LoudnessMeter {
    let channelCount = tones.first?.levels.count ?? 1
    var meter = LoudnessMeter(channelCount: channelCount, sampleRate: rate, layout: layout)
    meter.process(samples(tones, rate: rate, frequency: frequency).span)
    return meter
  }

  private func expect(_ value: Float?, _ wanted: Float, within tolerance: Float = 0.1) {
    guard let value else {
      Issue.record("no value instead of \(wanted)")
      return
    }
    #expect(abs(value - wanted) <= tolerance, "\(value) instead of \(wanted)")
  }

  // MARK: - Tech 3341

  /// EBU Tech 3341, cases 1 and 2.
  @Test(arguments: [-23.0, -33.0])
  func aSteadyToneHasItsLevelInAllThreeMeasures(level: Double) {
    let meter = meter([Tone(20, level, level)])
    expect(meter.integrated, Float(level))
    expect(meter.maximumMomentary, Float(level))
    expect(meter.maximumShortTerm, Float(level))
  }

  /// EBU Tech 3341, cases 3 to 5: soft passages and silence do not count; a louder passage counts
  /// by its length.
  @Test(
    arguments: [
      [(10, -36), (60, -23), (10, -36)],
      [(10, -72), (10, -36), (60, -23), (10, -36), (10, -72)], [(20, -26), (20.1, -20), (20, -26)],
    ] as [[(Double, Double)]])
  func softPassagesDoNotCount(passages: [(seconds: Double, level: Double)]) {
    expect(meter(passages.map { Tone($0.seconds, $0.level, $0.level) }).integrated, -23)
  }

  @Test func surroundsCountMoreAndTheLFENotAtAll() throws {
    let five = try #require(
      ChannelLayout([.frontLeft, .frontRight, .frontCenter, .backLeft, .backRight]))
    let tones = [Tone(20, -28, -28, -24, -30, -30)]
    expect(meter(tones, layout: five).integrated, -23)
    let six = try #require(ChannelLayout.standard(channelCount: 6))
    expect(meter([Tone(20, -28, -28, -24, 0, -30, -30)], layout: six).integrated, -23)
  }

  /// Returns a meter's readings after each piece of the given duration in seconds.
  private func readings(
    _ tones: [Tone], every seconds: Double, _ reading: (LoudnessMeter) -> Float?
  ) -> [Float?] {
    var meter = LoudnessMeter(channelCount: 2, sampleRate: 48_000)
    let samples = samples(tones, rate: 48_000)
    var readings: [Float?] = []
    inPieces(samples, of: [Int((seconds * 48_000).rounded())], channelCount: 2) {
      meter.process($0)
      readings.append(reading(meter))
    }
    return readings
  }

  /// EBU Tech 3341, case 9.
  @Test func theShortTermReadingIsSteadyWhereThreeSecondsAreAlike() {
    let part = [Tone(1.34, -20, -20), Tone(1.66, -30, -30)]
    let tones = Array(repeating: part, count: 5).flatMap(\.self)
    let readings = readings(tones, every: 0.1, \.shortTerm)
    #expect(readings.count == 150)
    for (index, reading) in readings.enumerated() {
      if index < 29 { #expect(reading == nil) } else { expect(reading, -23) }
    }
  }

  /// EBU Tech 3341, case 12.
  @Test func theMomentaryReadingIsSteadyWhereFourTenthsAreAlike() {
    let part = [Tone(0.18, -20, -20), Tone(0.22, -30, -30)]
    let tones = Array(repeating: part, count: 25).flatMap(\.self)
    let readings = readings(tones, every: 0.01, \.momentary)
    #expect(readings.count == 1000)
    #expect(readings[38] == nil && readings[39] != nil)
    for reading in readings[100...] { expect(reading, -23) }
  }

  /// EBU Tech 3341, cases 10 and 13, which have a separate file for each start of the sound.
  @Test(arguments: 0..<20)
  func aShortSoundHasItsLevelWhereverItBegins(number: Int) {
    let off = -Double.infinity
    let long = meter([Tone(0.15 * Double(number), off, off), Tone(3, -23, -23), Tone(1, off, off)])
    expect(long.maximumShortTerm, -23)
    let short = meter([
      Tone(0.02 * Double(number), off, off), Tone(0.4, -23, -23), Tone(1, off, off),
    ])
    expect(short.maximumMomentary, -23)
  }

  /// EBU Tech 3341, cases 11 and 14, which are measured during playback.
  @Test func eachOfSeveralShortSoundsHasItsLevel() {
    let off = -Double.infinity
    var long = LoudnessMeter(channelCount: 2, sampleRate: 48_000)
    var short = LoudnessMeter(channelCount: 2, sampleRate: 48_000)
    for number in 0..<20 {
      let level = Double(number) - 38
      let (late, later) = (0.15 * Double(number), 0.02 * Double(number))
      let threeSeconds = [Tone(late, off, off), Tone(3, level, level), Tone(3 - late, off, off)]
      long.process(samples(threeSeconds, rate: 48_000).span)
      expect(long.maximumShortTerm, Float(level))
      let fourTenths = [
        Tone(later, off, off), Tone(0.4, level, level), Tone(0.4 - later, off, off),
      ]
      short.process(samples(fourTenths, rate: 48_000).span)
      expect(short.maximumMomentary, Float(level))
    }
  }

  @Test func onlySideChannelsHaveSurroundWeight() throws {
    let wide = try #require(
      ChannelLayout([.frontLeft, .frontRight, .backLeft, .backRight, .sideLeft, .sideRight]))
    // Each pair separately: −23 dB relative to full scale, except for the weight of the side
    // channels.
    let off = -200.0
    expect(meter([Tone(5, -23, -23, off, off, off, off)], layout: wide).integrated, -23)
    expect(meter([Tone(5, off, off, -23, -23, off, off)], layout: wide).integrated, -23)
    expect(meter([Tone(5, off, off, off, off, -23, -23)], layout: wide).integrated, -21.51)
  }

  // MARK: - Tech 3342

  /// EBU Tech 3342, cases 1 to 4.
  static let ranges: [(levels: [Double], range: Float)] = [
    ([-20, -30], 10), ([-20, -15], 5), ([-40, -20], 20), ([-50, -35, -20, -35, -50], 15),
  ]

  @Test(arguments: ranges)
  func theRangeIsThatOfThePassages(levels: [Double], range: Float) {
    expect(meter(levels.map { Tone(20, $0, $0) }).range, range, within: 1)
  }

  // MARK: - Other tests

  @Test(arguments: [8000, 11_025, 16_000, 22_050, 32_000, 44_100, 88_200, 96_000, 192_000])
  func loudnessIsIndependentOfSampleRate(rate: Int) {
    expect(meter([Tone(5, -23, -23)], rate: rate, frequency: 997).integrated, -23, within: 0.02)
  }

  /// The magnitude of the two filters that BS.1770-4 defines for 48 kHz.
  private func weight(_ frequency: Double) -> Double {
    let turn = 2 * Double.pi * frequency / 48_000
    func power(_ a: [Double]) -> Double {
      let real = a[0] + a[1] * cos(turn) + a[2] * cos(2 * turn)
      let imaginary = a[1] * sin(turn) + a[2] * sin(2 * turn)
      return real * real + imaginary * imaginary
    }
    let shelf =
      power([1.53512485958697, -2.69169618940638, 1.19839281085285])
      / power([1, -1.69065929318241, 0.73248077421585])
    let pass = power([1, -2, 1]) / power([1, -1.99004745483398, 0.99007225036621])
    return 10 * log10(shelf * pass)
  }

  @Test(arguments: [20.0, 38, 100, 300, 1000, 1681, 3000, 8000, 16_000, 20_000])
  func theWeightingIsThatOfTheRecommendation(frequency: Double) {
    let level = -10.0
    let wanted = level + weight(frequency) - 0.691
    let meter = meter([Tone(5, level, level)], frequency: frequency)
    expect(meter.integrated, Float(wanted), within: 0.03)
  }

  @Test(arguments: [1, 7, 480, 1024, 4801])
  func blocksOfAnyLengthGiveTheSame(length: Int) {
    let samples = samples([Tone(4, -20, -26), Tone(1, -40, -30)], rate: 44_100)
    var whole = LoudnessMeter(channelCount: 2, sampleRate: 44_100)
    whole.process(samples.span)
    var parts = LoudnessMeter(channelCount: 2, sampleRate: 44_100)
    inPieces(samples, of: [length], channelCount: 2) { parts.process($0) }
    #expect(parts.integrated == whole.integrated && parts.range == whole.range)
    #expect(parts.maximumMomentary == whole.maximumMomentary)
    #expect(parts.maximumShortTerm == whole.maximumShortTerm)
  }

  @Test func shortOrSilentAudioHasNoLoudness() {
    let short = meter([Tone(0.39, -23, -23)])
    #expect(short.integrated == nil && short.range == nil && short.maximumMomentary == nil)
    let silent = meter([Tone(4, -200, -200)])
    #expect(silent.integrated == nil && silent.range == nil && silent.maximumShortTerm == nil)
    let slow = meter([Tone(4, -23)], rate: 1000)
    #expect(slow.integrated == nil)
  }

  @Test func silenceHasNoMomentaryReading() {
    var meter = meter([Tone(4, -20, -20)])
    expect(meter.momentary, -20)
    expect(meter.shortTerm, -20)
    let silence = [Float](repeating: 0, count: 2 * 48_000 * 4)
    meter.process(silence.span)
    #expect(meter.momentary == nil && meter.shortTerm == nil)
    // Blocks that extend into the silence also count if they are at most 10 dB softer.
    expect(meter.integrated, -20.16)
  }

  @Test func loudnessMeterIgnoresInvalidSamples() {
    var meter = LoudnessMeter(channelCount: 1, sampleRate: 48_000)
    let bad: [Float] = [.nan, .infinity, -.infinity, 3e38]
    meter.process(bad.span)
    meter.process(samples([Tone(10, -20)], rate: 48_000).span)
    expect(meter.integrated, -23)
  }

  @Test func anotherFormatContinuesTheMeasurement() {
    var meter = LoudnessMeter(channelCount: 2, sampleRate: 48_000)
    meter.process(samples([Tone(10, -23, -23)], rate: 48_000).span)
    meter.changeFormat(channelCount: 1, sampleRate: 22_050)
    meter.process(samples([Tone(10, -20)], rate: 22_050).span)
    expect(meter.integrated, -23)
    expect(meter.maximumShortTerm, -23)
  }
}
