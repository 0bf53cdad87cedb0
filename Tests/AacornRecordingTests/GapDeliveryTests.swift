import Testing

@testable import AacornRecording

@Suite struct GapDeliveryTests {
  @Test func aLongGapOfOneTrackHoldsUpNoOther() throws {
    var pipeline = try RecordingPipeline(
      RecordingConfiguration(sampleRate: 48_000, channelCount: 2, coding: .float32),
      followsClock: true, outputs: [], events: { _ in }, packets: { _ in }, sound: nil)
    func gap(_ position: Int, _ length: Int, _ cause: RecordingGap.Cause) -> RecordingGap {
      RecordingGap(position: position, length: length, cause: cause, wallTime: 0)
    }
    let long = gap(100, 1000, .deviceLost)
    let short = gap(200, 50, .overrun)
    let early = gap(300, 10, .paused)
    let late = gap(1100, 10, .paused)
    pipeline.unreportedGaps = [long, short, early, late]
    pipeline.sampleCount = 500
    pipeline.deliverGaps()
    #expect(pipeline.unreportedGaps == [long, late])
    #expect(pipeline.packetGaps == [[short, early]])
    pipeline.sampleCount = 1100
    pipeline.deliverGaps()
    #expect(pipeline.unreportedGaps.isEmpty)
    #expect(pipeline.packetGaps == [[short, early, long, late]])
  }
}
