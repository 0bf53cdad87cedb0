import AacornContainers
import AacornDevices
import AacornRecording
import SimulatedApple
import SimulatedAudio
import Testing

extension OnSimulatedApple {
  /// Complete recordings on a phone and on a Mac, in real time.
  @Suite(RealTime()) struct Recordings {
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
    #else
    @Test func recordingContinuesAfterDeviceIsReconnected() async throws {
      let device = SimulatedDevice(id: "stick", name: "The stick", inputChannelCount: 1)
      SimulatedMac.connect(device)
      let recorder = Recorder(
        from: CaptureRequest(device: .pinned(id: device.id)), to: [],
        RecordedSamples.configuration)
      var reported: [String] = []
      let summary = try await record(with: recorder) { event in
        switch event {
        case .started: SimulatedMac.disconnect(device)
        case .deviceLost:
          reported.append("lost")
          let start = SimulatedTime.endOfBlock
          #expect(
            eventually { SimulatedTime.seconds > start + 0.2 }, "The device stays disconnected.")
          SimulatedMac.connect(device)
        case .deviceReturned(let found):
          reported.append("returned: \(found?.name ?? "")")
          await recorder.stop()
        default: break
        }
      }
      #expect(reported == ["lost", "returned: The stick"])
      #expect(summary.gapCount == 1)
      #expect(summary.filledSampleCount >= 9600)
      await RecordedSamples.expect(2, in: summary, of: recorder)
    }
    #endif
  }
}
