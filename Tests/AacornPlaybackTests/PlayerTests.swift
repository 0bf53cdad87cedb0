import AacornDevices
import AacornRecording
import AacornSignal
import AacornSystem
import Simulation
import SoundRigs
import TestSignals
import Testing

@testable import AacornPlayback

@Suite(.simulated(seeds: 4, with: .all)) struct PlayerTests: PlayerSuite {
  let files: PlayedFiles
  let listener = PlayerListener()
  let target = PumpedTarget()

  init() throws { files = try PlayedFiles() }

  /// No effects, and two limiters, which only delay the samples of these tests.
  static let effects = ["", "limiter -1, limiter -2"]

  @Test(arguments: effects)
  func filesFollowEachOtherWithoutAFrameBetween(effects: String) throws {
    let session = try session(
      files.ramps(0..<5001, 5001..<5002, 5002..<20_000), effects: effects)
    try session.start()
    #expect(
      eventually { (target.feed?.waitingFrameCount ?? 0) >= 10_000 },
      "More is decoded than the effects hold back.")
    // The position follows the played frames, not those that the effects have received.
    for (count, index, frame) in [(5000, 0, 5000), (1, 1, 0), (11, 2, 10)] {
      target.pump(count)
      #expect(session.position?.index == index)
      #expect(session.position?.time == Duration.seconds(Double(frame) / 48_000))
    }
    #expect(pump { listener.hasStopped })
    let summary = try #require(session.summary)
    #expect(target.samples == ramp(0..<20_000))
    #expect(summary.isComplete)
    #expect(summary.failure == nil)
    #expect(summary.playedItemCount == 3)
    #expect(summary.playedDuration == Duration(samples: 20_000, at: 48_000))
    #expect(
      listener.eventTexts == [
        "started 0", "ended 0", "started 1", "ended 1", "started 2", "ended 2", "stopped",
      ])
    #expect(target.stopCount == 1)
    #expect(session.state.withLock { $0.ledger?.parts.count } == 1, "Past parts are discarded.")
  }

  @Test func resamplerContinuesAcrossItems() throws {
    let paths = try files.ramps(0..<7001, 7001..<15_000, rate: 44_100)
    let summary = try playToTheEnd(session(paths))
    #expect(summary.isComplete)
    var resampler = try Resampler(from: 44_100, to: 48_000, channelCount: 1)
    var expected: [Float] = []
    let input = ramp(0..<15_000)
    resampler.process(input.span, into: &expected)
    resampler.flush(into: &expected)
    #expect(target.samples == expected)
  }

  @Test(arguments: effects) func anotherRateFollowsWhatTheFirstOneEndsWith(effects: String) throws {
    let paths = [
      try files.wav(ramp(0..<4410), to: "a.wav", rate: 44_100),
      try files.wav(ramp(0..<4800), to: "b.wav"),
    ]
    let session = try session(paths, effects: effects)
    try session.start()
    #expect(eventually { target.feed?.waitingFrameCount == 9600 }, "Both are decoded.")
    target.pump(4810)
    #expect(session.position?.index == 1)
    #expect(session.position?.time == Duration.seconds(10.0 / 48_000))
    #expect(pump { listener.hasStopped })
    #expect(target.samples.count == 9600)
    #expect(Array(target.samples.suffix(4800)) == ramp(0..<4800))
  }

  @Test func channelsBecomeThoseOfTheDevice() throws {
    let target = PumpedTarget(channelCount: 2)
    let paths = [
      try files.wav(ramp(0..<100), to: "mono.wav"),
      try files.wav(ramp(0..<200), to: "stereo.wav", channels: 2),
    ]
    try playToTheEnd(session(paths, on: target), on: target)
    #expect(Array(target.samples.prefix(200)) == ramp(0..<100).flatMap { [$0, $0] })
    #expect(Array(target.samples.suffix(200)) == ramp(0..<200))
  }

  /// Nine channels have no standard layout.
  @Test(arguments: [(3, 9), (9, 3), (3, 64)])
  func channelsWithoutALayoutAreCopied(inputCount: Int, outputCount: Int) throws {
    let target = PumpedTarget(channelCount: outputCount)
    let samples = ramp(1..<1 + 100 * inputCount)
    try playToTheEnd(
      session([try files.wav(samples, to: "a.wav", channels: inputCount)], on: target), on: target)
    let expected = (0..<100).flatMap { frame in
      (0..<outputCount).map { $0 < inputCount ? samples[frame * inputCount + $0] : 0 }
    }
    #expect(target.samples == expected)
  }

  @Test(arguments: effects) func aJumpIsExact(effects: String) throws {
    let session = try session(files.ramps(0..<192_000), effects: effects)
    try session.start()
    #expect(pump { target.samples.count >= 1000 })
    session.seek(to: .seconds(2))
    #expect(session.position?.time == .seconds(2))
    #expect(pump { listener.hasStopped })
    let played = target.samples
    let jump = try #require(played.firstIndex(of: Float(96_000) / 2_097_152))
    #expect(Array(played[..<jump]) == ramp(0..<jump))
    #expect(Array(played[jump...]) == ramp(96_000..<192_000))
    // A seek within an item does not start it again.
    #expect(listener.eventTexts == ["started 0", "ended 0", "stopped"])
  }

  @Test func aJumpBackIsExactAfterTheItemWasRead() throws {
    let session = try session(files.ramps(0..<4000))
    try session.start()
    // All frames are in the feed now.
    #expect(eventually { target.feed?.waitingFrameCount == 4000 })
    target.pump(3000)
    session.seek(to: .milliseconds(10))
    #expect(pump { listener.hasStopped })
    #expect(Array(target.samples.suffix(3520)) == ramp(480..<4000))
  }

  @Test func seekToTheEndContinuesWithTheNextItem() throws {
    let session = try session(files.ramps(0..<96_000, 96_000..<96_300))
    try session.start()
    #expect(pump { target.samples.count >= 1000 })
    session.seek(to: .seconds(5))
    #expect(pump { listener.hasStopped })
    #expect(Array(target.samples.suffix(300)) == ramp(96_000..<96_300))
    #expect(session.summary?.unreadable.isEmpty == true && session.summary?.isComplete == true)
    #expect(listener.eventTexts == ["started 0", "ended 0", "started 1", "ended 1", "stopped"])
  }

  @Test func playbackBeginsAtTheRequestedStart() throws {
    let path = try files.wav(ramp(0..<96_000), to: "a.wav")
    let summary = try playToTheEnd(session([path]) { $0.start = .seconds(1) })
    #expect(target.samples == ramp(48_000..<96_000))
    #expect(summary.playedDuration == .seconds(1))
  }

  @Test func aPauseHoldsThePosition() throws {
    let session = try session(files.ramps(0..<96_000))
    try session.start()
    #expect(pump(by: 100) { target.samples.count >= 4800 })
    session.setPaused(true)
    #expect(eventually { listener.eventTexts.last == "paused" })
    let position = session.position
    let count = target.samples.count
    #expect(position?.time == Duration.seconds(Double(count) / 48_000))
    for _ in 0..<50 { target.pump(480) }
    #expect(target.samples.count == count)
    #expect(session.position == position)
    #expect(session.playerState == .paused)
    #expect(target.resumptionCount == 0)
    session.setPaused(false)
    #expect(pump { listener.hasStopped })
    #expect(target.resumptionCount == 1)
    #expect(target.samples == ramp(0..<96_000))
    #expect(listener.eventTexts == ["started 0", "paused", "continued", "ended 0", "stopped"])
  }

  @Test(arguments: [0.5, 2.0], effects)
  func speedChangesLengthAndPosition(speed: Double, effects: String) throws {
    let session = try session(files.ramps(0..<96_000), effects: effects) { $0.speed = speed }
    try session.start()
    #expect(pump(by: 240) { target.samples.count >= 24_000 })
    let position = try #require(session.position)
    let expected = Double(target.samples.count) * speed / 48_000
    #expect(abs(position.time / .seconds(1) - expected) < 0.001)
    #expect(pump { listener.hasStopped })
    #expect(abs(Double(target.samples.count) - 96_000 / speed) <= 1)
  }

  @Test(
    arguments: [(Float(0.25), Float(0.25)), (.nan, 1), (.infinity, 1), (-2, 0)], [true, false])
  func volumeMultipliesAndIsCorrected(volume: (Float, Float), isInitial: Bool) throws {
    let path = try files.wav(ramp(0..<1000), to: "a.wav")
    let session = self.session([path]) { if isInitial { $0.volume = volume.0 } }
    if !isInitial { session.setVolume(volume.0) }
    try playToTheEnd(session)
    #expect(target.samples == ramp(0..<1000).map { $0 * volume.1 })
  }

  @Test func unreadableItemsAreReportedAndSkipped() throws {
    let paths = [
      files.path("missing.wav"), try files.wav(ramp(0..<300), to: "a.wav"),
      try files.write(Array("no sound at all".utf8), to: "b.wav"),
      try files.wav(ramp(300..<600), to: "c.wav"),
    ]
    let summary = try playToTheEnd(session(paths))
    #expect(target.samples == ramp(0..<600))
    #expect(summary.unreadable.keys.sorted() == [0, 2])
    #expect(summary.playedItemCount == 2)
    #expect(listener.eventTexts.first == "unreadable 0")
    #expect(listener.eventTexts.contains("unreadable 2"))
  }

  @Test func anItemWhoseRateCannotBeConvertedIsSkipped() throws {
    let paths = [
      try files.wav(ramp(0..<300), to: "a.wav"),
      try files.wav(ramp(0..<300), to: "b.wav", rate: 999),
      try files.wav(ramp(300..<600), to: "c.wav"),
    ]
    let summary = try playToTheEnd(session(paths))
    #expect(target.samples == ramp(0..<600))
    #expect(summary.unreadable.keys.sorted() == [1] && summary.playedItemCount == 2)
    #expect(
      listener.failures == [
        "“\(paths[1])” has 999 Hz, which cannot be converted to the device's 48000 Hz. Convert it to "
          + "a common rate, such as 48000 Hz."
      ])
  }

  @Test func aJumpToAMissingItemDiscardsTheUnplayedAudio() throws {
    let path = try files.wav(ramp(0..<96_000), to: "a.wav")
    let session = session([path, files.path("missing.wav")])
    try session.start()
    #expect(eventually { target.feed?.waitingFrameCount == 16_384 })
    target.pump(1000)
    session.next()
    #expect(
      eventually {
        listener.eventTexts.contains("unreadable 1") && target.feed?.isDrained == true
      })
    #expect(pump { listener.hasStopped })
    #expect(target.samples == ramp(0..<1000))
    #expect(listener.eventTexts == ["started 0", "unreadable 1", "ended 0", "stopped"])
  }

  @Test(arguments: PlayerConfiguration.Loop.allCases)
  func nothingReadableIsAnErrorWhateverTheLoop(loop: PlayerConfiguration.Loop) throws {
    let paths = [files.path("missing.wav"), files.path("missing too.wav")]
    let session = self.session(paths) { $0.loop = loop }
    let error = #expect(throws: PlayerError.self) { try session.start() }
    guard case .nothingReadable = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(target.feed == nil)
    #expect(session.summary?.playedItemCount == 0)
    #expect(session.playerState == .stopped)
  }

  @Test(arguments: [PlayerConfiguration.Loop.item, .list])
  func anItemOrAListIsPlayedAgainWithoutAGap(loop: PlayerConfiguration.Loop) throws {
    let session = try session(files.ramps(0..<1000, 1000..<1500)) { $0.loop = loop }
    try session.start()
    #expect(pump { target.samples.count >= 3500 })
    stop(session)
    let once = ramp(0..<(loop == .item ? 1000 : 1500))
    #expect(Array(target.samples.prefix(3500)) == Array((once + once + once + once).prefix(3500)))
    #expect(session.summary?.isComplete == false)
  }

  @Test func nextAndPreviousGoToTheBeginningOfItems() throws {
    let paths = try files.ramps(0..<96_000, 100_000..<196_000)
    let session = self.session(paths)
    try session.start()
    #expect(pump { target.samples.count >= 500 })
    session.next()
    #expect(pump { listener.eventTexts.last == "started 1" })
    #expect(pump { target.samples.contains(Float(100_000) / 2_097_152) })
    session.previous()
    #expect(pump { listener.eventTexts.last == "started 0" })
    let count = target.samples.count
    #expect(pump { target.samples.count > count + 10 })
    session.next()
    session.next()
    #expect(eventually { listener.hasStopped })
    let first = try #require(target.samples.lastIndex(of: 0))
    #expect(first > 500)
    #expect(
      Array(listener.eventTexts.prefix(5)) == [
        "started 0", "ended 0", "started 1", "ended 1", "started 0",
      ])
  }

  @Test func aLostDeviceIsWaitedFor() throws {
    let session = try session(files.ramps(0..<48_000))
    try session.start()
    #expect(pump { target.samples.count >= 1000 })
    let notices: [(notice: DeviceEvent, state: PlayerState)] = [
      (.deviceLost, .waiting), (.deviceReturned, .playing), (.suspended, .waiting),
      (.resumed, .playing), (.deviceLost, .waiting), (.deviceChanged, .playing),
    ]
    for (notice, state) in notices {
      target.notify(notice)
      #expect(eventually { session.playerState == state })
    }
    #expect(session.summary == nil)
    #expect(pump { listener.hasStopped })
    #expect(target.samples == ramp(0..<48_000))
    let words = ["lost", "returned", "suspended", "resumed", "lost", "changed"]
    #expect(listener.eventTexts == ["started 0"] + words + ["ended 0", "stopped"])
  }

  @Test func aDeviceThatFailsEndsIt() throws {
    let session = try session(files.ramps(0..<48_000))
    try session.start()
    #expect(pump { target.samples.count >= 1000 })
    target.notify(.failed)
    #expect(eventually { listener.hasStopped })
    #expect(session.summary?.failure == .playback(.deviceBusy(id: "pump")))
    #expect(target.stopCount == 1)
  }

  @Test func manyJumpsAtOnceEndAtTheLastOne() throws {
    let paths = try files.ramps(0..<96_000, 0..<96_000)
    let session = self.session(paths)
    try session.start()
    for number in 0..<300 {
      switch number % 7 {
      case 3: session.next()
      case 5: session.previous()
      case 6: session.seek(by: .milliseconds(-300))
      default: session.seek(to: .milliseconds(number * 5))
      }
      // Do not skip the last item, because that would end the playback.
      if number % 7 == 3 { session.previous() }
      target.pump(64)
    }
    session.seek(to: .milliseconds(1900))
    #expect(pump { listener.hasStopped })
    #expect(session.summary?.failure == nil)
  }
}
