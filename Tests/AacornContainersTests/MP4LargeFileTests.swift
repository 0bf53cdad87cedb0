import AacornCodec
import AacornSignal
import AacornSoundFiles
import Testing

@testable import AacornContainers

/// Files of more than 4 GiB, without their content.
struct MP4LargeFileTests {
  /// Returns the writes that finish a file of `count` frames of `size` bytes.
  private func finish(
    _ layout: MP4Writer.Layout, count: Int, size: Int, expecting: Int?, rate: Int = 48_000
  ) throws -> (start: [UInt8], finish: MP4Writer.Finish) {
    let stream = AudioSpecificConfig.test(rate: rate, channels: 2)
    var configuration = MP4Writer.Configuration(stream: stream, layout: layout)
    configuration.expectedUnitCount = expecting
    var writer = try MP4Writer(configuration: configuration)
    let start = writer.start()
    for _ in 0..<count { try writer.count(size) }
    let trim = StreamTrim(priming: 1024, remainder: 0, sampleCount: (count - 1) * 1024)
    return (start, try writer.finish(trim))
  }

  /// Reads a file from the writes of its first bytes and of its end; the audio is zeros.
  private func read(
    _ start: [UInt8], _ finish: MP4Writer.Finish, media: UInt64
  ) -> (MP4Reader, pieces: Int) {
    var writes = [MP4Writer.Finish.Write(offset: 0, bytes: start)]
    for write in finish { writes.append(write) }
    let end = writes.map { $0.offset + UInt64($0.bytes.count) }.max() ?? 0
    let byteCount = max(end, finish.media.upperBound + finish.mediaShift)
    return (mp4Reader(of: writes, byteCount: byteCount), writes.count)
  }

  @Test(arguments: [MP4Writer.Layout.faststart, .moovAtEnd], [nil, 2_900_000])
  func offsetsBeyondFourGigabytesAreExact(_ layout: MP4Writer.Layout, expecting: Int?) throws {
    let count = 2_900_000
    let (start, finish) = try finish(layout, count: count, size: 1536, expecting: expecting)
    let total = UInt64(count) * 1536
    #expect(finish.media.upperBound - finish.media.lowerBound == total)
    if expecting != nil { #expect(finish.mediaShift == 0) }
    let (reader, pieces) = read(start, finish, media: total)
    #expect(reader.damage == [])
    #expect(pieces > 100)
    #expect(reader.unitCount == count)
    let base = finish.media.lowerBound + finish.mediaShift
    for index in [0, 1, 2_795_000, 2_796_203, count - 1] {
      #expect(reader.sample(at: index)?.offset == base + UInt64(index) * 1536)
    }
  }

  @Test func framesLargerThanExpectedMoveTheSound() throws {
    // By the number of frames, 32-bit offsets suffice; with the actual sizes, they do not.
    let count = 70_000
    let (start, finish) = try finish(
      .faststart, count: count, size: 65_535, expecting: count)
    #expect(finish.mediaShift > 0)
    let (reader, _) = read(start, finish, media: 0)
    #expect(reader.damage == [])
    let base = finish.media.lowerBound + finish.mediaShift
    #expect(reader.sample(at: count - 1)?.offset == base + UInt64(count - 1) * 65_535)
  }

  @Test func durationsBeyondFourGigasamplesAreExact() throws {
    let count = 4_200_000
    let (start, finish) = try finish(
      .moovAtEnd, count: count, size: 10, expecting: nil, rate: 96_000)
    let (reader, _) = read(start, finish, media: 0)
    #expect(reader.damage == [])
    #expect(reader.track?.duration == UInt64(count) * 1024)
    #expect(
      reader.trim == StreamTrim(priming: 1024, remainder: 0, sampleCount: (count - 1) * 1024))
    #expect(reader.sample(at: count - 1)?.time == UInt64(count - 1) * 1024)
  }
}
