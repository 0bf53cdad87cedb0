import AacornCodec
import TestSignals
import Testing

@testable import AacornContainers

struct ADTSReaderTests {
  static let id3 = Array("ID3".utf8) + [4, 0, 0, 0, 0, 1, 2] + [UInt8](repeating: 0xFF, count: 130)
  static let id3v1 = Array("TAG".utf8) + [UInt8](repeating: 0x20, count: 125)
  static let ape =
    Array("APETAGEX".utf8) + [0xD0, 7, 0, 0, 40, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0xA0]
    + [UInt8](repeating: 0, count: 48)

  @Test func everyFieldIsRead() throws {
    // ID 1, protection, profile 3, index 11, private, channels 5, original, home, both copyright.
    let bits: UInt64 =
      0xFFF << 44 | 1 << 43 | 0 << 40 | 3 << 38 | 11 << 34 | 1 << 33 | 5 << 30 | 0xF << 26
      | 0x1234 << 13 | 0x2A5 << 2 | 2
    let header = try #require(ADTSHeader(bits: bits))
    #expect(header.version == .mpeg2 && header.hasChecksum && header.isPrivate)
    #expect(header.objectType == .longTermPrediction)
    #expect(header.samplingFrequency.hertz == 8_000)
    #expect(header.channelConfiguration == 5)
    #expect(header.isOriginal && header.isHome && header.copyrightIDBit && header.copyrightIDStart)
    #expect(header.frameLength == 0x1234)
    #expect(header.bufferFullness == 0x2A5)
    #expect(header.blockCount == 3)
    #expect(header.headerLength == 13)
  }

  @Test(arguments: [13, 14, 15])
  func forbiddenFrequencyIndexIsRejected(index: UInt64) {
    #expect(ADTSHeader(bits: 0xFFF1 << 40 | index << 34 | 100 << 13) == nil)
    #expect(ADTSHeader(bits: 0xFFF1 << 40 | 12 << 34 | 100 << 13) != nil)
  }

  @Test func syncWordOfOtherLayersIsRejected() {
    for layer in 1...3 as ClosedRange<UInt64> {
      #expect(ADTSHeader(bits: (0xFFF1 | layer << 1) << 40 | 100 << 13) == nil)
    }
  }

  @Test(arguments: 0...8)
  func lengthBelowTheHeaderNeitherHangsNorPasses(length: Int) throws {
    let stream = try TransportStream.adts(sizes: [30, 31])
    let isLongEnough = length >= 7
    var bad = ADTSBlocksTests.header(hasChecksum: false, length: length, blockCount: 1)
    bad.append(0)
    let events = adtsEvents(stream.bytes + bad[..<max(7, length)] + stream.bytes)
    #expect(events.frames.count == (isLongEnough ? 5 : 4))
    #expect(events.damage.map { $0.kind } == (isLongEnough ? [] : [.frameTooShort]))
  }

  @Test(arguments: [1, 2, 3, 7, 64, 1000])
  func chunksOfAnySizeGiveTheSameEvents(chunk: Int) throws {
    var random = SeededNumbers(seed: 11)
    let stream = try TransportStream.adts(sizes: [40, 300, 7, 0, 1200, 90, 33])
    var bytes = Self.id3 + stream.bytes + Self.id3 + random.bytes(50) + stream.bytes
    bytes += stream.bytes[..<(stream.bytes.count - 5)] + stream.bytes + Self.ape + Self.id3v1
    let whole = adtsEvents(bytes)
    #expect(whole.frames.count == 27)
    #expect(whole.cover(bytes.count))
    #expect(adtsEvents(bytes, chunk: chunk) == whole)
  }

  @Test func tagsBeforeBetweenAndAfterAreSkipped() throws {
    let stream = try TransportStream.adts(sizes: [40, 41])
    let bytes = Self.id3 + stream.bytes + Self.id3 + stream.bytes + Self.ape + Self.id3v1
    let events = adtsEvents(bytes)
    let tags = events.filter { if case .tag = $0 { true } else { false } }
    let second = 140 + stream.bytes.count
    let third = second + 140 + stream.bytes.count
    #expect(
      tags == [
        .tag(offset: 0, length: 140), .tag(offset: second, length: 140),
        .tag(offset: third, length: 72), .tag(offset: third + 72, length: 128),
      ])
    #expect(events.frames.count == 4)
    #expect(events.damage.isEmpty)
  }

  @Test func hugeTagIsCountedButNotStored() {
    var reader = ADTSReader()
    reader.append(Array("ID3".utf8) + [3, 0, 0, 0x7F, 0x7F, 0x7F, 0x7F])
    let chunk = [UInt8](repeating: 0xFF, count: 1 << 16)
    for _ in 0..<64 {
      reader.append(chunk)
      #expect(reader.next() == nil)
    }
    reader.finish()
    #expect(
      reader.next()
        == .damage(StreamDamage(kind: .truncatedTag, offset: 0, length: 10 + 64 * 65_536)))
    #expect(reader.next() == nil)
  }

  @Test func parameterChangeIsReportedWithoutLoss() throws {
    let stereo = try TransportStream.adts(sizes: [40, 41])
    let mono = try TransportStream.adts(.test(rate: 48_000), sizes: [20])
    let events = adtsEvents(stereo.bytes + mono.bytes + stereo.bytes)
    #expect(events.frames.count == 5)
    let first = stereo.bytes.count
    #expect(
      events.damage == [
        StreamDamage(kind: .parametersChanged, offset: first, length: 0),
        StreamDamage(kind: .parametersChanged, offset: first + mono.bytes.count, length: 0),
      ])
    #expect(events.cover(2 * stereo.bytes.count + mono.bytes.count))
  }

  @Test func frameIsReturnedOnceNextHeaderIsComplete() throws {
    let stream = try TransportStream.adts(sizes: [40, 41])
    var reader = ADTSReader()
    let second = stream.ranges[1].lowerBound
    reader.append(Array(stream.bytes[..<(second + 6)]))
    #expect(reader.next() == nil)
    reader.append([stream.bytes[second + 6]])
    guard case .frame(let frame) = reader.next() else {
      Issue.record("no frame")
      return
    }
    #expect(frame.payload == stream.payloads[0])
  }
}
