import AacornSystem
import Testing

@testable import AacornRecording

/// Files of single tracks next to the mix.
@Suite struct PartOutputTests {
  @Test func theFailureOfATracksFileIsALossOfTheRecording() {
    let log = Lock<[RecorderEvent]>([])
    let session = RecordingSession(
      RecordingConfiguration(sampleRate: 48_000, channelCount: 2, coding: .float32),
      events: { event in log.withLock { $0.append(event) } })
    let error = OutputError(.diskFull, "The disk is full.")
    session.reportPartEvent(.outputFailed(name: "parts/mic.wav", error))
    session.reportPartEvent(.outputOpened("parts/bed.wav"))
    #expect(
      log.withLock(\.self)
        == [.outputLost(name: "parts/mic.wav", error), .outputOpened("parts/bed.wav")])
  }
}
