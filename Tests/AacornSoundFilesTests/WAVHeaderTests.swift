import AacornSignal
import AacornSoundFiles
import Testing

private struct WAVFields: FileFields {
  static let native = SampleFormat(.int16LittleEndian)

  var magic = "RIFF"
  var riffSize: UInt64?
  var tag: UInt64 = 1
  var channels: UInt64 = 2
  var rate: UInt64 = 44100
  var blockSize: UInt64?
  var bits: UInt64 = 16
  /// The bytes after the first 16 of the `fmt ` chunk.
  var formatTail: [UInt8] = []
  /// Chunks between `fmt ` and the samples, and before both.
  var between: [(String, [UInt8])] = []
  var before: [(String, [UInt8])] = []
  var dataSize: UInt64?
  var data: [UInt8] = [0, 0x40, 0, 0xC0, 0, 0x20, 0, 0xE0]
  var after: [(String, [UInt8])] = []

  var dataOffset: Int { file.count - data.count - data.count % 2 - chunkBytes(after).count }

  var file: [UInt8] {
    var out = HeaderBytes(isBigEndian: magic == "RIFX")
    out.bytes += chunkBytes(before)
    out.text("fmt ")
    out.int(UInt64(16 + formatTail.count), size: 4)
    out.int(tag, size: 2)
    out.int(channels, size: 2)
    out.int(rate, size: 4)
    let block = blockSize ?? channels * ((bits + 7) / 8)
    out.int(rate &* block, size: 4)
    out.int(block, size: 2)
    out.int(bits, size: 2)
    out.bytes += formatTail
    out.bytes += chunkBytes(between)
    out.text("data")
    out.int(dataSize ?? UInt64(data.count), size: 4)
    out.bytes += data
    if data.count % 2 == 1 { out.zeros(1) }
    out.bytes += chunkBytes(after)
    var head = HeaderBytes(isBigEndian: out.isBigEndian)
    head.text(magic)
    head.int(riffSize ?? UInt64(out.bytes.count + 4), size: 4)
    head.text("WAVE")
    return head.bytes + out.bytes
  }

  private func chunkBytes(_ chunks: [(String, [UInt8])]) -> [UInt8] {
    var out = HeaderBytes(isBigEndian: magic == "RIFX")
    for (name, content) in chunks {
      out.text(name)
      out.int(UInt64(content.count), size: 4)
      out.bytes += content
      if content.count % 2 == 1 { out.zeros(1) }
    }
    return out.bytes
  }

  mutating func makeExtensible(tag subTag: UInt8, validBits: UInt8, mask: [UInt8]) {
    tag = 0xFFFE
    formatTail =
      [22, 0, validBits, 0] + mask + [subTag, 0, 0, 0, 0, 0, 0x10, 0]
      + [0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71]
  }
}

@Suite struct WAVHeaderTests {
  @Test func uncompressedFileIsRead() {
    let wav = WAVFields()
    #expect(wav.dataOffset == 44)
    expectSame(wav.file, wav.info())
    expectDefaultSamples(wav.file)
  }

  @Test(arguments: [
    (UInt64(1), UInt64(8), SampleFormat(.unsigned8)),
    (1, 16, SampleFormat(.int16LittleEndian)), (1, 24, SampleFormat(.int24LittleEndian)),
    (1, 32, SampleFormat(.int32LittleEndian)), (3, 32, SampleFormat(.float32LittleEndian)),
    (3, 64, SampleFormat(.float64LittleEndian)), (6, 8, SampleFormat(.aLaw)),
    (7, 8, SampleFormat(.muLaw)), (1, 12, SampleFormat(.int16LittleEndian, validBits: 12)),
    (1, 20, SampleFormat(.int24LittleEndian, validBits: 20)),
  ])
  func everySampleFormatIsRecognized(tag: UInt64, bits: UInt64, format: SampleFormat) {
    for tail in [[], [0, 0]] as [[UInt8]] {
      var wav = WAVFields()
      (wav.tag, wav.bits, wav.formatTail) = (tag, bits, tail)
      wav.data = [UInt8](repeating: 1, count: 48)
      expectSame(wav.file, wav.info(format, byteCount: 48))
    }
  }

  @Test func aWideContainerIsSeenFromTheBlockSize() {
    var wav = WAVFields()
    (wav.bits, wav.blockSize) = (24, 8)
    expectSame(wav.file, wav.info(SampleFormat(.int32LittleEndian, validBits: 24), byteCount: 8))
    (wav.bits, wav.blockSize) = (16, 0)
    expectSame(wav.file, wav.info())
  }

  @Test func extensibleGivesValidBitsAndLayout() {
    var wav = WAVFields()
    (wav.channels, wav.bits) = (6, 32)
    wav.makeExtensible(tag: 1, validBits: 24, mask: [0x0F, 6, 0, 0])
    wav.data = [UInt8](repeating: 0, count: 48)
    expectSame(
      wav.file,
      wav.info(
        SampleFormat(.int32LittleEndian, validBits: 24), byteCount: 48,
        layout: ChannelLayout(waveMask: 0x60F, channelCount: 6)))
    wav.makeExtensible(tag: 3, validBits: 0, mask: [0, 0, 0, 0])
    expectSame(wav.file, wav.info(SampleFormat(.float32LittleEndian), byteCount: 48))
  }

  /// In big-endian files, the first four bytes of the subformat GUID are either the format tag as a
  /// 32-bit number, or the tag as a 16-bit number and two zeros.
  @Test(arguments: [[0, 0, 0, 1, 0, 0, 0, 0x10], [0, 1, 0, 0, 0, 0, 0x10, 0]] as [[UInt8]])
  func extensibleMayBeBigEndian(tag: [UInt8]) {
    var wav = WAVFields()
    (wav.magic, wav.tag) = ("RIFX", 0xFFFE)
    wav.formatTail = [0, 22, 0, 16, 0, 0, 0, 3] + tag + [0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71]
    expectSame(
      wav.file,
      wav.info(
        SampleFormat(.int16BigEndian), byteCount: 8,
        layout: ChannelLayout(waveMask: 3, channelCount: 2)))
  }

  @Test func anUnknownSubformatIsRefused() {
    var wav = WAVFields()
    wav.makeExtensible(tag: 1, validBits: 16, mask: [3, 0, 0, 0])
    wav.formatTail[20] ^= 0x40
    expectSame(wav.file, .failure(.compressedWAV(formatTag: 0xFFFE)))
    wav.makeExtensible(tag: 0x55, validBits: 16, mask: [3, 0, 0, 0])
    expectSame(wav.file, .failure(.compressedWAV(formatTag: 0x55)))
    wav.formatTail = [0, 0]
    expectSame(wav.file, .failure(.malformedChunk(offset: 12)))
  }

  @Test(arguments: [UInt64(0x55), 0xFF, 0x1610, 2, 0x11, 0])
  func compressedFormatsAreNamed(tag: UInt64) {
    WAVFields.expectFailure(.compressedWAV(formatTag: UInt16(tag))) { $0.tag = tag }
  }

  @Test func otherChunksAreSkippedWithTheirPadding() {
    var wav = WAVFields()
    wav.before = [("JUNK", [1, 2, 3]), ("bext", [UInt8](repeating: 7, count: 602))]
    wav.between = [("LIST", Array("INFOISFT".utf8) + [1]), ("fact", [1, 0, 0, 0]), ("PEAK", [])]
    wav.after = [("LIST", [1, 2, 3, 4])]
    expectSame(wav.file, wav.info())
    expectDefaultSamples(wav.file)
  }

  @Test(arguments: [UInt64(0xFFFF_FFFF), 0x7FFF_FFFF, 0x7FFF_F000, 0x8000_0000, 0xFFFF_FFDB])
  func placeholderLengthsMeanUntilTheEnd(size: UInt64) {
    var wav = WAVFields()
    (wav.dataSize, wav.riffSize) = (size, 0xFFFF_FFFF)
    expectSame(wav.file, wav.info(byteCount: nil))
  }

  @Test func zeroDataSizeIsAcceptedOnlyIfFileContinues() {
    var wav = WAVFields()
    let unknown = wav.info(byteCount: nil)
    wav.dataSize = 0
    for riffSize: UInt64 in [0, 36, 0xFFFF_FFFF] {
      wav.riffSize = riffSize
      expectSame(wav.file, unknown)
    }
    wav.riffSize = 100
    expectSame(wav.file, wav.info(byteCount: 0))
  }

  @Test func aLengthBeyondTheFileEndsWithTheFile() {
    var wav = WAVFields()
    wav.dataSize = 4_000_000
    expectSame(wav.file, wav.info(byteCount: 4_000_000))
    expectDefaultSamples(wav.file)
  }

  @Test func aPartialFrameIsLeftOut() {
    var wav = WAVFields()
    wav.dataSize = 7
    expectSame(wav.file, wav.info(byteCount: 4))
  }

  @Test(arguments: ["RF64", "BW64"])
  func longFilesHaveTheirSizesInDS64(magic: String) {
    var sizes = HeaderBytes()
    sizes.int(6_000_000_100, size: 8)
    sizes.int(6_000_000_000, size: 8)
    sizes.int(1_500_000_000, size: 8)
    sizes.int(0, size: 4)
    var wav = WAVFields()
    (wav.magic, wav.riffSize, wav.dataSize) = (magic, 0xFFFF_FFFF, 0xFFFF_FFFF)
    wav.before = [("ds64", sizes.bytes)]
    expectSame(wav.file, wav.info(byteCount: 6_000_000_000))
    wav.before = []
    expectSame(wav.file, wav.info(byteCount: nil))
    wav.dataSize = 8
    expectSame(wav.file, wav.info())
    wav.before = [("ds64", [0, 0])]
    expectSame(wav.file, .failure(.malformedChunk(offset: 12)))
  }

  @Test func bigEndianFilesAreRead() {
    var wav = WAVFields()
    wav.magic = "RIFX"
    expectSame(wav.file, wav.info(SampleFormat(.int16BigEndian), byteCount: 8))
  }

  @Test func impossibleFormatsAreRefused() {
    WAVFields.expectFailure(.unsupportedChannelCount(0)) { $0.channels = 0 }
    WAVFields.expectFailure(.unsupportedChannelCount(65)) { $0.channels = 65 }
    WAVFields.expectFailure(.unsupportedSampleRate(0)) { $0.rate = 0 }
    WAVFields.expectFailure(.unsupportedSampleRate(0xFFFF_FFFF)) { $0.rate = 0xFFFF_FFFF }
    WAVFields.expectFailure(.unsupportedBitDepth(48)) { $0.bits = 48 }
    WAVFields.expectFailure(.unsupportedBitDepth(16)) { ($0.tag, $0.bits) = (3, 16) }
    WAVFields.expectFailure(.unsupportedBitDepth(0)) { ($0.tag, $0.bits, $0.blockSize) = (1, 0, 0) }
  }

  @Test func incompleteHeadersAreRejected() {
    let file = WAVFields().file
    expectSame(Array(file[..<10]), .failure(.truncatedHeader(offset: 10)))
    expectSame(Array(file[..<30]), .failure(.truncatedHeader(offset: 30)))
    expectSame(Array(file[..<36]), .failure(.missingData))
    expectSame(Array(file[..<12] + file[36...]), .failure(.missingFormat))
  }

  @Test func theHeaderOfAKnownLengthIsByteExact() {
    let header = WAVWriter(encoding: .int16, sampleRate: 44100, channelCount: 2)
      .header(frameCount: 2)
    #expect(header == Array(WAVFields().file[..<44]))
  }
}
