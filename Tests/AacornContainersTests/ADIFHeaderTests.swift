import AacornCodec
import AacornContainers
import Testing

struct ADIFHeaderTests {
  @Test func everyFieldIsRead() throws {
    let frequency = try #require(SamplingFrequency(hertz: 48_000))
    var first = ProgramConfig(
      try #require(ChannelConfiguration(rawValue: 6)), samplingFrequency: frequency)
    first.comment = [1, 2, 3]
    let second = ProgramConfig(
      try #require(ChannelConfiguration(rawValue: 2)), samplingFrequency: frequency)
    var writer = BitWriter()
    for byte in "ADIF".utf8 { writer.put(UInt32(byte), count: 8) }
    writer.put(1, count: 1)
    for byte in 1...9 as ClosedRange<UInt32> { writer.put(byte, count: 8) }
    writer.put(0b110, count: 3)
    writer.put(0x7ABCDE, count: 23)
    writer.put(1, count: 4)
    for (program, fullness) in [(first, 0xFEDCB), (second, 0x00001)] as [(ProgramConfig, UInt32)] {
      writer.put(fullness, count: 20)
      program.write(to: &writer, origin: 0)
    }
    #expect(writer.bitCount % 8 == 0)
    let bytes = writer.bytes
    let header = try #require(ADIFHeader(parsing: bytes + [0x21, 0x10]))
    #expect(header.copyrightID == Array(1...9))
    #expect(header.isOriginal && header.isHome && !header.isVariableRate)
    #expect(header.bitrate == 0x7ABCDE)
    #expect(header.programs == [first, second])
    #expect(header.bufferFullness == [0xFEDCB, 1])
    #expect(header.byteCount == bytes.count)
    #expect(header.audioSpecificConfig.channelCount == 6)

    for cut in 0..<bytes.count { #expect(ADIFHeader(parsing: Array(bytes[..<cut])) == nil) }
  }

  @Test func parserRejectsNonADIFBytes() {
    #expect(ADIFHeader(parsing: []) == nil)
    #expect(ADIFHeader(parsing: Array("ADIG0000000000000000000".utf8)) == nil)
    #expect(!ADIFHeader.isPresent(in: Array("ADI".utf8)))
    #expect(ADIFHeader.isPresent(in: Array("ADIF".utf8)))
  }
}
