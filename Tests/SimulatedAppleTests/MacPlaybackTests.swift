#if SIMULATED_MACOS
import AacornSystem
import SimulatedApple
import SimulatedAudio
import Testing

@testable import AacornDevices

extension OnSimulatedApple {
  /// Playback on a Mac's devices.
  @Suite struct MacPlayback {
    private func played(on device: SimulatedDevice) -> [Float] {
      SimulatedSound.played(on: device.id)
    }

    @Test func everyFrameSoundsOnceAndInOrder() throws {
      let playback = try SimulatedPlayback(stepping: 100)
      #expect(playback.areFrames(played(on: .loudspeakers), from: 0))
      #expect(playback.events.isEmpty)
      #expect(SimulatedPhone.calls.isEmpty)
    }

    @Test func theDefaultIsFollowedThereAndBack() throws {
      let playback = try SimulatedPlayback(stepping: 10)
      SimulatedMac.connect(.interface)
      SimulatedMac.makeDefault(.interface)
      #expect(playback.step { playback.events == [.deviceChanged] })
      playback.step(10)
      let count = played(on: .loudspeakers).count / 2
      #expect(playback.areFrames(played(on: .loudspeakers), from: 0))
      #expect(playback.areFrames(played(on: .interface), from: count))
      SimulatedMac.disconnect(.interface)
      #expect(playback.step { played(on: .loudspeakers).count / 2 > count })
    }

    @Test func selectedDeviceIsAwaited() throws {
      SimulatedMac.connect(.interface)
      let request = PlaybackRequest(device: .pinned(id: SimulatedDevice.interface.id))
      let playback = try SimulatedPlayback(request, stepping: 10)
      SimulatedMac.disconnect(.interface)
      #expect(playback.eventuallyReports(.deviceLost))
      SimulatedMac.connect(.interface)
      #expect(playback.step { playback.events == [.deviceLost, .deviceReturned] })
      #expect(playback.areFrames(played(on: .interface), from: 0))
      #expect(played(on: .loudspeakers).isEmpty)
    }

    @Test func anotherRateOfTheDeviceIsFollowed() throws {
      let playback = try SimulatedPlayback(stepping: 10)
      SimulatedMac.setRate(44_100, of: SimulatedDevice.loudspeakers.id)
      #expect(eventually { playback.target.device?.sampleRate == 44_100 })
      playback.step(10)
      #expect(playback.areFrames(played(on: .loudspeakers), from: 0))
    }

    @Test func otherLoudspeakersOfADeviceNeedAnotherUnit() throws {
      let playback = try SimulatedPlayback(stepping: 10)
      SimulatedMac.setOutputChannels(6, of: SimulatedDevice.loudspeakers.id)
      // Then the unit with two channels is closed.
      #expect(eventually { playback.target.device?.channelCount == 6 })
      let count = played(on: .loudspeakers).count
      #expect(playback.step { played(on: .loudspeakers).count > count })
      let samples = Array(played(on: .loudspeakers).dropFirst(count))
      // Stereo plays only on the front loudspeakers.
      let expected = (0..<samples.count / 6).flatMap { frame -> [Float] in
        [0, 1].map { CounterSignal.value(frame: count / 2 + frame, channel: $0) } + [0, 0, 0, 0]
      }
      #expect(samples == expected)
      #expect(playback.events.isEmpty)
    }

    @Test func aChangeOfTheLatencyAloneInterruptsNothing() throws {
      let playback = try SimulatedPlayback(stepping: 10)
      let unit = try #require(SimulatedUnits.open.first)
      // In half an hour, all frames have been played, but none with a latency of an hour.
      let later = System.nanoseconds + 1_800_000_000_000
      #expect(playback.feed.playedFrame(at: later) == playback.feed.consumedFrameCount)
      SimulatedMac.setOutputLatency(3_600 * 48_000, of: SimulatedDevice.loudspeakers.id)
      #expect(playback.step { playback.feed.playedFrame(at: later) == 0 })
      #expect(SimulatedUnits.open.contains { $0 === unit })
      #expect(playback.areFrames(played(on: .loudspeakers), from: 0))
      #expect(playback.events.isEmpty)
    }

    /// The destinations of a mixing console's 18 inputs are unknown.
    @Test(arguments: [(1, 1), (2, 2), (18, 2)])
    func theDeviceSaysWhatItPlaysWithoutConversion(count: Int, played: Int) throws {
      let device = SimulatedDevice(id: "outputs", name: "Outputs", outputChannelCount: count)
      SimulatedMac.connect(device)
      SimulatedMac.makeDefault(device)
      let target = try CoreAudioSystem.makeTarget(PlaybackRequest(), sharing: .init())
      let format = try target.preferredFormat()
      #expect(format == PlaybackFormat(sampleRate: 48_000, channelCount: played))
    }

    @Test func macServiceRestartRebuildsPlayback() throws {
      let playback = try SimulatedPlayback(stepping: 10)
      SimulatedMac.restartService()
      #expect(playback.step { playback.events == [.deviceLost, .deviceReturned] })
      #expect(playback.areFrames(played(on: .loudspeakers), from: 0))
    }
  }
}
#endif
