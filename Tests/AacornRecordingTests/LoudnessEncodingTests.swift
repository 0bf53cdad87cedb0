import AacornCodec
import AacornContainers
import AacornInspection
import AacornRecording
import AacornSignal
import AacornSoundFiles
import AacornSystem
import Foundation
import Testing

@Suite struct LoudnessEncodingTests {
  private let folder: Folder

  init() throws { folder = try Folder() }

  /// A WAV file of floating-point samples: 997 Hz in every channel, at a level in dBFS.
  private func tone(
    _ name: String, decibels: Double, seconds: Double = 4, channels: Int = 2, rate: Int = 48_000,
    peaks: [Int: Float] = [:]
  ) throws -> String {
    let amplitude = pow(10, decibels / 20)
    let frameCount = Int(seconds * Double(rate))
    var samples = (0..<frameCount).map { frame in
      Float(amplitude * sin(2 * Double.pi * 997 * Double(frame) / Double(rate)))
    }
    for (frame, peak) in peaks { samples[frame] = peak }
    return try folder.writeWAV(
      samples.flatMap { [Float](repeating: $0, count: channels) }, to: name, rate: rate,
      channels: channels, encoding: .float32)
  }

  private func decoded(_ name: String = "a.m4a") async throws -> AudioReport {
    let report = try await AACFile.inspect(folder.file(name), decodesSound: true)
    guard case .measured(let sound) = try #require(report.sound) else {
      throw AACFileError(.badInput, "It was not decoded.")
    }
    return sound
  }

  private func decodedLoudness() async throws -> Float { try #require(await decoded().loudness) }

  @discardableResult
  private func encode(
    _ input: String, to output: String = "a.m4a",
    _ configuration: AACFile.Configuration = AACFile.Configuration()
  ) async throws -> AACFile.Summary {
    try await AACFile.encode(
      from: input, to: folder.file(output), configuration: configuration)
  }

  private func target(_ loudness: Double) -> AACFile.Configuration {
    AACFile.Configuration(loudness: LoudnessTarget(loudness))
  }

  private func tags(_ name: String) throws -> MP4Tags {
    MP4Reader(file: try folder.bytes(name)).tags
  }

  @Test(arguments: [-16.0, -23, -30])
  func aFileIsAsLoudAsWasAskedFor(target: Double) async throws {
    let input = try tone("a.wav", decibels: -26)
    let summary = try await encode(input, self.target(target))
    let loudness = try #require(summary.loudness)
    #expect(abs(try #require(loudness.integrated) + 26) < 0.05)
    #expect(abs(loudness.truePeak + 26) < 0.1)
    #expect(abs(Double(loudness.gain) - target - 26) < 0.05 && loudness.shortfall == 0)
    let decoded = try await decodedLoudness()
    #expect(abs(decoded - Float(target)) < 0.2)
    #expect(summary.warnings.isEmpty)
    let stated = try #require(try tags("a.m4a").loudness)
    #expect(abs(try #require(stated.integrated) - Float(target)) <= 0.15)
    #expect(abs(try #require(stated.truePeak) - Float(target)) < 0.15)
  }

  @Test func peaksThatWouldBeTooHighAreLimited() async throws {
    let input = try tone("a.wav", decibels: -26, peaks: [96_000: 0.5])
    var configuration = AACFile.Configuration(loudness: LoudnessTarget(-16, ceiling: -2))
    let summary = try await encode(input, configuration)
    let loudness = try #require(summary.loudness)
    // The peak of the click between the samples is at −6 dB or slightly above.
    #expect(loudness.truePeak >= -6.03 && loudness.truePeak < -5)
    #expect(abs(loudness.gain - 10) < 0.2)
    #expect(loudness.isLimited && loudness.shortfall == 0)
    #expect(abs(try #require(loudness.encoded) + 16) <= 0.1)
    #expect(summary.warnings.isEmpty && summary.sampleCount == 192_000)
    let decoded = try await decodedLoudness()
    #expect(abs(decoded + 16) < 0.3)
    // Without a limiter the peak would be at +4 dB.
    let peak = Decibels.of(amplitude: try await self.decoded().truePeak)
    #expect(peak < -1)
    let stated = try #require(try tags("a.m4a").loudness)
    #expect(abs(try #require(stated.integrated) + 16) <= 0.15)
    #expect(abs(try #require(stated.truePeak) + 2) < 0.1 && stated.range != nil)
    // A lower target needs no limiter.
    configuration.loudness = LoudnessTarget(-30)
    configuration.replacesExisting = true
    let quiet = try await encode(input, configuration)
    #expect(quiet.warnings.isEmpty && quiet.loudness?.isLimited == false)
  }

  /// The frames and values of clicks far above the tone, one every `interval` frames.
  private func clicks(every interval: Int, seconds: Int = 4) -> [Int: Float] {
    var peaks: [Int: Float] = [:]
    for frame in stride(from: 2400, to: seconds * 48_000, by: interval) { peaks[frame] = 0.7 }
    return peaks
  }

  @Test func encodingCompensatesLimiterLoss() async throws {
    let input = try tone("a.wav", decibels: -26, peaks: clicks(every: 24_000))
    let summary = try await encode(input, target(-16))
    let loudness = try #require(summary.loudness)
    let encoded = try #require(loudness.encoded)
    #expect(loudness.isLimited && loudness.shortfall == 0 && summary.warnings.isEmpty)
    // The gain that would suffice without a limiter leaves the file more than 1 LU too quiet.
    let before = try #require(loudness.integrated)
    #expect(loudness.gain > -16 - before + 0.8)
    #expect(abs(encoded + 16) <= 0.1)
    let decoded = try await decodedLoudness()
    #expect(abs(decoded - encoded) < 0.3)
    // The tag stores the loudness in steps of 0.25 LU.
    let stated = try #require(try tags("a.m4a").loudness)
    #expect(abs(try #require(stated.integrated) - encoded) <= 0.13)
    #expect(try #require(stated.truePeak) < -0.9)
  }

  @Test func loudnessShortfallIsWarnedAndStated() async throws {
    let input = try tone("a.wav", decibels: -26, peaks: clicks(every: 9600))
    let summary = try await encode(input, target(-16))
    let loudness = try #require(summary.loudness)
    let encoded = try #require(loudness.encoded)
    #expect(loudness.isLimited && loudness.shortfall > 0.1)
    #expect(abs(-16 - loudness.shortfall - encoded) < 0.001)
    // The search adds at most 3 dB.
    let before = try #require(loudness.integrated)
    #expect(loudness.gain < -16 - before + 3.001)
    #expect(
      summary.warnings.contains { warning in
        warning.contains(" LU quieter than requested: more gain would only flatten it")
      })
    let stated = try #require(try tags("a.m4a").loudness)
    #expect(abs(try #require(stated.integrated) - encoded) <= 0.13)
  }

  @Test func limitedSoundGetsNoAbsurdGain() async throws {
    let input = try tone("a.wav", decibels: -65, peaks: [96_000: 0.01])
    let summary = try await encode(input, target(-5))
    let loudness = try #require(summary.loudness)
    #expect(loudness.gain == 40 && loudness.isLimited)
    #expect(abs(loudness.shortfall - 20) < 0.5)
    #expect(
      summary.warnings.contains { warning in
        warning.contains(" LU quieter than requested: with a gain of more than 40 dB its peaks")
      })
  }

  @Test func targetLoudnessIsReachedWithLimiterInEffects() async throws {
    let input = try tone("a.wav", decibels: -46, peaks: [96_000: 0.5])
    var configuration = AACFile.Configuration(loudness: LoudnessTarget(-16))
    configuration.effects = try EffectDescription.parse("gain 20, limiter -1")
    let summary = try await encode(input, configuration)
    let loudness = try #require(summary.loudness)
    #expect(loudness.isLimited && loudness.shortfall == 0 && summary.sampleCount == 192_000)
    let decoded = try await decodedLoudness()
    #expect(abs(decoded + 16) < 0.4)
  }

  @Test func loudnessIsMeasuredAfterConversion() async throws {
    // Two channels are 3 dB louder than their mono mix. The sample rate does not matter.
    let input = try tone("a.wav", decibels: -26, rate: 44_100)
    let summary = try await encode(
      input,
      AACFile.Configuration(
        sampleRate: 32_000, channelCount: 1, loudness: LoudnessTarget(-23)))
    #expect(abs(try #require(summary.loudness?.integrated) + 29) < 0.1)
    let decoded = try await decodedLoudness()
    #expect(abs(decoded + 23) < 0.2)
  }

  @Test func silenceStaysAsItIs() async throws {
    let input = try tone("a.wav", decibels: -200)
    try await encode(input, to: "plain.m4a")
    let summary = try await encode(input, target(-16))
    #expect(summary.loudness?.integrated == nil && summary.loudness?.gain == 0)
    #expect(summary.warnings.count == 1 && summary.warnings[0].contains("is silent, or shorter"))
    #expect(try folder.bytes("a.m4a") == folder.bytes("plain.m4a"))
  }

  @Test func theBytesDoNotDependOnTheNumberOfThreads() async throws {
    let input = try tone("a.wav", decibels: -26, seconds: 14, peaks: [300_000: 0.5])
    for (name, count) in [("one.m4a", 1), ("three.m4a", 3)] {
      let summary = try await encode(
        input, to: name,
        AACFile.Configuration(loudness: LoudnessTarget(-16), threadCount: count))
      #expect(summary.loudness?.isLimited == true)
    }
    #expect(try folder.bytes("one.m4a") == folder.bytes("three.m4a"))
  }

  @Test func tagsAloneChangeNothingElse() async throws {
    let input = try tone("a.wav", decibels: -26)
    let summary = try await encode(input, AACFile.Configuration(statesLoudness: true))
    #expect(summary.loudness?.gain == 0)
    #expect(try tags("a.m4a").loudness?.integrated == -26)
    let texts = try tags("a.m4a").loudnessTexts
    #expect(texts.map(\.name) == ["replaygain_track_gain", "replaygain_track_peak", "iTunNORM"])
    let gain = try #require(Double(texts[0].text.dropLast(3)))
    #expect(abs(gain - 8) < 0.05 && texts[0].text.hasSuffix(" dB"))
    try await encode(folder.file("a.m4a"), to: "again.m4a")
    // Encoding a file again copies its loudness tag, unless the loudness is measured again.
    #expect(try tags("again.m4a").loudness == tags("a.m4a").loudness)
    try await encode(folder.file("a.m4a"), to: "loud.m4a", target(-20))
    let loud = try tags("loud.m4a")
    #expect(abs(try #require(loud.loudness?.integrated) + 20) <= 0.25)
    #expect(loud.loudnessTexts.count == 3)
  }

  @Test(arguments: [("gain -6", nil), ("", 1)] as [(String, Int?)])
  func changedAudioDropsStatedLoudness(effects: String, channelCount: Int?) async throws {
    let input = try tone("a.wav", decibels: -26)
    try await encode(input, AACFile.Configuration(statesLoudness: true))
    #expect(try tags("a.m4a").loudnessTexts.count == 3)
    var configuration = AACFile.Configuration(channelCount: channelCount)
    if !effects.isEmpty { configuration.effects = try EffectDescription.parse(effects) }
    try await encode(folder.file("a.m4a"), to: "b.m4a", configuration)
    let said = try tags("b.m4a")
    #expect(said.loudness == nil && said.loudnessTexts.isEmpty)
  }

  @Test func aPartKeepsWhatTheWholeSays() async throws {
    let input = try tone("a.wav", decibels: -26)
    try await encode(input, AACFile.Configuration(statesLoudness: true))
    try await AACFile.cut(
      from: folder.file("a.m4a"), to: folder.file("part.m4a"), start: .seconds(1))
    try await AACFile.join(
      [folder.file("a.m4a"), folder.file("part.m4a")], to: folder.file("b.m4a"))
    let whole = try tags("a.m4a")
    for name in ["part.m4a", "b.m4a"] {
      let tags = try tags(name)
      #expect(tags.loudness == whole.loudness && tags.otherItems == whole.otherItems, "\(name)")
    }
  }

  @Test(arguments: [false, true])
  func progressRisesThroughAllReadings(isLimited: Bool) async throws {
    let peaks = isLimited ? clicks(every: 24_000, seconds: 14) : [:]
    let input = try tone("a.wav", decibels: -26, seconds: 14, peaks: peaks)
    let progress = Lock<[Double]>([])
    try await AACFile.encode(
      from: input, to: folder.file("a.m4a"),
      configuration: AACFile.Configuration(loudness: LoudnessTarget(-16)),
      progress: { value in progress.withLock { $0.append(value) } })
    let values = progress.withLock { $0 }
    #expect(values.last == 1 && values.contains { $0 < 0.2 })
    #expect(zip(values, values.dropFirst()).allSatisfy { $0 <= $1 + 1e-9 })
  }

  @Test(arguments: [
    (LoudnessTarget(-16, ceiling: 1), "A true peak of 1.0 dBTP is out of range."),
    (LoudnessTarget(16), "A loudness of 16.0 LUFS is out of range."),
    (LoudnessTarget(.nan), "A loudness of ? LUFS is out of range."),
  ])
  func outOfRangeLoudnessTargetThrows(target: LoudnessTarget, problem: String) async throws {
    let input = try tone("a.wav", decibels: -26, seconds: 1)
    let error = await #expect(throws: AACFileError.self) {
      try await encode(input, AACFile.Configuration(loudness: target))
    }
    #expect(error?.problem == problem && error?.kind == .unsupported)
    #expect(folder.names == ["a.wav"])
  }
}
