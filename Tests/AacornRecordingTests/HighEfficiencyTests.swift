import AacornCodec
import AacornContainers
import AacornDevices
import AacornInspection
import AacornRecording
import AacornSignal
import AacornSoundFiles
import Foundation
import Testing

@Suite struct HighEfficiencyTests {
  private let folder: Folder

  init() throws { folder = try Folder() }

  @Test(arguments: [1, 2], [30_001, 100_000])
  func highEfficiencyFileKeepsLengthAndPosition(channels: Int, frames: Int) async throws {
    // A tone with slowly changing loudness, so that a shift by a few samples is detected.
    let samples = (0..<channels * frames).map { index in
      let frame = Double(index / channels)
      return Float(sin(frame * 0.06) * (1 + sin(frame * 0.0007)) / 6)
    }
    let input = try folder.writeWAV(
      samples, to: "a.wav", rate: 48_000, channels: channels, encoding: .float32)
    let summary = try await AACFile.encode(
      from: input, to: folder.file("a.m4a"),
      configuration: AACFile.Configuration(profile: .highEfficiency))
    #expect(summary.profile == .highEfficiency && summary.sampleRate == 48_000)
    #expect(summary.sampleCount == frames)
    var options = AACFile.DecodingOptions()
    options.encoding = .float32
    let decoded = try await AACFile.decode(
      from: folder.file("a.m4a"), to: folder.file("b.caf"), options: options)
    #expect(decoded.sampleCount == frames && decoded.sampleRate == 48_000)
    #expect(decoded.channelCount == channels && !decoded.isDamaged)
    let result = try folder.samples("b.caf")
    #expect(result.count == samples.count)
    let error = zip(samples, result).reduce(0.0) { $0 + Double(($1.0 - $1.1) * ($1.0 - $1.1)) }
    let power = samples.reduce(0.0) { $0 + Double($1 * $1) }
    #expect(power > 20 * error)
  }

  @Test func theTrackCountsInTicksOfTheCore() async throws {
    let input = try folder.writeWAV(steps(120_000), to: "a.wav")
    try await AACFile.encode(
      from: input, to: folder.file("a.m4a"),
      configuration: AACFile.Configuration(profile: .highEfficiency))
    let movie = MP4Reader(file: try folder.bytes("a.m4a"))
    let track = try #require(movie.track)
    #expect(track.timescale == 22_050 && track.edits.map(\.mediaTime) == [1505])
    #expect(track.stream.profile == .spectralBandReplication)
    #expect(track.stream.sampleRate == 22_050 && track.stream.extensionSampleRate == 44_100)
    #expect(track.stream.signaling == .backwardCompatible)
    #expect(movie.playableRanges == [3010..<63_010])
    #expect(movie.sample(at: 3)?.time == 3 * 1024)
  }

  private static let signalings: [AudioSpecificConfig.Signaling] = [
    .implicit, .backwardCompatible, .hierarchical,
  ]

  /// A WAV file of 30,001 samples, which is not a whole number of 24 kHz ticks.
  private func counter() throws -> String {
    try folder.writeWAV(steps(60_002), to: "a.wav", rate: 48_000)
  }

  private func decoded(_ path: String) async throws -> [UInt8] {
    var options = AACFile.DecodingOptions()
    options.encoding = .float32
    let output = folder.file("decoded.wav")
    let summary = try await AACFile.decode(from: path, to: output, options: options)
    #expect(summary.sampleCount == 30_001 && summary.sampleRate == 48_000)
    let bytes = try folder.bytes("decoded.wav")
    try folder.remove("decoded.wav")
    return bytes
  }

  @Test func signalingIsReportedWithoutChangingAudio() async throws {
    let input = try counter()
    var configuration = AACFile.Configuration(profile: .highEfficiency, replacesExisting: true)
    let path = folder.file("a.m4a")
    try await AACFile.encode(from: input, to: path, configuration: configuration)
    let reference = try await decoded(path)
    for signaling in Self.signalings {
      configuration.signaling = signaling
      try await AACFile.encode(from: input, to: path, configuration: configuration)
      let movie = MP4Reader(file: try folder.bytes("a.m4a"))
      let track = try #require(movie.track)
      #expect(track.stream.signaling == signaling && track.timescale == 24_000)
      #expect(track.stream.sampleRate == 24_000)
      #expect(track.stream.outputSampleRate == (signaling == .implicit ? 24_000 : 48_000))
      let sound = try await decoded(path)
      #expect(sound == reference)
      let report = try await AACFile.inspect(path)
      #expect(report.outputSampleRate == 48_000 && report.trimRate == 48_000)
      #expect(report.trim?.sampleCount == 30_001 && report.trim?.priming == 3010)
      #expect(report.isExtensionSignaled == (signaling != .implicit))
    }
  }

  @Test(
    arguments: [
      ("aac", .implicit, nil), ("latm", .implicit, nil), ("latm", .hierarchical, nil),
      ("aac", .backwardCompatible, "ADTS can signal HE-AAC only implicitly."),
      ("aac", .hierarchical, "ADTS can signal HE-AAC only implicitly."),
      (
        "latm", .backwardCompatible,
        "LATM can signal HE-AAC implicitly or hierarchically, but not backward-compatibly."
      ),
    ] as [(String, AudioSpecificConfig.Signaling, String?)])
  func aStreamIsSignaledAsItCanBe(
    suffix: String, signaling: AudioSpecificConfig.Signaling, problem: String?
  ) async throws {
    let input = try counter()
    let output = folder.file("a." + suffix)
    let configuration = AACFile.Configuration(profile: .highEfficiency, signaling: signaling)
    do throws(AACFileError) {
      _ = try await AACFile.encode(from: input, to: output, configuration: configuration)
    } catch {
      #expect(error.kind == .unsupported && error.problem == problem)
      #expect(error.message.hasSuffix(" Choose another signaling, or another format."))
      #expect(folder.names == ["a.wav"])
      return
    }
    #expect(problem == nil)
    let report = try await AACFile.inspect(output)
    #expect(report.profile == .spectralBandReplication && report.outputSampleRate == 48_000)
    #expect(report.isExtensionSignaled == (signaling == .hierarchical))
    if signaling == .hierarchical { #expect(report.configuration?.signaling == .hierarchical) }
  }

  @Test func plainSoundHasNothingToSignal() async throws {
    let input = try counter()
    let output = folder.file("a.m4a")
    for signaling in Self.signalings {
      let error = await #expect(throws: AACFileError.self) {
        try await AACFile.encode(
          from: input, to: output, configuration: AACFile.Configuration(signaling: signaling))
      }
      #expect(error?.kind == .unsupported)
      #expect(
        error?.message == "Cannot encode “\(input)”: AAC-LC has no band replication to signal. "
          + "Choose HE-AAC, or no signaling.")
    }
    #expect(folder.names == ["a.wav"])
    // The option is valid if the bitrate selects the profile.
    try await AACFile.encode(
      from: input, to: output,
      configuration: AACFile.Configuration(
        bitrate: 128_000, profile: nil, signaling: .hierarchical))
    let movie = MP4Reader(file: try folder.bytes("a.m4a"))
    #expect(movie.track?.stream.profile == .lowComplexity)
  }

  @Test func recordingUsesRequestedSignaling() throws {
    for signaling in [nil, .implicit, .backwardCompatible, .hierarchical]
      as [AudioSpecificConfig.Signaling?]
    {
      var bench = Bench()
      bench.frameCount = 9600
      bench.configuration.coding = .aac(
        rateControl: .constant(bitsPerSecond: 64_000), effort: .fast, profile: .highEfficiency,
        signaling: signaling)
      let outcome = try bench.run()
      let (stream, timing) = try #require(outcome.segments.first?.start.format.aac)
      #expect(stream.signaling == (signaling ?? .backwardCompatible))
      #expect(stream.profile == .spectralBandReplication && stream.outputSampleRate == 48_000)
      #expect(timing.samplesPerUnit == 2048 && timing.sampleRate == 48_000)
    }
  }

  @Test func aRecordingOfPlainSoundHasNothingToSignal() throws {
    let session = RecordingSession(
      .stereo(
        .aac(rateControl: .constant(bitsPerSecond: 128_000), effort: .fast, signaling: .implicit)))
    let error = #expect(throws: RecordingError.self) {
      try session.start(SyntheticSource.test(pacing: .realTime), outputs: [])
    }
    #expect(error == .encoder(.signalingWithoutReplication))
    #expect(
      error?.message
        == "AAC-LC has no band replication to signal. Choose HE-AAC, or no signaling.")
  }
}
