import AacornContainers
import AacornDevices
import AacornRecording
import SimulatedApple
import SimulatedAudio
import Testing

extension OnSimulatedApple {
  /// Complete recordings on a phone and on a Mac, in real time.
  @Suite struct Recordings {
    init() {
      SimulatedMachine.begin()
    }

    @Test func aRecordingHasEverySample() async throws {
      let clock = SimulatedClockThread()
      var configuration = RecordedSamples.configuration
      configuration.duration = .milliseconds(500)
      let recorder = Recorder(from: CaptureRequest(), to: [], configuration)
      try await recorder.start()
      let summary = await recorder.end()
      clock.end()
      #expect(summary.sampleCount == 24_000)
      #expect(summary.gapCount == 0)
      let samples = await RecordedSamples.all(of: recorder)
      #expect(RecordedSamples.stretches(samples) == [24_000])
      expectOrder()
    }

    @Test func stoppedRecordingIsACompleteFile() async throws {
      let clock = SimulatedClockThread()
      let file = TemporaryFile("m4a")
      let recorder = Recorder(
        to: file.path, RecordingConfiguration(channelCount: 1, bitrate: 64_000))
      try await recorder.start()
      let start = SimulatedTime.endOfBlock
      #expect(eventually { SimulatedTime.seconds > start + 0.3 })
      let summary = await recorder.stop()
      clock.end()
      #expect(summary.failure == nil)
      #expect(summary.gapCount == 0)
      #expect(summary.sampleCount > 0)
      #expect(summary.outputs.map(\.sampleCount) == [summary.sampleCount])
      let reader = MP4Reader(file: file.bytes)
      #expect(reader.damage == [])
      #expect(reader.playableRanges.map(\.count) == [summary.sampleCount])
      expectOrder()
    }

    @Test func anotherRateIsConverted() async throws {
      let clock = SimulatedClockThread()
      let recorder = Recorder(from: CaptureRequest(), to: [], RecordedSamples.configuration)
      try await recorder.start()
      var isChanged = false
      for await event in recorder.events {
        switch event {
        case .started: SimulatedMachine.setRate(44_100)
        case .formatChanged(let sampleRate, _):
          isChanged = sampleRate == 44_100
          await recorder.stop()
        default: break
        }
      }
      clock.end()
      #expect(isChanged)
      expectOrder()
    }

    #if SIMULATED_IOS
    @Test func aCallBecomesSilenceThatIsAccountedFor() async throws {
      let clock = SimulatedClockThread()
      let recorder = Recorder(from: CaptureRequest(), to: [], RecordedSamples.configuration)
      try await recorder.start()
      var summary: RecordingSummary?
      var reported: [String] = []
      for await event in recorder.events {
        switch event {
        case .started: SimulatedPhone.call()
        case .suspended:
          reported.append("suspended")
          let start = SimulatedTime.endOfBlock
          #expect(eventually { SimulatedTime.seconds > start + 0.2 }, "The call lasts.")
          // There is no notification of the end.
          SimulatedPhone.hangUp(notifying: false)
          await recorder.resume()
        case .resumed:
          reported.append("resumed")
          summary = await recorder.stop()
        default: break
        }
      }
      clock.end()
      #expect(reported == ["suspended", "resumed"])
      let end = try #require(summary)
      #expect(end.failure == nil)
      #expect(end.gapCount == 1)
      // At least the duration of the call.
      #expect(end.filledSampleCount >= 9600)
      let lengths = RecordedSamples.stretches(await RecordedSamples.all(of: recorder))
      #expect(lengths.count == 2)
      #expect(lengths.reduce(0, +) + end.filledSampleCount == end.sampleCount)
      expectOrder()
    }
    #endif
  }
}
