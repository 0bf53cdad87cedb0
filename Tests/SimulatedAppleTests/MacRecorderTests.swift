#if SIMULATED_MACOS
import AacornContainers
import AacornDevices
import AacornRecording
import Glibc
import SimulatedApple
import SimulatedAudio
import Testing

extension OnSimulatedApple {
  /// Complete recordings of a Mac's devices, which are disconnected, connected and changed.
  @Suite(RealTime()) struct MacRecordings {
    /// Returns a microphone at the rate of the recording, so that samples are not changed.
    private static func device(_ id: String, sampleRate: Double = 48_000) -> SimulatedDevice {
      SimulatedDevice(id: id, name: "The \(id)", inputChannelCount: 1, sampleRate: sampleRate)
    }

    @Test func recordingContinuesAfterDeviceIsReconnected() async throws {
      let device = Self.device("stick")
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

    @Test func aFileIsCompleteAlthoughItsDeviceStaysAway() async throws {
      let device = Self.device("stick")
      SimulatedMac.connect(device)
      let file = TemporaryFile("m4a")
      let recorder = Recorder(
        to: file.path, request: CaptureRequest(device: .pinned(id: device.id)),
        RecordingConfiguration(channelCount: 1, bitrate: 64_000))
      let summary = try await record(with: recorder) { event in
        switch event {
        case .started: SimulatedMac.disconnect(device)
        case .deviceLost: await recorder.stop()
        default: break
        }
      }
      #expect(summary.failure == nil)
      let reader = MP4Reader(file: file.bytes)
      #expect(reader.damage == [])
      #expect(reader.playableRanges.map(\.count) == [summary.sampleCount])
    }

    @Test func newDefaultDeviceIsUsed() async throws {
      // The signals of the two devices differ at every time.
      SimulatedSound.signal = { device, frame, channel in
        CounterSignal.value(frame: device == "stick" ? frame + 1000 : frame, channel: channel)
      }
      let recorder = Recorder(from: CaptureRequest(), to: [], RecordedSamples.configuration)
      let device = Self.device("stick")
      var names: [String] = []
      let summary = try await record(with: recorder) { event in
        switch event {
        case .started(let first, _):
          names.append(first?.name ?? "")
          SimulatedMac.connect(device)
          SimulatedMac.makeDefault(device)
        case .deviceChanged(let next), .deviceReturned(let next):
          names.append(next?.name ?? "")
          if next?.id == device.id {
            // The default device is disconnected, and the previous default returns.
            SimulatedMac.disconnect(device)
          } else {
            await recorder.stop()
          }
        default: break
        }
      }
      #expect(names == ["MacBook Microphone", "The stick", "MacBook Microphone"])
      await RecordedSamples.expect(3, in: summary, of: recorder)
    }
  }
}
#endif
