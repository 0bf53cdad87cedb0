import AacornDevices
import AacornRecording
import AacornSystem
import Simulation
import SoundRigs
import Testing

/// A recording that is controlled while it runs.
@Suite(.simulated(seeds: 4, with: .all)) struct ControlTests {
  /// A running recording, its device, and its output up to now.
  private final class Run {
    let device: HandFedSource
    let session: RecordingSession
    private let log: Lock<(samples: [Int16], events: [RecorderEvent])>

    init(
      _ change: (inout RecordingConfiguration) -> Void = { _ in },
      device: HandFedSource = HandFedSource()
    ) throws {
      var configuration = RecordingConfiguration(
        sampleRate: 48_000, channelCount: 2, coding: .int16)
      change(&configuration)
      let log = Lock<(samples: [Int16], events: [RecorderEvent])>(([], []))
      (self.log, self.device) = (log, device)
      session = RecordingSession(configuration) { event in
        log.withLock { $0.events.append(event) }
      } packets: { packet in
        log.withLock { $0.samples += packet.int16 }
      }
      try session.start(device, outputs: [])
    }

    deinit { session.stop() }

    var events: [RecorderEvent] { log.withLock(\.events) }
    var samples: [Int16] { log.withLock(\.samples) }

    var gaps: [RecordingGap] {
      events.compactMap { event in
        if case .gap(let gap) = event { gap } else { nil }
      }
    }

    func count(_ event: RecorderEvent) -> Int { events.count { $0 == event } }

    /// Waits for an event.
    ///
    /// The session applies a command before it reports the event.
    func wait(
      for event: RecorderEvent, sourceLocation: SourceLocation = #_sourceLocation
    ) {
      #expect(
        eventually { count(event) > 0 }, "Expected \(event).", sourceLocation: sourceLocation)
    }

    /// Delivers frames from a device, and waits until the session has consumed them.
    func deliver(
      _ frameCount: Int, from device: HandFedSource? = nil,
      sourceLocation: SourceLocation = #_sourceLocation
    ) {
      let device = device ?? self.device
      #expect(device.deliver(frameCount), sourceLocation: sourceLocation)
      let before = count(.resumed)
      device.mark()
      #expect(
        eventually { count(.resumed) > before }, "The session consumes the frames.",
        sourceLocation: sourceLocation)
    }

    /// Stops the recording.
    ///
    /// It contains all frames that were delivered before.
    func stop() throws -> RecordingSummary {
      session.stop()
      return try finalSummary(of: session)
    }
  }

  @Test(arguments: [1, 479, 480, 1024, 9601])
  func stopKeepsSamplesCapturedBefore(frameCount: Int) throws {
    let run = try Run()
    run.device.deliver(frameCount)
    let summary = try run.stop()
    #expect(summary.sampleCount == frameCount)
    #expect(run.samples.count == 2 * frameCount)
    #expect(firstWrongFrame(run.samples, gaps: []) == nil)
  }

  @Test func aRealDeviceThatIsStoppedAtOnceKeepsWhatCame() throws {
    let source = SyntheticSource(
      CaptureDevice(backend: .synthetic, id: "test", name: "Test"),
      playing: CounterSignal(sampleRate: 48_000, channelCount: 2))
    let samples = Lock<[Int16]>([])
    let session = RecordingSession(
      RecordingConfiguration(sampleRate: 48_000, channelCount: 2, coding: .int16),
      packets: { packet in samples.withLock { $0 += packet.int16 } })
    try session.start(source, outputs: [])
    #expect(eventually { session.takeStatus().sampleCount > 0 }, "The session records a sample.")
    session.stop()
    let summary = try finalSummary(of: session)
    let recorded = samples.withLock { $0 }
    #expect(recorded.count == 2 * summary.sampleCount && !recorded.isEmpty)
    #expect(firstWrongFrame(recorded, gaps: summary.ledger.gaps) == nil)
  }

  @Test func pausedAudioIsSkippedAndListedAsGap() throws {
    let run = try Run()
    run.deliver(9600)
    run.session.setPaused(true)
    run.wait(for: .paused(true))
    run.deliver(14_401)
    #expect(run.session.takeStatus().isPaused)
    run.session.setPaused(false)
    run.wait(for: .paused(false))
    run.deliver(7200)
    let summary = try run.stop()
    #expect(run.gaps.map(\.cause) == [.paused])
    #expect(run.gaps.map(\.position) == [9600] && run.gaps.map(\.length) == [14_401])
    #expect(summary.pausedSampleCount == 14_401 && summary.sampleCount == 16_800)
    // Before the pause, the values of the counter match the positions. After it, they are ahead by
    // exactly the duration of the pause.
    let samples = run.samples
    try #require(samples.count == 2 * 16_800)
    #expect(firstWrongFrame(Array(samples[..<19_200]), gaps: []) == nil)
    #expect(firstWrongFrame(Array(samples[19_200...]), gaps: [], from: 9600 + 14_401) == nil)
  }

  @Test func aRecordingThatEndsInAPauseNotesIt() throws {
    let run = try Run()
    run.deliver(4800)
    run.session.setPaused(true)
    run.wait(for: .paused(true))
    run.deliver(2400)
    let summary = try run.stop()
    #expect(summary.sampleCount == 4800 && summary.pausedSampleCount == 2400)
    #expect(firstWrongFrame(run.samples, gaps: []) == nil)
  }

  @Test func mutedAudioIsSilentAndKeepsTime() throws {
    let run = try Run { $0.isMuted = true }
    run.deliver(9600)
    run.session.setMuted(false)
    run.wait(for: .muted(false))
    run.deliver(9600)
    run.session.setMuted(true)
    run.wait(for: .muted(true))
    run.deliver(4800)
    #expect(try run.stop().sampleCount == 24_000)
    let samples = run.samples
    try #require(samples.count == 2 * 24_000)
    #expect(samples[..<19_200].allSatisfy { $0 == 0 })
    // After a ramp of one block, the counter continues as if it had never been muted.
    let unmuted = Array(samples[2 * 10_080..<2 * 19_200])
    #expect(firstWrongFrame(unmuted, gaps: [], from: 10_080) == nil)
    for (frame, share) in [(9600, 1), (9839, 240), (10_078, 479)] {
      let wanted = CounterSignal.value(frame: frame, channel: 0) * 32_768 * Float(share) / 480
      #expect(abs(Float(samples[2 * frame]) - wanted) <= 1)
    }
    #expect(samples[2 * 19_680..<48_000].allSatisfy { $0 == 0 })
    #expect(samples[2 * 19_200..<2 * 19_680].contains { $0 != 0 })
  }

  @Test func aGainIsThatOfEverySampleAfterIt() throws {
    let run = try Run()
    run.deliver(4800)
    run.session.setGain(0.5)
    for gain in [Float.nan, .infinity, -.infinity] { run.session.setGain(gain) }
    // The session reports no event for a gain. It applies earlier commands before it reports a
    // pause, so waiting for a pause is enough.
    run.session.setPaused(true)
    run.wait(for: .paused(true))
    run.session.setPaused(false)
    run.wait(for: .paused(false))
    // The gain changes gradually during the next block, to avoid a click.
    run.deliver(480)
    run.deliver(4800)
    _ = try run.stop()
    let samples = run.samples
    try #require(samples.count == 2 * 10_080)
    #expect(firstWrongFrame(Array(samples[..<9600]), gaps: []) == nil)
    for frame in 5280..<10_080 {
      let wanted = CounterSignal.value(frame: frame, channel: 1) * 16_384
      #expect(abs(Float(samples[2 * frame + 1]) - wanted) <= 1, "frame \(frame)")
    }
  }

  /// Both devices capture the same audio.
  ///
  /// The recording must contain every frame once and at its time, whether the new device starts
  /// before the old one ends, exactly then, or later.
  @Test(arguments: [-9600, -4801, -480, -1, 0, 4800, 9601], [478, 977, 1920])
  func anotherSourceTakesOverWithoutALostOrRepeatedMoment(distance: Int, rest: Int) throws {
    let run = try Run()
    run.deliver(14_400)
    // The session has not yet consumed these frames when the source changes.
    run.device.deliver(rest)
    let end = run.device.nextFrame
    let other = HandFedSource("other", firstFrame: end + distance)
    run.session.switchSource(to: other)
    run.wait(for: .deviceChanged(other.device))
    #expect(!run.device.deliver(480), "The session stops the old device.")
    run.deliver(19_200 - distance, from: other)
    let summary = try run.stop()
    #expect(summary.failure == nil)
    let samples = run.samples
    #expect(samples.count == 2 * (end + 19_200))
    #expect(firstWrongFrame(samples, gaps: run.gaps) == nil)
    #expect(run.gaps.map(\.length) == (distance > 0 ? [distance] : []))
    #expect(run.gaps.allSatisfy { $0.position == end && $0.cause == .deviceLost })
    let changes = run.events.filter { event in
      if case .deviceChanged = event { true } else { false }
    }
    #expect(changes == [.deviceChanged(other.device)])
    #expect(run.session.takeStatus().device?.id == "other")
  }

  @Test func aSourceThatCannotBeUsedDoesNotReplaceTheOldOne() throws {
    let run = try Run()
    run.deliver(4800)
    run.session.switchSource(to: BrokenSource(followsClock: false))
    run.wait(for: .sourceRefused(.noDevice(backend: .alsa)))
    run.deliver(4800)
    // A source with another clock cannot be placed on the recording's timeline.
    let other = HandFedSource("other", firstFrame: 9600, origin: 0)
    run.session.switchSource(to: other)
    let reason = "its clock differs from that of the previous device"
    run.wait(for: .sourceRefused(.unsupportedFormat(id: "other", reason: reason)))
    #expect(!other.deliver(480))
    run.deliver(4800)
    let summary = try run.stop()
    #expect(summary.failure == nil && summary.sampleCount == 14_400)
    #expect(run.gaps.isEmpty)
    #expect(firstWrongFrame(run.samples, gaps: []) == nil)
  }
}
