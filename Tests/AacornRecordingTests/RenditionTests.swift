import AacornCodec
import AacornDevices
import AacornRecording
import AacornSignal
import AacornSystem
import Testing

/// One capture, encoded at several bitrates at the same time.
@Suite struct RenditionTests {
  private static let bitrates = [128_000, 64_000, 192_000]

  /// The segments of an output for all renditions and of an output for the first rendition, and all
  /// packets that the session reports.
  private func record(
    split: RecordingConfiguration.Split = .never
  ) throws -> (all: [MemoryOutput.Segment], first: [MemoryOutput.Segment], packets: [EncodedPacket])
  {
    let configuration = RecordingConfiguration.stereo(.constant(Self.bitrates[0])) {
      $0.furtherCodings = Self.bitrates[1...].map { .constant($0) }
      $0.split = split
    }
    let (all, first, log) = (MemoryOutput.Store(), MemoryOutput.Store(), RecordingLog())
    let session = log.session(configuration)
    var everything = MemoryOutput(all)
    everything.acceptsRenditions = true
    try session.start(
      SyntheticSource.test(frames: 50_000), outputs: [everything, MemoryOutput(first)])
    _ = try finalSummary(of: session)
    return (all.segments.withLock { $0 }, first.segments.withLock { $0 }, log.packets)
  }

  @Test func everyRenditionIsTheEncodersOfItsBitrate() throws {
    let (all, first, packets) = try record()
    let segment = try #require(all.first)
    #expect(segment.start.furtherFormats.count == 2)
    for (index, bitrate) in Self.bitrates.enumerated() {
      let units = segment.packets.filter { $0.rendition == index }.map(\.bytes)
      let expected = try AACEncoder.units(
        of: counterSamples(frames: 50_000),
        AACEncoder.Configuration(
          sampleRate: 48_000, channelCount: 2, rateControl: .constant(bitsPerSecond: bitrate),
          effort: .fast)
      ).map(\.bytes)
      #expect(units == expected, "rendition \(index)")
    }
    // By default an output receives only the first rendition.
    #expect(first.first?.packets.map(\.bytes) == packets.map(\.bytes))
    #expect(packets.allSatisfy { $0.rendition == 0 })
    #expect(packets.count * 3 == segment.packets.count)
  }

  @Test func allRenditionsAreCutAtTheSameFrames() throws {
    let (all, _, _) = try record(split: .every(.milliseconds(333)))
    #expect(all.count == 4)
    for segment in all {
      let positions = (0..<3).map { rendition in
        segment.packets.filter { $0.rendition == rendition }.map(\.position)
      }
      #expect(!positions[0].isEmpty)
      #expect(positions[1] == positions[0])
      #expect(positions[2] == positions[0])
    }
  }

  @Test(arguments: [.constant(9_000_000), .int16] as [RecordingConfiguration.Coding])
  func invalidFurtherCodingThrowsBeforeStart(
    coding: RecordingConfiguration.Coding
  ) throws {
    let session = RecordingSession(.stereo(.constant(128_000)) { $0.furtherCodings = [coding] })
    let error = #expect(throws: RecordingError.self) {
      try session.start(SyntheticSource.test(pacing: .realTime), outputs: [])
    }
    #expect((error == .mixedCodings) == (coding == .int16))
  }
}
