import AacornCodec
import AacornRecording
import AacornStreaming
import StreamRigs
import TestSignals
import Testing

/// AAC-LC and HE-AAC from one capture in one presentation, played by ffmpeg.
@Suite struct HLSMixedProfileTests {
  /// A recording in both profiles, in which the rendition `doubled` is HE-AAC.
  private func bench(
    doubled: Int, _ media: HLSConfiguration.Media
  ) throws -> HLSTests.Bench {
    var codings = [HLSTests.coding(48_000, .highEfficiency)]
    codings.insert(HLSTests.coding(128_000), at: 1 - doubled)
    let bench = try HLSTests.Bench(
      HLSTests.configuration(media, .vod), sampleCount: HLSTests.sampleCount, codings: codings)
    try bench.finish()
    return bench
  }

  /// The decoded audio of a variant that ffmpeg selects from the master playlist.
  private func sound(_ rendition: Int, of bench: HLSTests.Bench) throws -> [[Float]] {
    let outcome = try Program.ffmpeg().run(
      [
        "-nostdin", "-v", "warning", "-i", "hls/stream.m3u8", "-map", "0:a:\(rendition)", "-f",
        "f32le", "-c:a", "pcm_f32le", "-",
      ], in: bench.folder)
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
    return Sound.channels(ofFloats: outcome.output, count: 2)
  }

  @Test(arguments: [0, 1], HLSConfiguration.Media.allCases)
  func everyVariantHasFramesOfItsEncoder(doubled: Int, media: HLSConfiguration.Media) throws {
    let bench = try bench(doubled: doubled, media)
    let text = String(decoding: try bench.folder.read("hls/stream.m3u8"), as: UTF8.self)
    #expect(HLSRules.faults(inMaster: text) == [])
    var codecs = ["\"mp4a.40.2\"", "\"mp4a.40.2\""]
    codecs[doubled] = "\"mp4a.40.5\""
    #expect(HLSPlaylistText(text).variants.map { $0.attributes["CODECS"] } == codecs)
    let probe = try Program.ffprobe().run(
      [
        "-v", "error", "-show_entries", "program_stream=codec_name,profile", "-of", "csv=p=0",
        "hls/stream.m3u8",
      ], in: bench.folder)
    var profiles = ["aac,LC", "aac,LC"]
    profiles[doubled] = "aac,HE-AAC"
    #expect(probe.text.split(separator: "\n").map(String.init) == profiles, "\(probe.errors)")
    let sampleCount = HLSTests.sampleCount
    let counts = [(sampleCount + 1023) / 1024 + 1, (sampleCount + 3010 + 2047) / 2048]
    for rendition in 0..<2 {
      #expect(bench.frames(rendition).count == counts[rendition == doubled ? 1 : 0])
      #expect(
        try bench.copied(["-i", "hls/stream.m3u8", "-map", "0:a:\(rendition)"])
          == bench.frames(rendition))
    }
  }

  /// A player that switches between the variants stays at the same position.
  @Test(arguments: HLSConfiguration.Media.allCases)
  func bothVariantsLastEquallyLongAndAreInStep(media: HLSConfiguration.Media) throws {
    let bench = try bench(doubled: 1, media)
    let durations = try (0..<2).map { rendition in
      try bench.playlist("hls/stream-\(rendition).m3u8").segments.compactMap(\.duration)
    }
    let totals = durations.map { $0.reduce(0, +) }
    #expect(durations[0].count == durations[1].count)
    #expect(abs(totals[0] - totals[1]) <= 2048.0 / 48_000)
    let (plain, doubled) = (try sound(0, of: bench), try sound(1, of: bench))
    // Packed audio cannot state the samples to trim.
    let delay = media == .packedAudio ? 3010 - 1024 : 0
    for (first, second) in zip(plain, doubled) {
      #expect(first.count >= HLSTests.sampleCount && second.count >= HLSTests.sampleCount)
      #expect(abs(first.count - second.count) <= 2048)
      let (early, late) = (Array(first.prefix(60_000)), Array(second.dropFirst(delay)))
      #expect(Sound.lag(early, Array(late.prefix(60_000))) == 0)
    }
  }
}
