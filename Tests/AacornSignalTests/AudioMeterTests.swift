import AacornSignal
import Testing

struct AudioMeterTests {
  private func meter(_ samples: [Float], channels: Int = 1, block: Int = .max) -> AudioMeter {
    var meter = AudioMeter(channelCount: channels, sampleRate: 48_000)
    inPieces(samples, of: [block], channelCount: channels) { meter.process($0) }
    return meter
  }

  @Test(arguments: [1, 2, 3, Int.max])
  func threeInARowAtFullScaleAreClipped(block: Int) {
    #expect(meter([0, 1, 1, 0, 1, -1], block: block).clippedSampleCount == 0)
    #expect(meter([0, 1, 1, -1, 0, 1], block: block).clippedSampleCount == 3)
    #expect(meter([1, 1, 1, 1, 1, 0.5, 1, 1, 1], block: block).clippedSampleCount == 8)
    // The maximum of 16 bits counts as full scale.
    let most: Float = 32_767 / 32_768
    #expect(meter([most, most, most], block: block).clippedSampleCount == 3)
    #expect(meter([0.999, 0.999, 0.999], block: block).clippedSampleCount == 0)
    // Each channel is counted separately.
    #expect(meter([1, 0, 0, 1, 1, 0], channels: 2, block: block).clippedSampleCount == 0)
    #expect(meter([1, 0, 1, 0, 1, 0], channels: 2, block: block).clippedSampleCount == 3)
  }

  @Test func samplesBeyondFullScaleAreCounted() {
    let meter = meter([1, 1.5, 0, -1.25, 0.5])
    #expect(meter.excessSampleCount == 2 && meter.clippedSampleCount == 0)
    #expect(meter.peak == 1.5 && meter.truePeak >= 1.5)
  }

  @Test(arguments: [1, 2, 5, Int.max])
  func silenceIsFoundAtBothEndsAndBetween(block: Int) {
    let meter = meter([0, 0, 0.5, 0, 0, 0, 0.1, 0, 0, 0, 0.2, 0], block: block)
    #expect(meter.silence.frameCount == 12)
    #expect(meter.silence.leading == 2 && meter.silence.trailing == 1)
    #expect(meter.silence.longest.start == 3 && meter.silence.longest.length == 3)
  }

  @Test func silenceRequiresAllChannels() {
    let meter = meter([0, 0, 0, 0.5, 0.5, 0, 0, 0], channels: 2)
    #expect(meter.silence.frameCount == 4)
    #expect(meter.silence.leading == 1 && meter.silence.trailing == 1)
    #expect(meter.silence.longest.length == 1)
  }

  @Test func samplesBelowHalfAStepCountAsSilence() {
    #expect(meter([0.000_015, -0.000_015]).silence.leading == 2)
    #expect(meter([0.000_016, -0.000_016]).silence.leading == 0)
    let silent = meter([0, 0, 0])
    #expect(silent.silence.leading == 3 && silent.silence.trailing == 3)
    #expect(silent.silence.longest.length == 3)
  }

  @Test func afterAChangeOfRateTimesAreThoseOfTheNewOne() {
    var meter = AudioMeter(channelCount: 1, sampleRate: 24_000)
    let first: [Float] = [0, 0, 0.5, 0.5]
    meter.process(first.span)
    meter.changeFormat(channelCount: 2, sampleRate: 48_000)
    let second: [Float] = [0.5, 0.5, 0, 0]
    meter.process(second.span)
    #expect(meter.silence.frameCount == 10)
    #expect(meter.silence.leading == 4 && meter.silence.trailing == 1)
    #expect(meter.peak == 0.5 && meter.truePeak >= 0.5)
  }
}
