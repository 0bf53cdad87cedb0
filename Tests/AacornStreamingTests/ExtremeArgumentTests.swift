import AacornCodec
import Testing

@testable import AacornRecording
@testable import AacornStreaming

/// Outputs do not trap on numbers: impossible positions and lengths are errors.
@Suite struct ExtremeArgumentTests {
  private static let impossible = [Int.min, -(1 << 53), 1 << 53, Int.max]
  private static let possible = [-(1 << 52), -1, 0, 1 << 52]

  /// Packets that each contain the number in another property.
  private func packets(_ number: Int, _ frame: [UInt8]) -> [EncodedPacket] {
    let gap = RecordingGap(position: number, length: 0, cause: .paused, wallTime: .min)
    let long = RecordingGap(position: 0, length: number, cause: .paused, wallTime: .max)
    var packets = [EncodedPacket(bytes: frame, position: number, sampleCount: 1024)]
    packets.append(EncodedPacket(bytes: frame, position: 0, sampleCount: 1024, gaps: [gap]))
    packets.append(EncodedPacket(bytes: frame, position: 0, sampleCount: 1024, gaps: [long]))
    return packets
  }

  private func write(_ output: inout some PacketOutput, _ start: SegmentStart) throws {
    let frame = HLSBench.bytes(0, rendition: 0, count: 200)
    for number in Self.impossible {
      var impossible = start
      impossible.position = number
      #expect(throws: OutputError.self) { try output.begin(impossible) }
    }
    try output.begin(start)
    for number in Self.impossible {
      let long = EncodedPacket(bytes: frame, position: 0, sampleCount: number)
      for packet in packets(number, frame) + [long] {
        #expect(throws: OutputError.self) { try output.write(packet) }
      }
    }
    for number in Self.possible {
      for packet in packets(number, frame) { try? output.write(packet) }
      var start = start
      start.position = number
      start.wallTime = number < 0 ? .min : .max
      try? output.begin(start)
      for packet in packets(number, frame) { try? output.write(packet) }
      var end = SegmentEnd(
        sampleCount: number,
        trim: StreamTrim(priming: 1 << 31, remainder: 1 << 31, sampleCount: number))
      _ = try? output.end(end)
      end.sampleCount = .max
      #expect(throws: (any Error).self) { try output.end(end) }
      _ = output.savedPosition
    }
    _ = output.abandon()
  }

  @Test(arguments: HLSConfiguration.Media.allCases, HLSConfiguration.Kind.allCases)
  func impossibleNumbersAreErrorsForHLS(
    media: HLSConfiguration.Media, kind: HLSConfiguration.Kind
  ) throws {
    let bench = HLSBench(kind, media)
    var output = try bench.makeOutput()
    let start = SegmentStart(
      index: 0, format: bench.format(0), position: 0, wallTime: bench.wallTime,
      expectedPacketCount: nil)
    try write(&output, start)
  }

  @Test func impossibleNumbersAreErrorsForServers() throws {
    let bench = LiveBench()
    try write(&bench.output, LiveBench.start())
  }
}
