import AacornSignal
import Testing

@Suite struct MeterArrayTests {
  private static let samples: [Float] = (0..<9600).map { Float($0 % 97) / 97 - 0.5 }

  @Test func arraysAndPointersAreMeasuredLikeSpans() {
    var levels = (0..<3).map { _ in LevelMeter(channelCount: 2, sampleRate: 48_000) }
    levels[0].process(Self.samples.span)
    levels[1].process(Self.samples)
    Self.samples.withUnsafeBufferPointer { unsafe levels[2].process($0) }
    let peaks = (0..<3).map { levels[$0].takePeaks() }
    #expect(peaks[0].allSatisfy { $0 > 0.4 })
    #expect(peaks[1] == peaks[0] && peaks[2] == peaks[0])

    var points = (0..<3).map { _ in TruePeakMeter(channelCount: 2) }
    points[0].process(Self.samples.span)
    points[1].process(Self.samples)
    Self.samples.withUnsafeBufferPointer { unsafe points[2].process($0) }
    #expect(points[0].peak > 0.4)
    #expect(points[1].peaks == points[0].peaks && points[2].peaks == points[0].peaks)
  }
}
