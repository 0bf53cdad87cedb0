import AacornSignal
import AacornSoundFiles
import Testing

private struct AIFFFields: FileFields {
  static let native = SampleFormat(.int16BigEndian)

  var compression: String?
  var channels: UInt64 = 2
  var frames: UInt64 = 2
  var bits: UInt64 = 16
  /// 44,100 as an 80-bit float.
  var rate: [UInt8] = [0x40, 0x0E, 0xAC, 0x44, 0, 0, 0, 0, 0, 0]
  var layout: [UInt8]?
  var soundOffset: UInt64 = 0
  var soundSize: UInt64?
  var data: [UInt8] = [0x40, 0, 0xC0, 0, 0x20, 0, 0xE0, 0]
  var isSoundFirst = false

  private var common: [UInt8] {
    var out = HeaderBytes(isBigEndian: true)
    let name: [UInt8] = compression == nil ? [] : [3] + Array("abc".utf8)
    out.text("COMM")
    out.int(UInt64(18 + (compression == nil ? 0 : 4) + name.count), size: 4)
    out.int(channels, size: 2)
    out.int(frames, size: 4)
    out.int(bits, size: 2)
    out.bytes += rate
    out.text(compression ?? "")
    out.bytes += name
    if let layout {
      out.text("CHAN")
      out.int(UInt64(layout.count), size: 4)
      out.bytes += layout
    }
    return out.bytes
  }

  private var sound: [UInt8] {
    var out = HeaderBytes(isBigEndian: true)
    out.text("SSND")
    out.int(soundSize ?? UInt64(data.count) + 8 + soundOffset, size: 4)
    out.int(soundOffset, size: 4)
    out.int(0, size: 4)
    out.zeros(Int(soundOffset))
    out.bytes += data
    if out.bytes.count % 2 == 1 { out.zeros(1) }
    return out.bytes
  }

  var file: [UInt8] {
    var out = HeaderBytes(isBigEndian: true)
    let name: [UInt8] = [0x4E, 0x41, 0x4D, 0x45, 0, 0, 0, 3, 1, 2, 3, 0]
    let chunks = isSoundFirst ? sound + name + common : name + common + sound
    out.text("FORM")
    out.int(UInt64(chunks.count + 4), size: 4)
    out.text(compression == nil ? "AIFF" : "AIFC")
    return out.bytes + chunks
  }

  var dataOffset: Int {
    (isSoundFirst ? 12 : 24 + common.count) + 16 + Int(soundOffset)
  }
}

@Suite struct AIFFHeaderTests {
  @Test func uncompressedFileIsRead() {
    let aiff = AIFFFields()
    expectSame(aiff.file, aiff.info())
    expectDefaultSamples(aiff.file)
  }

  @Test(arguments: [
    (String?.none, UInt64(8), SampleFormat(.signed8)),
    (nil, 12, SampleFormat(.int16BigEndian, validBits: 12)),
    (nil, 24, SampleFormat(.int24BigEndian)), (nil, 32, SampleFormat(.int32BigEndian)),
    ("NONE", 16, SampleFormat(.int16BigEndian)), ("twos", 24, SampleFormat(.int24BigEndian)),
    ("sowt", 16, SampleFormat(.int16LittleEndian)), ("sowt", 8, SampleFormat(.signed8)),
    ("raw ", 8, SampleFormat(.unsigned8)), ("in24", 24, SampleFormat(.int24BigEndian)),
    ("in32", 32, SampleFormat(.int32BigEndian)), ("42ni", 24, SampleFormat(.int24LittleEndian)),
    ("fl32", 32, SampleFormat(.float32BigEndian)), ("FL32", 32, SampleFormat(.float32BigEndian)),
    ("fl64", 64, SampleFormat(.float64BigEndian)), ("ulaw", 16, SampleFormat(.muLaw)),
    ("alaw", 16, SampleFormat(.aLaw)), ("ALAW", 8, SampleFormat(.aLaw)),
  ])
  func everySampleFormatIsRecognized(compression: String?, bits: UInt64, format: SampleFormat) {
    var aiff = AIFFFields()
    (aiff.compression, aiff.bits, aiff.frames) = (compression, bits, 3)
    aiff.data = [UInt8](repeating: 1, count: format.bytesPerSample * 2 * 3)
    expectSame(aiff.file, aiff.info(format, byteCount: UInt64(aiff.data.count)))
  }

  @Test(arguments: [
    ([0x40, 0x0E, 0xBB, 0x80, 0, 0, 0, 0, 0, 0] as [UInt8], 48000),
    ([0x40, 0x0B, 0xFA, 0, 0, 0, 0, 0, 0, 0], 8000),
    ([0x3F, 0xFF, 0x80, 0, 0, 0, 0, 0, 0, 0], 1),
    // 22254.54…, the sample rate of old Macintosh computers, is rounded.
    ([0x40, 0x0D, 0xAD, 0xDD, 0x17, 0x45, 0xD1, 0x74, 0x5D, 0x17], 22255),
    ([0x40, 0x10, 0xBB, 0x80, 0, 0, 0, 0, 0, 0], 192_000),
  ])
  func extendedFloatsBecomeHertz(rate: [UInt8], hertz: Int) {
    var aiff = AIFFFields()
    aiff.rate = rate
    expectSame(aiff.file, aiff.info(sampleRate: hertz))
  }

  @Test func impossibleRatesAreRefused() {
    for rate: [UInt8] in [
      [0, 0, 0, 0, 0, 0, 0, 0, 0, 0], [0xC0, 0x0E, 0xAC, 0x44, 0, 0, 0, 0, 0, 0],
      [0x7F, 0xFF, 0xC0, 0, 0, 0, 0, 0, 0, 0], [0x3F, 0xF0, 0x80, 0, 0, 0, 0, 0, 0, 0],
    ] {
      AIFFFields.expectFailure(.unsupportedSampleRate(0)) { $0.rate = rate }
    }
    AIFFFields.expectFailure(.unsupportedSampleRate(.max)) {
      $0.rate = [0x50, 0, 0x80, 0, 0, 0, 0, 0, 0, 0]
    }
  }

  @Test func sampleOffsetIsApplied() {
    var aiff = AIFFFields()
    aiff.soundOffset = 5
    expectSame(aiff.file, aiff.info())
    expectDefaultSamples(aiff.file)
    aiff.soundSize = 10
    expectSame(aiff.file, .failure(.malformedChunk(offset: UInt64(aiff.dataOffset - 21))))
  }

  @Test func samplesBeforeTheirDescriptionNeedSeeking() {
    var aiff = AIFFFields()
    aiff.isSoundFirst = true
    expectSame(
      aiff.file, aiff.info(),
      onPipe: .failure(.requiresSeeking(offset: 28)))
    expectSame(
      Array(aiff.file[..<40]), .failure(.missingFormat),
      onPipe: .failure(.requiresSeeking(offset: 28)))
  }

  @Test func frameCountAndChunkSizeBothLimitTheSamples() {
    var aiff = AIFFFields()
    aiff.frames = 1
    expectSame(aiff.file, aiff.info(byteCount: 4))
    aiff.frames = 1000
    expectSame(aiff.file, aiff.info())
    aiff.frames = 0
    expectSame(aiff.file, aiff.info())
    for size: UInt64 in [0, 0x7FFF_FFFF, 0xFFFF_FFFF] {
      aiff.soundSize = size
      expectSame(aiff.file, aiff.info(byteCount: nil))
    }
  }

  @Test func aLayoutChunkIsRead() {
    var aiff = AIFFFields()
    aiff.channels = 6
    aiff.data = [UInt8](repeating: 0, count: 24)
    aiff.layout = [0, 124, 0, 6, 0, 0, 0, 0, 0, 0, 0, 0]
    let layout = ChannelLayout(coreAudioTag: 124 << 16 | 6, channelCount: 6)
    #expect(layout != nil)
    expectSame(aiff.file, aiff.info(byteCount: 24, layout: layout))
  }

  @Test func impossibleFormatsAreRefused() {
    AIFFFields.expectFailure(.compressedAIFF(compressionType: 0x4D41_4333)) {
      $0.compression = "MAC3"
    }
    AIFFFields.expectFailure(.unsupportedBitDepth(0)) { ($0.compression, $0.bits) = ("NONE", 0) }
    AIFFFields.expectFailure(.unsupportedBitDepth(40)) { ($0.compression, $0.bits) = ("NONE", 40) }
    AIFFFields.expectFailure(.unsupportedChannelCount(0)) { $0.channels = 0 }
  }
}
