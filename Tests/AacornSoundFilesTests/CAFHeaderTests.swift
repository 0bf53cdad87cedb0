import AacornSignal
import AacornSoundFiles
import Testing

private struct CAFFields: FileFields {
  static let native = SampleFormat(.int16BigEndian)

  var rate = 44100.0
  var format = "lpcm"
  /// Bit 0 is floating point; bit 1 is little-endian.
  var flags: UInt64 = 0
  var packetSize: UInt64?
  var framesPerPacket: UInt64 = 1
  var channels: UInt64 = 2
  var bits: UInt64 = 16
  var layout: [UInt8]?
  var isLayoutLast = false
  var dataSize: UInt64?
  var data: [UInt8] = [0x40, 0, 0xC0, 0, 0x20, 0, 0xE0, 0]

  private func chunk(_ name: String, _ size: UInt64, _ content: [UInt8]) -> [UInt8] {
    var out = HeaderBytes(isBigEndian: true)
    out.text(name)
    out.int(size, size: 8)
    return out.bytes + content
  }

  private var head: [UInt8] {
    var description = HeaderBytes(isBigEndian: true)
    description.int(rate.bitPattern, size: 8)
    description.text(format)
    description.int(flags, size: 4)
    description.int(packetSize ?? channels * ((bits + 7) / 8), size: 4)
    description.int(framesPerPacket, size: 4)
    description.int(channels, size: 4)
    description.int(bits, size: 4)
    var out = HeaderBytes(isBigEndian: true)
    out.text("caff")
    out.int(1, size: 2)
    out.int(0, size: 2)
    out.bytes += chunk("desc", 32, description.bytes)
    out.bytes += chunk("free", 5, [1, 2, 3, 4, 5])
    if let layout, !isLayoutLast { out.bytes += chunk("chan", UInt64(layout.count), layout) }
    return out.bytes
  }

  var file: [UInt8] {
    let tail = layout != nil && isLayoutLast ? layout : nil
    return head + chunk("data", dataSize ?? UInt64(data.count + 4), [0, 0, 0, 1] + data)
      + chunk("info", 3, [1, 2, 3])
      + (tail.map { chunk("chan", UInt64($0.count), $0) } ?? [])
  }

  var dataOffset: Int { head.count + 16 }
}

@Suite struct CAFHeaderTests {
  @Test func uncompressedFileIsRead() {
    let caf = CAFFields()
    expectSame(caf.file, caf.info())
    expectDefaultSamples(caf.file)
  }

  @Test(arguments: [
    (UInt64(0), UInt64(8), SampleFormat(.signed8)), (2, 16, SampleFormat(.int16LittleEndian)),
    (0, 24, SampleFormat(.int24BigEndian)), (2, 24, SampleFormat(.int24LittleEndian)),
    (0, 32, SampleFormat(.int32BigEndian)), (2, 32, SampleFormat(.int32LittleEndian)),
    (1, 32, SampleFormat(.float32BigEndian)), (3, 32, SampleFormat(.float32LittleEndian)),
    (1, 64, SampleFormat(.float64BigEndian)), (3, 64, SampleFormat(.float64LittleEndian)),
    (2, 20, SampleFormat(.int24LittleEndian, validBits: 20)),
  ])
  func everySampleFormatIsRecognized(flags: UInt64, bits: UInt64, format: SampleFormat) {
    var caf = CAFFields()
    (caf.flags, caf.bits) = (flags, bits)
    caf.data = [UInt8](repeating: 1, count: 48)
    expectSame(caf.file, caf.info(format, byteCount: 48))
  }

  @Test func muLawAndALawAreRecognized() {
    var caf = CAFFields()
    (caf.format, caf.bits, caf.packetSize) = ("ulaw", 8, 2)
    expectSame(caf.file, caf.info(SampleFormat(.muLaw), byteCount: 8))
    (caf.format, caf.bits) = ("alaw", 16)
    expectSame(caf.file, caf.info(SampleFormat(.aLaw), byteCount: 8))
  }

  @Test func paddedSamplesAreSeenFromThePacketSize() {
    var caf = CAFFields()
    (caf.bits, caf.packetSize) = (24, 8)
    expectSame(caf.file, caf.info(SampleFormat(.int32BigEndian, validBits: 24), byteCount: 8))
  }

  @Test func anOpenEndReachesToTheEndOfTheFile() {
    var caf = CAFFields()
    caf.dataSize = .max
    expectSame(caf.file, caf.info(byteCount: nil))
    caf.channels = 6
    expectSame(caf.file, caf.info(byteCount: nil))
  }

  @Test func fractionalRatesAreRounded() {
    var caf = CAFFields()
    caf.rate = 22254.545
    expectSame(caf.file, caf.info(sampleRate: 22255))
  }

  private static let descriptions: [UInt8] =
    [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 6]
    + ([3, 1, 2, 5, 6, 4] as [UInt8]).flatMap { [0, 0, 0, $0] + [UInt8](repeating: 0, count: 16) }

  private static let layouts: [(bytes: [UInt8], order: [Int])] = [
    ([0, 121, 0, 6, 0, 0, 0, 0, 0, 0, 0, 0], [0, 1, 2, 3, 4, 5]),
    ([0, 124, 0, 6, 0, 0, 0, 0, 0, 0, 0, 0], [1, 2, 0, 5, 3, 4]),
    ([0, 1, 0, 0, 0, 0, 6, 0x0F, 0, 0, 0, 0], [0, 1, 2, 3, 4, 5]),
    (descriptions, [1, 2, 0, 5, 3, 4]),
  ]

  @Test(arguments: layouts)
  func layoutsAreReadBeforeAndAfterSamples(layout: [UInt8], order: [Int]) {
    var caf = CAFFields()
    caf.channels = 6
    caf.data = [UInt8](repeating: 0, count: 24)
    caf.layout = layout
    guard case .info(let info) = readHeader(caf.file) else {
      Issue.record("not readable")
      return
    }
    #expect(info.format.layout?.standardOrder == order)
    let found = info.format.layout
    expectSame(caf.file, caf.info(byteCount: 24, layout: found))
    caf.isLayoutLast = true
    expectSame(
      caf.file, caf.info(byteCount: 24, layout: found),
      onPipe: caf.info(byteCount: 24))
    caf.layout = nil
    expectSame(caf.file, caf.info(byteCount: 24))
  }

  @Test func compressedFilesAreNamed() {
    CAFFields.expectFailure(.compressedCAF(formatID: 0x6161_6320)) {
      ($0.format, $0.packetSize, $0.framesPerPacket, $0.bits) = ("aac ", 0, 1024, 0)
    }
  }

  @Test func impossibleFormatsAreRefused() {
    CAFFields.expectFailure(.unsupportedSampleRate(0)) { $0.rate = .nan }
    CAFFields.expectFailure(.unsupportedSampleRate(0)) { $0.rate = -44100 }
    CAFFields.expectFailure(.unsupportedSampleRate(.max)) { $0.rate = .infinity }
    CAFFields.expectFailure(.unsupportedChannelCount(0)) { $0.channels = 0 }
    CAFFields.expectFailure(.unsupportedBitDepth(0)) { $0.bits = 0 }
    CAFFields.expectFailure(.unsupportedBitDepth(16)) { $0.flags = 1 }
    CAFFields.expectFailure(.malformedChunk(offset: 8)) { $0.packetSize = 3 }
    let offset = UInt64(CAFFields().dataOffset - 16)
    CAFFields.expectFailure(.malformedChunk(offset: offset)) { $0.dataSize = 3 }
  }

  @Test func incompleteHeadersAreRejected() {
    let caf = CAFFields()
    expectSame(Array(caf.file[..<30]), .failure(.truncatedHeader(offset: 30)))
    expectSame(Array(caf.file[..<52]), .failure(.missingData))
    expectSame(Array(caf.file[..<8] + caf.file[(caf.dataOffset - 16)...]), .failure(.missingFormat))
  }
}
