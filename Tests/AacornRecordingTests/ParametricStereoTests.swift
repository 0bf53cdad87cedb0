import AacornCodec
import AacornContainers
import AacornDevices
import AacornRecording
import AacornSoundFiles
import Testing

@Suite struct ParametricStereoTests {
  private static let coding = RecordingConfiguration.Coding.constant(32_000, .highEfficiencyV2)

  private let folder: Folder

  init() throws { folder = try Folder() }

  private func sound(_ name: String, frames: Int, channels: Int = 2) throws -> String {
    try folder.writeWAV(
      noise(frames * channels, amplitude: 0.125), to: name, rate: 48_000, channels: channels)
  }

  private func encodingError(
    _ input: String, _ configuration: AACFile.Configuration
  ) async -> AACFileError? {
    await #expect(throws: AACFileError.self) {
      try await AACFile.encode(
        from: input, to: folder.file("refused.m4a"), configuration: configuration)
    }
  }

  // MARK: - Names

  @Test func everyProfileHasUniqueKeyword() {
    let profiles = ProfileChoice.allCases.compactMap(\.profile)
    #expect(profiles == AACEncoder.Profile.allCases)
    for choice in ProfileChoice.allCases where choice != .automatic {
      #expect(choice.profile?.keyword == choice.rawValue)
    }
    #expect(ProfileChoice.automatic.profile == nil)
    #expect(profiles.map(\.keyword) == ["lc", "he", "he2"])
    #expect(profiles.map(\.name) == ["AAC-LC", "HE-AAC", "HE-AAC v2"])
  }

  @Test(arguments: [
    (1, "HE-AAC v2 is for 2 channels, not 1. Choose HE-AAC for mono."),
    (6, "HE-AAC v2 is for 2 channels, not 6. Choose 2 channels, or HE-AAC."),
  ])
  func recordingWithoutTwoChannelsThrows(channels: Int, message: String) {
    let configuration = RecordingConfiguration(
      sampleRate: 48_000, channelCount: channels, coding: Self.coding)
    let source = SyntheticSource.test(
      CounterSignal(sampleRate: 48_000, channelCount: channels), pacing: .realTime)
    let session = RecordingSession(configuration)
    let error = #expect(throws: RecordingError.self) { try session.start(source, outputs: []) }
    #expect(error == .encoder(.unsupportedStereoProfile(channelCount: channels)))
    #expect(error?.message == message)
  }

  @Test func fileWithoutTwoChannelsThrows() async throws {
    let configuration = AACFile.Configuration(profile: .highEfficiencyV2)
    let mono = try sound("mono.wav", frames: 3000, channels: 1)
    let one = await encodingError(mono, configuration)
    #expect(one?.kind == .unsupported)
    #expect(
      one?.message == "Cannot encode “\(mono)”: HE-AAC v2 is for 2 channels, not 1. "
        + "Choose HE-AAC for mono.")
    let six = await encodingError(try sound("six.wav", frames: 3000, channels: 6), configuration)
    #expect(six?.kind == .unsupported && six?.recoverySuggestion == .mixChannels(to: 2))
    #expect(six?.problem.hasSuffix("HE-AAC v2 is for 2 channels, not 6.") == true)
    // The channel count after the mix matters, rather than the channel count of the input.
    let mixed = AACFile.Configuration(profile: .highEfficiencyV2, channelCount: 1)
    let other = await encodingError(try sound("two.wav", frames: 3000), mixed)
    #expect(other?.problem.hasSuffix("HE-AAC v2 is for 2 channels, not 1.") == true)
    #expect(folder.names == ["mono.wav", "six.wav", "two.wav"])
  }

  @Test func aBitrateThatIsTooHighIsRefusedByTheNameOfTheProfile() async throws {
    let configuration = AACFile.Configuration(bitrate: 400_000, profile: .highEfficiencyV2)
    let error = await encodingError(try sound("a.wav", frames: 3000), configuration)
    #expect(error?.kind == .unsupported)
    #expect(error?.message.contains("With HE-AAC v2, 48 kHz and 2 channels, choose") == true)
  }

  // MARK: - Audio

  @Test(arguments: [30_001, 100_000])
  func parametricStereoFileKeepsLengthAndChannels(frames: Int) async throws {
    let summary = try await AACFile.encode(
      from: try sound("a.wav", frames: frames), to: folder.file("a.m4a"),
      configuration: AACFile.Configuration(profile: .highEfficiencyV2))
    #expect(summary.profile == .highEfficiencyV2 && summary.channelCount == 2)
    #expect(summary.sampleRate == 48_000 && summary.sampleCount == frames)

    let movie = MP4Reader(file: try folder.bytes("a.m4a"))
    let track = try #require(movie.track)
    #expect(track.channelCount == 2 && track.timescale == 24_000)
    // AAC-LC, 24 kHz, one channel; sync extension 0x2B7: SBR, 48 kHz; 0x548: PS.
    #expect(track.stream.bytes == [0x13, 0x08, 0x56, 0xE5, 0x9D, 0x48, 0x80])
    #expect(movie.playableRanges.map(\.count) == [frames])

    let decoded = try await AACFile.decode(
      from: folder.file("a.m4a"), to: folder.file("b.wav"))
    #expect(decoded.sampleCount == frames && decoded.channelCount == 2)
    #expect(decoded.sampleRate == 48_000 && !decoded.isDamaged)
  }

  @Test func packetsOfARecordingSayWhatTheyAre() throws {
    var bench = Bench()
    bench.configuration.coding = Self.coding
    let outcome = try bench.run()
    let segment = try #require(outcome.segments.first)
    let (stream, timing) = try #require(segment.start.format.aac)
    #expect(stream.channelConfiguration == 1 && stream.hasParametricStereo)
    #expect(stream.sampleRate == 24_000 && stream.outputSampleRate == 48_000)
    #expect(timing == bench.configuration.timing && timing.samplesPerUnit == 2048)
    #expect(segment.packets.allSatisfy { $0.sampleCount == 2048 })
    #expect(segment.end?.sampleCount == 96_000)
  }
}
