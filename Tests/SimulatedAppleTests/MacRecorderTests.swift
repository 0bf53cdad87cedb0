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

    /// Two devices record the same signal.
    ///
    /// Their clocks differ by 800 ppm. Without correction, their tracks would differ by 6 ms after
    /// 8 s.
    @Test func aSecondDeviceIsHeldToTheFirstWhoseClockDiffers() async throws {
      let (drift, rate, hertz, amplitude) = (400e-6, 16_000, 20.0, 0.25)
      var first = Self.device("first", sampleRate: Double(rate))
      var second = Self.device("second", sampleRate: Double(rate))
      first.pace = 1 + drift
      second.pace = 1 - drift
      SimulatedMac.connect(first)
      SimulatedMac.connect(second)
      SimulatedSound.signal = { device, frame, _ in
        let pace = device == "first" ? 1 + drift : 1 - drift
        let seconds = Double(frame) / (Double(rate) * pace)
        return Float(amplitude * sin(2 * Double.pi * hertz * seconds))
      }
      var tracks: [TrackSource] = []
      for (device, pan) in [(first, -1.0), (second, 1.0)] {
        var track = TrackConfiguration(device.id)
        track.pan = pan
        tracks.append(TrackSource(track, CaptureRequest(device: .pinned(id: device.id))))
      }
      var configuration = RecordingConfiguration(
        sampleRate: rate, channelCount: 2, coding: .int16)
      configuration.duration = .seconds(8)
      let recorder = Recorder(from: tracks, to: [], configuration)
      let summary = try await record(with: recorder)
      #expect(summary.failure == nil)
      #expect(summary.sampleCount == 8 * rate)
      let samples = await RecordedSamples.all(of: recorder).suffix(2 * rate)
      #expect(samples.count == 2 * rate)
      var (widest, loudest) = (0.0, 0.0)
      for frame in stride(from: samples.startIndex, to: samples.endIndex, by: 2) {
        let (left, right) = (Double(samples[frame]), Double(samples[frame + 1]))
        widest = max(widest, abs(left - right))
        loudest = max(loudest, abs(right))
      }
      // A track that is panned to one side is 3 dB louder there than in the center.
      let full = amplitude * 2.0.squareRoot() * 32_768
      #expect(loudest > 0.9 * full)
      let apart = widest / full / (2 * Double.pi * hertz)
      #expect(apart < 0.002, "\(apart * 1000) ms apart")
    }
  }
}
#endif
