#if os(Linux)
import AacornSystem
import CAacornALSA
import Simulation
import SoundRigs
import Testing

@testable import AacornDevices

/// Playback on simulated cards, which check their input and fail on demand.
@Suite(.simulated(seeds: 4)) struct ALSAPlaybackTests {
  private func target(
    _ card: ALSACard, latency: Duration = .milliseconds(400),
    maxStallNanoseconds: Int64 = 5_000_000_000
  ) -> ALSATarget {
    ALSATarget(
      PlaybackRequest(device: .pinned(id: card.name), latency: latency), library: .simulated,
      maxStallNanoseconds: maxStallNanoseconds)
  }

  /// Plays on a card with a fault after a quarter of a second.
  private func play(
    _ fault: ALSACard.Fault, maxStallNanoseconds: Int64 = 5_000_000_000
  ) throws -> (ALSACard, NumberedPlayback) {
    let card = ALSACard(rate: 8000)
    card.faults = [(2000, fault)]
    return (card, try play(on: card, target(card, maxStallNanoseconds: maxStallNanoseconds)))
  }

  private func play(on card: ALSACard, _ target: ALSATarget) throws -> NumberedPlayback {
    try NumberedPlayback(
      target, PlaybackFormat(sampleRate: card.rate, channelCount: card.channelCount)
    ) { card.samples(ofFrame: $0) }
  }

  /// Stops, and checks that a card received every frame once and in order.
  private func expectNoGap(
    _ card: ALSACard, _ playback: NumberedPlayback,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    playback.target.stop()
    #expect(card.read(\.lastWritten) > 0, sourceLocation: sourceLocation)
    #expect(card.read(\.wrongCount) == 0, sourceLocation: sourceLocation)
    #expect(card.read(\.silentCount) == 0, sourceLocation: sourceLocation)
    #expect(!card.read(\.isOpen), sourceLocation: sourceLocation)
    #expect(card.read(\.objectCount) == 0, sourceLocation: sourceLocation)
  }

  // MARK: Samples

  @Test(arguments: [
    AACORN_ALSA_FORMAT_S16, AACORN_ALSA_FORMAT_S24_3LE, AACORN_ALSA_FORMAT_S24,
    AACORN_ALSA_FORMAT_S32, AACORN_ALSA_FORMAT_FLOAT,
  ])
  func everyFrameIsPlayedOnceInEachFormat(format: Int) throws {
    let card = ALSACard(rate: 8000)
    card.format = format
    let target = target(card)
    let playback = try play(on: card, target)
    #expect(playback.tend { card.read(\.lastWritten) >= 8000 })
    expectNoGap(card, playback)
    #expect(playback.events == [])
    #expect(card.played.map(\.number) == [1] && card.played[0].count > 4000)
    #expect(target.device?.sampleRate == 8000)
    #expect(target.device?.channelCount == 2)
    #expect(target.diagnostics == [])
  }

  /// A device that must be started, that wakes the thread without need, or that takes a few frames at a time.
  @Test(arguments: [(false, false, Int.max), (true, true, .max), (true, false, 30)])
  func unusualDeviceIsKeptFilledWithoutBusyWaiting(
    startsWhenFull: Bool, wakesEagerly: Bool, maxWrite: Int
  ) throws {
    let card = ALSACard(rate: 8000)
    (card.startsWhenFull, card.wakesEagerly) = (startsWhenFull, wakesEagerly)
    card.maxWrite = maxWrite
    let playback = try play(on: card, target(card))
    #expect(playback.play(8000))
    let calls = card.read(\.callCount)
    #expect(playback.play(8000))
    // Four blocks fit in the buffer of 0.4 s.
    #expect(card.read(\.callCount) - calls < (maxWrite == 30 ? 900 : 200))
    #expect(playback.events == [] && card.read(\.xrunCount) == 0)
    expectNoGap(card, playback)
  }

  /// Some plug-ins transfer nothing for a while, or fail with `EAGAIN`.
  @Test(arguments: [0, 11] as [Int32])
  func writingNothingIsRepeatedEvery10Milliseconds(code: Int32) throws {
    let (card, playback) = try play(.error(code, milliseconds: 300))
    #expect(playback.tend { card.read(\.hasFailed) })
    // The next block is due after at most 100 ms.
    System.sleep(milliseconds: 110)
    let count = card.read(\.callCount)
    System.sleep(milliseconds: 100)
    // Four calls for each attempt.
    #expect(35...45 ~= card.read(\.callCount) - count)
    #expect(playback.play(4000))
    #expect(playback.events == [] && card.read(\.xrunCount) == 0)
    expectNoGap(card, playback)
  }

  @Test func channelsGoToTheirLoudspeakers() throws {
    let card = ALSACard(rate: 8000)
    card.channelCount = 6
    card.positions = [3, 4, 5, 6, 7, 8]
    let format = PlaybackFormat(sampleRate: 8000, channelCount: 6)
    let playback = try NumberedPlayback(target(card), format) { frame in
      let samples = card.samples(ofFrame: frame)
      // The feed uses the standard order of channels, which differs from the device's.
      return [0, 1, 4, 5, 2, 3].map { samples[$0] }
    }
    #expect(playback.play(4000))
    expectNoGap(card, playback)
  }

  @Test func missingSamplesAreSilenceAndCounted() throws {
    let card = ALSACard(rate: 8000)
    let playback = try play(on: card, target(card))
    #expect(playback.play(4000))
    // Nobody writes. The feed has frames for less than three seconds.
    System.sleep(milliseconds: 3500)
    #expect(playback.play(4000))
    playback.target.stop()
    #expect(card.read(\.wrongCount) == 0)
    #expect(card.read(\.silentCount) > 800)
    #expect(playback.feed.missingFrameCount == card.read(\.silentCount))
    #expect(playback.feed.underrunCount > 0)
    #expect(playback.events == [])
  }

  /// A position that advances by the frame or by the period, and a card without timestamps.
  @Test(arguments: [(1, true), (80, true), (1, false)])
  func playedFrameIsTrueToASample(step: Int, hasTimestamps: Bool) throws {
    let card = ALSACard(rate: 8000)
    (card.step, card.hasTimestamps) = (step, hasTimestamps)
    // A frame is audible 100 ms after it leaves the buffer.
    card.latency = 800
    let playback = try play(on: card, target(card))
    for _ in 0..<20 {
      #expect(playback.play(700))
      let now = System.nanoseconds
      guard let played = playback.feed.playedFrame(at: now), played > 0 else { continue }
      // The first frame has the number 1, and begins at the card's frame 0.
      #expect(abs(played - (card.frameCount(at: now) - 800)) <= 1)
    }
    #expect(playback.feed.playedFrame(at: System.nanoseconds) ?? 0 > 8000)
    expectNoGap(card, playback)
  }

  @Test func deviceWithoutClockIsPlayedOnInRealTime() throws {
    let card = ALSACard(rate: 8000)
    card.hasClock = false
    let target = target(card, latency: .milliseconds(100))
    let before = System.seconds
    let playback = try play(on: card, target)
    #expect(playback.play(8000))
    // The device would accept all frames immediately. 0.2 s may be played early.
    let early = Double(playback.feed.consumedFrameCount) / 8000 - (System.seconds - before)
    #expect(0.15...0.25 ~= early)
    #expect(target.diagnostics.contains { $0.contains("no clock") })
    expectNoGap(card, playback)
  }

  // MARK: Faults

  /// A long buffer of dropped frames is not a device that plays everything at once.
  @Test func restartsSoonAfterTheStartKeepTheClock() throws {
    let card = ALSACard(rate: 8000)
    card.faults = [1000, 2000].map {
      ($0, .suspension(milliseconds: 10, canResume: false))
    }
    let target = target(card, latency: .seconds(1))
    let playback = try play(on: card, target)
    #expect(playback.play(32_000))
    #expect(target.diagnostics == [])
    #expect(playback.expectTruePosition(on: card))
    expectNoGap(card, playback)
  }

  @Test(arguments: [ALSACard.Fault.xrun(), .hang(milliseconds: 600)])
  func playbackContinuesAfterDeviceUnderrun(fault: ALSACard.Fault) throws {
    let (card, playback) = try play(fault)
    let target = try #require(playback.target as? ALSATarget)
    #expect(playback.tend { target.xrunCount > 0 })
    #expect(playback.play(12_000))
    #expect(target.xrunCount == 1)
    #expect(target.diagnostics.contains { $0.contains("underran once") })
    #expect(playback.events == [])
    expectNoGap(card, playback)
    guard case .hang = fault else { return }
    // All frames in the buffer were played before it was empty.
    #expect(card.played.count == 2)
    #expect(card.played[1].number == card.played[0].number + card.played[0].count)
  }

  /// A disconnection, suspensions, and a device that takes nothing, which is opened again.
  @Test(arguments: [
    ALSACard.Fault.disconnection(milliseconds: 1500), .stall,
    .suspension(milliseconds: 300, canResume: true),
    .suspension(milliseconds: 300, canResume: false),
  ])
  func playbackResumesAfterFault(fault: ALSACard.Fault) throws {
    let (card, playback) = try play(fault, maxStallNanoseconds: 700_000_000)
    #expect(playback.tend { playback.events.count > 1 })
    #expect(playback.play(4000))
    #expect(
      playback.events
        == (fault.isSuspension ? [.suspended, .resumed] : [.deviceLost, .deviceReturned]))
    expectNoGap(card, playback)
  }

  @Test func nothingIsTakenWhileTheDeviceIsAwayAndStopReturnsAtOnce() throws {
    let (card, playback) = try play(.disconnection(milliseconds: 600_000))
    #expect(playback.tend { !playback.events.isEmpty })
    let (taken, calls) = (playback.feed.consumedFrameCount, card.read(\.callCount))
    System.sleep(milliseconds: 1125)
    let count = card.read(\.callCount) - calls
    #expect(4...5 ~= count, "The device is tried again every 0.25 s.")
    #expect(playback.feed.consumedFrameCount == taken)
    let before = System.seconds
    playback.target.stop()
    #expect(System.seconds - before < 0.001)
    #expect(playback.events == [.deviceLost])
  }

  // EIO.
  @Test func deviceThatAlwaysFailsIsGivenRestAndTriedAgain() throws {
    let (card, playback) = try play(.error(5, milliseconds: 2500))
    #expect(playback.tend { !playback.events.isEmpty })
    let calls = card.read(\.callCount)
    System.sleep(milliseconds: 1000)
    // An attempt needs 870 ms, and at most 39 calls: one cycle of six restarts.
    #expect(card.read(\.callCount) - calls < 50)
    #expect(playback.tend { playback.events.count > 1 })
    #expect(playback.play(4000))
    #expect(playback.events == [.deviceLost, .deviceReturned])
    expectNoGap(card, playback)
  }

  @Test func stopAbandonsALibraryThatHangsAndNothingIsTakenLater() throws {
    let (card, playback) = try play(.hang(milliseconds: 180_000))
    #expect(playback.tend { card.read(\.hasFailed) })
    let before = System.seconds
    playback.target.stop()
    #expect(0.9...0.901 ~= System.seconds - before)
    let taken = playback.feed.consumedFrameCount
    System.sleep(milliseconds: 180_000)
    #expect(!card.read(\.isOpen))
    #expect(playback.feed.consumedFrameCount == taken)
  }

  @Test func targetRestartsAfterStopAndEndsWithLastReference() throws {
    let card = ALSACard(rate: 8000)
    let feed = PlaybackFeed(
      PlaybackFormat(sampleRate: 8000, channelCount: 2), frameCapacity: 80_000)
    let silence = [Float](repeating: 0, count: 160_000)
    _ = feed.write(silence.span)
    var target: ALSATarget? = target(card)
    try target?.start(feed)
    #expect(throws: DeviceError.self) { try target?.start(feed) }
    #expect(eventually { feed.consumedFrameCount > 0 }, "The running playback continues.")
    target?.stop()
    let taken = feed.consumedFrameCount
    try target?.start(feed)
    #expect(eventually { feed.consumedFrameCount > taken })
    #expect(card.read(\.isOpen))
    target = nil
    #expect(!card.read(\.isOpen))
  }

  // MARK: Selection

  @Test func devicesWithoutTheFormatAreRefused() throws {
    let feed = PlaybackFeed(
      PlaybackFormat(sampleRate: 8000, channelCount: 2), frameCapacity: 800)
    let (slow, wide) = (ALSACard(rate: 8000), ALSACard(rate: 8000))
    slow.rate = 44100
    wide.channelCount = 6
    for (card, words) in [(slow, "44100 Hz"), (wide, "6 channels")] {
      let error = #expect(throws: DeviceError.self) { try target(card).start(feed) }
      #expect(error?.message.contains(words) == true, "\(String(describing: error))")
      let format = try target(card).preferredFormat()
      #expect(format.sampleRate == card.rate && format.channelCount == card.channelCount)
    }
    let missing = ALSATarget(
      PlaybackRequest(device: .pinned(id: "nosuch")), library: .simulated)
    #expect(throws: DeviceError.unknownDevice(id: "nosuch", backend: .alsa)) {
      try missing.start(feed)
    }
    let none = ALSATarget(PlaybackRequest(), library: .simulated)
    #expect(throws: DeviceError.noDevice(for: .playback, backend: .alsa)) { try none.start(feed) }
    #expect(throws: DeviceError.noDevice(for: .playback, backend: .alsa)) {
      try none.preferredFormat()
    }
  }

  /// The library converts for a card that cannot play a format.
  @Test func cardWithoutTheFormatIsPlayedOnThroughTheConverter() throws {
    let card = ALSACard(rate: 8000)
    let hardware = ALSACard(name: "hw:CARD=\(card.name)", rate: 44100)
    let converter = ALSACard(name: "plughw:CARD=\(card.name)", rate: 8000)
    let target = target(hardware)
    let playback = try play(on: converter, target)
    #expect(playback.play(4000))
    #expect(target.device?.sampleRate == 8000)
    expectNoGap(converter, playback)
  }
}
#endif
