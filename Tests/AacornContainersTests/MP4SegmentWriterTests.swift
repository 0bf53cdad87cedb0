import AacornCodec
import Testing

@testable import AacornContainers

struct MP4SegmentWriterTests {
  static func fragments(
    _ units: [[UInt8]], perFragment: Int, remainder: Int = 0, writer: inout MP4SegmentWriter
  ) throws -> [[UInt8]] {
    var fragments: [[UInt8]] = []
    for (index, unit) in units.enumerated() {
      try writer.append(AccessUnit(bytes: unit))
      if writer.pendingUnitCount == perFragment || index == units.count - 1 {
        fragments.append(
          writer.takeFragment(
            startsSegment: true, remainder: index == units.count - 1 ? remainder : 0))
      }
    }
    return fragments
  }

  static func boxTypes(_ bytes: [UInt8]) -> [FourCharacterCode] {
    var types: [FourCharacterCode] = []
    var damage = DamageLog()
    var list = BoxList(bytes, in: 0..<bytes.count, fileOffset: 0)
    while let box = list.next(&damage) { types.append(box.type) }
    #expect(damage.entries.isEmpty)
    return types
  }

  @Test(arguments: [1, 2, 7, 100], [0, 72, 1023])
  func sectionAndSegmentsTogetherAreAFile(perFragment: Int, remainder: Int) throws {
    let units = mp4Units(30)
    var writer = try MP4SegmentWriter(
      stream: mp4Mono, timing: StreamTiming(mp4Mono, priming: 1024, nominalBitrate: 96_000))
    let segments = try Self.fragments(
      units, perFragment: perFragment, remainder: remainder, writer: &writer)
    #expect(Self.boxTypes(writer.initialization) == [.fileType, .movie])
    for segment in segments {
      #expect(Self.boxTypes(segment) == [.segmentType, .movieFragment, .mediaData])
    }
    let file = writer.initialization + segments.joined()
    let reader = MP4Reader(file: file)
    #expect(reader.damage == [])
    #expect(MP4RecordingWriterTests.frames(file, reader) == units)
    #expect(reader.fragmentCount == segments.count)
    #expect(
      reader.trim
        == StreamTrim(priming: 1024, remainder: remainder, sampleCount: 29 * 1024 - remainder))
    #expect(reader.track?.edits == [MP4Track.Edit(duration: 0, mediaTime: 1024)])
    #expect(reader.track?.averageBitrate == 96_000)
    #expect(reader.track?.rollDistance == -1)
    #expect(writer.time == UInt64(30 * 1024 - remainder))
    #expect(writer.fragmentCount == UInt32(segments.count))
  }

  @Test func segmentWriterContinuesAtGivenTime() throws {
    // Exceeds 32 bits, as after a day at 48 kHz.
    let start: UInt64 = 5_000_000_000
    var writer = try MP4SegmentWriter(
      stream: mp4Mono, timing: StreamTiming(mp4Mono, priming: 1024), time: start, fragmentCount: 41)
    let segments = try Self.fragments(mp4Units(4), perFragment: 2, writer: &writer)
    let file = writer.initialization + segments.joined()
    let reader = MP4Reader(file: file)
    #expect(reader.sample(at: 0)?.time == start)
    #expect(reader.sample(at: 3)?.time == start + 3 * 1024)
    #expect(writer.time == start + 4096)
    #expect(writer.fragmentCount == 43)
  }

  @Test func segmentWriterRejectsInvalidInput() {
    #expect(throws: ContainerError.trimOutsideStream(priming: -1, sampleCount: 0)) {
      _ = try MP4SegmentWriter(stream: mp4Mono, timing: StreamTiming(mp4Mono, priming: -1))
    }
    #expect(throws: ContainerError.unsupportedChannelConfiguration(0)) {
      let stream = AudioSpecificConfig.test(channels: 0)
      _ = try MP4SegmentWriter(stream: stream, timing: StreamTiming(stream))
    }
  }
}
