import AacornDevices
import Foundation
import Testing

@testable import AacornRecording

/// A silent leader and a device that is aligned with it, in time controlled by the test.
struct AlignmentRig {
  let rate: Int
  var mixdown: Mixdown
  var output: [Float] = []
  var events: [RecorderEvent] = []

  init(rate: Int = 48_000, effects: [EffectDescription] = []) throws {
    self.rate = rate
    let configuration = RecordingConfiguration(
      sampleRate: rate, channelCount: 1, coding: .float32)
    var settings = [TrackConfiguration("one"), TrackConfiguration("other")]
    settings[1].effects = effects
    mixdown = Mixdown(
      SourceTrack(configuration, followsClock: true),
      [
        FollowerTrack(
          settings[1], configuration, pace: .clock,
          effects: try configuration.rack(of: settings[1].effects))
      ], settings: settings, configuration: configuration)
  }

  private static func time(_ seconds: Double) -> Int64 {
    1_000_000_000 + Int64((seconds * 1e9).rounded())
  }

  private func block(_ count: Int, _ time: Double) -> CaptureBlock {
    CaptureBlock(frameCount: count, channelCount: 1, sampleRate: rate, time: Self.time(time))
  }

  mutating func lead(_ block: CaptureBlock, _ samples: [Float]) {
    mixdown.leader.accept(block, samples, from: nil)
  }

  mutating func follow(_ block: CaptureBlock, _ samples: [Float]) {
    mixdown.followers[0].accept(block, samples, at: mixdown.position)
  }

  mutating func notify(_ notice: DeviceEvent, inBlock index: Int) {
    mixdown.followers[0].accept(
      CaptureBlock(notice, time: Self.time(Double(index) / 100)), [], at: mixdown.position)
  }

  /// Mixes all available frames, and appends them to the output.
  mutating func mix() throws {
    var (piece, hasWork): ([Float], Bool) = ([], true)
    while hasWork {
      hasWork = try mixdown.advance()
      mixdown.take(into: &piece)
      output += piece
      events += mixdown.takeEvents()
    }
  }

  /// A tone in the room at a time in seconds.
  static func tone(_ seconds: Double) -> Float { Float(0.5 * sin(2 * Double.pi * 500 * seconds)) }

  /// Delivers blocks of 10 ms of both devices, and mixes them.
  ///
  /// The leader delivers a constant. The follower delivers the tone, in blocks that begin `distance`
  /// seconds after the leader's, except during `absence`. The closures are called before and after
  /// each block of the leader.
  mutating func run(
    _ blocks: Range<Int>, leader: Float = 0, distance: Double = 0, checksStalls: Bool = false,
    absence: Range<Int> = 0..<0,
    before: (inout AlignmentRig, Int) -> Void = { _, _ in },
    between: (inout AlignmentRig, Int) -> Void = { _, _ in }
  ) throws {
    let count = rate / 100
    for index in blocks {
      let time = Double(index) / 100
      before(&self, index)
      lead(block(count, time), constant(leader, count))
      between(&self, index)
      if !absence.contains(index) {
        let first = time + distance
        follow(
          block(count, first),
          (0..<count).map { Self.tone(first + Double($0) / Double(rate)) })
      }
      if checksStalls { mixdown.checkStalls(now: Self.time(time + 0.01)) }
      try mix()
    }
  }

  /// Returns the first frame in ranges that is not the room's tone at its time, or nil.
  ///
  /// A misplacement by one sample causes an error of 0.033.
  func firstWrongFrame(
    in ranges: Range<Int>..., tolerance: Float = 0.003,
    pause: (position: Int, length: Int) = (0, 0)
  ) -> Int? {
    ranges.joined().first { frame in
      let left = frame < pause.position ? 0 : pause.length
      let exact = Self.tone(Double(frame + left) / Double(rate))
      return abs(output[frame] - exact) >= tolerance
    }
  }

  var gaps: [RecordingGap] {
    events.compactMap { item in
      if case .gap(let gap) = item { gap } else { nil }
    }
  }
}

@Suite struct TrackAlignmentTests {
  @Test(arguments: [0, 1, 479, 480, 1234, -700])
  func aDeviceIsPlacedToTheSampleByItsTimes(distance: Int) throws {
    var rig = try AlignmentRig()
    try rig.run(0..<60, distance: Double(distance) / 48_000)
    try #require(rig.output.count > 24_000)
    #expect(rig.output[..<max(0, distance - 200)].allSatisfy { $0 == 0 })
    // Near the start the resampler assumes silence before the signal.
    #expect(rig.firstWrongFrame(in: max(0, distance + 200)..<24_000) == nil)
  }

  @Test func delayingEffectsKeepFollowerAligned() throws {
    let outputs = try ["gain 0", "limiter -1, limiter -2"].map { text in
      var rig = try AlignmentRig(effects: try EffectDescription.parse(text))
      try rig.run(0..<60, distance: 1234.0 / 48_000)
      #expect(rig.gaps.isEmpty && rig.output.count > 24_000)
      return Array(rig.output.prefix(24_000))
    }
    #expect(outputs[0] == outputs[1] && outputs[0].contains { $0 > 0.4 })
  }

  @Test func aDeviceThatWasAwayIsAtItsPlaceAgain() throws {
    var rig = try AlignmentRig()
    try rig.run(0..<500, checksStalls: true, absence: 100..<250) { _, _ in
    } between: { rig, index in
      if index == 100 { rig.notify(.deviceLost, inBlock: index) }
      if index == 250 { rig.notify(.deviceReturned, inBlock: index) }
    }
    try #require(rig.output.count > 230_000)
    #expect(rig.firstWrongFrame(in: 10_000..<47_000, 121_000..<230_000) == nil)
    #expect(rig.output[48_500..<119_500].allSatisfy { $0 == 0 })
    let gap = try #require(rig.gaps.first)
    #expect(rig.gaps.count == 1 && gap.track == "other" && gap.cause == .deviceLost)
    #expect(abs(gap.position - 48_000) < 500 && abs(gap.position + gap.length - 120_000) < 500)
    let events = rig.events.compactMap { item -> RecorderEvent? in
      if case .track("other", let event) = item { event } else { nil }
    }
    #expect(events.contains(.deviceLost) && events.contains(.deviceReturned(nil)))
  }

  /// The mix of a device that delivers for a second, and then reports an event or delivers nothing.
  private static func output(
    untilNotice notice: DeviceEvent?, _ effects: String
  ) throws -> [Float] {
    var rig = try AlignmentRig(
      effects: effects.isEmpty ? [] : try EffectDescription.parse(effects))
    try rig.run(0..<200, checksStalls: true, absence: 100..<200) { _, _ in
    } between: { rig, index in
      if index == 100, let notice { rig.notify(notice, inBlock: index) }
    }
    return rig.output
  }

  @Test(arguments: [.deviceLost, .suspended, .failed, nil] as [DeviceEvent?])
  func theLastSoundOfADeviceThatIsGoneDoesNotStayInItsEffects(notice: DeviceEvent?) throws {
    let plain = try Self.output(untilNotice: notice, "")
    #expect(plain.count == 96_000)
    // If the device may resume immediately, the resampler holds back a few samples.
    let end = notice == .failed || notice == .deviceLost ? 47_990 : 47_900
    #expect(plain[end - 480..<end].contains { abs($0) > 0.4 })
    #expect(abs(plain[end - 1] - AlignmentRig.tone(Double(end - 1) / 48_000)) < 0.1)
    #expect(plain[48_100...].allSatisfy { $0 == 0 })
    // A limiter does not change a signal this quiet.
    #expect(try Self.output(untilNotice: notice, "limiter -1, limiter -2") == plain)
  }

  /// A device whose blocks arrive earlier or later than the leader's, by a part of a wave.
  @Test(arguments: [-0.0065, 0.0041, 0.0065])
  func aPauseLeavesOutTheSameTimeOfAllDevices(distance: Double) throws {
    var rig = try AlignmentRig()
    try rig.run(0..<300, distance: distance) { rig, index in
      if index == 100 { rig.mixdown.pause(true, at: 0) }
    } between: { rig, index in
      guard index == 200 else { return }
      #expect(rig.mixdown.followers[0].track.frames.count <= 480, "No frames pile up.")
      rig.mixdown.pause(false, at: 0)
    }
    #expect(rig.gaps.map(\.cause) == [.paused])
    let pause = try #require(rig.gaps.first)
    // The pause begins and ends with the first frame that no device has passed.
    #expect(abs(pause.position - 48_000 - Int(max(0, distance) * 48_000)) <= 1)
    #expect(abs(pause.position + pause.length - 96_480) <= 1)
    try #require(rig.output.count > 90_000)
    // After the pause the samples are where they would be without it.
    let wrong = rig.firstWrongFrame(
      in: 10_000..<pause.position - 200, pause.position + 200..<90_000, tolerance: 0.033,
      pause: (pause.position, pause.length))
    #expect(wrong == nil)
  }

  /// The pause ends before the second device, or before both devices, have delivered a frame of the
  /// pause.
  @Test(arguments: [-0.0065, 0.0041, 0.0065], [false, true])
  func shortPauseKeepsTracksAligned(distance: Double, isLeaderAhead: Bool) throws {
    var rig = try AlignmentRig()
    try rig.run(0..<200, distance: distance) { rig, index in
      guard index == 100 else { return }
      rig.mixdown.pause(true, at: 0)
      if !isLeaderAhead { rig.mixdown.pause(false, at: 0) }
    } between: { rig, index in
      if index == 100 && isLeaderAhead { rig.mixdown.pause(false, at: 0) }
    }
    #expect(rig.gaps.map(\.cause) == (isLeaderAhead ? [.paused] : []))
    let (position, length) = (rig.gaps.first?.position ?? 48_000, rig.gaps.first?.length ?? 0)
    #expect(abs(position - 48_000) <= 480 && length <= 480)
    try #require(rig.output.count > 90_000)
    let wrong = rig.firstWrongFrame(
      in: 10_000..<position - 200, position + 200..<90_000, tolerance: 0.033,
      pause: (position, length))
    #expect(wrong == nil)
  }

  /// The device's position is unknown when the pause begins.
  ///
  /// The device returns before the pause ends.
  @Test(arguments: [-0.0065, 0.0065])
  func deviceAbsentAtPauseStartIsAlignedAfterPause(distance: Double) throws {
    var rig = try AlignmentRig()
    try rig.run(0..<300, distance: distance, absence: 100..<150) {
      rig, index in
      guard index == 100 else { return }
      rig.notify(.deviceLost, inBlock: index)
      rig.mixdown.pause(true, at: 0)
    } between: { rig, index in
      if index == 200 { rig.mixdown.pause(false, at: 0) }
      if index == 150 { rig.notify(.deviceReturned, inBlock: index) }
    }
    let pause = try #require(rig.gaps.first { $0.cause == .paused })
    #expect(pause.position == 48_000 && abs(pause.length - 48_000) <= 480)
    try #require(rig.output.count > 90_000)
    let wrong = rig.firstWrongFrame(
      in: 10_000..<47_000, 49_000..<90_000, tolerance: 0.033,
      pause: (pause.position, pause.length))
    #expect(wrong == nil)
  }

  @Test func aDeviceThatNeverDeliversIsSoonNotWaitedFor() throws {
    var rig = try AlignmentRig()
    try rig.run(0..<21, leader: 0.25, absence: 0..<21)
    #expect(rig.output.isEmpty, "The mix waits.")
    try rig.run(21..<100, leader: 0.25, absence: 0..<100)
    #expect(rig.output == constant(0.25, 48_000))
    #expect(rig.gaps.isEmpty, "A device that never started causes no gap.")
    let levels = rig.mixdown.takeTrackLevels()
    #expect(levels.map(\.isDeviceLost) == [false, true])
  }

  @Test func aDeviceThatFallsSilentUnannouncedDoesNotStallTheMix() throws {
    var rig = try AlignmentRig()
    try rig.run(0..<300, absence: 100..<300)
    #expect(rig.output.count == 144_000)
    rig.mixdown.end(at: nil)
    try rig.mix()
    rig.mixdown.closeGaps()
    rig.events += rig.mixdown.takeEvents()
    let gap = try #require(rig.gaps.first)
    #expect(rig.gaps.count == 1 && gap.cause == .unexplained && gap.track == "other")
    #expect(abs(gap.position - 48_000) < 500 && gap.position + gap.length == 144_000)
  }

  /// An update accounts for at most a second of audio.
  ///
  /// The loop's time constant is 100 s here.
  @Test(arguments: [(0.5, 0.5), (1, 1), (2, 1), (3600, 1)])
  func longAbsenceCausesSmallRateCorrection(seconds: Double, counted: Double) {
    var alignment = TrackAlignment()
    for _ in 0..<1000 { alignment.correct(0, after: 1) }
    alignment.correct(0.0001, after: seconds)
    #expect(abs(alignment.partsPerMillion - 1.6 - 0.01 * counted) < 1e-6)
  }

  /// The loop corrects an error in its time constant, which grows with a quarter of its age from 2 s
  /// to 100 s.
  @Test(arguments: [(20.0, 7.0), (40, 12), (200, 52), (400, 100), (1000, 100)])
  func theLoopBecomesSlower(age: Double, timeConstant: Double) {
    var alignment = TrackAlignment()
    for _ in 1..<Int(age) { alignment.correct(0, after: 1) }
    alignment.correct(0.0001, after: 1)
    let omega = 1 / timeConstant
    // The proportional part, 2 · 0.8 · ω · e, and the integral part, ω² · e · t.
    let exact = 1.6 * omega * 100 + omega * omega * 100
    #expect(abs(alignment.partsPerMillion - exact) < 1e-6)
    alignment.correct(0, after: 1)
    #expect(abs(alignment.partsPerMillion - omega * omega * 100) < 1e-6)
  }

  @Test func theLoopChangesTheRatioSmoothly() {
    var alignment = TrackAlignment()
    var last = 0.0
    for index in 0..<1000 {
      // An error of one millisecond with alternating sign.
      alignment.correct(index % 2 == 0 ? 0.001 : -0.001, after: 0.01)
      #expect(abs(alignment.partsPerMillion - last) <= 3.000_001)
      last = alignment.partsPerMillion
    }
    for _ in 0..<100_000 { alignment.correct(1, after: 0.01) }
    #expect(alignment.partsPerMillion == 1000, "The correction stays in the resampler's range.")
    for _ in 0..<100 { alignment.correct(-1, after: 1) }
    #expect(alignment.partsPerMillion == -1000)
  }
}
