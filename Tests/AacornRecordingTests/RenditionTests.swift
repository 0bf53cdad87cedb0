import AacornCodec
import AacornDevices
import AacornRecording
import AacornSignal
import AacornSystem
import Testing

/// One capture, encoded at several bitrates at the same time.
@Suite struct RenditionTests {
  private static let bitrates = [128_000, 64_000, 192_000]

  private static func coding(_ bitrate: Int) -> RecordingConfiguration.Coding {
    .aac(rateControl: .constant(bitsPerSecond: bitrate), effort: .fast)
  }

  /// The segments of an output for all renditions and of an output for the first rendition, and all
  /// packets that the session reports.
  private func record(
    split: RecordingConfiguration.Split = .never
  ) throws -> (all: [MemoryOutput.Segment], first: [MemoryOutput.Segment], packets: [EncodedPacket])
  {
    var configuration = RecordingConfiguration(
      sampleRate: 48_000, channelCount: 2, coding: Self.coding(Self.bitrates[0]))
    configuration.furtherCodings = Self.bitrates[1...].map(Self.coding)
    configuration.split = split
    let source = SyntheticSource(
      CaptureDevice(backend: .synthetic, id: "test", name: "Test"),
      playing: SyntheticExcerpt(
        of: CounterSignal(sampleRate: 48_000, channelCount: 2), frameCount: 50_000),
      pacing: .unpaced, faults: SyntheticFaults())
    let (all, first) = (MemoryOutput.Store(), MemoryOutput.Store())
    let packets = Lock<[EncodedPacket]>([])
    let session = RecordingSession(configuration) { _ in
    } packets: { packet in
      packets.withLock { $0.append(packet) }
    }
    var everything = MemoryOutput(all)
    everything.acceptsRenditions = true
    try session.start(source, outputs: [everything, MemoryOutput(first)])
    _ = try finalSummary(of: session)
    return (all.segments.withLock { $0 }, first.segments.withLock { $0 }, packets.withLock { $0 })
  }

  @Test func everyRenditionIsTheEncodersOfItsBitrate() throws {
    let (all, first, packets) = try record()
    let segment = try #require(all.first)
    #expect(segment.start.furtherFormats.count == 2)
    for (index, bitrate) in Self.bitrates.enumerated() {
      let units = segment.packets.filter { $0.rendition == index }.map(\.bytes)
      var encoder = try AACEncoder(
        AACEncoder.Configuration(
          sampleRate: 48_000, channelCount: 2, rateControl: .constant(bitsPerSecond: bitrate),
          effort: .fast))
      var signal = CounterSignal(sampleRate: 48_000, channelCount: 2)
      var samples: [Float] = []
      _ = signal.read(into: &samples, frameCount: 50_000)
      encoder.encode(interleaved: samples.span)
      _ = encoder.finish()
      var expected: [[UInt8]] = []
      var unit = AccessUnit()
      while encoder.nextAccessUnit(into: &unit) { expected.append(unit.bytes) }
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

  @Test(arguments: [coding(9_000_000), .int16])
  func invalidFurtherCodingThrowsBeforeStart(
    coding: RecordingConfiguration.Coding
  ) throws {
    var configuration = RecordingConfiguration(
      sampleRate: 48_000, channelCount: 2, coding: Self.coding(128_000))
    configuration.furtherCodings = [coding]
    let session = RecordingSession(configuration)
    let source = SyntheticSource(
      CaptureDevice(backend: .synthetic, id: "test", name: "Test"),
      playing: CounterSignal(sampleRate: 48_000, channelCount: 2))
    let error = #expect(throws: RecordingError.self) { try session.start(source, outputs: []) }
    switch coding {
    case .aac: #expect(error != .mixedCodings)
    case .int16, .float32: #expect(error == .mixedCodings)
    }
  }
}
