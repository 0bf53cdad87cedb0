import AacornCodec
import AacornContainers
import AacornDevices
import AacornRecording
import AacornStreaming
import AacornSystem
import Foundation
import SoundRigs
import StreamRigs
import Testing

/// HLS from a folder, played by ffmpeg: the played frames equal the encoded frames.
@Suite struct HLSTests {
  /// An output that keeps the access units of every rendition.
  struct FrameLog: PacketOutput {
    let frames = Lock<[Int: [[UInt8]]]>([:])
    let name = "log"
    var byteCount = 0
    var acceptsRenditions: Bool { true }

    mutating func open() throws(OutputError) {}
    mutating func begin(_ segment: SegmentStart) throws(OutputError) {}
    mutating func write(_ packet: EncodedPacket) throws(OutputError) {
      frames.withLock { $0[packet.rendition, default: []].append(packet.bytes) }
    }
    mutating func record(_ gap: RecordingGap) throws(OutputError) {}
    mutating func end(_ end: SegmentEnd) throws(OutputError) -> OutputSummary? { nil }
    mutating func abandon() -> OutputSummary? { nil }
  }

  /// A recording of tones into an HLS folder, an M4A file and an ADTS file.
  final class Bench: Sendable {
    let folder: WorkFolder
    let log = FrameLog()
    let session: RecordingSession

    init(
      _ configuration: HLSConfiguration, sampleCount: Int,
      codings: [RecordingConfiguration.Coding] = [HLSTests.coding(128_000)],
      faults: SyntheticFaults = SyntheticFaults(), pacing: SyntheticSource.Pacing = .unpaced
    ) throws {
      folder = WorkFolder()
      var recording = RecordingConfiguration(
        sampleRate: 48_000, channelCount: 2, coding: codings[0])
      recording.furtherCodings = Array(codings.dropFirst())
      session = RecordingSession(recording) { _ in
      } packets: { _ in
      }
      let path = folder.path("hls")
      try session.start(
        HLSTests.tones(sampleCount, pacing, faults),
        outputs: [
          HLSOutput(configuration, stores: [HLSFolderStore(path)], name: path), log,
          FileOutput(folder.path("whole.m4a"), .m4a), FileOutput(folder.path("whole.aac"), .aac),
        ])
    }

    func finish() throws {
      let summary = try #require(
        session.wait(for: TestTimeout.duration), "The recording does not end.")
      #expect(summary.failure == nil)
      #expect(summary.outputs.map(\.name).contains(folder.path("hls")))
    }

    func frames(_ rendition: Int = 0) -> [[UInt8]] {
      log.frames.withLock { $0[rendition] ?? [] }
    }

    func copied(_ arguments: [String]) throws -> [[UInt8]] {
      try HLSTests.copied(arguments, in: folder)
    }

    func playlist(_ name: String = "hls/stream-0.m3u8") throws -> HLSPlaylistText {
      let text = String(decoding: try folder.read(name), as: UTF8.self)
      #expect(HLSRules.faults(inMedia: text) == [])
      return HLSPlaylistText(text)
    }
  }

  /// A source of tones.
  static func tones(
    _ sampleCount: Int, _ pacing: SyntheticSource.Pacing,
    _ faults: SyntheticFaults = SyntheticFaults()
  ) -> SyntheticSource {
    SyntheticSource(
      Device(backend: .synthetic, id: "test", name: "Test"),
      playing: SyntheticExcerpt(
        of: ToneSignal(sampleRate: 48_000, channelCount: 2), frameCount: sampleCount),
      pacing: pacing, faults: faults)
  }

  /// Runs ffmpeg, expects no warnings, and returns the frames of its output.
  static func copied(_ arguments: [String], in folder: WorkFolder) throws -> [[UInt8]] {
    let name = "copy-\(folder.nextNumber()).aac"
    let outcome = try Program.ffmpeg().run(
      ["-nostdin", "-v", "repeat+warning"] + arguments + ["-c", "copy", "-f", "adts", name],
      in: folder)
    #expect(outcome.status == 0 && !outcome.wasKilled)
    // ffmpeg logs that it reads the initialization section again after every reload of a playlist.
    let complaints = outcome.errors.split(separator: "\n").filter {
      !$0.hasSuffix("Found duplicated MOOV Atom. Skipped it")
    }
    #expect(complaints == [])
    return try frames(folder.read(name))
  }

  static func frames(_ bytes: [UInt8]) -> [[UInt8]] {
    var reader = ADTSReader()
    reader.append(bytes)
    reader.finish()
    var frames: [[UInt8]] = []
    while let event = reader.next() {
      switch event {
      case .frame(let frame): frames += frame.blocks.map { Array(frame.payload[$0]) }
      case .tag: break
      case .damage(let damage): Issue.record("\(damage)")
      }
    }
    return frames
  }

  static func coding(
    _ bitrate: Int, _ profile: AACEncoder.Profile = .lowComplexity
  ) -> RecordingConfiguration.Coding {
    .aac(rateControl: .constant(bitsPerSecond: bitrate), effort: .balanced, profile: profile)
  }

  static let sampleCount = 48_000 * 14 + 777

  static func configuration(
    _ media: HLSConfiguration.Media, _ kind: HLSConfiguration.Kind, segmentSeconds: Int = 2
  ) -> HLSConfiguration {
    var configuration = HLSConfiguration()
    configuration.media = media
    configuration.kind = kind
    configuration.segmentDuration = .seconds(segmentSeconds)
    configuration.windowSegmentCount = 50
    return configuration
  }

  @Test(arguments: HLSConfiguration.Media.allCases, HLSConfiguration.Kind.allCases)
  func ffmpegGetsTheFramesOfTheEncoder(
    media: HLSConfiguration.Media, kind: HLSConfiguration.Kind
  ) throws {
    let bench = try Bench(Self.configuration(media, kind), sampleCount: Self.sampleCount)
    try bench.finish()
    #expect(bench.frames().count == (Self.sampleCount + 1023) / 1024 + 1)
    #expect(try bench.playlist().segmentNames.count == 8)
    #expect(
      try bench.copied(["-live_start_index", "0", "-i", "hls/stream.m3u8"]) == bench.frames())
  }

  /// The joints between segments are inaudible.
  ///
  /// The delay is trimmed in formats that can state it.
  @Test(arguments: HLSConfiguration.Media.allCases)
  func decodedStreamEqualsFile(media: HLSConfiguration.Media) throws {
    let bench = try Bench(Self.configuration(media, .vod), sampleCount: Self.sampleCount)
    try bench.finish()
    let streamed = try Decoders.ffmpeg("hls/stream-0.m3u8", channels: 2, in: bench.folder)
    let whole = try Decoders.ffmpeg(
      media == .fragmentedMP4 ? "whole.m4a" : "whole.aac", channels: 2, in: bench.folder)
    for channel in 0..<2 {
      let count = min(whole[channel].count, streamed[channel].count)
      #expect(count >= Self.sampleCount)
      #expect(streamed[channel][..<count] == whole[channel][..<count])
    }
  }

  @Test func sectionAndSegmentsTogetherAreAFile() throws {
    let bench = try Bench(Self.configuration(.fragmentedMP4, .vod), sampleCount: Self.sampleCount)
    try bench.finish()
    let playlist = try bench.playlist()
    let names = [playlist.segments.first?.map].compactMap(\.self) + playlist.segmentNames
    let bytes = try names.flatMap { try bench.folder.read("hls/" + $0) }
    try bench.folder.write(bytes, to: "joined.mp4")
    let facts = try Decoders.probe("joined.mp4", in: bench.folder)
    #expect(facts["codec_name"] == "aac" && facts["sample_rate"] == "48000")
    try bench.folder.aacorn("inspect", "joined.mp4")
    let reader = MP4Reader(file: bytes)
    #expect(reader.damage == [])
    #expect(reader.trim?.sampleCount == Self.sampleCount)
    #expect(reader.trim?.priming == 1024)
    #expect(try bench.copied(["-i", "joined.mp4"]) == bench.frames())
  }

  @Test(arguments: HLSConfiguration.Media.allCases)
  func aLostDeviceIsADiscontinuityAndNoFrameIsMissing(media: HLSConfiguration.Media) throws {
    let faults = SyntheticFaults([.at(48_000 * 3, .absence(for: .milliseconds(700)))])
    let bench = try Bench(
      Self.configuration(media, .vod), sampleCount: 48_000 * 8, faults: faults)
    try bench.finish()
    let playlist = try bench.playlist()
    #expect(playlist.segments.count { $0.isDiscontinuous } == 1)
    #expect(try bench.copied(["-i", "hls/stream-0.m3u8"]) == bench.frames())
  }
}
