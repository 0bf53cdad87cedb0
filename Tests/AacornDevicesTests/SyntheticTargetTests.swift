import AacornDevices
import AacornSystem
import Simulation
import SoundRigs
import Testing

/// An output without a device.
@Suite(.simulated(seeds: 4)) struct SyntheticTargetTests {
  private static let millisecond: Int64 = 1_000_000

  private static func signal(_ frames: Range<Int>) -> [Float] {
    frames.flatMap { frame in (0..<2).map { CounterSignal.value(frame: frame, channel: $0) } }
  }

  /// The result of playing numbered frames to their end.
  private struct Run {
    let recorder = SyntheticRecorder(channelCount: 2)
    let feed = PlaybackFeed(
      PlaybackFormat(sampleRate: 48_000, channelCount: 2), frameCapacity: 1024)
    let target: SyntheticTarget
    var events: [DeviceEvent] = []

    init(_ frameCount: Int, _ faults: SyntheticFaults = SyntheticFaults()) throws {
      target = SyntheticTarget(
        latency: .milliseconds(40), pacing: .unpaced, faults: faults, recorder: recorder)
      try target.start(feed)
      var next = 0
      while next < frameCount && target.failure == nil {
        let piece = SyntheticTargetTests.signal(next..<min(frameCount, next + 400))
        let count = feed.write(array: piece)
        next += count
        if count == 0 { _ = feed.waitForDevice(milliseconds: 100) }
      }
      feed.pauseWriting()
      _ = eventually { feed.isDrained || target.failure != nil }
      target.stop()
      while let event = feed.nextEvent() { events.append(event) }
    }
  }

  @Test func aFeedWithoutRateChannelsAndFramesHasOneOfEach() {
    let feed = PlaybackFeed(PlaybackFormat(sampleRate: 0, channelCount: -1), frameCapacity: 0)
    #expect(feed.format == PlaybackFormat(sampleRate: 1, channelCount: 1))
    #expect(feed.freeFrameCount >= 1)
  }

  @Test func syntheticTargetPlaysEveryFrameOnceAtItsTime() throws {
    let run = try Run(5000)
    #expect(run.recorder.feedSamples == Self.signal(0..<5000))
    // Ten blocks of 10 ms, and one padded with silence.
    #expect(run.recorder.pieces.count == 11)
    #expect(run.recorder.samples.count == 2 * 11 * 480)
    for (index, piece) in run.recorder.pieces.enumerated() {
      #expect(piece.time == (40 + 10 * Int64(index)) * Self.millisecond)
      #expect(piece.firstFrame == 480 * index)
    }
    #expect(run.feed.underrunCount == 0 && run.events.isEmpty)
    // Frame 4,800 is at 100 ms, and audible after the latency.
    #expect(run.feed.playedFrame(at: 141 * Self.millisecond) == 4848)
    #expect(run.feed.playedFrame(at: .max) == 5000)
  }

  @Test func itsClockMayDriftAndItsBlocksVary() throws {
    let faults = SyntheticFaults(driftPartsPerMillion: 1000, blockFrameCounts: 100...900, seed: 7)
    let run = try Run(48_000, faults)
    #expect(run.recorder.feedSamples == Self.signal(0..<48_000))
    let sizes = Set(run.recorder.pieces.map { $0.samples.count / 2 })
    #expect(sizes.count > 10 && sizes.allSatisfy { (100...900).contains($0) })
    for piece in run.recorder.pieces {
      let exact = Double(piece.firstFrame) / 48_000 * 1.001e9 + 40e6
      #expect(abs(Double(piece.time) - exact) < 2)
    }
    // The same script produces the same result.
    #expect(try Run(48_000, faults).recorder.pieces == run.recorder.pieces)
  }

  @Test func absenceAndSuspensionHoldSoundBack() throws {
    let other = SyntheticFaults.Replacement(deviceID: "other", sampleRate: 44_100)
    let run = try Run(
      4800,
      SyntheticFaults([
        .at(960, .absence(for: .milliseconds(20), returningAs: other)),
        .at(2880, .suspension(for: .milliseconds(30))),
        .at(5000, .exchange(SyntheticFaults.Replacement(deviceID: "third"))),
      ]))
    #expect(run.recorder.feedSamples == Self.signal(0..<4800))
    #expect(
      run.events
        == [.deviceLost, .deviceReturned, .deviceChanged, .suspended, .resumed, .deviceChanged])
    #expect(run.target.device?.id == "third" && run.target.device?.sampleRate == 44_100)
    let times = Dictionary(
      uniqueKeysWithValues: run.recorder.pieces.map { ($0.firstFrame, $0.time) })
    // Positions of faults include dropped frames: the device missed 960 frames.
    #expect(times[960] == (40 + 20 + 20) * Self.millisecond)
    #expect(times[1920] == (40 + 40 + 20 + 30) * Self.millisecond)
    #expect(run.feed.underrunCount == 0)
  }

  @Test func lateThreadPlaysSilenceAndCountsUnderrun() throws {
    let run = try Run(
      2000,
      SyntheticFaults([
        .at(480, .loss(frameCount: 100, cause: .programLate)),
        .at(1000, .silentLoss(frameCount: 50)),
      ]))
    #expect(run.recorder.feedSamples == Self.signal(0..<2000))
    #expect(run.feed.underrunCount == 1 && run.feed.missingFrameCount == 100)
    let silent = run.recorder.pieces.filter { $0.feedFrameCount == 0 }
    #expect(silent.map { $0.samples.count / 2 } == [100, 50])
    #expect(silent.map(\.firstFrame) == [480, 900])
    let samples = run.recorder.samples
    #expect(Array(samples[..<960]) == Self.signal(0..<480))
    #expect(Array(samples[1160..<2000]) == Self.signal(480..<900))
  }

  @Test func unreliableTimesLeavePlayedFrameUnknown() throws {
    let run = try Run(
      960, SyntheticFaults([.at(0, .unreliableTimes(frameCount: 48_000))]))
    #expect(run.recorder.feedSamples == Self.signal(0..<960))
    #expect(run.feed.playedFrame(at: .max) == nil)
  }

  @Test func aFailureIsFinal() throws {
    let run = try Run(
      9600, SyntheticFaults([.at(480, .failure(.deviceBusy(id: "null")))]))
    #expect(run.events == [.failed])
    #expect(run.target.failure == .deviceBusy(id: "null"))
    #expect(run.recorder.feedFrameCount == 480)
  }

  @Test func theSilentOutputPlaysInRealTime() throws {
    let system = try DeviceSystems.system(.synthetic, for: .playback)
    #expect(try system.devices(for: .playback).map(\.id) == ["null"])
    #expect(!DeviceSystems.all.contains(where: { $0.backend == .synthetic }))
    #expect(throws: DeviceError.unknownDevice(id: "loud", backend: .synthetic)) {
      try system.makeTarget(PlaybackRequest(device: .pinned(id: "loud")))
    }
    let target = try system.makeTarget(
      PlaybackRequest(device: .pinned(id: "null"), latency: .milliseconds(20)))
    #expect(target.device?.id == "null" && target.device?.isDefault == true)
    let format = try target.preferredFormat()
    #expect(format.sampleRate == 48_000 && format.channelCount == 2)
    let feed = PlaybackFeed(format, frameCapacity: 8192)
    let signal = Self.signal(0..<4800)
    #expect(feed.write(array: signal) == 4800)
    feed.pauseWriting()
    let start = System.nanoseconds
    try target.start(feed)
    #expect(throws: DeviceError.self) { try target.start(feed) }
    #expect(eventually { feed.playedFrame(at: System.nanoseconds) == 4800 })
    // The last block is read after 90 ms, and audible 20 ms later.
    #expect(System.nanoseconds - start >= 119 * Self.millisecond)
    #expect(feed.underrunCount == 0)
    target.stop()
    target.stop()
    feed.resumeWriting()
    try target.start(feed)
    target.stop()
  }
}
