import AacornDevices
import AacornSignal
import Testing

@testable import AacornRecording

@Suite("Monitored audio") struct MonitorStageTests {
  /// Blocks of 5 ms arrive, and a device with a drifting clock pulls 64 frames (4 ms) at a time.
  @Test(arguments: [-200.0, 0, 200]) func monitorBuffersLittleAndLosesNothing(parts: Double) throws
  {
    let rate = 16_000
    let target = HandPulledTarget(sampleRate: rate, channelCount: 1)
    let feed = PlaybackFeed(target.format, frameCapacity: rate / 4)
    try target.start(feed)
    var stage = MonitorStage(feed)
    let ramp = (0..<80).map { _ in Float(0.25) }
    var due = 0.0
    var (later, most) = (0, 0)
    for block in 0..<4000 {
      let form = CaptureBlock(frameCount: 80, channelCount: 1, sampleRate: rate, time: 0)
      let hasFeedback = stage.play(form, ramp, volume: 1)
      #expect(!hasFeedback)
      if block > 1000 { most = max(most, feed.waitingFrameCount) }
      due += 80 * (1 + parts * 1e-6)
      while due >= 64 {
        due -= 64
        let samples = target.pull(64)
        // No gap is audible once the buffer level is stable.
        if block > 1000, samples.contains(where: { abs($0 - 0.25) > 0.01 }) { later += 1 }
      }
    }
    #expect(later == 0)
    // At most a block, a pull of the device and a margin of 10 ms wait at the same time.
    #expect(most < 80 + 64 + rate / 100)
  }

  @Test func tooMuchIsLeftOut() throws {
    let target = HandPulledTarget(channelCount: 1)
    let feed = PlaybackFeed(target.format, frameCapacity: 12_000)
    try target.start(feed)
    var stage = MonitorStage(feed)
    let block = CaptureBlock(frameCount: 240, channelCount: 1, sampleRate: 48_000, time: 0)
    let samples = [Float](repeating: 0, count: 240)
    // The device pulls nothing for 0.2 s. Then it pulls the frames of one block at a time.
    for _ in 0..<40 { _ = stage.play(block, samples, volume: 1) }
    for _ in 0..<200 {
      _ = target.pull(240)
      _ = stage.play(block, samples, volume: 1)
    }
    #expect(stage.skipCount >= 1)
    #expect(feed.waitingFrameCount < 48 * 20)
  }

  @Test func lateServerSkipsQueuedFramesDespiteUnderruns() {
    var pace = MonitorPace(sampleRate: 48_000)
    var steps: [MonitorPace.Step] = []
    // The buffer always holds 0.1 s, and the server reports an underrun for every block.
    for block in 1...50 {
      steps.append(pace.step(waiting: 4800, writing: 240, underrunCount: block))
    }
    #expect(steps.dropLast().allSatisfy { $0 == .proceed })
    guard case .skip(let frameCount) = steps[49] else {
      Issue.record("The pace skips nothing: \(steps[49]).")
      return
    }
    #expect((4600...4800).contains(frameCount))
  }

  @Test func moreWaitsOnceTheDeviceHasFoundNothing() {
    var pace = MonitorPace(sampleRate: 48_000)
    let least = pace.margin
    var last = MonitorPace.Step.proceed
    for block in 0..<50 {
      last = pace.step(waiting: block % 2 * 240, writing: 240, underrunCount: 1)
    }
    #expect(last == .proceed && pace.margin > least)
  }

  /// The channels of the device for channels with the values 0.1, 0.2, …, with the order of their
  /// loudspeakers if it is known.
  static let mixes: [(layout: [SpeakerPosition], channels: Int, device: [Float])] = [
    ([], 1, [0.1, 0.1]), ([], 2, [0.15]), ([], 2, [0.1, 0.2]), ([], 2, [0.1, 0.2, 0.2, 0.2]),
    ([.frontRight, .frontLeft], 2, [0.2, 0.1]),
    ([.frontCenter, .frontLeft, .frontRight], 3, [0.2, 0.3, 0.1]),
    ([.frontCenter, .frontLeft, .frontRight], 3, [0.1, 0.2, 0.3, 0.3]),
    ([.frontCenter, .frontLeft, .frontRight], 3, [0.2 + 0.0707, 0.3 + 0.0707]),
    ([], 6, [0.1 + 0.2121 + 0.3536, 0.2 + 0.2121 + 0.4243]), ([], 9, [0.1, 0.2]),
    ([], 9, [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]),
  ]

  @Test(arguments: mixes)
  func sourceIsPlayedOnAnyLoudspeakers(
    layout: [SpeakerPosition], channels: Int, device: [Float]
  ) throws {
    let target = HandPulledTarget(channelCount: device.count)
    let feed = PlaybackFeed(target.format, frameCapacity: 12_000)
    try target.start(feed)
    var stage = MonitorStage(feed)
    stage.isGuarded = false
    let block = CaptureBlock(
      frameCount: 480, channelCount: channels, sampleRate: 48_000, time: 0,
      layout: ChannelLayout(layout))
    let frame = (1...channels).map { 0.1 * Float($0) }
    for _ in 0..<4 {
      _ = stage.play(block, (0..<480).flatMap { _ in frame }, volume: 0.5)
    }
    let played = target.pull(1600).suffix(device.count)
    #expect(zip(played, device).allSatisfy { abs($0 - $1 / 2) < 1e-3 }, "\(played)")
  }

  @Test func samplesEndARestAndAnEmptyBlockDoesNot() throws {
    let feed = PlaybackFeed(HandPulledTarget(channelCount: 1).format, frameCapacity: 12_000)
    var stage = MonitorStage(feed)
    for (frameCount, isPaused) in [(240, false), (0, true), (240, false)] {
      let block = CaptureBlock(
        frameCount: frameCount, channelCount: 1, sampleRate: 48_000, time: 0)
      _ = stage.play(block, constant(0, frameCount), volume: 1)
      #expect(feed.isWritingPaused == isPaused)
      stage.interrupt()
      #expect(feed.isWritingPaused)
    }
  }

  /// A change of the volume is spread over a block.
  @Test func volumeChangesGradually() throws {
    let target = HandPulledTarget(channelCount: 1)
    let feed = PlaybackFeed(target.format, frameCapacity: 12_000)
    try target.start(feed)
    var stage = MonitorStage(feed)
    stage.isGuarded = false
    let block = CaptureBlock(frameCount: 480, channelCount: 1, sampleRate: 48_000, time: 0)
    for volume in [1, 1, 0.5, 0.5] as [Float] {
      _ = stage.play(block, constant(0.8, 480), volume: volume)
    }
    let samples = target.pull(1800).dropFirst(480)
    let steps = zip(samples, samples.dropFirst()).map { $0 - $1 }.filter { abs($0) > 1e-4 }
    #expect(steps.count == 480 && steps.allSatisfy { abs($0 - 0.4 / 480) < 1e-4 })
  }
}

@Suite struct MonitorPaceTests {
  @Test func limitsAreExact() {
    var pace = MonitorPace(sampleRate: 48_000)
    #expect(pace.margin == 72)
    // A decision every quarter of a second.
    #expect(pace.step(waiting: 120, writing: 11_999, underrunCount: 0) == .proceed)
    // An excess of a millisecond is corrected in two seconds.
    let parts = -0.0005 * 1e6
    #expect(
      pace.step(waiting: 121, writing: 1, underrunCount: 0) == .stretch(partsPerMillion: parts))
    #expect(pace.meanWaiting == 120.5)
    // More than 12 ms are skipped.
    #expect(
      pace.step(waiting: 72 + 576, writing: 12_000, underrunCount: 0)
        == .stretch(partsPerMillion: -1000))
    #expect(
      pace.step(waiting: 72 + 577, writing: 12_000, underrunCount: 0) == .skip(frameCount: 577))
    // Underruns increase the margin to at most 20 ms.
    #expect(pace.step(waiting: 0, writing: 12_000, underrunCount: 1) == .proceed)
    #expect(pace.margin == 72 * 1.5 + 16)
    for count in 2..<20 { _ = pace.step(waiting: 0, writing: 12_000, underrunCount: count) }
    #expect(pace.margin == 960)
    #expect(
      pace.step(waiting: 0, writing: 12_000, underrunCount: 19)
        == .stretch(partsPerMillion: 1000))
    #expect(pace.margin == 960 * 0.98)
    pace.begin(underrunCount: 25)
    _ = pace.step(waiting: 0, writing: 12_000, underrunCount: 25)
    #expect(pace.margin == 960 * 0.98 * 0.98)
  }
}
