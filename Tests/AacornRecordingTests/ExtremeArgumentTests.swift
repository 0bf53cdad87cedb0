import AacornCodec
import AacornDevices
import AacornRecording
import AacornSignal
import Testing

/// Extreme numbers in configurations cause errors, not traps.
@Suite struct ExtremeArgumentTests {
  private static let counts = [Int.min, -1, 0, 65, Int.max]

  @Test func impossibleFormsAreErrors() async {
    for rate in Self.counts {
      for count in Self.counts {
        for coding: RecordingConfiguration.Coding? in [nil, .int16, .float32] {
          var configuration = RecordingConfiguration(
            sampleRate: rate, channelCount: count, coding: coding)
          configuration.duration = .seconds(Int64(rate))
          #expect(configuration.adaptableBitrates(ofRendition: count) == nil)
          let recorder = Recorder(
            from: PushSource(sampleRate: rate, channelCount: count), to: [], configuration)
          await #expect(throws: RecordingError.self) { try await recorder.start() }
        }
        let codings = AACEncoder.Profile.allCases.map { profile in
          RecordingConfiguration.Coding.aac(
            rateControl: .average(bitsPerSecond: rate), effort: .best, profile: profile)
        }
        var configuration = RecordingConfiguration(coding: codings[0])
        configuration.furtherCodings = codings
        let recorder = Recorder(
          from: PushSource(sampleRate: 48_000, channelCount: 2), to: [], configuration)
        await #expect(throws: RecordingError.self) { try await recorder.start() }
        #expect(throws: EffectError.self) {
          try EffectChain([EffectDescription(.gain)], channelCount: min(count, 0), sampleRate: rate)
        }
      }
    }
  }

  @Test func extremeSettingsDoNotBreakRecording() throws {
    var bench = Bench()
    bench.frameCount = 4800
    for time in [Duration.seconds(Int64.max), .seconds(Int64.min), .zero] {
      bench.configuration.duration = time
      #expect(try bench.run().samples.count == (time > .zero ? 9600 : 0))
    }
    bench.configuration.duration = nil
    for split in [
      RecordingConfiguration.Split.every(.seconds(Int64.max)), .every(.seconds(Int64.min)),
      .bytes(.max), .bytes(.min),
    ] {
      bench.configuration.split = split
      #expect(try bench.run().samples.count == 9600)
    }
    bench.configuration.split = .never
    for gain in [Float.nan, .infinity, -.infinity, .greatestFiniteMagnitude] {
      bench.configuration.gain = gain
      #expect(try bench.run().samples.count == 9600)
    }
    bench.configuration.gain = 1
    for map in [[Int.max], [Int.min], [0, Int.max], Array(repeating: 0, count: 65)] {
      bench.configuration.channelMap = map
      #expect(throws: (any Error).self) {
        let outcome = try bench.run()
        if let failure = outcome.summary.failure { throw failure }
      }
    }
  }
}
