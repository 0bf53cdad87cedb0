import AacornDevices
import AacornRecording
import Simulation
import SoundRigs
import Testing

@Suite(.simulated(seeds: 4, with: .all)) struct ControlTests {
  private func start(
    _ change: (inout RecordingConfiguration) -> Void = { _ in }
  ) throws -> FedRecording {
    try FedRecording(.stereo(.int16, change))
  }

  @Test(arguments: [1, 479, 480, 1024, 9601])
  func stopKeepsSamplesCapturedBefore(frameCount: Int) throws {
    let run = try start()
    run.device.deliver(frameCount)
    let summary = try run.stop()
    #expect(summary.sampleCount == frameCount)
    #expect(run.log.int16.count == 2 * frameCount)
    #expect(firstWrongFrame(run.log.int16, gaps: []) == nil)
  }

  @Test func aRealDeviceThatIsStoppedAtOnceKeepsWhatCame() throws {
    let log = RecordingLog()
    let session = log.session(.stereo(.int16))
    try session.start(SyntheticSource.test(pacing: .realTime), outputs: [])
    #expect(eventually { session.takeStatus().sampleCount > 0 }, "The session records a sample.")
    session.stop()
    let summary = try finalSummary(of: session)
    #expect(log.int16.count == 2 * summary.sampleCount && summary.sampleCount > 0)
    #expect(firstWrongFrame(log.int16, gaps: summary.ledger.gaps) == nil)
  }

  @Test(arguments: [false, true])
  func pausedAudioIsSkippedAndListedAsGap(endsInPause: Bool) throws {
    let run = try start()
    run.deliver(9600)
    run.session.setPaused(true)
    run.wait(for: .paused(true))
    run.deliver(14_401)
    #expect(run.session.takeStatus().isPaused)
    if !endsInPause {
      run.session.setPaused(false)
      run.wait(for: .paused(false))
      run.deliver(7200)
    }
    let summary = try run.stop()
    #expect(run.gaps.map(\.cause) == [.paused])
    #expect(run.gaps.map(\.position) == [9600] && run.gaps.map(\.length) == [14_401])
    #expect(summary.pausedSampleCount == 14_401)
    #expect(summary.sampleCount == (endsInPause ? 9600 : 16_800))
    // Before the pause, the values of the counter match the positions. After it, they are ahead by
    // exactly the duration of the pause.
    let samples = run.log.int16
    try #require(samples.count == 2 * summary.sampleCount)
    #expect(firstWrongFrame(Array(samples[..<19_200]), gaps: []) == nil)
    #expect(firstWrongFrame(Array(samples[19_200...]), gaps: [], from: 9600 + 14_401) == nil)
  }

  @Test func mutedAudioIsSilentAndKeepsTime() throws {
    let run = try start { $0.isMuted = true }
    run.deliver(9600)
    run.session.setMuted(false)
    run.wait(for: .muted(false))
    run.deliver(9600)
    run.session.setMuted(true)
    run.wait(for: .muted(true))
    run.deliver(4800)
    #expect(try run.stop().sampleCount == 24_000)
    let samples = run.log.int16
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
    let run = try start()
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
    #expect(run.gaps.isEmpty, "No frames arrived during the pause.")
    let samples = run.log.int16
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
    let run = try start()
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
    let samples = run.log.int16
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
    let run = try start()
    run.deliver(4800)
    run.session.switchSource(to: FailingSource(.noDevice(for: .capture, backend: .alsa)))
    run.wait(for: .sourceRefused(.noDevice(for: .capture, backend: .alsa)))
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
    #expect(firstWrongFrame(run.log.int16, gaps: []) == nil)
  }
}
