import AacornDevices
import AacornRecording
import AacornSystem
import SoundRigs
import Testing

/// Effects of a complete recording that change while it runs.
@Suite struct MixEffectTests {
  /// A running recording with effects, its device, and its output up to now.
  private final class Run {
    let device = HandFedSource()
    let session: RecordingSession
    private let log: Lock<(samples: [Float], events: [RecorderEvent])>

    init(_ effects: String) throws {
      var configuration = RecordingConfiguration(
        sampleRate: 48_000, channelCount: 2, coding: .float32)
      if !effects.isEmpty { configuration.effects = try EffectDescription.parse(effects) }
      let log = Lock<(samples: [Float], events: [RecorderEvent])>(([], []))
      self.log = log
      session = RecordingSession(configuration) { event in
        log.withLock { $0.events.append(event) }
      } packets: { packet in
        log.withLock { $0.samples += packet.float32 }
      }
      try session.start(device, outputs: [])
    }

    deinit { session.stop() }

    var samples: [Float] { log.withLock(\.samples) }

    private func count(_ event: RecorderEvent) -> Int {
      log.withLock { $0.events.count { $0 == event } }
    }

    /// Waits until the session has applied all earlier commands: it applies them before it reports
    /// a pause.
    func settle() {
      for isPaused in [true, false] {
        let before = count(.paused(isPaused))
        session.setPaused(isPaused)
        #expect(eventually { count(.paused(isPaused)) > before }, "The session pauses.")
      }
    }

    /// Delivers frames from the device, and waits until the session has consumed them.
    func deliver(_ frameCount: Int) {
      #expect(device.deliver(frameCount))
      let before = count(.resumed)
      device.mark()
      #expect(eventually { count(.resumed) > before }, "The session consumes the frames.")
    }

    func change(to effects: String) throws {
      try session.setEffects(effects.isEmpty ? [] : EffectDescription.parse(effects))
      settle()
    }

    /// Stops the recording.
    ///
    /// It contains all frames that were delivered before.
    func stop() throws -> RecordingSummary {
      session.stop()
      return try finalSummary(of: session)
    }
  }

  /// Returns the first frame in a range that differs from the counter times `factor`, or nil.
  private func firstWrongFrame(
    _ samples: [Float], in frames: Range<Int>, times factor: Float
  ) -> Int? {
    frames.first { frame in
      (0..<2).contains { channel in
        let value = CounterSignal.value(frame: frame, channel: channel) * factor
        return abs(samples[2 * frame + channel] - value) > 1e-6
      }
    }
  }

  @Test func othersTakeOverAndNoFrameIsLostDoubledOrMoved() throws {
    let run = try Run("gain -20")
    run.deliver(4801)
    try run.change(to: "gain -20, limiter -1, limiter -2")
    run.deliver(5000)
    try run.change(to: "gain -20")
    run.deliver(333)
    try run.change(to: "gain -20, limiter -3")
    run.deliver(1000)
    let summary = try run.stop()
    #expect(summary.sampleCount == 11_134 && summary.ledger.gaps.isEmpty)
    let samples = run.samples
    try #require(samples.count == 2 * 11_134)
    #expect(firstWrongFrame(samples, in: 0..<11_134, times: 0.1) == nil)
  }

  @Test func aRecordingWithoutEffectsGetsSomeAndLosesThem() throws {
    let run = try Run("")
    run.deliver(1000)
    try run.change(to: "gain -20")
    run.deliver(2000)
    try run.change(to: "gain -40")
    run.deliver(2000)
    try run.change(to: "")
    run.deliver(2000)
    #expect(try run.stop().sampleCount == 7000)
    let samples = run.samples
    try #require(samples.count == 14_000)
    // Each change is complete after 10 ms.
    #expect(firstWrongFrame(samples, in: 0..<1000, times: 1) == nil)
    #expect(firstWrongFrame(samples, in: 1480..<3000, times: 0.1) == nil)
    #expect(firstWrongFrame(samples, in: 3480..<5000, times: 0.01) == nil)
    #expect(firstWrongFrame(samples, in: 5480..<7000, times: 1) == nil)
  }

  @Test func bypassOfMixEffectsSurvivesChanges() throws {
    let run = try Run("gain -20")
    run.deliver(1000)
    run.session.setBypassed(true)
    run.settle()
    run.deliver(1000)
    try run.change(to: "limiter -20, gain -40")
    run.deliver(2000)
    run.session.setBypassed(false)
    try run.change(to: "gain -40")
    run.deliver(2000)
    run.session.setBypassed(true, effect: 0)
    run.session.setBypassed(true, effect: 7)
    run.settle()
    run.deliver(1000)
    #expect(try run.stop().sampleCount == 7000)
    let samples = run.samples
    try #require(samples.count == 14_000)
    #expect(firstWrongFrame(samples, in: 0..<1000, times: 0.1) == nil)
    // The replacing chain is inaudible during the bypass. Because of the limiter's delay, the end of
    // the bypass affects the output only after frame 3700.
    #expect(firstWrongFrame(samples, in: 1480..<3700, times: 1) == nil)
    #expect(firstWrongFrame(samples, in: 4480..<6000, times: 0.01) == nil)
    #expect(firstWrongFrame(samples, in: 6480..<7000, times: 1) == nil)
  }

  @Test func invalidMixEffectsThrowAndChangeNothing() throws {
    let run = try Run("gain -20")
    run.deliver(1000)
    let many = [EffectDescription](repeating: EffectDescription(.gain), count: 33)
    let tooMany = #expect(throws: EffectError.self) { try run.session.setEffects(many) }
    #expect(tooMany?.message == "A chain can have at most 32 effects. Remove some of them.")
    let absent = try EffectDescription.parse("ladspa no-such-plugin:none")
    let missing = #expect(throws: EffectError.self) { try run.session.setEffects(absent) }
    #expect(missing?.problem.isEmpty == false)
    run.settle()
    run.deliver(1000)
    #expect(try run.stop().sampleCount == 2000)
    let samples = run.samples
    try #require(samples.count == 4000)
    #expect(firstWrongFrame(samples, in: 0..<2000, times: 0.1) == nil)
  }

  @Test func aRecorderPassesItOn() async throws {
    let device = HandFedSource()
    let recorder = Recorder(
      from: device, to: [],
      RecordingConfiguration(sampleRate: 48_000, channelCount: 2, coding: .float32))
    // The effects can be changed before the first sample.
    try await recorder.setEffects(EffectDescription.parse("gain -20, gain -20"))
    await recorder.setBypassed(true, effect: 1)
    await #expect(throws: EffectError.self) {
      try await recorder.setEffects(EffectDescription.parse("ladspa no-such-plugin:none"))
    }
    try await recorder.start()
    #expect(device.deliver(2000))
    let summary = await recorder.stop()
    #expect(summary.sampleCount == 2000)
    var samples: [Float] = []
    for await packet in recorder.packets { samples += packet.float32 }
    try #require(samples.count == 4000)
    #expect(firstWrongFrame(samples, in: 480..<2000, times: 0.1) == nil)
  }
}

extension EncodedPacket {
  /// The samples of a packet in single precision.
  fileprivate var float32: [Float] {
    stride(from: 0, to: bytes.count - 3, by: 4).map { index in
      let bits = (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[index + $1]) << UInt32(8 * $1) }
      return Float(bitPattern: bits)
    }
  }
}
