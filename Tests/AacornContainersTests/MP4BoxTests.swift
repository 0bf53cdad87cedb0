import AacornCodec
import Testing

@testable import AacornContainers

struct MP4BoxTests {
  let fixtures: MP4Fixtures

  init() throws {
    fixtures = try MP4Fixtures.load()
  }

  @Test func descriptorMatchesTheExample() {
    let descriptor = ElementaryStreamDescriptor(
      bufferByteCount: 1536, maximumBitrate: 128_000, averageBitrate: 64_000,
      decoderSpecificInfo: [0x12, 0x10])
    let example = fixtures.bytes("esds_payload_after_version_flags")
    #expect(descriptor.bytes == example)
    #expect(ElementaryStreamDescriptor(parsing: example, range: 0..<example.count) == descriptor)
  }

  @Test func descriptorWithShortLengthsAndOptionalFieldsIsRead() {
    // Flags: depends on another stream, has a URL of two bytes, has a clock stream.
    let decoder: [UInt8] = [
      4, 17, 0x67, 0x15, 0, 6, 0, 0, 1, 0xF4, 0, 0, 0, 0xFA, 0, 5, 2, 0x12, 8,
    ]
    let bytes: [UInt8] = [3, 30, 0, 1, 0xE0, 0, 9, 2, 0x61, 0x62, 0, 7] + decoder
    let descriptor = ElementaryStreamDescriptor(parsing: bytes, range: 0..<bytes.count)
    #expect(descriptor?.objectTypeIndication == 0x67)
    #expect(descriptor?.decoderSpecificInfo == [0x12, 8])
    #expect(descriptor?.maximumBitrate == 128_000)
    for length in 0..<bytes.count {
      let cut = ElementaryStreamDescriptor(parsing: bytes, range: 0..<length)
      #expect(cut?.decoderSpecificInfo != [0x12, 8])
    }
  }

  @Test func gaplessTagMatchesTheExample() {
    let tag = GaplessTag(priming: 2112, remainder: 416, validCount: 500_000)
    #expect(String(decoding: tag.text, as: UTF8.self) == fixtures.mp4["iTunSMPB"]?.text)
    #expect(GaplessTag(text: tag.text) == tag)
    let lowercase = GaplessTag(text: " 00000000 00000a40 000001a0 00000000000000ff 0".utf8)
    #expect(lowercase == GaplessTag(priming: 0xA40, remainder: 0x1A0, validCount: 255))
    for invalid in ["", " 00000000 00000840 000001A0", " 00000000 xyz", "1 2 3 g"] {
      #expect(GaplessTag(text: invalid.utf8) == nil)
    }
  }

  @Test func wholeFileMatchesTheExampleBoxByBox() throws {
    let trim = StreamTrim(priming: 1024, remainder: 72, sampleCount: 3000)
    let ours = mp4Leaves(
      try mp4File(MP4Writer.Configuration(stream: mp4Mono), fixtures.frames(), trim))
    let theirs = mp4Leaves(fixtures.bytes("m4a_edts_roll"))
    // These boxes have different brands, bitrates and offsets.
    let excluded = ["ftyp", "moov/trak/mdia/minf/stbl/stsd", "moov/trak/mdia/minf/stbl/stco"]
    #expect(theirs.count == 16)
    for (path, box) in theirs where !excluded.contains(path) {
      #expect(ours[path] == box, "\(path)")
    }
    for path in excluded { #expect(ours[path]?.isEmpty == false, "\(path)") }
    // The sample description differs only in the two bitrates.
    var mine = try #require(ours["moov/trak/mdia/minf/stbl/stsd"])
    var example = try #require(theirs["moov/trak/mdia/minf/stbl/stsd"])
    let kind = try #require(example.indices.first { example[$0...].starts(with: [0x40, 0x15]) })
    mine.removeSubrange(kind + 5..<kind + 13)
    example.removeSubrange(kind + 5..<kind + 13)
    #expect(mine == example)
  }

  @Test func gaplessTagIsWrittenLikeTheExample() throws {
    let trim = StreamTrim(priming: 1024, remainder: 72, sampleCount: 3000)
    let file = try mp4File(MP4Writer.Configuration(stream: mp4Mono), fixtures.frames(), trim)
    let ours = try #require(mp4Leaves(file)["moov/udta/meta"])
    #expect(ours == mp4Leaves(fixtures.bytes("m4a_itunsmpb"))["moov/udta/meta"])
  }

  @Test func fixedPointRateIsZeroWhereItWouldOverflow() throws {
    for (rate, field): (Int, [UInt8]) in [(48_000, [0xBB, 0x80]), (96_000, [0, 0])] {
      let stream = AudioSpecificConfig.test(rate: rate, channels: 2)
      let file = try mp4File(
        MP4Writer.Configuration(stream: stream), mp4Units(4), mp4Trim(units: 4))
      let box = try #require(mp4Leaves(file)["moov/trak/mdia/minf/stbl/stsd"])
      #expect(Array(box[48..<50]) == field)
    }
  }

  @Test func peakIsFoundWhereverItsSecondStarts() {
    // Ten and a half frames per second, so that a window never ends on two frame borders.
    var sizes = [UInt16](repeating: 100, count: 50)
    for index in 20..<30 { sizes[index] = 200 }
    sizes[19] = 150
    sizes[30] = 180
    let total = sizes.reduce(UInt64(0)) { $0 + UInt64($1) }
    let statistics = BitrateStatistics(
      sizes: sizes, samplesPerUnit: 1024, timescale: 10_752)
    // Ten frames of 200 bytes and half of a frame of 180.
    #expect(statistics.maximum == (2000 + 90) * 8)
    let mean = Double(total) * 8 * 10_752 / (50 * 1024)
    #expect(statistics.average == UInt32(mean.rounded()))
  }

  @Test func peakOfLessThanASecondIsTheMean() {
    let statistics = BitrateStatistics(
      sizes: [100, 50], samplesPerUnit: 1024, timescale: 48_000)
    #expect(statistics.average == 28_125)
    #expect(statistics.maximum == 28_125)
    let empty = BitrateStatistics(
      sizes: [], samplesPerUnit: 1024, timescale: 48_000)
    #expect(empty == BitrateStatistics(maximum: 0, average: 0))
  }
}
