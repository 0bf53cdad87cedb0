#if SIMULATED_IOS
import SimulatedApple
import SimulatedAudio
import Testing

@testable import AacornDevices

extension OnSimulatedApple {
  /// Playback on a phone, with and without a capture.
  @Suite struct PhonePlayback {
    private var speaker: [Float] { SimulatedSound.played(on: SimulatedPort.speaker.id) }

    @Test func everyFrameSoundsOnceAndInOrder() throws {
      let playback = try SimulatedPlayback(stepping: 200)
      #expect(playback.areFrames(speaker, from: 0))
      #expect(speaker.count == 2 * playback.feed.consumedFrameCount)
      #expect(playback.feed.consumedFrameCount >= 200 * 256)
      #expect(playback.events.isEmpty)
      #expect(playback.feed.underrunCount == 0)
      #expect(SimulatedPhone.session.isActive)
      #expect(SimulatedPhone.session.category == "AVAudioSessionCategoryPlayback")
      playback.stop()
      #expect(SimulatedPhone.session == SimulatedSession())
    }

    @Test func aFailedStartLeavesNothingOpen() {
      SimulatedPhone.changeUnits { $0.startStatus = UnitStatus.parameter }
      #expect(throws: DeviceError.self) { try SimulatedPlayback() }
      expectOrder()
      #expect(!SimulatedPhone.session.isActive)
    }

    @Test func moreChannelsThanTheSystemHasAreRefusedAtOnce() throws {
      let target = try CoreAudioSystem.makeTarget(PlaybackRequest(), sharing: .init())
      let feed = PlaybackFeed(
        PlaybackFormat(sampleRate: 48_000, channelCount: 65), frameCapacity: 16)
      #expect(throws: DeviceError.self) { try target.start(feed) }
      #expect(SimulatedPhone.calls.isEmpty)
    }

    @Test func otherMusicContinuesAfterPlayback() throws {
      SimulatedPhone.playMusic()
      let playback = try SimulatedPlayback(stepping: 1)
      #expect(SimulatedPhone.music == .paused)
      playback.stop()
      #expect(SimulatedPhone.music == .playing)
    }

    @Test func anotherRateIsConvertedByTheUnit() throws {
      let playback = try SimulatedPlayback(sampleRate: 22_050, stepping: 100)
      #expect(playback.areFrames(speaker, from: 0))
    }

    @Test func aCallIsWaitedFor() throws {
      let playback = try SimulatedPlayback(stepping: 10)
      SimulatedPhone.call()
      #expect(playback.eventuallyReports(.suspended))
      let count = speaker.count
      playback.step(10)
      #expect(speaker.count == count)
      SimulatedPhone.hangUp()
      #expect(playback.step { playback.events == [.suspended, .resumed] })
      playback.step(10)
      #expect(playback.areFrames(speaker, from: 0))
    }

    @Test func headphonesAreFollowed() throws {
      let playback = try SimulatedPlayback(stepping: 10)
      let count = playback.feed.consumedFrameCount
      SimulatedPhone.connect(output: .headphones)
      #expect(playback.step { playback.events == [.deviceChanged] })
      playback.step(10)
      let played = SimulatedSound.played(on: SimulatedPort.headphones.id)
      #expect(playback.target.device?.id == SimulatedPort.headphones.id)
      // The unit may have played frames on either output until it was replaced.
      let first = try #require(played.first)
      #expect(CounterSignal.frame(value: first, channel: 0) >= count)
      #expect(playback.areFrames(played, from: CounterSignal.frame(value: first, channel: 0)))
    }

    @Test func phoneServiceResetRebuildsPlayback() throws {
      let playback = try SimulatedPlayback(stepping: 10)
      SimulatedPhone.loseMediaServices()
      #expect(playback.eventuallyReports(.deviceLost))
      SimulatedPhone.resetMediaServices()
      #expect(playback.step { playback.events == [.deviceLost, .deviceReturned] })
      #expect(playback.areFrames(speaker, from: 0))
    }

    @Test func aManualSessionIsNeverTouched() throws {
      try AppSession.setUp()
      let calls = SimulatedPhone.calls
      let playback = try SimulatedPlayback(sharing: .manual, stepping: 10)
      playback.stop()
      #expect(SimulatedPhone.calls == calls)
    }

    @Test func besideACaptureTheEndOfOneLeavesTheOther() throws {
      let capture = try SimulatedCapture()
      let playback = try SimulatedPlayback()
      capture.step(10)
      playback.target.stop()
      #expect(SimulatedPhone.session.isActive)
      #expect(capture.isGapless(after: 10))
      #expect(capture.events.isEmpty)
      capture.stop()
      #expect(SimulatedPhone.session == SimulatedSession())
    }

    @Test func playbackExtendsRecordCategory() throws {
      let capture = try SimulatedCapture(
        sharing: CoreAudioSessionOptions(category: .record), stepping: 5)
      let playback = try SimulatedPlayback(stepping: 5)
      #expect(SimulatedPhone.session.category == "AVAudioSessionCategoryPlayAndRecord")
      #expect(!speaker.isEmpty)
      SimulatedPhone.call()
      #expect(capture.eventuallyReports(.suspended))
      SimulatedPhone.hangUp()
      #expect(capture.step { capture.events.last == .resumed })
      #expect(SimulatedPhone.session.category == "AVAudioSessionCategoryPlayAndRecord")
      playback.target.stop()
    }
  }
}
#endif
