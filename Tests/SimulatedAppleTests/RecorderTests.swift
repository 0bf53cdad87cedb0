import AacornContainers
import AacornDevices
import AacornRecording
import SimulatedApple
import SimulatedAudio
import Testing

extension OnSimulatedApple {
  /// Complete recordings on a phone and on a Mac, in real time.
  @Suite(RealTime()) struct Recordings {
    @Test func aRecordingHasEverySample() async throws {
      var configuration = RecordedSamples.configuration
      configuration.duration = .milliseconds(500)
      let recorder = Recorder(from: CaptureRequest(), to: [], configuration)
      let summary = try await record(with: recorder)
      #expect(summary.sampleCount == 24_000)
      #expect(summary.gapCount == 0)
      let samples = await RecordedSamples.all(of: recorder)
      #expect(RecordedSamples.stretches(samples) == [24_000])
    }

    @Test func stoppedRecordingIsACompleteFile() async throws {
      let file = TemporaryFile("m4a")
      let recorder = Recorder(
        to: file.path, RecordingConfiguration(channelCount: 1, bitrate: 64_000))
      try await recorder.start()
      let start = SimulatedTime.endOfBlock
      #expect(eventually { SimulatedTime.seconds > start + 0.3 })
      let summary = await recorder.stop()
      #expect(summary.failure == nil)
      #expect(summary.gapCount == 0)
      #expect(summary.sampleCount > 0)
      #expect(summary.outputs.map(\.sampleCount) == [summary.sampleCount])
      let reader = MP4Reader(file: file.bytes)
      #expect(reader.damage == [])
      #expect(reader.playableRanges.map(\.count) == [summary.sampleCount])
    }

    @Test func anotherRateIsConverted() async throws {
      let recorder = Recorder(from: CaptureRequest(), to: [], RecordedSamples.configuration)
      var isChanged = false
      _ = try await record(with: recorder) { event in
        switch event {
        case .started:
          #if SIMULATED_MACOS
          SimulatedMac.setRate(44_100, of: SimulatedDevice.microphone.id)
          #else
          SimulatedPhone.setRates([44_100], of: .builtInMicrophone)
          #endif
        case .formatChanged(let sampleRate, _):
          isChanged = sampleRate == 44_100
          await recorder.stop()
        default: break
        }
      }
      #expect(isChanged)
    }

    #if SIMULATED_IOS
    @Test func aCallBecomesSilenceThatIsAccountedFor() async throws {
      let recorder = Recorder(from: CaptureRequest(), to: [], RecordedSamples.configuration)
      var reported: [String] = []
      let summary = try await record(with: recorder) { event in
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
          await recorder.stop()
        default: break
        }
      }
      #expect(reported == ["suspended", "resumed"])
      #expect(summary.gapCount == 1)
      await RecordedSamples.expect(2, in: summary, of: recorder)
    }
    #endif
  }
}
