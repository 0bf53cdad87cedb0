import AacornDevices
import AacornSignal
import AacornSystem
import Foundation
import TestSignals
import Testing

@testable import AacornRecording

#if os(Linux)
/// A microphone track that captures a loudspeaker, and a track with the loudspeaker's signal.
@Suite struct EchoCancellationTests {
  private static let sampleRate = 16_000
  private static let configuration = RecordingConfiguration(
    sampleRate: sampleRate, channelCount: 1, coding: .float32)

  /// The loudspeaker's signal, its echo at the microphone, and a voice that starts after three
  /// seconds.
  private struct Scene {
    var far: [Float] = []
    var echo: [Float] = []
    var voice: [Float] = []

    /// The loudspeaker's signal is noise whose level changes like syllables, the room has forty
    /// reflections within 65 ms, and the voice is different noise.
    init(seconds: Int) {
      let rate = EchoCancellationTests.sampleRate
      let count = seconds * rate
      var dice = SeededNumbers(seed: 3)
      var last: Float = 0
      for index in 0..<count {
        let time = Float(index) / Float(rate)
        let level = 0.55 + 0.45 * sin(2 * Float.pi * 3 * time)
        far.append(Float.random(in: -0.5...0.5, using: &dice) * level)
        let next = Float.random(in: -0.3...0.3, using: &dice)
        let voiceLevel = index < 3 * rate ? 0 : max(0, sin(2 * Float.pi * 2 * time))
        voice.append((next - last) * voiceLevel)
        last = next
      }
      echo = [Float](repeating: 0, count: count)
      for _ in 0..<40 {
        let delay = 80 + Int.random(in: 0..<960, using: &dice)
        let factor = Float.random(in: -0.4...0.4, using: &dice) * exp(-Float(delay) / 400)
        for index in delay..<count { echo[index] += far[index - delay] * factor }
      }
    }
  }

  private static func settings(
    _ reference: EchoCancellation.Reference = .channels
  ) -> [TrackConfiguration] {
    var mic = TrackConfiguration("mic")
    mic.echoCancellation = EchoCancellation(of: "far", reference: reference)
    return [TrackConfiguration("far"), mic]
  }

  /// The output of the second of two mono tracks, processed in blocks of 25 ms.
  private func clean(
    _ mic: [Float], _ far: [Float], _ settings: [TrackConfiguration] = Self.settings()
  ) throws -> [Float] {
    var stage = try #require(
      try EchoStage(settings, channelCount: 1, sampleRate: Self.sampleRate))
    var result: [Float] = []
    for start in stride(from: 0, to: mic.count, by: 400) {
      let end = min(start + 400, mic.count)
      var chunks = [Array(far[start..<end]), Array(mic[start..<end])]
      stage.process(&chunks)
      #expect(chunks[0].count == chunks[1].count)
      result += chunks[1]
    }
    result += stage.finish()[1]
    #expect(result.count == mic.count)
    return result
  }

  private func power(_ samples: some Sequence<Float>) -> Double {
    samples.reduce(1e-12) { $0 + Double($1) * Double($1) }
  }

  private func decibels(_ ratio: Double) -> Double { 10 * log10(ratio) }

  // MARK: Audible result

  @Test(arguments: [EchoCancellation.Reference.channels, .mix])
  func echoIsRemovedAfterThreeSeconds(reference: EchoCancellation.Reference) throws {
    let scene = Scene(seconds: 6)
    let result = try clean(scene.echo, scene.far, Self.settings(reference))
    let start = 3 * Self.sampleRate
    let loss = decibels(power(scene.echo[start...]) / power(result[start...]))
    #expect(loss >= 15, "The echo decreased by \(loss) dB.")
  }

  @Test func aVoiceStaysAsLoudAndWhereItWas() throws {
    let scene = Scene(seconds: 6)
    let mic = zip(scene.echo, scene.voice).map { $0 + $1 }
    let result = try clean(mic, scene.far)
    let start = 3 * Self.sampleRate
    let change = decibels(power(result[start...]) / power(scene.voice[start...]))
    #expect(abs(change) <= 1.5, "The voice changed by \(change) dB.")
    /// The correlation of the output with the voice `delay` samples earlier.
    func likeness(_ delay: Int) -> Double {
      var sum = 0.0
      for index in start..<mic.count - 100 {
        sum += Double(result[index + delay]) * Double(scene.voice[index])
      }
      return sum / power(scene.voice[start...])
    }
    #expect(abs(decibels(likeness(0))) <= 1.5)
    for delay in [-5, -2, -1, 1, 2, 5] { #expect(likeness(delay) < 0.5, "\(delay)") }
  }

  @Test func voiceWithoutPlaybackKeepsItsLevel() throws {
    let scene = Scene(seconds: 4)
    let result = try clean(scene.voice, [Float](repeating: 0, count: scene.voice.count))
    let change = decibels(power(result) / power(scene.voice))
    #expect(abs(change) <= 0.5, "The voice changed by \(change) dB.")
  }

  @Test func mutedLoudspeakerCausesNoAddedEcho() throws {
    var scene = Scene(seconds: 4)
    let rate = Self.sampleRate
    for index in 3 * rate..<scene.echo.count { scene.echo[index] *= 0.003 }
    let result = try clean(scene.echo, scene.far)
    // Measured before the library resets itself.
    let range = 3 * rate + rate * 35 / 100..<3 * rate + rate * 45 / 100
    #expect(power(result[range]) < 4 * power(scene.echo[range]))
  }

  @Test func silentMicrophoneKeepsEchoCancelerState() throws {
    var scene = Scene(seconds: 6)
    let rate = Self.sampleRate
    for index in 3 * rate..<4 * rate { scene.echo[index] = 0 }
    let result = try clean(scene.echo, scene.far)
    #expect(result[(3 * rate)..<(4 * rate)].allSatisfy { $0 == 0 })
    let start = 4 * rate + rate / 2
    #expect(decibels(power(scene.echo[start...]) / power(result[start...])) >= 15)
  }

  @Test func samplesAreNearestIntegersAndNoneIsTooLarge() throws {
    let far = [Float](repeating: 0, count: 1600)
    var mic = far
    for index in 160..<320 { mic[index] = index / 8 % 2 == 0 ? 4 : -.infinity }
    mic[500] = .nan
    let result = try clean(mic, far)
    #expect(result.allSatisfy { abs($0) <= 1 && $0 * 32_768 == ($0 * 32_768).rounded() })
    #expect(result.contains { abs($0) > 0.5 })
  }

  // MARK: Timing

  @Test(arguments: [0, 1, 479, 480, 481, 5000])
  func tracksStayAligned(frameCount: Int) throws {
    let far = noise(2 * frameCount, amplitude: 0.5, seed: 8)
    let mic = noise(2 * frameCount, amplitude: 0.5, seed: 9)
    let other = (0..<2 * frameCount).map { Float($0) }
    var settings = Self.settings()
    settings.append(TrackConfiguration("other"))
    func pass(by frames: Int) throws -> [[Float]] {
      var stage = try #require(try EchoStage(settings, channelCount: 2, sampleRate: 48_000))
      var result: [[Float]] = [[], [], []]
      for start in stride(from: 0, to: 2 * frameCount, by: 2 * frames) {
        let range = start..<min(start + 2 * frames, 2 * frameCount)
        var chunks = [Array(far[range]), Array(mic[range]), Array(other[range])]
        stage.process(&chunks)
        for index in 0..<3 { result[index] += chunks[index] }
        // The stage holds one block as its delay, and the frames that do not fill a block yet.
        #expect(stage.heldCount == range.upperBound / 2 - result[0].count / 2)
        #expect(stage.heldCount < 960)
      }
      for (index, chunk) in stage.finish().enumerated() { result[index] += chunk }
      #expect(stage.heldCount == 0)
      #expect(stage.finish().allSatisfy { $0.isEmpty })
      return result
    }
    let whole = try pass(by: 10_000)
    #expect(whole[0] == far && whole[2] == other && whole[1].count == mic.count)
    for frames in [7, 480, 777] { #expect(try pass(by: frames) == whole, "\(frames)") }
  }

  @Test func nothingIsHeldBackWithoutEchoes() throws {
    let settings = [TrackConfiguration("a"), TrackConfiguration("b")]
    let stage = try EchoStage(settings, channelCount: 2, sampleRate: 48_000)
    #expect(stage?.heldCount == nil)
  }

  /// The mix of mono tracks, processed in blocks of `frames` frames.
  private func mix(
    _ settings: [TrackConfiguration], _ sounds: [[Float]], by frames: Int
  ) throws -> [Float] {
    let others = settings.dropFirst().map { FollowerTrack($0, Self.configuration, pace: .mix) }
    var mixdown = Mixdown(
      SourceTrack(Self.configuration, followsClock: true), Array(others), settings: settings,
      configuration: Self.configuration)
    mixdown.echoes = try EchoStage(settings, channelCount: 1, sampleRate: Self.sampleRate)
    var all: [Float] = []
    for start in stride(from: 0, to: sounds[0].count, by: frames) {
      let end = min(start + frames, sounds[0].count)
      let chunks = sounds.map { Array($0[start..<end]) }
      let block = CaptureBlock(of: chunks[0], at: start, channels: 1, rate: Self.sampleRate)
      mixdown.leader.accept(block, chunks[0], from: nil)
      for index in mixdown.followers.indices {
        mixdown.followers[index].accept(block, chunks[index + 1], at: mixdown.position)
      }
      all += try mixdown.takeAll()
    }
    mixdown.end(at: nil)
    return try all + mixdown.takeAll()
  }

  @Test(arguments: [100, 160, 4000])
  func fadesBeginWithTheirSound(frames: Int) throws {
    var jingle = TrackConfiguration("jingle")
    jingle.startOffset = .milliseconds(20)
    jingle.fadeIn = .milliseconds(10)
    let settings = Self.settings() + [jingle]
    let count = 4000
    let sounds = [
      (0..<count).map { Float($0 % 100) * 0.001 }, [Float](repeating: 0, count: count),
      [Float](repeating: 0.5, count: count),
    ]
    let mixed = try mix(settings, sounds, by: frames)
    // A silent microphone adds nothing, so the mix equals the mix without echo cancellation.
    var plain = settings
    plain[1].echoCancellation = nil
    #expect(mixed.count == count)
    #expect(try mix(plain, sounds, by: frames) == mixed)
    #expect(mixed[320] == sounds[0][320] + 0.5 / 160)
  }

  // MARK: A complete recording

  private struct PlayedSamples: SyntheticSignal {
    var samples: [Float]
    private var position = 0

    init(_ samples: [Float]) { self.samples = samples }

    var sampleRate: Int { EchoCancellationTests.sampleRate }
    var channelCount: Int { 1 }
    var frameCount: Int? { samples.count }

    mutating func read(into output: inout [Float], frameCount: Int) -> Int {
      let count = min(frameCount, samples.count - position)
      output += samples[position..<position + count]
      position += count
      return count
    }
  }

  @Test func theFileOfATrackHasNoEcho() throws {
    let scene = Scene(seconds: 5)
    let folder = try Folder()
    var configuration = Self.configuration
    configuration.multitrack = Multitrack(folder.file("parts"), .wav)
    var settings = Self.settings()
    // The canceller uses the loudspeaker's signal before its gain and its effects.
    settings[0].gain = -20
    settings[0].effects = try EffectDescription.parse("gain -60")
    settings[1].effects = try EffectDescription.parse("limiter 0")
    let source = SyntheticSource.test(PlayedSamples(scene.far))
    let session = RecordingSession(configuration)
    try session.start(
      [
        TrackSource(settings[0], from: source),
        TrackSource(settings[1], playing: PlayedSamples(scene.echo)),
      ], outputs: [FileOutput(folder.file("mix.wav"), .wav)])
    let summary = try finalSummary(of: session)
    #expect(summary.failure == nil && summary.sampleCount == scene.far.count)
    let mix = try folder.samples("mix.wav")
    let far = try folder.samples("parts/far.wav")
    let mic = try folder.samples("parts/mic.wav")
    try #require(mix.count == scene.far.count && mic.count == mix.count && far.count == mix.count)
    #expect(zip(far, mic).map { $0 + $1 } == mix)
    let factor = Gain.factor(decibels: -80)
    #expect(zip(far, scene.far).allSatisfy { abs($0 - $1 * factor) < 1e-7 })
    let start = 3 * Self.sampleRate
    #expect(decibels(power(scene.echo[start...]) / power(mic[start...])) >= 15)
  }

  // MARK: Errors

  static let mistakes: [(TrackError, @Sendable (inout [TrackConfiguration]) -> Void)] = [
    (.unknownEcho("fear"), { $0[1].echoCancellation = EchoCancellation(of: "fear") }),
    (.echoesItself("mic"), { $0[1].echoCancellation = EchoCancellation(of: "mic") }),
    (.echoCircle(["far", "mic"]), { $0[0].echoCancellation = EchoCancellation(of: "mic") }),
    (
      .echoCircle(["far", "third", "mic"]),
      {
        $0.append(TrackConfiguration("third"))
        $0[0].echoCancellation = EchoCancellation(of: "third")
        $0[2].echoCancellation = EchoCancellation(of: "mic")
      }
    ),
    (.impossibleEcho(track: "mic"), { $0[1].echoCancellation?.tail = .milliseconds(9) }),
    (.impossibleEcho(track: "mic"), { $0[1].echoCancellation?.tail = .milliseconds(1001) }),
    (.impossibleEcho(track: "mic"), { $0[1].echoCancellation?.tail = .seconds(-1) }),
  ]

  @Test(arguments: mistakes.indices)
  func invalidEchoSettingsThrowTrackError(index: Int) {
    let (mistake, change) = Self.mistakes[index]
    var settings = Self.settings()
    change(&settings)
    let tracks = settings.map {
      TrackSource($0, playing: PlayedSamples([Float](repeating: 0, count: 16)))
    }
    let session = RecordingSession(Self.configuration)
    #expect(throws: RecordingError.tracks(mistake)) { try session.start(tracks, outputs: []) }
    #expect(mistake.message.hasSuffix(".") && mistake.message.contains("echo"))
  }

  @Test func echoReferencesMayBeSharedAndChained() throws {
    var settings = Self.settings() + [TrackConfiguration("guest"), TrackConfiguration("hall")]
    settings[2].echoCancellation = EchoCancellation(of: "far")
    settings[0].echoCancellation = EchoCancellation(of: "hall")
    try TrackConfiguration.validate(settings, channelCount: 2)
  }

  @Test func manyChannelsRequireMixReference() throws {
    #expect(throws: RecordingError.tracks(.impossibleEcho(track: "mic"))) {
      try TrackConfiguration.validate(Self.settings(), channelCount: 9)
    }
    try TrackConfiguration.validate(Self.settings(.mix), channelCount: 9)
  }

  @Test func missingEchoCancellerErrorNamesPackage() {
    let missing = EchoCanceller.error(
      for: SpeexUnavailable(
        .notLoaded(
          reason: "libspeexdsp.so.1: cannot open shared object file: No such file or directory")))
    #expect(
      missing == .echoCancellerMissing(library: "libspeexdsp.so.1", package: "libspeexdsp1"))
    #expect(
      missing.message
        == "Echo cancellation is not available: the library libspeexdsp.so.1 is not installed. "
        + "On Debian it is in the package libspeexdsp1.")
    let reason = "it has no function speex_echo_ctl"
    let old = EchoCanceller.error(for: SpeexUnavailable(.noFunction("speex_echo_ctl")))
    #expect(old == .echoCancellerUnsuitable(library: "libspeexdsp.so.1", reason: reason))
    #expect(old.message.contains("(\(reason)). Turn off echo cancellation."))
  }
}
#endif
