import AacornCodec
import AacornContainers
import AacornDevices
import AacornRecording
import AacornSignal
import AacornSystem
import DeviceRigs
import Simulation
import Testing

/// One capture, encoded in several profiles and bitrates at the same time, and outputs for each.
@Suite(.simulated(seeds: 3)) struct MixedRenditionTests {
  private static let low = RecordingConfiguration.Coding.constant(48_000, .highEfficiency)
  private static let high = RecordingConfiguration.Coding.constant(128_000)

  private func configuration(
    _ codings: RecordingConfiguration.Coding...
  ) -> RecordingConfiguration {
    .stereo(codings[0]) { $0.furtherCodings = Array(codings.dropFirst()) }
  }

  /// The segments of an output for all renditions, and of one output for each rendition.
  private func record(
    _ configuration: RecordingConfiguration, _ faults: [SyntheticFaults.Event] = []
  ) throws -> (all: [MemoryOutput.Segment], each: [[MemoryOutput.Segment]]) {
    let stores = (0...configuration.furtherCodings.count).map { _ in MemoryOutput.Store() }
    let allStore = MemoryOutput.Store()
    var everything = MemoryOutput(allStore)
    everything.acceptsRenditions = true
    let others = stores.enumerated().map { rendition, store -> any PacketOutput in
      let output = MemoryOutput(store)
      return rendition == 0 ? output : RenditionOutput(output, rendition: rendition)
    }
    let log = RecordingLog()
    let session = log.session(configuration)
    try session.start(
      FaultySource.test(frames: 100_001, faults: faults), outputs: [everything] + others)
    let summary = try finalSummary(of: session)
    #expect(summary.failure == nil)
    let each = stores.map { store in store.segments.withLock { $0 } }
    // The session reports the packets of the first rendition, like an output by default.
    #expect(log.packets.allSatisfy { $0.rendition == 0 })
    #expect(log.packets.map(\.bytes) == each[0].flatMap { $0.packets.map(\.bytes) })
    return (allStore.segments.withLock { $0 }, each)
  }

  @Test func everyOutputGetsTheCodingThatItIsFor() throws {
    let bitrates = [128_000, 48_000, 64_000]
    let profiles: [AACEncoder.Profile] = [.lowComplexity, .highEfficiency, .lowComplexity]
    let (all, each) = try record(configuration(Self.high, Self.low, .constant(64_000)))
    let whole = try #require(all.first)
    #expect(whole.start.furtherFormats.count == 2)
    #expect(whole.end?.trim.priming == 1024)
    #expect(whole.end?.furtherTrims.map(\.priming) == [3010, 1024])
    #expect(whole.end?.furtherTrims.map(\.sampleCount) == [100_001, 100_001])
    for (rendition, (priming, length)) in [(1024, 1024), (3010, 2048), (1024, 1024)].enumerated() {
      let expected = try AACEncoder.units(
        of: counterSamples(frames: 100_001),
        AACEncoder.Configuration(
          sampleRate: 48_000, channelCount: 2,
          rateControl: .constant(bitsPerSecond: bitrates[rendition]), effort: .fast,
          profile: profiles[rendition])
      ).map(\.bytes)
      #expect(whole.packets.filter { $0.rendition == rendition }.map(\.bytes) == expected)
      let segment = try #require(each[rendition].first)
      #expect(segment.packets.map(\.bytes) == expected)
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
    var configuration = configuration(Self.low, Self.high, .constant(192_000))
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
    // Renditions of one profile have the same packets.
    let positions = each.map { $0.flatMap { $0.packets.map(\.position) } }
    #expect(positions[1] == positions[2])
  }

  @Test func packetsOfEveryRenditionCarryTheGaps() throws {
    let loss = SyntheticFaults.Event.at(30_000, .loss(frameCount: 4801, cause: .overrun))
    let (all, each) = try record(configuration(Self.high, Self.low), [loss])
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
    let session = RecordingSession(configuration(Self.high, Self.low))
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
    let session = RecordingSession(configuration(Self.high, Self.low))
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

  @Test(
    arguments: [
      (low, .int16), (.float32, low), (high, .constant(9_000_000)),
    ] as [(RecordingConfiguration.Coding, RecordingConfiguration.Coding)])
  func invalidFurtherCodingThrowsBeforeStart(
    first: RecordingConfiguration.Coding, second: RecordingConfiguration.Coding
  ) throws {
    let session = RecordingSession(configuration(first, second))
    let error = #expect(throws: RecordingError.self) {
      try session.start(SyntheticSource.test(), outputs: [])
    }
    #expect((error == .mixedCodings) == (first == .float32 || second == .int16))
  }
}
