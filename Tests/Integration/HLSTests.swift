import AacornCodec
import AacornDevices
import AacornRecording
import AacornStreaming
import AacornSystem
import DeviceRigs
import Foundation
import SoundRigs
import StreamRigs
import Testing

/// HLS from a folder, played by ffmpeg: the played frames equal the encoded frames.
///
/// `HLSRules` and the tests of AacornStreaming prove the other kinds of playlists.
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

  /// Runs ffmpeg, expects no warnings, and returns the frames of its output.
  private func copied(_ arguments: [String], in folder: WorkFolder) throws -> [[UInt8]] {
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
    return try Self.frames(folder.read(name))
  }

  static func frames(_ bytes: [UInt8]) -> [[UInt8]] {
    let frames = ADTSFrames(bytes)
    #expect(frames.rest.isEmpty)
    return frames.complete
  }

  static func coding(
    _ bitrate: Int, _ profile: AACEncoder.Profile = .lowComplexity
  ) -> RecordingConfiguration.Coding {
    .aac(rateControl: .constant(bitsPerSecond: bitrate), effort: .balanced, profile: profile)
  }

  /// The joints between segments are inaudible.
  ///
  /// The delay is trimmed in formats that can state it.
  @Test(arguments: HLSConfiguration.Media.allCases)
  func ffmpegGetsTheFramesOfBothEncoders(media: HLSConfiguration.Media) throws {
    let folder = WorkFolder()
    let log = FrameLog()
    let sampleCount = 48_000 * 14 + 777
    var configuration = HLSConfiguration()
    configuration.media = media
    configuration.kind = .vod
    configuration.segmentDuration = .seconds(2)
    var recording = RecordingConfiguration(
      sampleRate: 48_000, channelCount: 2, coding: Self.coding(128_000))
    recording.furtherCodings = [Self.coding(48_000, .highEfficiency)]
    let session = RecordingSession(recording) { _ in
    } packets: { _ in
    }
    let whole = media == .fragmentedMP4 ? "whole.m4a" : "whole.aac"
    let path = folder.path("hls")
    try session.start(
      SyntheticSource(
        Device(backend: .synthetic, id: "test", name: "Test"),
        playing: SyntheticExcerpt(
          of: ToneSignal(sampleRate: 48_000, channelCount: 2), frameCount: sampleCount),
        pacing: .unpaced),
      outputs: [
        HLSOutput(configuration, stores: [HLSFolderStore(path)], name: path), log,
        FileOutput(folder.path(whole), media == .fragmentedMP4 ? .m4a : .aac),
      ])
    let summary = try #require(session.wait(for: TestTimeout.duration))
    #expect(summary.failure == nil)

    let master = String(decoding: try folder.read("hls/stream.m3u8"), as: UTF8.self)
    #expect(HLSRules.faults(inMaster: master) == [])
    let playlist = String(decoding: try folder.read("hls/stream-0.m3u8"), as: UTF8.self)
    #expect(HLSRules.faults(inMedia: playlist) == [])
    let profiles = try Program.ffprobe().run(
      [
        "-v", "error", "-show_entries", "program_stream=codec_name,profile", "-of", "csv=p=0",
        "hls/stream.m3u8",
      ], in: folder)
    #expect(profiles.text.split(separator: "\n") == ["aac,LC", "aac,HE-AAC"], "\(profiles.errors)")
    let counts = [(sampleCount + 1023) / 1024 + 1, (sampleCount + 3010 + 2047) / 2048]
    for rendition in 0..<2 {
      let frames = log.frames.withLock { $0[rendition] ?? [] }
      #expect(frames.count == counts[rendition])
      let isSame =
        try copied(["-i", "hls/stream.m3u8", "-map", "0:a:\(rendition)"], in: folder) == frames
      #expect(isSame)
    }
    let streamed = try Decoders.ffmpeg("hls/stream-0.m3u8", channels: 2, in: folder)
    let recorded = try Decoders.ffmpeg(whole, channels: 2, in: folder)
    for channel in 0..<2 {
      let count = min(recorded[channel].count, streamed[channel].count)
      #expect(count >= sampleCount)
      let isSame = streamed[channel][..<count] == recorded[channel][..<count]
      #expect(isSame)
    }
  }
}
