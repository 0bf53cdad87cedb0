import AacornCodec
import AacornContainers
import AacornDevices
import AacornInspection
import AacornRecording
import AacornSignal
import AacornSoundFiles
import Foundation
import Testing

/// Files and recordings of HE-AAC.
@Suite struct HighEfficiencyTests {
  private static let coding = RecordingConfiguration.Coding.aac(
    rateControl: .constant(bitsPerSecond: 64_000), effort: .fast, profile: .highEfficiency)

  @Test(arguments: [1, 2], [30_001, 100_000])
  func highEfficiencyFileKeepsLengthAndPosition(channels: Int, frames: Int) async throws {
    let folder = try Folder()
    let writer = WAVWriter(encoding: .float32, sampleRate: 48_000, channelCount: channels)
    var bytes = writer.header(frameCount: UInt64(frames))
    // A tone with slowly changing loudness, so that a shift by a few samples is detected.
    let samples = (0..<channels * frames).map { index in
      let frame = Double(index / channels)
      return Float(sin(frame * 0.06) * (1 + sin(frame * 0.0007)) / 6)
    }
    writer.append(samples.span, to: &bytes)
    let input = try folder.write(bytes, to: "a.wav")
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
    let reader = try SoundFileReader(folder.file("b.caf"))
    var result: [Float] = []
    while try reader.read(frameCount: 4096, into: &result) > 0 {}
    #expect(result.count == samples.count)
    let error = zip(samples, result).reduce(0.0) { $0 + Double(($1.0 - $1.1) * ($1.0 - $1.1)) }
    let power = samples.reduce(0.0) { $0 + Double($1 * $1) }
    #expect(power > 20 * error)
  }

  @Test func theTrackCountsInTicksOfTheCore() async throws {
    let folder = try Folder()
    let writer = WAVWriter(encoding: .int16, sampleRate: 44_100, channelCount: 2)
    var bytes = writer.header(frameCount: 60_000)
    bytes += [UInt8](repeating: 7, count: 240_000)
    let input = try folder.write(bytes, to: "a.wav")
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
  private func counter(in folder: Folder) throws -> String {
    let writer = WAVWriter(encoding: .int16, sampleRate: 48_000, channelCount: 2)
    var bytes = writer.header(frameCount: 30_001)
    for index in 0..<60_002 {
      let sample = Int16(index * 37 % 20_000)
      bytes += [UInt8(truncatingIfNeeded: sample), UInt8(truncatingIfNeeded: sample >> 8)]
    }
    return try folder.write(bytes, to: "a.wav")
  }

  private func decoded(_ path: String, in folder: Folder) async throws -> [UInt8] {
    var options = AACFile.DecodingOptions()
    options.encoding = .float32
    let output = folder.file("decoded.wav")
    let summary = try await AACFile.decode(from: path, to: output, options: options)
    #expect(summary.sampleCount == 30_001 && summary.sampleRate == 48_000)
    let bytes = try folder.bytes("decoded.wav")
    try FileManager.default.removeItem(atPath: output)
    return bytes
  }

  @Test func signalingIsReportedWithoutChangingAudio() async throws {
    let folder = try Folder()
    let input = try counter(in: folder)
    var configuration = AACFile.Configuration(profile: .highEfficiency, replacesExisting: true)
    let path = folder.file("a.m4a")
    try await AACFile.encode(from: input, to: path, configuration: configuration)
    let reference = try await decoded(path, in: folder)
    for signaling in Self.signalings {
      configuration.signaling = signaling
      try await AACFile.encode(from: input, to: path, configuration: configuration)
      let movie = MP4Reader(file: try folder.bytes("a.m4a"))
      let track = try #require(movie.track)
      #expect(track.stream.signaling == signaling && track.timescale == 24_000)
      #expect(track.stream.sampleRate == 24_000)
      #expect(track.stream.outputSampleRate == (signaling == .implicit ? 24_000 : 48_000))
      let sound = try await decoded(path, in: folder)
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
    let folder = try Folder()
    let input = try counter(in: folder)
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
    let folder = try Folder()
    let input = try counter(in: folder)
    let output = folder.file("a.m4a")
    for signaling in Self.signalings {
      do throws(AACFileError) {
        try await AACFile.encode(
          from: input, to: output, configuration: AACFile.Configuration(signaling: signaling))
        Issue.record("AAC-LC accepted a signaling mode.")
      } catch {
        #expect(error.kind == .unsupported)
        #expect(
          error.message == "Cannot encode “\(input)”: AAC-LC has no band replication to signal. "
            + "Choose HE-AAC, or no signaling.")
      }
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
      guard case .aac(let stream, let timing) = outcome.segments.first?.start.format else {
        Issue.record("The recording is not AAC.")
        continue
      }
      #expect(stream.signaling == (signaling ?? .backwardCompatible))
      #expect(stream.profile == .spectralBandReplication && stream.outputSampleRate == 48_000)
      #expect(timing.samplesPerUnit == 2048 && timing.sampleRate == 48_000)
    }
  }

  @Test func aRecordingOfPlainSoundHasNothingToSignal() throws {
    let configuration = RecordingConfiguration(
      sampleRate: 48_000, channelCount: 2,
      coding: .aac(
        rateControl: .constant(bitsPerSecond: 128_000), effort: .fast, signaling: .implicit))
    let session = RecordingSession(configuration)
    let source = SyntheticSource(
      CaptureDevice(backend: .synthetic, id: "test", name: "Test"),
      playing: CounterSignal(sampleRate: 48_000, channelCount: 2))
    let error = #expect(throws: RecordingError.self) { try session.start(source, outputs: []) }
    #expect(error == .encoder(.signalingWithoutReplication))
    #expect(
      error?.message
        == "AAC-LC has no band replication to signal. Choose HE-AAC, or no signaling.")
  }

  @Test func partsOfATimeJoinToTheSample() throws {
    var bench = Bench()
    bench.configuration.coding = Self.coding
    bench.configuration.split = .every(.milliseconds(333))
    let outcome = try bench.run()
    let counts = outcome.segments.compactMap { $0.end?.sampleCount }
    #expect(counts == [15_984, 15_984, 15_984, 15_984, 15_984, 15_984, 96])
    for segment in outcome.segments {
      let end = try #require(segment.end)
      #expect(end.trim.sampleCount == end.sampleCount && end.trim.priming == 3010)
      #expect(segment.packets.first?.position == segment.start.position - 3010)
      #expect(segment.packets.allSatisfy { $0.sampleCount == 2048 })
      #expect(segment.start.expectedPacketCount.map { $0 >= segment.packets.count } ?? false)
      guard case .aac(let stream, let timing) = segment.start.format else {
        Issue.record("The segment is not AAC.")
        continue
      }
      #expect(stream.sampleRate == 24_000 && stream.outputSampleRate == 48_000)
      #expect(timing == bench.configuration.timing && timing.nominalBitrate == 64_000)
    }
  }
}
