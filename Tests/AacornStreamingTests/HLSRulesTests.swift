import StreamRigs
import Testing

/// The rules detect each violation; otherwise the tests that use them would prove nothing.
struct HLSRulesTests {
  static let good = """
    #EXTM3U
    #EXT-X-VERSION:6
    #EXT-X-TARGETDURATION:4
    #EXT-X-MEDIA-SEQUENCE:7
    #EXT-X-DISCONTINUITY-SEQUENCE:2
    #EXT-X-MAP:URI="i.mp4"
    #EXTINF:4.010667,
    7.m4s
    #EXT-X-DISCONTINUITY
    #EXTINF:4.000000,
    8.m4s
    #EXTINF:4.000000,
    9.m4s
    #EXTINF:4.000000,
    10.m4s

    """

  static let parts = """
    #EXTM3U
    #EXT-X-VERSION:9
    #EXT-X-TARGETDURATION:1
    #EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,PART-HOLD-BACK=1.5,HOLD-BACK=3
    #EXT-X-PART-INF:PART-TARGET=0.5
    #EXT-X-MEDIA-SEQUENCE:7
    #EXT-X-PART:DURATION=0.5,URI="7.0.aac",INDEPENDENT=YES
    #EXT-X-PART:DURATION=0.5,URI="7.1.aac",INDEPENDENT=YES
    #EXTINF:1.000000,
    7.aac
    #EXT-X-PART:DURATION=0.5,URI="8.0.aac",INDEPENDENT=YES
    #EXT-X-PRELOAD-HINT:TYPE=PART,URI="8.1.aac"

    """

  @Test func goodPlaylistsPass() {
    #expect(HLSRules.faults(inMedia: Self.good) == [])
    #expect(HLSRules.faults(inMedia: Self.parts) == [])
    #expect(HLSRules.faults(inMedia: Self.good, after: Self.good) == [])
    #expect(
      HLSRules.faults(inMaster: "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1,CODECS=\"x\"\na.m3u8\n")
        == [])
  }

  @Test(arguments: [
    ("#EXTM3U\n", ""), ("VERSION:6", "VERSION:5"), ("VERSION:6", "VERSION:2"),
    ("#EXT-X-TARGETDURATION:4\n", ""), ("EXTINF:4.010667", "EXTINF:4.5"),
    ("#EXT-X-MAP:URI=\"i.mp4\"\n", ""), ("8.m4s", "7.m4s"), ("#EXTINF:4.010667,\n", ""),
    ("#EXT-X-MEDIA-SEQUENCE:7\n", ""), ("SEQUENCE:7", "SEQUENCE:-7"), ("4.010667,", "4.010667"),
    ("#EXT-X-DISCONTINUITY\n", "#EXT-X-DISCO\n"), ("URI=\"i.mp4\"", "URI=i.mp4"),
    ("#EXT-X-MEDIA-SEQUENCE:7", "#EXT-X-PLAYLIST-TYPE:VOD"), ("9.m4s\n", "9.m4s\n#EXT-X-ENDLIST\n"),
    ("#EXT-X-DISCONTINUITY\n", "#EXT-X-PROGRAM-DATE-TIME:2026-11-20T10:00:00.000Z\n"),
    ("\n", "\r\n"),
  ])
  func faultsAreFound(text: String, replacement: String) {
    let bad = Self.good.replacing(text, with: replacement)
    #expect(bad != Self.good)
    #expect(HLSRules.faults(inMedia: bad) != [])
  }

  @Test(arguments: [
    ("PART-HOLD-BACK=1.5,", "PART-HOLD-BACK=1.4,"), ("HOLD-BACK=3\n", "HOLD-BACK=2\n"),
    ("PART-HOLD-BACK=1.5,", ""), ("#EXT-X-PART-INF:PART-TARGET=0.5\n", ""),
    ("DURATION=0.5,URI=\"7.0", "DURATION=0.6,URI=\"7.0"),
    ("DURATION=0.5,URI=\"7.0", "DURATION=0.3,URI=\"7.0"),
    ("DURATION=0.5,URI=\"8.0", "DURATION=0.3,URI=\"8.0"),
    ("#EXT-X-PRELOAD-HINT:TYPE=PART,URI=\"8.1.aac\"\n", ""), ("8.1.aac", "8.0.aac"),
    ("CAN-BLOCK-RELOAD=YES,", ""), ("EXTINF:1.000000", "EXTINF:0.9"),
    ("#EXT-X-PART:DURATION=0.5,URI=\"7.0.aac\",INDEPENDENT=YES\n", ""),
  ])
  func faultsOfLowLatencyAreFound(text: String, replacement: String) {
    let bad = Self.parts.replacing(text, with: replacement)
    #expect(bad != Self.parts)
    #expect(HLSRules.faults(inMedia: bad) != [])
  }

  @Test(arguments: [
    ("SEQUENCE:7", "SEQUENCE:6"), ("4.010667", "4.000000"), ("9.m4s", "9b.m4s"),
    ("#EXT-X-DISCONTINUITY\n", ""), ("#EXTINF:4.000000,\n10.m4s\n", ""),
    ("TARGETDURATION:4", "TARGETDURATION:5"), ("VERSION:6", "VERSION:7"),
    ("#EXTINF:4.010667,\n7.m4s\n", ""), ("DISCONTINUITY-SEQUENCE:2", "DISCONTINUITY-SEQUENCE:3"),
    ("SEQUENCE:7", "SEQUENCE:8"), ("URI=\"i.mp4\"", "URI=\"j.mp4\""),
  ])
  func forbiddenChangesAreFound(text: String, replacement: String) {
    let next = Self.good.replacing(text, with: replacement)
    #expect(next != Self.good)
    #expect(HLSRules.faults(inMedia: next, after: Self.good) != [])
  }

  @Test func aBandwidthBelowThePeakIsFound() {
    // Two segments of 4 s with 1000 and 4000 bytes, and two of unknown size.
    let sizes = ["7.m4s": 1000, "8.m4s": 4000]
    for (bandwidth, isFine) in [(8000, true), (7999, true), (7990, false), (4987, false)] {
      let master = "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=\(bandwidth)\na.m3u8\n"
      let faults = HLSRules.faults(inMaster: master, media: ["a.m3u8": Self.good], sizes: sizes)
      #expect(faults.isEmpty == isFine, "\(bandwidth)")
      #expect(HLSRules.faults(inMaster: master, media: [:], sizes: sizes) != [])
    }
    // Each segment alone is too short for the rule; both together count.
    let short = Self.good.replacing("TARGETDURATION:4", with: "TARGETDURATION:10")
    let master = "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=4900\na.m3u8\n"
    #expect(HLSRules.faults(inMaster: master, media: ["a.m3u8": short], sizes: sizes) != [])
  }

  @Test func changesAfterTheEndAndMastersAreWatched() {
    #expect(HLSRules.faults(inMedia: Self.good, after: Self.good + "#EXT-X-ENDLIST\n") != [])
    for bad in [
      "#EXTM3U\n", "#EXTM3U\n#EXT-X-STREAM-INF:CODECS=\"x\"\na.m3u8\n",
      "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1,CODECS=x\na.m3u8\n",
      "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1,AVERAGE-BANDWIDTH=2,CODECS=\"x\"\na.m3u8\n",
      Self.good,
    ] {
      #expect(HLSRules.faults(inMaster: bad) != [])
    }
  }
}
