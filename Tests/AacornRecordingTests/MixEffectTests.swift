import AacornDevices
import AacornRecording
import Testing

@Suite struct MixEffectTests {
  private func start(_ effects: String) throws -> FedRecording {
    var configuration = RecordingConfiguration.stereo(.float32)
    if !effects.isEmpty { configuration.effects = try EffectDescription.parse(effects) }
    return try FedRecording(configuration)
  }

  private func change(_ run: FedRecording, to effects: String) throws {
    try run.session.setEffects(effects.isEmpty ? [] : EffectDescription.parse(effects))
    run.settle()
  }

  private func samples(of run: FedRecording, count: Int) throws -> [Float] {
    let summary = try run.stop()
    #expect(summary.sampleCount == count && summary.ledger.gaps.isEmpty)
    let samples = run.log.packets.flatMap(\.float32)
    try #require(samples.count == 2 * count)
    return samples
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

  @Test func aRecordingWithoutEffectsGetsSomeAndLosesThem() throws {
    let run = try start("")
    run.deliver(1000)
    try change(run, to: "gain -20")
    run.deliver(2000)
    // The limiters only delay the audio.
    try change(run, to: "gain -20, limiter -1, limiter -2")
    run.deliver(5000)
    try change(run, to: "gain -40, limiter -3")
    run.deliver(2000)
    try change(run, to: "")
    run.deliver(2000)
    let samples = try samples(of: run, count: 12_000)
    #expect(firstWrongFrame(samples, in: 0..<1000, times: 1) == nil)
    // Each change begins at its frame, in spite of the limiters' delay, and is complete after 10 ms.
    #expect(firstWrongFrame(samples, in: 1480..<8000, times: 0.1) == nil)
    #expect(firstWrongFrame(samples, in: 8480..<10_000, times: 0.01) == nil)
    #expect(firstWrongFrame(samples, in: 10_480..<12_000, times: 1) == nil)
  }

  @Test func bypassOfMixEffectsSurvivesChanges() throws {
    let run = try start("gain -20")
    run.deliver(1000)
    run.session.setBypassed(true)
    run.settle()
    run.deliver(1000)
    try change(run, to: "limiter -20, gain -40")
    run.deliver(2000)
    run.session.setBypassed(false)
    try change(run, to: "gain -40")
    run.deliver(2000)
    run.session.setBypassed(true, effect: 0)
    run.session.setBypassed(true, effect: 7)
    run.settle()
    run.deliver(1000)
    let samples = try samples(of: run, count: 7000)
    #expect(firstWrongFrame(samples, in: 0..<1000, times: 0.1) == nil)
    // The replacing chain is inaudible during the bypass. Because of the limiter's delay, the end of
    // the bypass affects the output only after frame 3700.
    #expect(firstWrongFrame(samples, in: 1480..<3700, times: 1) == nil)
    #expect(firstWrongFrame(samples, in: 4480..<6000, times: 0.01) == nil)
    #expect(firstWrongFrame(samples, in: 6480..<7000, times: 1) == nil)
  }

  @Test func invalidMixEffectsThrowAndChangeNothing() throws {
    let run = try start("gain -20")
    run.deliver(1000)
    let many = [EffectDescription](repeating: EffectDescription(.gain), count: 33)
    let tooMany = #expect(throws: EffectError.self) { try run.session.setEffects(many) }
    #expect(tooMany?.message == "A chain can have at most 32 effects. Remove some of them.")
    run.settle()
    run.deliver(1000)
    let samples = try samples(of: run, count: 2000)
    #expect(firstWrongFrame(samples, in: 0..<2000, times: 0.1) == nil)
  }

  @Test func aRecorderPassesItOn() async throws {
    let device = HandFedSource()
    let recorder = Recorder(
      from: device, to: [], .stereo(.float32))
    // The effects can be changed before the first sample.
    try await recorder.setEffects(EffectDescription.parse("gain -20, gain -20"))
    await recorder.setBypassed(true, effect: 1)
    let many = [EffectDescription](repeating: EffectDescription(.gain), count: 33)
    await #expect(throws: EffectError.self) { try await recorder.setEffects(many) }
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
