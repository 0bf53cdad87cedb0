import AacornApple
import AacornCodec
import AacornContainers
import AacornDevices
import AacornRecording
import SimulatedApple
import SimulatedAudio
import Testing

extension OnSimulatedApple {
  /// Recordings that the system's encoder encodes.
  @Suite(RealTime()) struct SystemRecordings {
    init() {
      OwnCodec.install()
    }

    private static func configuration(_ profile: AACEncoder.Profile) -> RecordingConfiguration {
      var configuration = RecordingConfiguration(
        sampleRate: 48_000, channelCount: 2,
        coding: .aac(
          rateControl: .constant(bitsPerSecond: 64_000), effort: .balanced, profile: profile))
      configuration.backEnd = .system(.any)
      configuration.duration = .milliseconds(300)
      return configuration
    }

    /// Records to a file, and returns the summary and the bytes of the file.
    private func recordFile(
      _ configuration: RecordingConfiguration
    ) async throws -> (summary: RecordingSummary, bytes: [UInt8]) {
      let file = TemporaryFile("m4a")
      let recorder = Recorder(
        from: CaptureRequest(), to: [FileOutput(file.path, .m4a)], configuration)
      return (try await record(with: recorder), file.bytes)
    }

    @Test(arguments: [.lowComplexity, .highEfficiency] as [AACEncoder.Profile])
    func theFileHasTheCookieAndTheEditList(profile: AACEncoder.Profile) async throws {
      let (summary, bytes) = try await recordFile(Self.configuration(profile))
      #expect(summary.failure == nil && summary.sampleCount == 14_400)
      let codec = try OwnCodec(try #require(SimulatedConverters.lastRequest))
      let reader = MP4Reader(file: bytes)
      #expect(reader.damage == [])
      let audibleRange = UInt64(codec.leadingFrameCount)..<UInt64(codec.leadingFrameCount + 14_400)
      #expect(reader.playableRanges == [audibleRange])
      #expect(reader.track?.edits.count == 1)
      let found = try #require(MagicCookie.configuration(in: codec.magicCookie))
      #expect(reader.track?.stream.sampleRate == found.sampleRate)
      #expect(reader.track?.stream.channelConfiguration == found.channelConfiguration)
    }

    @Test func aConverterThatFailsEndsTheRecordingAndKeepsWhatThereIs() async throws {
      SimulatedConverters.changes.failure = (packet: 8, status: ConverterCode.hardwareInUse)
      let (summary, bytes) = try await recordFile(Self.configuration(.lowComplexity))
      #expect(summary.failure == .backEnd(.hardwareInUse))
      #expect(MP4Reader(file: bytes).unitCount == 8)
    }
  }
}
