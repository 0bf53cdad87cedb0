import AacornCodec
import AacornContainers
import AacornNetwork
import AacornRecording
import AacornSystem
import StreamRigs
import TestSignals
import Testing

@testable import AacornStreaming

/// Very short and very long recordings, restarts, and errors.
struct HLSOutputLimitsTests {
  @Test(arguments: HLSConfiguration.Kind.allCases, [1, 1000, 1024, 1025])
  func shortSoundsAreOneSegment(kind: HLSConfiguration.Kind, count: Int) throws {
    for parts in [nil, 500] {
      for media in HLSConfiguration.Media.allCases {
        let bench = HLSBench(kind, media, partMilliseconds: parts)
        let summary = try bench.run(count)
        #expect(summary?.sampleCount == count)
        let playlist = bench.store.parsed()
        #expect(playlist.segments.count == 1)
        if media == .fragmentedMP4 {
          let duration = playlist.segments.first?.duration ?? 0
          #expect(abs(duration - Double(count) / 48_000) < 1e-6)
        }
      }
    }
  }

  @Test func emptyRecordingPublishesNoPlaylist() throws {
    let bench = HLSBench()
    var output = try bench.makeOutput()
    #expect(output.abandon() == nil)
    try bench.record(0, into: &output)
    #expect(output.abandon()?.sampleCount == 0)
    #expect(bench.store.playlist("stream.m3u8") == nil)
    #expect(bench.store.playlist("stream-0.m3u8") == nil)
  }

  @Test func aRecordingThatBreaksOffKeepsItsFrames() throws {
    let bench = HLSBench(.live, .packedAudio)
    var output = try bench.makeOutput()
    try bench.record(48_000 * 5, into: &output, ends: false)
    _ = output.abandon()
    #expect(bench.store.faults == [])
    #expect(bench.store.parsed().isEnded)
    #expect(packedFrames(bench.store.media("stream-0.m3u8")).frames == bench.frames(48_000 * 5))
  }

  @Test func storeFailureAtEndIsReportedOnce() throws {
    var bench = HLSBench()
    bench.stores = [CheckedStore(), CheckedStore()]
    bench.stores[1].contents.withLock { $0.failsAtEnd = true }
    var output = try bench.makeOutput()
    try bench.record(48_000 * 20, into: &output)
    #expect(try output.poll() == [])
    _ = output.abandon()
    #expect(throws: CheckedStore.failure) { try output.poll() }
    // The error is reported once, and the other store is complete.
    #expect(try output.poll() == [])
    #expect(bench.stores[0].playlist("stream-0.m3u8")?.hasSuffix("#EXT-X-ENDLIST\n") == true)
  }

  @Test func aStoreThatFailsEndsTheOutputAndTheOtherIsComplete() throws {
    for putLimit in 0..<8 {
      var bench = HLSBench(window: 20)
      bench.stores = [CheckedStore(), CheckedStore(servesParts: false)]
      bench.stores[1].contents.withLock { $0.putLimit = putLimit }
      var output = try bench.makeOutput()
      #expect(throws: CheckedStore.failure) { try bench.record(48_000 * 40, into: &output) }
      let summary = output.abandon()
      for store in bench.stores { #expect(store.faults == [], "\(putLimit)") }
      let whole = bench.stores[0].parsed()
      let partial = bench.stores[1].parsed()
      #expect(whole.isEnded || putLimit == 0)
      if putLimit > 1 {
        // The first `put` stores the initialization section.
        #expect(partial.isEnded && partial.segmentNames.count == putLimit - 1)
        // The output reports only the audio that both stores have.
        let seconds = partial.segments.reduce(0) { $0 + ($1.duration ?? 0) }
        let stored = partial.segmentNames.map { bench.stores[1].file($0).count }.reduce(0, +)
        #expect(output.savedPosition == Int((seconds * 48_000).rounded()))
        #expect(summary?.sampleCount == output.savedPosition && summary?.byteCount == stored)
        #expect(whole.segmentNames.starts(with: partial.segmentNames))
        #expect(whole.segmentNames.count >= putLimit)
      }
    }
  }

  @Test func onlyFramesInTheStoreAreCounted() throws {
    let bench = HLSBench()
    // The initialization section and two segments of four seconds.
    bench.store.contents.withLock { $0.putLimit = 3 }
    let list = OutputList(Redactor([])) { _, _, _ in }
    var output = WatchedOutput(
      try bench.makeOutput(), list.add(.hls, name: "test"), on: list)
    #expect(throws: CheckedStore.failure) { try bench.record(48_000 * 20, into: &output) }
    _ = output.abandon()
    #expect(list.all.first?.frameCount == 375)
  }

  @Test func invalidNamesAndDurationsAreRejected() throws {
    let changes: [(inout HLSConfiguration) -> Void] = [
      { $0.name = "a/b" }, { $0.renditionNames = ["x", "x"] },
      { $0.partDuration = .seconds(5) }, { $0.segmentDuration = .zero },
    ]
    for change in changes {
      var bench = HLSBench()
      change(&bench.configuration)
      #expect(throws: OutputError.self) { _ = try bench.makeOutput() }
    }
    var bench = HLSBench()
    bench.configuration.renditionNames = ["1"]
    bench.renditionCount = 2
    var output = try bench.makeOutput()
    #expect(throws: OutputError.self) { try bench.record(4800, into: &output) }
  }

  /// Returns a bench for long recordings, with small frames and without a history.
  private func longBench(sampleRate: Int = 8000) -> HLSBench {
    var bench = HLSBench()
    bench.sampleRate = sampleRate
    bench.frameByteCount = 20
    bench.store.contents.withLock { $0.keepsTexts = false }
    return bench
  }

  /// The recording lasts 27 hours, longer than the 33-bit clock of packed audio.
  ///
  /// The stores do not grow during that time.
  @Test(arguments: isDebugBuild ? [.packedAudio] : HLSConfiguration.Media.allCases)
  func aDayTakesNoMoreRoomThanAMinute(media: HLSConfiguration.Media) throws {
    var bench = longBench()
    bench.configuration.media = media
    bench.configuration.segmentDuration = .seconds(6)
    try bench.run(8000 * 3600 * 27)
    let playlist = bench.store.parsed()
    #expect(playlist.segments.count == 6)
    #expect(bench.store.contents.withLock { $0.maxFileCount } < 20)
    let last = bench.store.file(playlist.segmentNames.last ?? "")
    let position = Int((playlist.mediaSequence ?? 0) - Int(bench.wallTime / 1_000_000_000)) + 5
    #expect(position > 16_000)
    if media == .packedAudio {
      let ticks = try #require(packedFrames(last).ticks.first)
      // The clock restarts at 0 after 26.5 hours.
      #expect(ticks < 90_000 * 3600)
    } else {
      let bytes = bench.store.media("stream-0.m3u8")
      let reader = MP4Reader(file: bytes)
      #expect(reader.damage == [])
      let time = try #require(reader.sample(at: reader.unitCount - 1)?.time)
      #expect(abs(Int(time) - 8000 * 3600 * 27) < 2048)
    }
  }

  @Test func manyPartsTakeNoMoreRoomThanAFew() throws {
    var bench = longBench(sampleRate: 16_000)
    bench.configuration.partDuration = .milliseconds(500)
    try bench.run(16_000 * 900)
    #expect(bench.store.contents.withLock { $0.maxFileCount } < 130)
  }

  @Test func aLongEventKeepsEverything() throws {
    var bench = longBench()
    bench.configuration.kind = .event
    try bench.run(8000 * 1200)
    let playlist = bench.store.parsed()
    #expect(playlist.segments.count == 300)
    #expect(bench.store.contents.withLock { $0.removedNames } == [])
  }

  /// Segments with parts may be shorter than requested.
  ///
  /// A run may therefore use more segment numbers than its duration divided by the segment
  /// duration.
  @Test(arguments: isDebugBuild ? [2700] : [nil, 2700, 500] as [Int?])
  func restartAfterAnHourContinuesWithHigherNumbers(parts: Int?) throws {
    var bench = longBench()
    bench.configuration.partDuration = parts.map { .milliseconds($0) }
    try bench.run(8000 * 3600)
    let old = bench.store.parsed()
    bench.stores = [CheckedStore()]
    bench.wallTime += 3_601_000_000_000
    try bench.run(8000 * 10)
    let new = bench.store.parsed()
    let next = (old.mediaSequence ?? .max) + old.segments.count
    #expect((new.mediaSequence ?? 0) >= next)
    #expect((new.discontinuitySequence ?? 0) > (old.discontinuitySequence ?? .max))
  }

  /// The peak of segments shorter than half a target duration includes neighboring segments.
  @Test(arguments: [300, 700, 1000, 4000], HLSConfiguration.Kind.allCases)
  func thePeakOfABurstIsStated(milliseconds: Int, kind: HLSConfiguration.Kind) throws {
    var bench = HLSBench(kind, window: 40)
    bench.configuration.segmentDuration = .milliseconds(milliseconds)
    bench.burst = 300..<350
    // Every run checks that the stated peak is high enough.
    try bench.run(48_000 * 12)
    let master = bench.store.parsed("stream.m3u8")
    let stated = Int(master.variants.first?.attributes["BANDWIDTH"] ?? "") ?? 0
    #expect(stated > 100_000)
    // Four times the bitrate without the burst is enough.
    #expect(stated < 8 * 4 * 210 * 48_000 / 1024 * 12 / 10 + 10_000)
  }
}
