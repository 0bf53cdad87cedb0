import AacornCodec
import AacornContainers
import StreamRigs
import Testing

@testable import AacornRecording
@testable import AacornStreaming

/// An HLS presentation with one rendition in AAC-LC and one in HE-AAC, in either order.
struct MixedProfileTests {
  /// The maximum distance between the cuts of the renditions, in seconds: 62 samples.
  private static let distance = 62.0 / 48_000 + 1e-6
  private static let names = ["stream-0.m3u8", "stream-1.m3u8"]
  /// The bench's wall time as parsed from the dates of playlists: 20 November, 19:03:54.123.
  private static let begin: Double = 1_795_201_434.123

  private func bench(
    doubled: Int, _ media: HLSConfiguration.Media = .fragmentedMP4,
    _ kind: HLSConfiguration.Kind = .event, partMilliseconds: Int? = nil
  ) -> HLSBench {
    var bench = HLSBench(kind, media, partMilliseconds: partMilliseconds)
    bench.renditionCount = 2
    bench.doubled = [doubled]
    return bench
  }

  private func playlists(_ bench: HLSBench) -> [HLSPlaylistText] {
    Self.names.map { bench.store.parsed($0) }
  }

  /// Returns the decoding time of each segment's first frame, in seconds.
  private func times(_ playlist: HLSPlaylistText, _ bench: HLSBench) -> [Double] {
    playlist.segments.map { segment in
      let bytes = bench.store.file(segment.name ?? "")
      guard let map = segment.map else {
        return Double(packedFrames(bytes).ticks.first ?? 0) / 90_000
      }
      let reader = MP4Reader(file: bench.store.file(map) + bytes)
      let timescale = Double(reader.track?.timescale ?? 1)
      return Double(reader.sample(at: 0)?.time ?? 0) / timescale
    }
  }

  // MARK: - The alignment

  @Test func theRenditionWithTheLongestFramesLeads() throws {
    let plain = StreamTiming(.stereo48, priming: 1024)
    let doubled = StreamTiming(.doubled48, priming: 3010)
    let alignment = try #require(
      SegmentAlignment([(.stereo48, plain), (.doubled48, doubled)], in: .fragmentedMP4))
    #expect(alignment.leader == 1 && alignment.slack == 62)
    #expect(alignment.steps[0] == SegmentAlignment.Step(count: 2, offset: -2, lag: -62))
    #expect(alignment.steps[1] == SegmentAlignment.Step())
    #expect(alignment.entryDistance == AudioSpecificConfig.doubled48.entryDistance)
    #expect((0..<4).map { alignment.steps[0].frameCount(before: $0) } == [0, 0, 2, 4])
    let swapped = try #require(
      SegmentAlignment([(.doubled48, doubled), (.stereo48, plain)], in: .fragmentedMP4))
    #expect(swapped.leader == 0 && swapped.steps == alignment.steps.reversed())
  }

  @Test(arguments: HLSConfiguration.Media.allCases)
  func framesOfOneProfileAreCutTogether(media: HLSConfiguration.Media) throws {
    for stream in [AudioSpecificConfig.stereo48, AudioSpecificConfig.doubled48] {
      let priming = stream.extensionSampleRate == nil ? 1024 : 3010
      let timing = StreamTiming(stream, priming: priming)
      let alignment = try #require(
        SegmentAlignment([(stream, timing), (stream, timing), (stream, timing)], in: media))
      #expect(alignment.leader == 0 && alignment.slack == 0)
      #expect(
        alignment.steps == [
          SegmentAlignment.Step(), SegmentAlignment.Step(), SegmentAlignment.Step(),
        ])
      #expect(alignment.entryDistance == stream.entryDistance)
    }
  }

  @Test func unalignableRenditionsAreRejected() throws {
    let plain = StreamTiming(.stereo48, priming: 1024)
    var otherRate = plain
    otherRate.sampleRate = 44_100
    var otherLength = plain
    otherLength.samplesPerUnit = 960
    for timing in [otherRate, otherLength] {
      #expect(SegmentAlignment([(.stereo48, plain), (.stereo48, timing)], in: .packedAudio) == nil)
      var output = try HLSBench().makeOutput()
      var start = SegmentStart(
        index: 0, format: .aac(.stereo48, plain), position: 0, wallTime: 0)
      start.furtherFormats = [.aac(.stereo48, timing)]
      let error = #expect(throws: OutputError.self) { try output.begin(start) }
      #expect(error?.kind == .unsupported)
    }
  }

  // MARK: - Cuts

  @Test(arguments: [0, 1], HLSConfiguration.Media.allCases)
  func segmentsBeginAtTheSameMomentsAndSayWhen(
    doubled: Int, media: HLSConfiguration.Media
  ) throws {
    let bench = bench(doubled: doubled, media)
    let count = 48_000 * 31 + 777
    try bench.run(count)
    let playlists = playlists(bench)
    #expect(playlists[0].targetDuration == playlists[1].targetDuration)
    #expect(playlists.allSatisfy { $0.isEnded && $0.segments.count == 8 })
    let starts = playlists.map { times($0, bench) }
    // The delay that is included in the decoding time of a frame.
    let delays = (0..<2).map { rendition in
      media == .packedAudio ? 3010.0 / 48_000 : Double(bench.timing(rendition).priming) / 48_000
    }
    for index in 1..<min(playlists[0].segments.count, playlists[1].segments.count) {
      let sounds = (0..<2).map { starts[$0][index] - delays[$0] }
      #expect(abs(sounds[0] - sounds[1]) <= Self.distance + (media == .packedAudio ? 3e-5 : 0))
      for rendition in 0..<2 {
        let date = try #require(playlists[rendition].segments[index].date)
        #expect(abs(date - Self.begin - sounds[rendition]) < 0.0015)
      }
    }
    let master = bench.store.parsed("stream.m3u8")
    var codecs = ["\"mp4a.40.2\"", "\"mp4a.40.2\""]
    codecs[doubled] = "\"mp4a.40.5\""
    #expect(master.variants.map { $0.attributes["CODECS"] } == codecs)
  }

  @Test(arguments: [0, 1])
  func segmentsBeginWithFramesThatCanBeEntered(doubled: Int) throws {
    let bench = bench(doubled: doubled)
    try bench.run(48_000 * 31)
    let frames = times(playlists(bench)[doubled], bench).map { Int(($0 * 24_000).rounded()) }
    #expect(frames.count == 8)
    let distance = AudioSpecificConfig.doubled48.entryDistance
    #expect(frames.allSatisfy { $0 % (1024 * distance) == 0 })
  }

  /// The counts include recordings that end just before or after a cut in one rendition.
  @Test(arguments: [0, 1], [nil, 500])
  func everyFrameIsInOneSegmentHoweverLongTheSoundIs(doubled: Int, part: Int?) throws {
    var counts = [1, 10, 1086, 1087, 3000]
    // Cuts of HE-AAC are at the start of a frame, minus the delay of the encoder.
    for cut in [16_384, 18_432, 196_608, 393_216] {
      counts += [-63, -62, -61, -1, 0, 1, 961, 1023, 1024, 1025, 2047].map { cut - 3010 + $0 }
    }
    for count in counts {
      let bench = bench(doubled: doubled, partMilliseconds: part)
      try bench.run(count)
      let playlists = playlists(bench)
      #expect(playlists[0].segments.count == playlists[1].segments.count, "\(count)")
      for (rendition, playlist) in playlists.enumerated() {
        let durations = playlist.segments.compactMap(\.duration)
        let total = durations.reduce(0, +)
        #expect(abs(total - Double(count) / 48_000) < 1e-5, "\(count)")
        let bytes = bench.store.media(Self.names[rendition])
        #expect(mp4Frames(bytes) == bench.frames(count, rendition: rendition), "\(count)")
        // One tick of a track with SBR is two samples.
        let playedSampleCount = MP4Reader(file: bytes).trim?.sampleCount ?? -9
        #expect(abs(playedSampleCount - count) <= (rendition == doubled ? 1 : 0), "\(count)")
      }
    }
  }

  @Test(arguments: [0, 1])
  func partsAreCutAtTheSameMoments(doubled: Int) throws {
    let bench = bench(doubled: doubled, .fragmentedMP4, .live, partMilliseconds: 500)
    // The bench checks every playlist.
    try bench.run(48_000 * 40 + 99)
    let playlists = playlists(bench)
    #expect(playlists[0].partTarget == playlists[1].partTarget)
    let parts = playlists.map { $0.segments.map(\.parts.count) }
    #expect(parts[0] == parts[1] && parts[0].contains { $0 > 4 })
    let history = Self.names.map { bench.store.history($0).count }
    #expect(history[0] == history[1] && history[0] > 40)
  }

  /// With HE-AAC alone, too, all parts except the last must have the full duration.
  @Test func segmentsOfOneProfileHaveWholeParts() throws {
    var bench = HLSBench(partMilliseconds: 500)
    bench.doubled = [0]
    try bench.run(48_000 * 40)
    let playlist = bench.store.parsed()
    #expect(playlist.segments.contains { $0.parts.count > 4 })
  }

  // MARK: - Interruptions

  @Test(arguments: [0, 1], HLSConfiguration.Media.allCases)
  func bothAreInterruptedAtTheSameMoment(
    doubled: Int, media: HLSConfiguration.Media
  ) throws {
    var bench = bench(doubled: doubled, media)
    // The frame numbers are of the first rendition, whose frames are half as long if it is AAC-LC.
    let frames = doubled == 0 ? [150, 350] : [300, 700]
    bench.gaps = [frames[0]: .deviceLost, frames[1]: .paused]
    try bench.run(48_000 * 30)
    let playlists = playlists(bench)
    let broken = playlists.map { $0.segments.map(\.isDiscontinuous) }
    #expect(broken[0] == broken[1])
    #expect(broken[0].count { $0 } == 2)
    for (first, second) in zip(playlists[0].segments, playlists[1].segments).dropFirst() {
      let date = try #require(first.date)
      let other = try #require(second.date)
      #expect(abs(date - other) <= 0.0025)
    }
    let last = try #require(playlists[0].segments.last?.date)
    let begin = try #require(playlists[0].segments.first?.date)
    // Ten seconds are missing, and the last segment is short.
    #expect(last - begin > 10 + 20 && last - begin < 10 + 30)
  }

  @Test(arguments: [0, 1], HLSConfiguration.Media.allCases)
  func nextRecordingSegmentContinuesInBothRenditions(
    doubled: Int, media: HLSConfiguration.Media
  ) throws {
    let bench = bench(doubled: doubled, media)
    var output = try bench.makeOutput()
    let count = 48_000 * 6 + 500
    try bench.record(count, into: &output)
    try bench.record(48_000 * 6, into: &output, index: 1, at: count)
    let summary = output.abandon()
    #expect(summary?.sampleCount == count + 48_000 * 6)
    #expect(bench.store.faults == [])
    let playlists = playlists(bench)
    let index = try #require(playlists[0].segments.firstIndex { $0.isDiscontinuous })
    #expect(playlists[1].segments.firstIndex { $0.isDiscontinuous } == index)
    var sounds: [Double] = []
    for (rendition, playlist) in playlists.enumerated() {
      let starts = times(playlist, bench)
      #expect(starts == starts.sorted())
      let delay = Double(bench.timing(rendition).priming) / 48_000
      // The audio begins after the delay. In MP4, an edit list moves the delay before time 0.
      sounds.append(starts[index] + (media == .packedAudio ? delay : -delay))
    }
    // Tags of packed audio are in ticks of 1/90,000 s.
    #expect(abs(sounds[0] - sounds[1]) < 3e-5)
    if media == .fragmentedMP4 { #expect(abs(sounds[0] - Double(count) / 48_000) < 3e-5) }
  }
}
