#if os(Linux)
import AacornSignal
import AacornSystem
import CAacornSpeexDSP
import TestSignals
import Testing

@testable import AacornRecording

@Suite struct DenoiseEffectTests {
  /// Steady noise, and from the fifth second on a tone of 1 kHz in the first 0.3 s of each second.
  private static func sound(seconds: Int, sampleRate: Int, channelCount: Int = 1) -> [Float] {
    var numbers = SeededNumbers(seed: 5)
    var samples: [Float] = []
    for frame in 0..<seconds * sampleRate {
      let second = frame / sampleRate
      let inside = Double(frame - second * sampleRate) / Double(sampleRate)
      let turn = 2000 * inside
      let hasTone = second >= 4 && inside < 0.3
      let whole = 2 * (turn / 2).rounded(.down)
      let tone = hasTone ? 0.3 * ElementaryFunctions.sinCosPi(turn - whole).sin : 0
      for _ in 0..<channelCount {
        samples.append(Float(tone + 0.02 * numbers.sample()))
      }
    }
    return samples
  }

  private static func pass(
    _ samples: [Float], _ text: String, sampleRate: Int, channelCount: Int = 1, by frames: Int
  ) throws -> [Float] {
    try EffectChain(
      EffectDescription.parse(text), channelCount: channelCount, sampleRate: sampleRate
    ).output(samples, by: frames)
  }

  /// The change of the level in decibels within a range of seconds.
  private static func change(
    from samples: [Float], to result: [Float], _ seconds: ClosedRange<Double>, _ sampleRate: Int
  ) -> Float {
    let range =
      Int(seconds.lowerBound * Double(sampleRate))..<Int(seconds.upperBound * Double(sampleRate))
    func power(_ samples: [Float]) -> Float { samples[range].reduce(0) { $0 + $1 * $1 } }
    return 3.0103 * ElementaryFunctions.log2(power(result) / power(samples))
  }

  @Test(arguments: [16_000, 44_100, 48_000])
  func noiseIsLoweredAndWhatSoundsInItStays(sampleRate: Int) throws {
    let samples = Self.sound(seconds: 6, sampleRate: sampleRate)
    let result = try Self.pass(samples, "denoise", sampleRate: sampleRate, by: 1000)
    #expect(result.count == samples.count)
    #expect(Self.change(from: samples, to: result, 2...3.8, sampleRate) < -10)
    #expect(Self.change(from: samples, to: result, 4.5...4.9, sampleRate) < -10)
    #expect(abs(Self.change(from: samples, to: result, 4.05...4.25, sampleRate)) < 1)
    // The tone is not delayed: the difference from the input is faint.
    let range = sampleRate * 81 / 20..<sampleRate * 85 / 20
    let errors = zip(samples[range], result[range]).map { ($0 - $1) * ($0 - $1) }
    let all = samples[range].reduce(0) { $0 + $1 * $1 }
    #expect(errors.reduce(0, +) < 0.02 * all)
  }

  @Test func theDepthIsChosenAndChanged() throws {
    let samples = Self.sound(seconds: 4, sampleRate: 16_000)
    let none = try Self.pass(samples, "denoise 0", sampleRate: 16_000, by: 1000)
    #expect(abs(Self.change(from: samples, to: none, 2...3.5, 16_000)) < 1)
    let deep = try Self.pass(samples, "denoise depth=40dB", sampleRate: 16_000, by: 1000)
    #expect(Self.change(from: samples, to: deep, 2...3.5, 16_000) < -20)

    var chain = try EffectChain([EffectDescription(.denoise)], channelCount: 1, sampleRate: 16_000)
    var off = EffectDescription(.denoise)
    off["depth"] = 0
    chain.adjust(0, to: off)
    var result = samples
    chain.process(&result)
    chain.finish(into: &result)
    #expect(abs(Self.change(from: samples, to: result, 2...3.5, 16_000)) < 1)
  }

  @Test func channelsAreByThemselvesAndBlocksDoNotMatter() throws {
    let samples = Self.sound(seconds: 1, sampleRate: 16_000, channelCount: 2)
    let whole = try Self.pass(
      samples, "denoise", sampleRate: 16_000, channelCount: 2, by: 16_000)
    #expect(whole.count == samples.count)
    for frames in [1, 159, 161] {
      let other = try Self.pass(
        samples, "denoise", sampleRate: 16_000, channelCount: 2, by: frames)
      #expect(other == whole, "\(frames)")
    }
    let left = stride(from: 0, to: samples.count, by: 2).map { samples[$0] }
    let alone = try Self.pass(left, "denoise", sampleRate: 16_000, by: 500)
    #expect(alone == stride(from: 0, to: whole.count, by: 2).map { whole[$0] })
  }

  @Test func denoiserRestartsAfterFinish() throws {
    var chain = try EffectChain([EffectDescription(.denoise)], channelCount: 1, sampleRate: 16_000)
    #expect(chain.latency == 320)
    var results: [[Float]] = []
    for _ in 0..<2 {
      var samples = Self.sound(seconds: 1, sampleRate: 16_000)
      chain.process(&samples)
      chain.finish(into: &samples)
      results.append(samples)
    }
    #expect(results[0] == results[1])
  }

  @Test func loudAndBrokenSamplesDoNoHarm() throws {
    var samples = Self.sound(seconds: 1, sampleRate: 16_000)
    let intact = try Self.pass(samples, "denoise", sampleRate: 16_000, by: 1000)
    samples[3000] = .nan
    samples[3001] = -.infinity
    samples[3002] = 7
    let result = try Self.pass(samples, "denoise", sampleRate: 16_000, by: 1000)
    #expect(result.count == samples.count)
    #expect(result.allSatisfy { $0.magnitude <= 1 })
    // The later samples sound as without them.
    #expect(abs(Self.change(from: intact, to: result, 0.5...1, 16_000)) < 1)
  }

  /// As in every 16-bit conversion, halves round away from zero and excess levels are clipped.
  @Test func samplesAreRoundedAsTheyAreElsewhere() {
    var blocks = SoundBlocks(length: 4, channelCount: 1)
    var samples: [Float] = [2.5 * 0x1p-15, -2.5 * 0x1p-15, 3, -3]
    do {
      var span = samples.mutableSpan
      _ = blocks.exchange(&span, from: 0)
    }
    var integers = [Int16](repeating: 0, count: 4)
    SpeexDenoiser.fill(&integers, from: blocks, 0)
    #expect(integers == [3, -3, 32_767, -32_768])
  }

  @Test func aRateThatCannotBeIsRefused() {
    let error = #expect(throws: EffectError.self) {
      try EffectChain([EffectDescription(.denoise)], channelCount: 1, sampleRate: 1000)
    }
    #expect(error?.kind == .invalidDescription)
    #expect(
      error?.message == "The effect denoise does not work at 1000 Hz. "
        + "Choose a sampling rate from 4000 to 192000 Hz.")
  }

  @Test func missingDenoiserLibraryErrorNamesPackage() throws {
    func fault(of file: String) throws -> LibraryFault {
      let result: Result<UnsafeMutablePointer<aacorn_speexdsp_functions>, LibraryFault> =
        System.loadLibrary(file, symbols: aacorn_speexdsp_symbols())
      return try #require(throws: LibraryFault.self) { try result.get() }
    }
    let foreignFault = try fault(of: "libnone.so.1")
    let own = foreignFault.text.replacing("libnone.so.1", with: "libspeexdsp.so.1")
    let missing = SpeexDenoiser.error(for: SpeexUnavailable(.notLoaded(reason: own)))
    #expect(
      missing.message
        == "The effect denoise is not available: the library libspeexdsp.so.1 is not installed. "
        + "On Debian it is in the package libspeexdsp1.")
    #expect(missing.kind == .missing)
    // The library is installed but cannot be loaded, because a library that it needs is missing.
    let foreign = SpeexDenoiser.error(for: SpeexUnavailable(foreignFault))
    #expect(foreign.problem.contains("cannot be used (libnone.so.1: "))
    let error = SpeexDenoiser.error(for: SpeexUnavailable(try fault(of: "libc.so.6")))
    #expect(error.problem.contains("cannot be used (it has no function speex_"))
    #expect(error.kind == .missing)
  }
}
#endif
