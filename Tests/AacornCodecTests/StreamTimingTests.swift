import AacornCodec
import Testing

@Suite struct StreamTimingTests {
  private var doubled: AudioSpecificConfig {
    var stream = AudioSpecificConfig.test(rate: 24_000)
    stream.extensionSampleRate = 48_000
    stream.signaling = .backwardCompatible
    return stream
  }

  @Test func theRateOfTheSoundCounts() {
    let core = StreamTiming(.test(rate: 24_000))
    #expect(core == StreamTiming(sampleRate: 24_000, samplesPerUnit: 1024))
    #expect(StreamTiming(doubled) == StreamTiming(sampleRate: 48_000, samplesPerUnit: 2048))
    // Band replication at the sample rate of the core.
    var same = doubled
    same.extensionSampleRate = 24_000
    #expect(StreamTiming(same) == core)
    var short = doubled
    short.frameLength = 960
    #expect(StreamTiming(short).samplesPerUnit == 1920)
  }

  @Test func unitsAndTrimGoTogether() {
    for timing in [
      StreamTiming(sampleRate: 48_000, samplesPerUnit: 1024, priming: 1024),
      StreamTiming(sampleRate: 48_000, samplesPerUnit: 2048, priming: 3010),
      StreamTiming(sampleRate: 16_000, samplesPerUnit: 960, priming: 0),
    ] {
      for count in [1, 959, 960, 1024, 1025, 2048, 5000, 1_000_000] {
        let trim = timing.trim(of: count)
        let units = timing.unitCount(for: count)
        #expect(trim.sampleCount == count && trim.priming == timing.priming)
        #expect(trim.priming + count + trim.remainder == units * timing.samplesPerUnit)
        #expect((0..<timing.samplesPerUnit).contains(trim.remainder))
      }
      #expect(timing.unitCount(for: 0) == 0)
      #expect(timing.trim(of: 0) == StreamTrim(priming: 0, remainder: 0, sampleCount: 0))
    }
  }

  @Test func fewerUnitsThanTheSamplesTakeHoldLess() {
    let timing = StreamTiming(sampleRate: 48_000, samplesPerUnit: 1024, priming: 2112)
    #expect(timing.trim(of: 5000, unitCount: timing.unitCount(for: 5000)) == timing.trim(of: 5000))
    #expect(
      timing.trim(of: 5000, unitCount: 3)
        == StreamTrim(priming: 2112, remainder: 0, sampleCount: 960))
    #expect(
      timing.trim(of: 5000, unitCount: 1)
        == StreamTrim(priming: 1024, remainder: 0, sampleCount: 0))
    #expect(timing.trim(of: 0, unitCount: 0) == timing.trim(of: 0))
  }

  @Test func timesAreExactForHours() {
    let timing = StreamTiming(sampleRate: 44_100, samplesPerUnit: 1024)
    #expect(timing.milliseconds(44_100 * 3600 * 5 + 22_050) == 18_000_500)
    #expect(timing.nanoseconds(44_100 * 86_400 * 365 + 1) == 31_536_000_000_022_675)
    #expect(timing.seconds(22_050) == 0.5)
    #expect(timing.bitrate(byteCount: 1000, unitCount: 10) == 34_453.125)
  }
}
