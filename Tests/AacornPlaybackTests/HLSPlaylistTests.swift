import Testing

@testable import AacornPlayback

@Suite struct HLSPlaylistTests {
  private func playlist(_ lines: String...) -> HLSPlaylist? {
    HLSPlaylist(Array(lines.joined(separator: "\n").utf8))
  }

  @Test func theVariantWithTheMostBitsIsTheBest() throws {
    let list = try #require(
      playlist(
        "#EXTM3U", "#EXT-X-STREAM-INF:CODECS=\"mp4a.40.2,BANDWIDTH=9999999\",BANDWIDTH=64000",
        "low.m3u8",
        "#EXT-X-STREAM-INF:BANDWIDTH=128000,AVERAGE-BANDWIDTH=1", "high.m3u8", "",
        "#EXT-X-STREAM-INF:BANDWIDTH=96000", "middle.m3u8"))
    #expect(list.variants.map(\.bandwidth) == [64_000, 128_000, 96_000])
    #expect(list.segments.isEmpty)
    for (limit, variant) in [
      (nil, "high"), (128_000, "high"), (127_999, "middle"), (95_999, "low"), (1000, "low"),
    ] as [(Int?, String)] {
      #expect(list.variant(atMost: limit)?.location == variant + ".m3u8")
    }
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
    #expect(list.encryption == nil)
    #expect(list.segments.map(\.resource.location) == ["a.m4s", "b.m4s"])
    #expect(list.segments.allSatisfy { $0.initializationSection?.location == "init.mp4" })
  }

  @Test func partsOfAFileFollowEachOther() throws {
    let list = try #require(
      playlist(
        "#EXTM3U", "#EXT-X-MAP:URI=\"x.mp4\",BYTERANGE=\"800@0\"", "#EXT-X-BYTERANGE:100@800",
        "x.mp4", "#EXT-X-BYTERANGE:50", "x.mp4", "y.mp4"))
    #expect(list.segments.map(\.resource.range) == [800..<900, 900..<950, nil])
    #expect(list.segments[0].initializationSection?.range == 0..<800)
    #expect(!list.isComplete)
  }

  @Test func encryptionIsSeen() {
    func encryption(_ tag: String) -> String? { playlist("#EXTM3U", tag, "a.ts")?.encryption }
    #expect(encryption("#EXT-X-KEY:METHOD=AES-128,URI=\"k\"") == "AES-128")
    #expect(encryption("#EXT-X-KEY:URI=\"METHOD=NONE\",METHOD=SAMPLE-AES") == "SAMPLE-AES")
    #expect(encryption("#EXT-X-KEY:URI=\"k\"") == "an unknown method")
    #expect(encryption("#EXT-X-KEY:METHOD=NONE") == nil)
  }

  @Test func variantsWithoutAACArePassedOver() throws {
    let list = try #require(
      playlist(
        "#EXTM3U", "#EXT-X-STREAM-INF:BANDWIDTH=900,CODECS=\"avc1.42e00a\"", "picture",
        "#EXT-X-STREAM-INF:BANDWIDTH=800,CODECS=\"ec-3, opus\"", "other",
        "#EXT-X-STREAM-INF:BANDWIDTH=700,CODECS=\"mp4a.40.34\"", "mp3",
        "#EXT-X-STREAM-INF:BANDWIDTH=600,CODECS=\"avc1.42e00a, MP4A.40.5\"", "both",
        "#EXT-X-STREAM-INF:BANDWIDTH=500,CODECS=\"mp4a.40.2\"", "sound"))
    #expect(list.variants.map(\.isPlayable) == [false, false, false, true, true])
    #expect(list.variant(atMost: nil)?.location == "both")
    #expect(list.variant(atMost: 550)?.location == "sound")
    let silent = playlist("#EXTM3U", "#EXT-X-STREAM-INF:BANDWIDTH=1,CODECS=\"avc1\"", "a")
    #expect(silent?.variant(atMost: nil) == nil)
  }

  @Test func soundApartFromThePictureIsTaken() throws {
    let group = "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="
    let list = try #require(
      playlist(
        "#EXTM3U", "#EXT-X-STREAM-INF:BANDWIDTH=900,AUDIO=\"a\"", "picture",
        "#EXT-X-STREAM-INF:BANDWIDTH=800,AUDIO=\"b\"", "with sound",
        "\(group)\"a\",NAME=\"x\",URI=\"x.m3u8\"",
        "\(group)\"a\",NAME=\"y\",DEFAULT=YES,URI=\"y.m3u8\"",
        // The audio is in the variant itself.
        "\(group)\"b\",NAME=\"z\"",
        "#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\"b\",URI=\"words.m3u8\""))
    #expect(list.variants.map(\.location) == ["y.m3u8", "with sound"])
  }

  @Test func tagsMakeItMoreThanAListOfAddresses() {
    #expect(playlist("#EXTM3U", "#EXTINF:-1,Radio", "http://a.example/")?.hasTags == false)
    #expect(playlist("#EXTM3U", "#EXT-X-VERSION:3", "#EXTINF:4,", "a.ts")?.hasTags == true)
  }

  @Test func invalidPlaylistReturnsNil() {
    #expect(playlist("") == nil)
    #expect(playlist("a.ts") == nil)
    #expect(playlist("#EXTM3U")?.segments.isEmpty == true)
  }

  @Test func combiningMarksBelongToTheLineAndLongLinesAreIgnored() throws {
    // A character may consist of an ASCII character and any number of combining marks.
    let marks = String(repeating: "\u{301}", count: 5000)
    let list = try #require(
      playlist(
        "#EXTM3U", "#\u{301}EXT-X-ENDLIST",
        "#EXT-X-STREAM-INF:BANDWIDTH=\u{301},CODECS=\"\u{301}\"",
        "a\u{301}.ts", "#EXTINF:4\u{301},", marks, " \(marks)\(marks)", "b.ts"))
    #expect(!list.isComplete)
    #expect(list.variants.map(\.bandwidth) == [0])
    #expect(list.variants.map(\.location) == ["a\u{301}.ts"])
    #expect(list.segments.map(\.resource.location) == [marks, "b.ts"])
  }

  @Test func largeNumbersAreHarmless() {
    let list = playlist(
      "#EXTM3U", "#EXT-X-MEDIA-SEQUENCE:99999999999999999999",
      "#EXT-X-BYTERANGE:9223372036854775807@1",
      "a.ts", "#EXT-X-TARGETDURATION:0", "#EXT-X-STREAM-INF:BANDWIDTH=99999999999999999999", "b")
    #expect(list?.firstNumber == 0)
    #expect(list?.targetSeconds == 1)
    #expect(list?.segments.first?.resource.range == nil)
    #expect(list?.variant(atMost: nil)?.bandwidth == 0)
  }
}
