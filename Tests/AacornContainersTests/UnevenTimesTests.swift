import AacornCodec
import Testing

@testable import AacornContainers

/// Files of recorders that stored the capture time of each frame, so that durations differ.
struct UnevenTimesTests {
  /// The numbers of frames with each duration in ticks; every frame has 1,024 samples.
  private static let times: [(count: Int, duration: Int)] = [
    (1, 259), (3, 1024), (1, 1472), (3, 1000),
  ]

  /// Returns a file of eight frames with these durations and one edit.
  ///
  /// The gapless tag, which would contradict them, is renamed.
  private func movie(from start: Int, lasting count: Int) throws -> [UInt8] {
    let trim = StreamTrim(priming: start, remainder: 8192 - start - count, sampleCount: count)
    let configuration = MP4Writer.Configuration(stream: mp4Mono, layout: .moovAtEnd)
    var file = try mp4File(configuration, mp4Units(8), trim)
    let tag = find("iTunSMPB", in: file)
    file.replaceSubrange(tag..<tag + 8, with: Array("iTunNONE".utf8))
    var box = BoxWriter()
    box.fullBox(.timeToSample) { box in
      box.put32(UInt32(Self.times.count))
      for (count, duration) in Self.times {
        box.put32(UInt32(count))
        box.put32(UInt32(duration))
      }
    }
    // The writer's box has one entry.
    let offset = find("stts", in: file) - 4
    file.replaceSubrange(offset..<offset + 24, with: box.bytes)
    for name in ["stbl", "minf", "mdia", "trak", "moov"] {
      grow(&file, at: find(name, in: file) - 4, by: box.bytes.count - 24)
    }
    return file
  }

  @Test func noFrameIsLost() throws {
    var file = try movie(from: 1, lasting: 7802)
    // An edit of the whole track, from the first frame to the end of the last one.
    let offset = find("elst", in: file) + 4 + 8
    file.replaceSubrange(offset..<offset + 8, with: [0, 0, 0x1E, 0x7B, 0, 0, 0, 0])
    let reader = MP4Reader(file: file)
    #expect(reader.damage == [])
    #expect(reader.sample(at: 7)?.time == 6803)
    #expect(reader.playableRanges == [0..<8168])
    #expect(reader.trim == StreamTrim(priming: 0, remainder: 24, sampleCount: 8168))
  }

  @Test func anEditPlaysTheFramesOfItsTime() throws {
    // From the second frame, which begins at 259, to the last, which begins at 6803.
    let reader = MP4Reader(file: try movie(from: 1000, lasting: 6000))
    #expect(reader.damage == [])
    #expect(reader.playableRanges == [1024 + 741..<7168 + 197])
    #expect(!reader.hasBackwardEdits)
  }

  @Test func zeroDurationFrameHasNoTime() {
    var table = SampleTable()
    for _ in 0..<12 { table.append(size: 10) }
    table.time(8, duration: 1024)
    table.time(1, duration: 500)
    table.time(1, duration: 0)
    #expect(!table.hasUnevenDurations)
    #expect(table.position(of: 8692) == (8, 500))
    table.time(1, duration: 1024)
    #expect(table.hasUnevenDurations)
    #expect(table.position(of: 8691) == (8, 499))
    #expect(table.position(of: 8692) == (10, 0))
    #expect(table.position(of: 20_000) == (10, 11_308))
  }

  @Test func longFrameEndsAtNextFrame() throws {
    // The end, 4703, is 1372 ticks after the start of a frame of 1024 samples.
    let reader = MP4Reader(file: try movie(from: 259, lasting: 4444))
    #expect(reader.playableRanges == [1024..<5120])
  }
}
