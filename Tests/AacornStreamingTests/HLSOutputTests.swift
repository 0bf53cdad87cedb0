import AacornCodec
import AacornContainers
import AacornRecording
import AacornSystem
import StreamRigs
import Testing

@testable import AacornStreaming

struct HLSOutputTests {
  static let stem = "stream-0-live-\(HLSBench.session)-"

  @Test(arguments: [
    ("17.m4s", true), ("17.aac", true), ("17.3.m4s", false), ("17.3.aac", false),
    ("init0.mp4", false),
  ])
  func onlyNamesOfCompleteSegmentsAreSegments(ending: String, isSegment: Bool) {
    #expect(HLSNames.isSegment("my.radio-0-live-20261120T190354123Z-" + ending) == isSegment)
  }

  @Test func aLivePlaylistIsExact() throws {
    let bench = HLSBench()
    let summary = try bench.run(480_000)
    let expected = """
      #EXTM3U
      #EXT-X-VERSION:6
      #EXT-X-TARGETDURATION:4
      #EXT-X-MEDIA-SEQUENCE:1795201434
      #EXT-X-DISCONTINUITY-SEQUENCE:1795201434
      #EXT-X-INDEPENDENT-SEGMENTS
      #EXT-X-MAP:URI="\(Self.stem)init0.mp4"
      #EXT-X-PROGRAM-DATE-TIME:2026-11-20T19:03:54.123Z
      #EXTINF:4.010667,
      \(Self.stem)1795201434.m4s
      #EXT-X-PROGRAM-DATE-TIME:2026-11-20T19:03:58.133Z
      #EXTINF:3.989333,
      \(Self.stem)1795201435.m4s
      #EXT-X-PROGRAM-DATE-TIME:2026-11-20T19:04:02.123Z
      #EXTINF:2.000000,
      \(Self.stem)1795201436.m4s
      #EXT-X-ENDLIST

      """
    #expect(bench.store.playlist("stream-0.m3u8") == expected)
    let history = bench.store.history("stream-0.m3u8")
    #expect(history.count == 4)
    #expect(history.map { HLSPlaylistText($0).segments.count } == [1, 2, 3, 3])
    #expect(history.map { HLSPlaylistText($0).isEnded } == [false, false, false, true])
    #expect(summary?.sampleCount == 480_000)
    #expect(
      summary?.byteCount
        == bench.store.names.dropLast().map { bench.store.file($0).count }
        .reduce(0, +))
    let master = bench.store.playlist("stream.m3u8") ?? ""
    #expect(master.hasSuffix(",CODECS=\"mp4a.40.2\"\nstream-0.m3u8\n"))
  }

  @Test(arguments: HLSConfiguration.Kind.allCases, HLSConfiguration.Media.allCases)
  func everyFrameIsInOneSegment(
    kind: HLSConfiguration.Kind, media: HLSConfiguration.Media
  ) throws {
    for rate in [48_000, 44_100, 16_000] {
      var bench = HLSBench(kind, media)
      bench.sampleRate = rate
      let count = rate * 17 + 333
      try bench.run(count)
      let text = bench.store.playlist("stream-0.m3u8") ?? ""
      let playlist = HLSPlaylistText(text)
      #expect(playlist.isEnded)
      #expect(playlist.segmentNames.count == 5)
      #expect(playlist.mediaSequence ?? 0 == (kind == .live ? 1_795_201_434 : 0))
      #expect(text.contains("PLAYLIST-TYPE") == (kind != .live))
      let bytes = bench.store.media("stream-0.m3u8")
      let total = playlist.segments.compactMap(\.duration).reduce(0, +)
      switch media {
      case .fragmentedMP4:
        #expect(mp4Frames(bytes) == bench.frames(count))
        let trim = MP4Reader(file: bytes).trim
        #expect(trim?.sampleCount == count && trim?.priming == 1024)
        #expect(abs(total - Double(count) / Double(rate)) < 1e-5)
      case .packedAudio:
        let (frames, ticks) = packedFrames(bytes)
        #expect(frames == bench.frames(count))
        #expect(ticks.count == 5 && ticks[0] == 0)
        var time = 0.0
        for (tick, segment) in zip(ticks, playlist.segments) {
          #expect(abs(Double(tick) / 90_000 - time) < 1e-4)
          time += segment.duration ?? 0
        }
        #expect(abs(total - Double(frames.count * 1024) / Double(rate)) < 1e-5)
      }
    }
  }

  @Test func aRecordingOnDemandIsPublishedOnceAtItsEnd() throws {
    let bench = HLSBench(.vod, partMilliseconds: 500)
    var output = try bench.makeOutput()
    try bench.record(48_000 * 30, into: &output)
    #expect(bench.store.playlist("stream.m3u8") == nil)
    #expect(bench.store.playlist("stream-0.m3u8") == nil)
    #expect(bench.store.names.count == 9)
    _ = output.abandon()
    #expect(output.abandon() == nil)
    #expect(bench.store.history("stream-0.m3u8").count == 1)
    #expect(bench.store.history("stream.m3u8").count == 1)
    // All segments have the same size, so the bitrate is known.
    let variant = try #require(
      bench.store.parsed("stream.m3u8").variants.first)
    let files = bench.store.names.filter { $0.hasSuffix(".m4s") }
    let bits = 8 * files.map { bench.store.file($0).count }.reduce(0, +)
    #expect(variant.attributes["AVERAGE-BANDWIDTH"] == "\((bits + 29) / 30)")
    #expect(bench.store.faults == [])
  }

  @Test func aLivePlaylistSlidesAndFilesOutliveIt() throws {
    var bench = HLSBench(window: 3)
    bench.configuration.segmentDuration = .seconds(2)
    bench.configuration.retainedSegmentCount = 2
    try bench.run(48_000 * 60)
    let playlist = bench.store.parsed()
    // Three segments sometimes last less than six seconds.
    #expect([3, 4].contains(playlist.segments.count))
    let segments = bench.store.names.filter { $0.hasSuffix(".m4s") }
    // The listed segments, the segments kept for their own duration plus the duration of the
    // longest playlist, and two more.
    #expect((9...13).contains(segments.count))
    #expect(bench.store.names.filter { $0.hasSuffix(".mp4") }.count == 1)
    #expect(bench.store.contents.withLock { $0.removedNames }.count == 30 - segments.count)
  }

  @Test(arguments: HLSConfiguration.Media.allCases)
  func partsAreListedThenRemoved(media: HLSConfiguration.Media) throws {
    var bench = HLSBench(.live, media, partMilliseconds: 500, window: 8)
    bench.stores = [CheckedStore(), CheckedStore(servesParts: false)]
    let count = 48_000 * 60
    try bench.run(count)
    let store = bench.store
    let texts = store.history("stream-0.m3u8")
    // 23 frames per part, 8 parts per segment.
    #expect(texts[0].contains("#EXT-X-PART-INF:PART-TARGET=0.490667\n"))
    #expect(
      texts[0].contains(
        "#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,PART-HOLD-BACK=1.472001,HOLD-BACK=12\n"))
    let first = HLSPlaylistText(texts[0])
    let ending = media == .packedAudio ? "aac" : "m4s"
    #expect(first.version == 9)
    #expect(first.segments.count == 1 && first.segments[0].name == nil)
    #expect(first.segments[0].parts.map(\.name) == ["\(Self.stem)1795201434.0.\(ending)"])
    #expect(first.hint == "\(Self.stem)1795201434.1.\(ending)")
    let eighth = HLSPlaylistText(texts[7])
    #expect(eighth.segmentNames == ["\(Self.stem)1795201434.\(ending)"])
    #expect(eighth.hint == "\(Self.stem)1795201435.0.\(ending)")
    // One version for every part and one for the end.
    #expect(
      texts.count == Int((Double(count + (media == .packedAudio ? 1024 : 0)) / 23_552).rounded(.up))
        + 1)
    // A segment consists of its parts.
    let last = HLSPlaylistText(texts.last ?? "")
    for segment in last.segments where !segment.parts.isEmpty {
      let parts = segment.parts.flatMap { store.file($0.name) }
      #expect(store.file(segment.name ?? "") == parts)
    }
    #expect(last.segments.filter { !$0.parts.isEmpty }.count < last.segments.count)
    // The folder store has the same segments, but no parts.
    let folder = bench.stores[1]
    let listed = folder.parsed()
    #expect(listed.segmentNames == last.segmentNames)
    #expect(listed.partTarget == nil && listed.version == (media == .packedAudio ? 3 : 6))
    for name in listed.segmentNames { #expect(folder.file(name) == store.file(name)) }
    #expect(!folder.contents.withLock { $0.putNames }.contains { $0.contains(".0.") })
    #expect(folder.history("stream-0.m3u8").count < 20)
  }

  @Test(arguments: [nil, 500] as [Int?], HLSConfiguration.Media.allCases)
  func aLostDeviceIsADiscontinuity(parts: Int?, media: HLSConfiguration.Media) throws {
    var bench = HLSBench(.live, media, partMilliseconds: parts)
    bench.gaps = [300: .deviceLost, 310: .overrun, 1000: .deviceLost]
    let count = 48_000 * 90
    try bench.run(count)
    let history = bench.store.history("stream-0.m3u8").map { HLSPlaylistText($0) }
    var seen: [String: Bool] = [:]
    for segment in history.flatMap(\.segments) {
      if let name = segment.name { seen[name] = segment.isDiscontinuous }
    }
    #expect(seen.values.filter(\.self).count == 2)
    #expect(history.last?.discontinuitySequence == 1_795_201_436)
    // The segment with the tag begins with the first frame after the gap.
    let broken = try #require(
      history.flatMap(\.segments).first { $0.isDiscontinuous && $0.name != nil })
    let kept = bench.store.file(broken.name ?? "")
    if media == .packedAudio && !kept.isEmpty {
      #expect(packedFrames(kept).frames.first == bench.frames(count)[300])
    }
    let before = try #require(history.first { $0.segments.contains { $0.isDiscontinuous } })
    let index = try #require(before.segments.firstIndex { $0.isDiscontinuous })
    let playedDuration = before.segments[..<index].compactMap(\.duration).reduce(0, +)
    let frames = media == .packedAudio ? 300 : 299
    #expect(abs(playedDuration - Double(frames * 1024) / 48_000) < 1e-5)
  }

  @Test func aPauseMovesTheDate() throws {
    var bench = HLSBench()
    bench.gaps = [300: .paused]
    try bench.run(48_000 * 10)
    let playlist = bench.store.parsed()
    #expect(playlist.segments.map(\.isDiscontinuous) == [false, false, true])
    #expect(playlist.segments.last?.dateText == "2026-11-20T19:04:10.501Z")
  }

  @Test func anotherSegmentOfTheRecordingGetsItsOwnMap() throws {
    var bench = HLSBench(window: 20)
    bench.configuration.renditionNames = ["high"]
    var output = try bench.makeOutput()
    try bench.record(48_000 * 6, into: &output)
    try bench.record(48_000 * 6, into: &output, index: 1, at: 48_000 * 6)
    let summary = output.abandon()
    #expect(summary?.sampleCount == 48_000 * 12)
    #expect(bench.store.faults == [])
    let playlist = bench.store.parsed("stream-high.m3u8")
    #expect(playlist.segments.map(\.isDiscontinuous) == [false, false, true, false])
    #expect(Set(playlist.segments.compactMap(\.map)).count == 2)
    #expect(playlist.segments[2].dateText == "2026-11-20T19:04:00.123Z")
    let second = playlist.segments[2]
    let bytes = bench.store.file(second.map ?? "") + bench.store.file(second.name ?? "")
    let reader = MP4Reader(file: bytes)
    // The decoding time continues after the audio and the delay of the first encoder.
    #expect(reader.sample(at: 0)?.time == 48_000 * 6 + 1024)
    #expect(reader.damage == [])
  }

  @Test(arguments: [nil, 500] as [Int?])
  func allRenditionsAreCutAtTheSameFrames(parts: Int?) throws {
    var bench = HLSBench(partMilliseconds: parts)
    bench.renditionCount = 3
    bench.configuration.renditionNames = ["high", "low"]
    bench.gaps = [250: .deviceLost]
    let count = 48_000 * 12
    try bench.run(count)
    let names = ["stream-high.m3u8", "stream-low.m3u8", "stream-2.m3u8"]
    let playlists = names.map { bench.store.parsed($0) }
    for (rendition, playlist) in playlists.enumerated() {
      #expect(playlist.segments.map(\.durationText) == playlists[0].segments.map(\.durationText))
      #expect(playlist.segments.map(\.dateText) == playlists[0].segments.map(\.dateText))
      let frames = mp4Frames(bench.store.media(names[rendition]))
      #expect(frames == bench.frames(count, rendition: rendition))
    }
    let variants = bench.store.parsed("stream.m3u8").variants
    #expect(variants.map(\.uri) == names)
    let rates = variants.compactMap { Int($0.attributes["BANDWIDTH"] ?? "") }
    #expect(rates.count == 3 && rates[0] > rates[1] && rates[1] > rates[2])
    guard parts != nil else { return }
    let live = HLSPlaylistText(bench.store.history(names[1])[3])
    #expect(live.renditionReports.map { $0["URI"] } == ["\"\(names[0])\"", "\"\(names[2])\""])
    #expect(live.renditionReports.map { $0["LAST-MSN"] } == ["1795201434", "1795201434"])
    #expect(live.renditionReports.map { $0["LAST-PART"] } == ["3", "3"])
  }
}
