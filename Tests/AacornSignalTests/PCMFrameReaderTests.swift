import AacornSignal
import Testing

@Suite struct PCMFrameReaderTests {
  private let format = PCMFormat(
    sampleFormat: SampleFormat(.int24BigEndian), sampleRate: 48000, channelCount: 3)
  private let bytes = (0..<9 * 40 + 5).map { UInt8(truncatingIfNeeded: $0 * 37 + 11) }

  private func read(pieces: Int, byteCount: UInt64? = nil) -> [Float] {
    var reader = PCMFrameReader(format: format, byteCount: byteCount)
    var samples: [Float] = []
    var start = 0
    while start < bytes.count {
      let end = min(start + pieces, bytes.count)
      reader.read(bytes.span.extracting(start..<end), into: &samples)
      start = end
    }
    return samples
  }

  @Test func frameReaderIsIndependentOfChunkSize() {
    var expected: [Float] = []
    SampleConversion.append(
      bytes.span.extracting(0..<9 * 40), as: format.sampleFormat, to: &expected)
    for pieces in 1...bytes.count { #expect(read(pieces: pieces) == expected) }
  }

  @Test func readerStopsAtAnnouncedEnd() {
    let all = read(pieces: 1000)
    for count in 0...bytes.count {
      let samples = read(pieces: 7, byteCount: UInt64(count))
      #expect(samples == Array(all.prefix(min(count, bytes.count) / 9 * 3)))
    }
  }

  @Test func integersAreUnchanged() {
    let stereo = PCMFormat(
      sampleFormat: SampleFormat(.int16LittleEndian), sampleRate: 8000, channelCount: 2)
    var reader = PCMFrameReader(format: stereo, byteCount: 8)
    var samples: [Int16] = []
    for byte: UInt8 in [1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0] {
      reader.read([byte].span, into: &samples)
    }
    #expect(samples == [1, 2, 3, 4])
    #expect(reader.isAtEnd)
  }
}
