import AacornCodec
import AacornContainers
import AacornDevices
import AacornRecording
import AacornSignal
import AacornSystem
import Simulation
import SoundRigs
import Testing

/// One capture, encoded in two profiles at the same time, and outputs for one of them.
@Suite(.simulated(seeds: 3)) struct MixedRenditionTests {
  private static let low = RecordingConfiguration.Coding.constant(48_000, .highEfficiency)
  private static let high = RecordingConfiguration.Coding.constant(128_000)

  private func configuration(
    _ first: RecordingConfiguration.Coding = high, _ second: RecordingConfiguration.Coding = low
  ) -> RecordingConfiguration {
    .stereo(first) { $0.furtherCodings = [second] }
  }

  /// The segments of an output for all renditions, and of one output each for the first and the
  /// second rendition.
  private func record(
    _ configuration: RecordingConfiguration, _ faults: [SyntheticFaults.Event] = []
  ) throws -> (all: [MemoryOutput.Segment], each: [[MemoryOutput.Segment]]) {
    let stores = (0..<3).map { _ in MemoryOutput.Store() }
    var everything = MemoryOutput(stores[0])
    everything.acceptsRenditions = true
    let session = RecordingSession(configuration)
    try session.start(
      SyntheticSource.test(frames: 100_001, faults: faults),
      outputs: [
        everything, MemoryOutput(stores[1]),
        RenditionOutput(MemoryOutput(stores[2]), rendition: 1),
      ])
    let summary = try finalSummary(of: session)
    #expect(summary.failure == nil)
    let segments = stores.map { store in store.segments.withLock { $0 } }
    return (segments[0], [segments[1], segments[2]])
  }

  private func units(_ profile: AACEncoder.Profile, _ bitrate: Int) throws -> [[UInt8]] {
    try AACEncoder.units(
      of: counterSamples(frames: 100_001),
      AACEncoder.Configuration(
        sampleRate: 48_000, channelCount: 2, rateControl: .constant(bitsPerSecond: bitrate),
        effort: .fast, profile: profile)
    ).map(\.bytes)
  }

  @Test func everyOutputGetsTheCodingThatItIsFor() throws {
    let (all, each) = try record(configuration())
    let expected = [try units(.lowComplexity, 128_000), try units(.highEfficiency, 48_000)]
    let whole = try #require(all.first)
    #expect(whole.start.furtherFormats.count == 1)
    #expect(whole.end?.trim.priming == 1024)
    #expect(whole.end?.furtherTrims.map(\.priming) == [3010])
    #expect(whole.end?.furtherTrims.map(\.sampleCount) == [100_001])
    for (rendition, (priming, length)) in [(1024, 1024), (3010, 2048)].enumerated() {
      #expect(
        whole.packets.filter { $0.rendition == rendition }.map(\.bytes) == expected[rendition])
      let segment = try #require(each[rendition].first)
      #expect(segment.packets.map(\.bytes) == expected[rendition])
      #expect(segment.packets.allSatisfy { $0.rendition == 0 && $0.sampleCount == length })
      #expect(segment.packets.first?.position == -priming)
      #expect(segment.start.furtherFormats.isEmpty)
      let timing = try #require(segment.start.format.aac).timing
      #expect(timing.samplesPerUnit == length && timing.priming == priming)
      #expect(segment.end?.trim == timing.trim(of: 100_001))
      #expect(segment.end?.furtherTrims.isEmpty == true)
    }
  }

  @Test func partsOfATimeBeginWithTheSameSamples() throws {
    var configuration = configuration(Self.low, Self.high)
    configuration.split = .every(.milliseconds(333))
    let (all, each) = try record(configuration)
    #expect(all.count == 7)
    for segments in each {
      #expect(segments.map(\.start.position) == (0..<7).map { $0 * 15_984 })
      let counts = segments.compactMap { $0.end?.sampleCount }
      #expect(counts.count == 7 && counts.reduce(0, +) == 100_001)
      for segment in segments {
        #expect(segment.end?.trim.sampleCount == segment.end?.sampleCount)
        let expected = try #require(segment.start.expectedPacketCount)
        #expect(expected >= segment.packets.count && expected <= 18)
      }
    }
  }

  @Test func packetsOfEveryRenditionCarryTheGaps() throws {
    let loss = SyntheticFaults.Event.at(30_000, .loss(frameCount: 4801, cause: .overrun))
    let (all, each) = try record(configuration(), [loss])
    let whole = try #require(all.first)
    for rendition in 0..<2 {
      let gaps = whole.packets.filter { $0.rendition == rendition }.flatMap(\.gaps)
      #expect(gaps.map(\.position) == [30_000] && gaps.map(\.length) == [4801])
      #expect(each[rendition].flatMap(\.packets).flatMap(\.gaps) == gaps)
      #expect(each[rendition].flatMap(\.gaps) == gaps)
    }
  }

  @Test func partsStayBelowTheirSizeInTheRenditionThatIsWritten() throws {
    var configuration = configuration(Self.low, Self.high)
    configuration.split = .bytes(100_000)
    let store = MemoryOutput.Store()
    let session = RecordingSession(configuration)
    try session.start(
      SyntheticSource.test(frames: 720_000),
      outputs: [RenditionOutput(MemoryOutput(store), rendition: 1)])
    _ = try finalSummary(of: session)
    let sizes = store.segments.withLock { segments in
      segments.map { $0.packets.reduce(0) { $0 + $1.bytes.count } }
    }
    #expect(sizes.count > 2 && sizes.allSatisfy { $0 < 100_000 })
  }

  @Test func filesOfTwoProfilesLastEquallyLong() throws {
    let folder = try Folder()
    let session = RecordingSession(configuration())
    try session.start(
      SyntheticSource.test(frames: 100_000),
      outputs: [
        FileOutput(folder.file("high.m4a"), .m4a),
        RenditionOutput(FileOutput(folder.file("low.m4a"), .m4a), rendition: 1),
      ])
    #expect(try finalSummary(of: session).failure == nil)
    let high = MP4Reader(file: try folder.bytes("high.m4a"))
    let low = MP4Reader(file: try folder.bytes("low.m4a"))
    #expect(high.playableRanges == [1024..<101_024] && low.playableRanges == [3010..<103_010])
    #expect(high.track?.stream.profile == .lowComplexity)
    #expect(low.track?.stream.profile == .spectralBandReplication)
  }

  @Test(arguments: [-1, 2])
  func missingRenditionThrowsBeforeStart(rendition: Int) throws {
    let session = RecordingSession(configuration())
    let output = RenditionOutput(MemoryOutput(MemoryOutput.Store()), rendition: rendition)
    let error = #expect(throws: RecordingError.self) {
      try session.start(SyntheticSource.test(), outputs: [output])
    }
    guard case .output(let reason)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(reason.kind == .unsupported)
    #expect(reason.message.contains("“memory”") && reason.message.contains("\(rendition)"))
  }

  @Test func samplesAndAACAreStillRefused() throws {
    let session = RecordingSession(configuration(.float32))
    let error = #expect(throws: RecordingError.self) {
      try session.start(SyntheticSource.test(), outputs: [])
    }
    #expect(error == .mixedCodings)
  }
}
