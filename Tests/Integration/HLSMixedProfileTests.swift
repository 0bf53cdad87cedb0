import AacornCodec
import AacornRecording
import AacornStreaming
import StreamRigs
import Testing

/// AAC-LC and HE-AAC from one capture in one presentation, played by ffmpeg.
@Suite struct HLSMixedProfileTests {
  /// The rendition `doubled` is HE-AAC.
  @Test(arguments: [0, 1], HLSConfiguration.Media.allCases)
  func everyVariantHasFramesOfItsEncoder(doubled: Int, media: HLSConfiguration.Media) throws {
    var codings = [HLSTests.coding(48_000, .highEfficiency)]
    codings.insert(HLSTests.coding(128_000), at: 1 - doubled)
    let bench = try HLSTests.Bench(
      HLSTests.configuration(media, .vod), sampleCount: HLSTests.sampleCount, codings: codings)
    try bench.finish()
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
}
