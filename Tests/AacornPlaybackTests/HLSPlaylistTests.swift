import Testing

@testable import AacornPlayback

@Suite struct HLSPlaylistTests {
  private func playlist(_ lines: String...) -> HLSPlaylist? {
    HLSPlaylist(Array(lines.joined(separator: "\n").utf8))
  }

  @Test func theVariantWithTheMostBitsIsTheBest() throws {
    let list = try #require(
      playlist(
        "#EXTM3U", "#EXT-X-STREAM-INF:CODECS=\"a,BANDWIDTH=9999999\",BANDWIDTH=64000", "low.m3u8",
        "#EXT-X-STREAM-INF:BANDWIDTH=128000,AVERAGE-BANDWIDTH=1", "high.m3u8", "",
        "#EXT-X-STREAM-INF:BANDWIDTH=96000", "middle.m3u8"))
    #expect(list.variants.map(\.bandwidth) == [64_000, 128_000, 96_000])
    #expect(list.best?.location == "high.m3u8")
    #expect(list.segments.isEmpty)
  }

  @Test func segmentsComeInOrder() throws {
    let list = try #require(
      playlist(
        "#EXTM3U\r", "#EXT-X-TARGETDURATION:4\r", "#EXT-X-MEDIA-SEQUENCE:77\r",
        "#EXT-X-MAP:URI=\"init.mp4\"\r", "#EXTINF:4.0,\r", "a.m4s\r", "# a comment\r",
        "#EXTINF:4.0,\r", "b.m4s\r", "#EXT-X-ENDLIST\r"))
    #expect(list.firstNumber == 77)
    #expect(list.targetSeconds == 4)
    #expect(list.isComplete)
    #expect(!list.isEncrypted)
    #expect(list.segments.map(\.place.location) == ["a.m4s", "b.m4s"])
    #expect(list.segments.allSatisfy { $0.beginning?.location == "init.mp4" })
  }

  @Test func partsOfAFileFollowEachOther() throws {
    let list = try #require(
      playlist(
        "#EXTM3U", "#EXT-X-MAP:URI=\"x.mp4\",BYTERANGE=\"800@0\"", "#EXT-X-BYTERANGE:100@800",
        "x.mp4", "#EXT-X-BYTERANGE:50", "x.mp4", "y.mp4"))
    #expect(list.segments.map(\.place.range) == [800..<900, 900..<950, nil])
    #expect(list.segments[0].beginning?.range == 0..<800)
    #expect(!list.isComplete)
  }

  @Test func encryptionIsSeen() {
    #expect(playlist("#EXTM3U", "#EXT-X-KEY:METHOD=AES-128,URI=\"k\"", "a.ts")?.isEncrypted == true)
    #expect(playlist("#EXTM3U", "#EXT-X-KEY:METHOD=NONE", "a.ts")?.isEncrypted == false)
  }

  @Test func tagsMakeItMoreThanAListOfAddresses() {
    #expect(playlist("#EXTM3U", "#EXTINF:-1,Radio", "http://a.example/")?.hasTags == false)
    #expect(playlist("#EXTM3U", "#EXT-X-VERSION:3", "#EXTINF:4,", "a.ts")?.hasTags == true)
  }

  @Test func whatIsNoPlaylistIsNone() {
    #expect(playlist("") == nil)
    #expect(playlist("a.ts") == nil)
    #expect(playlist("#EXTM3U")?.segments.isEmpty == true)
  }

  @Test func largeNumbersAreHarmless() {
    let list = playlist(
      "#EXTM3U", "#EXT-X-MEDIA-SEQUENCE:99999999999999999999",
      "#EXT-X-BYTERANGE:9223372036854775807@1",
      "a.ts", "#EXT-X-TARGETDURATION:0", "#EXT-X-STREAM-INF:BANDWIDTH=99999999999999999999", "b")
    #expect(list?.firstNumber == 0)
    #expect(list?.targetSeconds == 1)
    #expect(list?.segments.first?.place.range == nil)
    #expect(list?.best?.bandwidth == 0)
  }
}
