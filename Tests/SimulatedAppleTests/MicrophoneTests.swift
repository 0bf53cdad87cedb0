import AVFAudio
import AacornApple
import AacornCodec
import AacornDevices
import AacornRecording
import AacornSignal
import CoreMedia
import SimulatedApple
import SimulatedAudio
import Testing

extension OnSimulatedApple {
  /// A microphone that delivers buffers of Apple's frameworks.
  @Suite(RealTime()) struct Microphones {
    @Test(arguments: Microphone.Format.allCases)
    func everyFormatArrivesWithItsTime(format: Microphone.Format) async throws {
      let microphone = Microphone(sampleRate: 24_000, channelCount: 2, format: format)
      var times: [MediaTime] = []
      for try await buffer in microphone.sampleBuffers() {
        let sound = try SoundBuffer(buffer)
        #expect(sound.sampleRate == 24_000 && sound.channelCount == 2)
        #expect(sound.frameCount == CMSampleBufferGetNumSamples(buffer))
        times.append(try #require(sound.time))
        if times.count == 3 { break }
      }
      // Consecutive to the frame, on the host clock.
      #expect(times[1].frames(since: times[0], sampleRate: 24_000) == 1024)
      #expect(times[2].frames(since: times[1], sampleRate: 24_000) == 1024)
      #expect(times[0].nanoseconds > 0)
    }

    @Test(arguments: Microphone.Format.allCases)
    func buffersOfTheEngineHoldTheSamples(format: Microphone.Format) async throws {
      let microphone = Microphone(format: format)
      var sound: SoundBuffer?
      for try await buffer in microphone.pcmBuffers() {
        sound = try SoundBuffer(buffer)
        break
      }
      let samples = try #require(sound).samples
      #expect(samples.count == 1024)
      let start = CounterSignal.frame(value: samples[0], channel: 0)
      let counted = (0..<1024).map { CounterSignal.value(frame: start + $0, channel: 0) }
      #expect(samples == counted)
    }

    @Test func deniedPermissionThrowsFromMicrophone() async {
      SimulatedPhone.answer(false)
      await #expect(throws: RecordingError.self) {
        for try await _ in Microphone().sampleBuffers() {}
      }
    }

    @Test func aCanceledLoopClosesTheMicrophone() async throws {
      let count = Guarded(0)
      let task = Task {
        for try await _ in Microphone().sampleBuffers() { count.change { $0 += 1 } }
      }
      #expect(eventually { count.change { $0 } > 0 })
      task.cancel()
      try await task.value
    }

    /// As in an app that writes a recorder's packets with `AVAssetWriter`.
    @Test func packetsOfARecorderAreBuffersForAWriter() async throws {
      var configuration = RecordingConfiguration(channelCount: 1, bitrate: 64_000)
      configuration.duration = .milliseconds(300)
      let recorder = Recorder(from: CaptureRequest(), to: [], configuration)
      #expect(recorder.packetFormat == nil)
      try await recorder.start()
      let format = try #require(try recorder.packetFormat?.makeFormatDescription())
      var decoder = try PacketDecoder(format)
      var decodedCount = 0
      var starts: [MediaTime] = []
      for await packet in recorder.packets {
        let buffer = try packet.makeSampleBuffer(format)
        starts.append(
          try #require(MediaTime(CMSampleBufferGetOutputPresentationTimeStamp(buffer))))
        decodedCount += Int(try decoder.decode(buffer)?.frameLength ?? 0)
      }
      let summary = await recorder.end()
      #expect(summary.sampleCount == 14_400)
      // Only the priming is skipped; the end of the writer's session trims the padding of the last
      // packet.
      #expect(decodedCount == 15 * 1024)
      // The session starts at zero, and no sample has an earlier time.
      #expect(
        starts.prefix(3).map { $0.frames(since: .zero(sampleRate: 48_000), sampleRate: 48_000) }
          == [0, 0, 1024])
      #expect(decoder.concealedCount == 0)
    }
  }
}
