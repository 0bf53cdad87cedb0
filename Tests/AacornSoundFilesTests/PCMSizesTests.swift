import AacornSignal
import AacornSoundFiles
import Testing

@Suite struct PCMSizesTests {
  private func info(_ bytes: [UInt8]) throws -> PCMFileInfo {
    guard case .info(let info) = readHeader(bytes) else { throw PCMFileError.notRecognized }
    return info
  }

  /// Returns the file after the corrections in `sizes`.
  private func corrected(_ bytes: [UInt8], _ sizes: PCMSizes) -> [UInt8] {
    var bytes = Array(bytes.prefix(Int(sizes.end)))
    for write in sizes.writes { write.apply(to: &bytes) }
    return bytes
  }

  private func sizes(_ bytes: [UInt8]) throws -> PCMSizes {
    try #require(PCMSizes(try info(bytes), head: bytes, byteCount: UInt64(bytes.count)))
  }

  private func wav(_ encoding: PCMEncoding, channels: Int, reserves: Bool = true) -> WAVWriter {
    WAVWriter(
      encoding: encoding, sampleRate: 48_000, channelCount: channels, reservesLongSizes: reserves)
  }

  @Test func openHeaderOfWAVGetsLengths() throws {
    let writer = wav(.int16, channels: 2)
    let samples = [UInt8](repeating: 7, count: 40)
    let found = try sizes(writer.header() + samples + [1, 2, 3])
    #expect(found.frameCount == 10)
    let whole = writer.header(frameCount: 10) + samples
    #expect(corrected(writer.header() + samples + [1, 2, 3], found) == whole)
    #expect(try sizes(whole).writes.isEmpty)
    // The crash may have happened between the writes of the two sizes.
    var half = whole
    half.replaceSubrange(4..<8, with: [255, 255, 255, 255])
    #expect(corrected(half, try sizes(half)) == whole)
  }

  @Test func oddNumberOfBytesIsPadded() throws {
    let writer = wav(.int24, channels: 1)
    let samples = [UInt8](repeating: 7, count: 9)
    let found = try sizes(writer.header() + samples)
    #expect(
      corrected(writer.header() + samples, found) == writer.header(frameCount: 3) + samples + [0])
  }

  @Test func copyThatIsCutOffGetsItsOwnLength() throws {
    let writer = wav(.float32, channels: 1, reserves: false)
    let samples = [UInt8](repeating: 7, count: 40)
    let whole = writer.header(frameCount: 10) + samples
    let cut = Array(whole.dropLast(6))
    #expect(corrected(cut, try sizes(cut)) == writer.header(frameCount: 8) + samples.prefix(32))
  }

  @Test func openHeaderOfCAFGetsLength() throws {
    let writer = CAFWriter(encoding: .int16, sampleRate: 48_000, channelCount: 2)
    let samples = [UInt8](repeating: 7, count: 40)
    let found = try sizes(writer.header() + samples + [1])
    let whole = writer.header(frameCount: 10) + samples
    #expect(corrected(writer.header() + samples + [1], found) == whole)
    #expect(try sizes(whole).writes.isEmpty)
  }

  @Test(arguments: [true, false]) func longWAVNeedsRoomForLongSizes(reserves: Bool) throws {
    let writer = wav(.int16, channels: 2, reserves: reserves)
    let header = writer.header()
    let frameCount: UInt64 = 1 << 31
    let found = PCMSizes(
      try info(header), head: header, byteCount: UInt64(header.count) + 4 * frameCount)
    guard reserves else {
      #expect(found == nil)
      return
    }
    var expected = header
    for patch in writer.patches(frameCount: frameCount) { patch.apply(to: &expected) }
    let result = corrected(header, try #require(found))
    #expect(result == expected)
    // The reserved space can have any content.
    var used = header
    used.replaceSubrange(44..<48, with: [1, 2, 3, 4])
    #expect(corrected(used, try #require(found)) == expected)
    // The result for an interrupted RF64 file is the same.
    var open = result
    open.replaceSubrange(28..<36, with: [UInt8](repeating: 0, count: 8))
    let again = PCMSizes(
      try info(open), head: open, byteCount: UInt64(header.count) + 4 * frameCount)
    #expect(corrected(open, try #require(again)) == expected)
  }
}
