import AacornDevices
import AacornRecording
import AacornSignal
import AacornSoundFiles
import DeviceRigs
import Simulation
import Testing

@Suite(.simulated(seeds: 3)) struct EffectChainTests {
  private func chain(_ text: String, channelCount: Int = 2) throws -> EffectChain {
    try EffectChain(
      EffectDescription.parse(text), channelCount: channelCount, sampleRate: 48_000)
  }

  @Test(arguments: [0, 1, 100, 215, 216, 5000, 30_000])
  func chainKeepsFrameCountAndPosition(frameCount: Int) throws {
    let chain = try chain("limiter -1, gain 0, limiter -2")
    let single = try self.chain("limiter")
    #expect(chain.latency == 2 * single.latency && single.latency > 100)
    let samples = noise(2 * frameCount, amplitude: 0.25)
    for frames in [1, 500, 513, 100_000] {
      #expect(chain.output(samples, by: frames) == samples, "\(frames)")
    }
  }

  @Test func aChainWithoutChannelsOrRateIsRefused() {
    for (channelCount, sampleRate) in [(0, 48_000), (-1, 48_000), (2, 0)] {
      #expect(throws: EffectError.self) {
        try EffectChain([], channelCount: channelCount, sampleRate: sampleRate)
      }
    }
  }

  @Test func chainIgnoresMismatchedChangesAndPartialFrames() throws {
    var chain = try chain("gain -6, limiter")
    let limiter = try #require(EffectDescription.parse("limiter -3").first)
    for index in [-1, 0, 2] { chain.adjust(index, to: limiter) }
    for index in [-1, 2] { chain.bypass(index, true) }
    let samples = noise(2000)
    #expect(
      try chain.output(samples, by: 500) == self.chain("gain -6, limiter").output(samples, by: 500))
    var block: [Float] = [0.5, 0.25, 0.125]
    var gain = try self.chain("gain 0")
    gain.process(&block)
    #expect(block == [0.5, 0.25])
  }

  @Test func theResultDoesNotDependOnBlocks() throws {
    let chain = try chain("speech, loudness -18")
    let samples = noise(60_000)
    let whole = chain.output(samples, by: 100_000)
    #expect(whole.count == samples.count)
    for frames in [1, 480, 777] { #expect(chain.output(samples, by: frames) == whole, "\(frames)") }
  }

  @Test func nothingIsEncodedOrRecordedWithoutItsEffects() async throws {
    let folder = try Folder()
    let effects = [EffectDescription](repeating: EffectDescription(.gain), count: 33)
    let input = try folder.writeWAV(steps(5000), to: "a.wav", channels: 1)
    var configuration = AACFile.Configuration()
    configuration.effects = effects
    let error = await #expect(throws: AACFileError.self) {
      try await AACFile.encode(
        from: input, to: folder.file("a.m4a"), configuration: configuration)
    }
    #expect(error?.kind == .effects(.invalidDescription))
    #expect(error?.message.hasPrefix("A chain can have at most 32 effects.") == true)
    #expect(folder.names == ["a.wav"])
    var bench = Bench()
    bench.configuration.effects = effects
    let failure = #expect(throws: RecordingError.self) { try bench.run() }
    #expect(failure?.message.hasPrefix("A chain can have at most 32 effects.") == true)
  }

  // MARK: - Recordings

  /// Effects with look-ahead that change nothing after rounding to 16 bits.
  private let neutral = "gain -40, limiter -1, limiter -2, gain 40"

  /// Some recordings are shorter than the delay of the effects.
  @Test(arguments: [(1, 0), (100, 0), (430, 0), (5000, 0), (96_000, 0), (96_000, 4801)])
  func recordingWithDelayingEffectsKeepsLengthAndPosition(
    frameCount: Int, lostFrameCount: Int
  ) throws {
    var bench = Bench()
    bench.frameCount = frameCount
    bench.configuration.effects = try EffectDescription.parse(neutral)
    if lostFrameCount > 0 {
      bench.faults = .init([.at(10_000, .loss(frameCount: lostFrameCount, cause: .overrun))])
    }
    let outcome = try bench.run()
    #expect(outcome.summary.sampleCount == frameCount)
    #expect(outcome.samples.count == 2 * frameCount)
    #expect(outcome.gaps.map(\.position) == (lostFrameCount > 0 ? [10_000] : []))
    #expect(outcome.gaps.map(\.length) == (lostFrameCount > 0 ? [lostFrameCount] : []))
    #expect(firstWrongFrame(outcome.samples, gaps: outcome.gaps) == nil)
  }

  @Test func partsAndLengthsAreExact() throws {
    var bench = Bench()
    bench.configuration.effects = try EffectDescription.parse(neutral)
    bench.configuration.split = .every(.milliseconds(333))
    bench.configuration.duration = .milliseconds(1500)
    let outcome = try bench.run()
    let counts = outcome.segments.compactMap { $0.end?.sampleCount }
    #expect(counts == [15_984, 15_984, 15_984, 15_984, 8064])
    #expect(firstWrongFrame(outcome.samples, gaps: []) == nil)
  }

  @Test func recordingContainsProcessedAudio() throws {
    var bench = Bench()
    bench.frameCount = 4800
    bench.configuration.coding = .float32
    bench.configuration.effects = try EffectDescription.parse("gain -6.0205999")
    let outcome = try bench.run()
    let samples = outcome.packets.flatMap(\.float32)
    #expect(samples.count == 4800 * 2)
    #expect(abs(samples[0] + 0.5) < 1e-5, "The counter starts at −1.")
  }

  // MARK: - Files

  @Test func aFileIsEncodedToTheSampleAndTheSameByAnyNumberOfThreads() async throws {
    let folder = try Folder()
    // Two segments, encoded by several threads.
    let input = try folder.writeWAV(steps(1_200_000), to: "a.wav")
    var all: [[UInt8]] = []
    for (name, text, threads) in [
      ("a", "speech", 1), ("b", "speech", 3), ("c", "gain 0", 2), ("d", "limiter 0", 2),
    ] {
      var configuration = AACFile.Configuration(threadCount: threads)
      configuration.effects = try EffectDescription.parse(text)
      let summary = try await AACFile.encode(
        from: input, to: folder.file(name + ".m4a"), configuration: configuration)
      #expect(summary.sampleCount == 600_000)
      all.append(try folder.bytes(name + ".m4a"))
    }
    #expect(all[0] == all[1])
    #expect(all[0] != all[2])
    // A limiter changes and delays nothing below its ceiling.
    #expect(all[2] == all[3])
  }
}
