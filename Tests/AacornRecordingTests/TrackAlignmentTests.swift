import AacornDevices
import AacornSignal
import Foundation
import TestSignals
import Testing

@testable import AacornRecording

/// A silent leader and a device that is aligned with it, in time controlled by the test.
struct AlignmentRig {
  let rate: Int
  var mixdown: Mixdown
  /// The mixed samples.
  var output: [Float] = []
  var events: [SourceTrack.TrackEvent] = []

  init(rate: Int, effects: [EffectDescription] = []) throws {
    self.rate = rate
    let configuration = RecordingConfiguration(
      sampleRate: rate, channelCount: 1, coding: .float32)
    var settings = [TrackConfiguration("one"), TrackConfiguration("other")]
    settings[1].effects = effects
    mixdown = Mixdown(
      SourceTrack(configuration, followsClock: true),
      [
        FollowerTrack(
          settings[1], configuration, pace: .clock, effects: try configuration.rack(settings[1]))
      ], settings, configuration)
  }

  private func block(_ count: Int, _ time: Double) -> CaptureBlock {
    CaptureBlock(
      frameCount: count, channelCount: 1, sampleRate: rate,
      time: 1_000_000_000 + Int64((time * 1e9).rounded()))
  }

  /// Accepts the leader's next frames, captured at a time in seconds.
  mutating func lead(_ samples: [Float], at time: Double) {
    mixdown.leader.accept(block(samples.count, time), samples, from: nil)
  }

  /// Accepts a block of the leader.
  mutating func lead(_ block: CaptureBlock, _ samples: [Float]) {
    mixdown.leader.accept(block, samples, from: nil)
  }

  /// Accepts a block of the follower.
  mutating func follow(_ block: CaptureBlock, _ samples: [Float]) {
    mixdown.followers[0].accept(block, samples, at: mixdown.position)
  }

  /// Accepts the follower's next frames, captured at a time in seconds.
  mutating func follow(_ samples: [Float], at time: Double) {
    mixdown.followers[0].accept(block(samples.count, time), samples, at: mixdown.position)
  }

  mutating func notify(_ notice: CaptureEvent, at time: Double) {
    let time = 1_000_000_000 + Int64((time * 1e9).rounded())
    mixdown.followers[0].accept(CaptureBlock(notice, time: time), [], at: mixdown.position)
  }

  /// Mixes all available frames, and appends them to the output.
  mutating func mix() throws {
    var piece: [Float] = []
    while try mixdown.advance() {
      mixdown.take(into: &piece)
      output += piece
      events += mixdown.takeEvents()
    }
    mixdown.take(into: &piece)
    output += piece
    events += mixdown.takeEvents()
  }

  var gaps: [RecordingGap] {
    events.compactMap { item in
      if case .gap(let gap) = item { gap } else { nil }
    }
  }
}

@Suite struct TrackAlignmentTests {
  /// A tone of the second device at a time in seconds of that device.
  private static func tone(_ seconds: Double, hertz: Double = 500) -> Float {
    let phase = 2 * Double.pi * hertz * seconds
    return Float(0.5 * sin(phase))
  }

  private static func tones(from frame: Int, count: Int, rate: Int) -> [Float] {
    (frame..<frame + count).map { tone(Double($0) / Double(rate)) }
  }

  @Test(arguments: [0, 1, 479, 480, 1234, -700])
  func aDeviceIsPlacedToTheSampleByItsTimes(distance: Int) throws {
    var rig = try AlignmentRig(rate: 48_000)
    let silence = [Float](repeating: 0, count: 480)
    for index in 0..<60 {
      rig.lead(silence, at: Double(index * 480) / 48_000)
      rig.follow(
        Self.tones(from: index * 480, count: 480, rate: 48_000),
        at: Double(index * 480 + distance) / 48_000)
      try rig.mix()
    }
    try #require(rig.output.count > 24_000)
    let silent = max(0, distance - 200)
    #expect(rig.output[..<silent].allSatisfy { $0 == 0 })
    // Near the start the resampler assumes silence before the signal.
    let wrong = (max(0, distance + 200)..<24_000).first { frame in
      let exact = Self.tone(Double(frame - distance) / 48_000)
      // Half a sample of misplacement would cause an error of 0.016.
      return abs(rig.output[frame] - exact) >= 0.003
    }
    #expect(wrong == nil)
  }

  @Test func delayingEffectsKeepFollowerAligned() throws {
    var outputs: [[Float]] = []
    for text in ["gain 0", "limiter -1, limiter -2"] {
      var rig = try AlignmentRig(rate: 48_000, effects: try EffectDescription.parse(text))
      let silence = [Float](repeating: 0, count: 480)
      for index in 0..<60 {
        rig.lead(silence, at: Double(index * 480) / 48_000)
        rig.follow(
          Self.tones(from: index * 480, count: 480, rate: 48_000),
          at: Double(index * 480 + 1234) / 48_000)
        try rig.mix()
      }
      #expect(rig.gaps.isEmpty)
      try #require(rig.output.count > 24_000)
      outputs.append(Array(rig.output.prefix(24_000)))
    }
    #expect(outputs[0] == outputs[1] && outputs[0].contains { $0 > 0.4 })
  }

  /// Two sound cards, each with a drift of 200 ppm in its own direction, and timestamps that jitter
  /// by eight samples.
  @Test(arguments: [200.0, -200])
  func aDeviceThatDriftsIsHeldWithinASample(partsPerMillion: Double) throws {
    let (rate, length, hertz) = (16_000, 160, 100.0)
    var rig = try AlignmentRig(rate: rate)
    var dice = SeededNumbers(seed: 11)
    let (leaderSecond, followerSecond) = (1 + partsPerMillion * 1e-6, 1 - partsPerMillion * 1e-6)
    func time(_ frame: Int, _ second: Double) -> Double { Double(frame) / Double(rate) * second }
    let silence = [Float](repeating: 0, count: length)
    let slope = 0.5 * 2 * Double.pi * hertz / Double(rate)
    let bend = slope * 2 * Double.pi * hertz / Double(rate)
    var (leaderFrame, followerFrame, mixedFrame) = (0, 0, 0)
    var (worst, sharpest) = (0.0, 0.0)
    var last: (Float, Float) = (0, 0)
    while time(leaderFrame, leaderSecond) < 600 {
      let jitter = Double.random(in: -0.0005...0.0005, using: &dice)
      rig.lead(silence, at: time(leaderFrame, leaderSecond) + jitter)
      leaderFrame += length
      while 0.1 + time(followerFrame, followerSecond) < time(leaderFrame, leaderSecond) {
        let jitter = Double.random(in: -0.0005...0.0005, using: &dice)
        let samples = (followerFrame..<followerFrame + length).map {
          Self.tone(0.1 + time($0, followerSecond), hertz: hertz)
        }
        rig.follow(samples, at: 0.1 + time(followerFrame, followerSecond) + jitter)
        followerFrame += length
      }
      try rig.mix()
      for sample in rig.output {
        let seconds = time(mixedFrame, leaderSecond)
        if seconds > 120 {
          worst = max(worst, abs(Double(sample - Self.tone(seconds, hertz: hertz))))
        }
        if seconds > 1 {
          sharpest = max(sharpest, abs(Double(sample - 2 * last.0 + last.1)))
        }
        last = (sample, last.0)
        mixedFrame += 1
      }
      rig.output.removeAll(keepingCapacity: true)
    }
    #expect(mixedFrame > 599 * rate)
    #expect(worst < slope, "\(worst / slope) samples of misplacement")
    // A dropped or repeated sample would cause a step as large as the slope.
    #expect(sharpest < 1.1 * bend, "\(sharpest) instead of \(bend)")
    #expect(rig.gaps.isEmpty)
    let found = rig.mixdown.followers[0].track.input.partsPerMillion
    #expect(abs(found + 2 * partsPerMillion) < 5, "\(found)")
  }

  @Test func aDeviceThatWasAwayIsAtItsPlaceAgain() throws {
    var rig = try AlignmentRig(rate: 48_000)
    let silence = [Float](repeating: 0, count: 480)
    for index in 0..<500 {
      let time = Double(index) / 100
      rig.lead(silence, at: time)
      switch index {
      case 100: rig.notify(.deviceLost, at: time)
      case 101..<250: break
      default:
        if index == 250 { rig.notify(.deviceReturned, at: time) }
        rig.follow(Self.tones(from: index * 480, count: 480, rate: 48_000), at: time)
      }
      rig.mixdown.checkStalls(now: 1_000_000_000 + Int64((time + 0.01) * 1e9))
      try rig.mix()
    }
    try #require(rig.output.count > 230_000)
    let wrong = [10_000..<47_000, 121_000..<230_000].joined().first { frame in
      abs(rig.output[frame] - Self.tone(Double(frame) / 48_000)) >= 0.003
    }
    #expect(wrong == nil)
    #expect(rig.output[48_500..<119_500].allSatisfy { $0 == 0 })
    let gap = try #require(rig.gaps.first)
    #expect(rig.gaps.count == 1 && gap.track == "other" && gap.cause == .deviceLost)
    #expect(abs(gap.position - 48_000) < 500 && abs(gap.position + gap.length - 120_000) < 500)
    let events = rig.events.compactMap { item -> RecorderEvent? in
      if case .event(.track("other", let event)) = item { event } else { nil }
    }
    #expect(events.contains(.deviceLost) && events.contains(.deviceReturned(nil)))
  }

  /// The mix of a device that delivers for a second, and then reports an event or delivers nothing.
  private static func output(
    untilNotice notice: CaptureEvent?, _ effects: String
  ) throws -> [Float] {
    var rig = try AlignmentRig(
      rate: 48_000, effects: effects.isEmpty ? [] : try EffectDescription.parse(effects))
    for index in 0..<200 {
      let time = Double(index) / 100
      rig.lead([Float](repeating: 0, count: 480), at: time)
      if index < 100 {
        rig.follow(tones(from: index * 480, count: 480, rate: 48_000), at: time)
      } else if index == 100, let notice {
        rig.notify(notice, at: time)
      }
      rig.mixdown.checkStalls(now: 1_000_000_000 + Int64((time + 0.01) * 1e9))
      try rig.mix()
    }
    return rig.output
  }

  @Test(arguments: [.deviceLost, .suspended, .failed, nil] as [CaptureEvent?])
  func theLastSoundOfADeviceThatIsGoneDoesNotStayInItsEffects(notice: CaptureEvent?) throws {
    let plain = try Self.output(untilNotice: notice, "")
    #expect(plain.count == 96_000)
    // If the device may resume immediately, the resampler holds back a few samples.
    let end = notice == .failed || notice == .deviceLost ? 47_990 : 47_900
    #expect(plain[end - 480..<end].contains { abs($0) > 0.4 })
    #expect(abs(plain[end - 1] - Self.tone(Double(end - 1) / 48_000)) < 0.1)
    #expect(plain[48_100...].allSatisfy { $0 == 0 })
    // A limiter does not change a signal this quiet.
    #expect(try Self.output(untilNotice: notice, "limiter -1, limiter -2") == plain)
  }

  /// A device whose blocks arrive earlier or later than the leader's, by a part of a wave.
  @Test(arguments: [-0.0065, 0.0041, 0.0065])
  func aPauseLeavesOutTheSameTimeOfAllDevices(distance: Double) throws {
    var rig = try AlignmentRig(rate: 48_000)
    for index in 0..<300 {
      let time = Double(index) / 100
      if index == 100 { rig.mixdown.pause(true, at: 0) }
      rig.lead([Float](repeating: 0, count: 480), at: time)
      if index == 200 { rig.mixdown.pause(false, at: 0) }
      let samples = (0..<480).map { Self.tone(time + distance + Double($0) / 48_000) }
      rig.follow(samples, at: time + distance)
      try rig.mix()
    }
    // The pause is the only gap.
    #expect(rig.gaps.map(\.cause) == [.paused])
    let pause = try #require(rig.gaps.first)
    #expect(abs(pause.position - 48_000) <= 480 && abs(pause.length - 48_000) <= 480)
    try #require(rig.output.count > 90_000)
    let before = (10_000..<pause.position - 200).first { frame in
      abs(rig.output[frame] - Self.tone(Double(frame) / 48_000)) >= 0.033
    }
    // A misplacement by one sample would cause an error of 0.033.
    #expect(before == nil)
    // After the pause the samples are where they would be without it.
    let after = (pause.position + 200..<90_000).first { frame in
      abs(rig.output[frame] - Self.tone(Double(frame + pause.length) / 48_000)) >= 0.033
    }
    #expect(after == nil)
  }

  /// The pause ends before the second device, or before both devices, have delivered a frame of the
  /// pause.
  @Test(arguments: [-0.0065, 0.0041, 0.0065], [false, true])
  func shortPauseKeepsTracksAligned(distance: Double, isLeaderAhead: Bool) throws {
    var rig = try AlignmentRig(rate: 48_000)
    for index in 0..<200 {
      let time = Double(index) / 100
      if index == 100 {
        rig.mixdown.pause(true, at: 0)
        if !isLeaderAhead { rig.mixdown.pause(false, at: 0) }
      }
      rig.lead([Float](repeating: 0, count: 480), at: time)
      if index == 100 && isLeaderAhead { rig.mixdown.pause(false, at: 0) }
      let samples = (0..<480).map { Self.tone(time + distance + Double($0) / 48_000) }
      rig.follow(samples, at: time + distance)
      try rig.mix()
    }
    let causes: [RecordingGap.Cause] = isLeaderAhead ? [.paused] : []
    #expect(rig.gaps.map(\.cause) == causes)
    let (position, length) = (rig.gaps.first?.position ?? 48_000, rig.gaps.first?.length ?? 0)
    #expect(abs(position - 48_000) <= 480 && length <= 480)
    try #require(rig.output.count > 90_000)
    let wrong = [10_000..<position - 200, position + 200..<90_000].joined().first { frame in
      let left = frame < position ? 0 : length
      return abs(rig.output[frame] - Self.tone(Double(frame + left) / 48_000)) >= 0.033
    }
    #expect(wrong == nil)
  }

  /// The device's position is unknown when the pause begins.
  ///
  /// The device returns before the pause ends.
  @Test(arguments: [-0.0065, 0.0065])
  func deviceAbsentAtPauseStartIsAlignedAfterPause(distance: Double) throws {
    var rig = try AlignmentRig(rate: 48_000)
    for index in 0..<300 {
      let time = Double(index) / 100
      if index == 100 {
        rig.notify(.deviceLost, at: time)
        rig.mixdown.pause(true, at: 0)
      }
      rig.lead([Float](repeating: 0, count: 480), at: time)
      if index == 200 { rig.mixdown.pause(false, at: 0) }
      if index == 150 { rig.notify(.deviceReturned, at: time) }
      if index < 100 || index >= 150 {
        let samples = (0..<480).map { Self.tone(time + distance + Double($0) / 48_000) }
        rig.follow(samples, at: time + distance)
      }
      try rig.mix()
    }
    let pause = try #require(rig.gaps.first { $0.cause == .paused })
    #expect(pause.position == 48_000 && abs(pause.length - 48_000) <= 480)
    try #require(rig.output.count > 90_000)
    let wrong = [10_000..<47_000, 49_000..<90_000].joined().first { frame in
      let left = frame < pause.position ? 0 : pause.length
      return abs(rig.output[frame] - Self.tone(Double(frame + left) / 48_000)) >= 0.033
    }
    #expect(wrong == nil)
  }

  @Test func aDeviceThatNeverDeliversIsSoonNotWaitedFor() throws {
    var rig = try AlignmentRig(rate: 48_000)
    let samples = [Float](repeating: 0.25, count: 480)
    for index in 0..<100 {
      rig.lead(samples, at: Double(index) / 100)
      try rig.mix()
      if index == 20 { #expect(rig.output.isEmpty, "The mix waits.") }
    }
    #expect(rig.output == [Float](repeating: 0.25, count: 48_000))
    #expect(rig.gaps.isEmpty, "A device that never started causes no gap.")
    let levels = rig.mixdown.takeTrackLevels()
    #expect(levels.map(\.isDeviceLost) == [false, true])
  }

  @Test func aDeviceThatFallsSilentUnannouncedDoesNotStallTheMix() throws {
    var rig = try AlignmentRig(rate: 48_000)
    for index in 0..<300 {
      let time = Double(index) / 100
      rig.lead([Float](repeating: 0, count: 480), at: time)
      if index < 100 {
        rig.follow(Self.tones(from: index * 480, count: 480, rate: 48_000), at: time)
      }
      try rig.mix()
    }
    #expect(rig.output.count == 144_000)
    rig.mixdown.end(at: nil)
    try rig.mix()
    rig.mixdown.closeGaps()
    rig.events += rig.mixdown.takeEvents()
    let gap = try #require(rig.gaps.first)
    #expect(rig.gaps.count == 1 && gap.cause == .unexplained && gap.track == "other")
    #expect(abs(gap.position - 48_000) < 500 && gap.position + gap.length == 144_000)
  }

  @Test func longAbsenceCausesSmallRateCorrection() {
    var alignment = TrackAlignment()
    for _ in 0..<200_000 { alignment.correct(0, after: 0.01) }
    alignment.correct(0.002, after: 3600)
    // The loop's time constant is 100 s here, so 20 ppm correspond to 2 ms.
    #expect(alignment.partsPerMillion > 20 && alignment.partsPerMillion < 50)
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
  }
}
