#if os(Linux)
import AacornSignal
import AacornSystem
import CAacornPulseAudio
import Simulation
import Testing

@testable import AacornDevices

/// Playback on a simulated server.
@Suite(.simulated(seeds: 5), .needsSimulation)
struct PulseAudioPlaybackTests {
  @Test func everyFrameIsPlayedOnceInOrderAndAtAKnownTime() throws {
    let play = try PulsePlay(drift: 100)
    #expect(play.target.device?.id == "speaker" && play.target.device?.isDefault == true)
    for _ in 0..<12 {
      play.play(seconds: 0.5)
      play.expectPlayedFrame()
    }
    let taken = play.feed.consumedFrameCount
    play.stop()
    let played = play.playedNumbers
    #expect(played == Array(1..<played.count + 1))
    // No more than the latency was dropped.
    #expect(played.count >= taken - 200 && played.count <= taken)
    #expect(play.feed.playedFrame(at: .max) == play.feed.consumedFrameCount)
    #expect(play.feed.underrunCount == 0 && play.feed.missingFrameCount == 0)
    #expect(play.events.isEmpty)
  }

  @Test func theEndIsPlayedCompletely() throws {
    let play = try PulsePlay()
    play.feed.pauseWriting()
    System.sleep(milliseconds: 3000)
    #expect(play.playedNumbers == Array(1..<2001))
    #expect(play.feed.playedFrame(at: System.nanoseconds) == 2000)
    #expect(play.feed.underrunCount == 0 && play.feed.missingFrameCount == 0)
    play.stop()
  }

  @Test func theFormatIsTheSinksInTheOrderOfFiles() throws {
    let positions = [
      AACORN_PULSE_CHANNEL_FRONT_LEFT, AACORN_PULSE_CHANNEL_FRONT_RIGHT,
      AACORN_PULSE_CHANNEL_REAR_LEFT, AACORN_PULSE_CHANNEL_REAR_RIGHT,
      AACORN_PULSE_CHANNEL_FRONT_CENTER, AACORN_PULSE_CHANNEL_LFE,
    ]
    let server = SimulatedPulse {
      $0.add(.init("cinema", channels: 6, isSink: true, positions: positions))
    }
    let target = try PulseAudioTarget(
      PlaybackRequest(), server: server.address, SimulatedPulse.library)
    let format = try target.preferredFormat()
    #expect(format.sampleRate == 1000 && format.channelCount == 6)
    #expect(format.layout == ChannelLayout.standard(channelCount: 6))
    let feed = PlaybackFeed(format, frameCapacity: 500)
    let samples = (1...3000).map { Float($0) }
    #expect(feed.write(array: samples) == 500)
    feed.pauseWriting()
    try target.start(feed)
    System.sleep(milliseconds: 1500)
    target.stop()
    #expect(server.playedBlocks.flatMap(\.samples).filter { $0 != 0 } == samples)
  }

  @Test func missingSamplesAreSilenceAndCounted() throws {
    try PulsePlay().expectSilenceForLateFrames()
  }

  @Test func aPauseIsSilentAndLosesNothing() throws {
    let play = try PulsePlay()
    play.feed.pauseWriting()
    System.sleep(milliseconds: 700)
    play.feed.isPaused = true
    System.sleep(milliseconds: 1000)
    let taken = play.feed.consumedFrameCount
    #expect(taken < 1000 && play.playedNumbers.count == taken)
    #expect(play.feed.playedFrame(at: System.nanoseconds) == taken)
    play.feed.isPaused = false
    System.sleep(milliseconds: 500)
    play.expectPlayedFrame()
    System.sleep(milliseconds: 1500)
    #expect(play.playedNumbers == Array(1..<2001))
    play.stop()
  }

  // MARK: Devices

  @Test func theDefaultDeviceIsFollowed() throws {
    let play = try PulsePlay(playing: 0.5) { server in
      server.add(.init("one", isSink: true))
      server.add(.init("two", latency: 150_000_000, isSink: true))
    }
    play.server.setDefault("two")
    try play.expect(.deviceChanged, within: 0.02)
    #expect(play.target.device?.id == "two")
    play.play(seconds: 2)
    play.expectPlayedFrame()
    play.stop()
    #expect(play.events == [.deviceChanged])
    #expect(play.playedNumbers == Array(1..<play.playedNumbers.count + 1))
  }

  @Test func theLastDeviceMayGoAndAnotherComeInstead() throws {
    let play = try PulsePlay(playing: 0.5) { server in
      server.add(.init("first", isSink: true))
      server.add(.init("spare", isSink: true))
    }
    play.server.remove("first")
    try play.expect(.deviceChanged, within: 0.02)
    #expect(play.target.device?.id == "spare")
    play.play(seconds: 0.5)
    play.server.remove("spare")
    try play.expect(.deviceChanged, .deviceLost, within: 0.02)
    play.server.add(.init("second", rate: 800, channels: 2, isSink: true))
    try play.expect(.deviceChanged, .deviceLost, .deviceReturned, within: 0.3)
    #expect(play.target.device?.id == "second")
    play.play(seconds: 1)
    play.expectPlayedFrame()
    play.stop()
  }

  @Test(arguments: [false, true]) func aPinnedDeviceIsWaitedFor(isSilent: Bool) throws {
    let request = PlaybackRequest(device: .pinned(id: "chosen"), latency: .milliseconds(200))
    let play = try PulsePlay(request, playing: 0.5) { server in
      server.add(.init("other", isSink: true))
      server.add(.init("chosen", isSink: true))
    }
    play.server.remove("chosen", isSilent: isSilent)
    try expectDuration((isSilent ? 0.95 : 0)...(isSilent ? 2.1 : 0.02)) {
      try play.expect(.deviceLost, within: 10)
    }
    let taken = play.feed.consumedFrameCount
    play.play(seconds: 2)
    #expect(play.feed.consumedFrameCount == taken)
    play.server.add(.init("chosen", isSink: true))
    try play.expect(.deviceLost, .deviceReturned, within: 0.3)
    play.play(seconds: 1)
    play.expectPlayedFrame()
    #expect(play.target.device?.id == "chosen" && play.feed.consumedFrameCount > taken)
    play.stop()
  }

  @Test func aServerMayCrashAndComeBack() throws {
    let play = try PulsePlay(playing: 0.5)
    play.server.kill()
    try play.expect(.deviceLost, within: 0.02)
    let taken = play.feed.consumedFrameCount
    let played = play.playedNumbers.count
    play.play(seconds: 1)
    play.server.restart()
    try play.expect(.deviceLost, .deviceReturned, within: 0.3)
    play.play(seconds: 1)
    play.expectPlayedFrame()
    play.stop()
    // The frames in the server's buffer are lost, and no others.
    #expect(
      play.playedNumbers == Array(1..<played + 1)
        + Array(taken + 1..<play.playedNumbers.count + taken - played + 1))
  }

  @Test func aSuspensionIsReportedOnce() throws {
    let play = try PulsePlay(playing: 0.5)
    play.server.suspend("speaker", true)
    try play.expect(.suspended, within: 0.02)
    play.play(seconds: 3)
    play.server.suspend("speaker", false)
    try play.expect(.suspended, .resumed, within: 0.02)
    play.play(seconds: 1)
    play.expectPlayedFrame()
    play.stop()
    #expect(play.events.count == 2)
    #expect(play.playedNumbers == Array(1..<play.playedNumbers.count + 1))
  }

  // MARK: Program and server

  @Test func aLateThreadIsCountedAndLosesNothing() throws {
    let play = try PulsePlay(playing: 0.5)
    play.server.stallMilliseconds = 1200
    play.play(seconds: 3)
    // The feed had all the frames; the thread was late.
    #expect(play.feed.underrunCount == 1 && play.feed.missingFrameCount == 0)
    play.expectPlayedFrame()
    play.stop()
    #expect(play.playedNumbers == Array(1..<play.playedNumbers.count + 1))
  }

  @Test func positionIsKnownSoonAfterAnUnderrun() throws {
    let play = try PulsePlay(PlaybackRequest(latency: .seconds(1)), playing: 0.5)
    play.server.stallMilliseconds = 2500
    while play.feed.underrunCount == 0 { System.sleep(milliseconds: 1) }
    // The next samples are written 125 ms later.
    System.sleep(milliseconds: 60)
    play.expectPlayedFrame()
    play.stop()
  }

  @Test func nothingIsReadAfterTheStopOfAThreadThatHangs() throws {
    let play = try PulsePlay { $0.add(.init("speaker", isSink: true)) }
    play.play(seconds: 0.5)
    play.server.stallMilliseconds = 1500
    play.play(seconds: 0.3)
    play.stop()
  }

  @Test func aTargetThatPlaysRefusesToStart() throws {
    let request = PlaybackRequest(device: .pinned(id: "speaker"))
    let play = try PulsePlay(request)
    #expect(throws: DeviceError.alreadyRunning(id: "speaker")) {
      try play.target.start(play.feed)
    }
    play.play(seconds: 0.5)
    #expect(play.playedNumbers.count > 200)
    play.stop()
  }

  @Test func stopReturnsPromptlyWhenServerHangs() throws {
    let play = try PulsePlay(playing: 0.5)
    play.server.freeze()
    play.play(seconds: 0.5)
    let start = System.seconds
    play.target.stop()
    play.target.stop()
    #expect(System.seconds - start < 0.01)
    play.server.thaw()
    // The target can be restarted, and continues with the next frames.
    let taken = play.feed.consumedFrameCount
    try play.target.start(play.feed)
    play.play(seconds: 0.5)
    #expect(play.feed.consumedFrameCount > taken)
    play.stop()
  }

  @Test func falseReportsDoNotBendTime() throws {
    let play = try PulsePlay(drift: -100) { server in
      server.falseReportInterval = 2
      server.add(.init("speaker", isSink: true))
    }
    for _ in 0..<12 {
      play.play(seconds: 0.5)
      play.expectPlayedFrame()
    }
    #expect(play.server.timingRequestCount < 30)
    play.stop()
  }

  @Test func aThreadThatIsOftenLateKnowsWhatPlays() throws {
    let play = try PulsePlay()
    for _ in 0..<200 {
      play.server.stallMilliseconds = 18
      play.play(seconds: 0.02)
    }
    play.expectPlayedFrame()
    play.stop()
    #expect(play.feed.underrunCount == 0)
  }
}
#endif
