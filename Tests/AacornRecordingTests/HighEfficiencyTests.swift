import AacornCodec
import AacornContainers
import AacornDevices
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
  func aFileComesBackAsLongAsItWasAndInItsPlace(channels: Int, frames: Int) async throws {
    let folder = try Folder()
    let writer = WAVWriter(encoding: .float32, sampleRate: 48_000, channelCount: channels)
    var bytes = writer.header(frameCount: UInt64(frames))
    // A tone whose loudness changes slowly; shifted by a few samples it would be another.
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
    #expect(movie.heard == [3010..<63_010])
    #expect(movie.sample(at: 3)?.time == 3 * 1024)
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
        Issue.record("no AAC")
        continue
      }
      #expect(stream.sampleRate == 24_000 && stream.outputSampleRate == 48_000)
      #expect(timing == bench.configuration.timing && timing.nominalBitrate == 64_000)
    }
  }
}
