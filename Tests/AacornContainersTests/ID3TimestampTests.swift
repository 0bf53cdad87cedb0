import AacornCodec
import Testing

@testable import AacornContainers

struct ID3TimestampTests {
  @Test func timestampTagIsByteExact() {
    let tag = TransportTimestampTag(ticks: 0x1_2345_6789)
    let owner = Array("com.apple.streaming.transportStreamTimestamp".utf8)
    let head: [UInt8] = [0x49, 0x44, 0x33, 4, 0, 0, 0, 0, 0, 63]
    let frame: [UInt8] = [0x50, 0x52, 0x49, 0x56, 0, 0, 0, 53, 0, 0]
    let time: [UInt8] = [0, 0, 0, 1, 0x23, 0x45, 0x67, 0x89]
    #expect(tag.bytes == head + frame + owner + [0] + time)
    #expect(tag.bytes.count == TransportTimestampTag.byteCount)
    #expect(TransportTimestampTag(parsing: tag.bytes + [1, 2]) == tag)
  }

  @Test func samplesBecomeTheNearestTickAndWrapAround() {
    #expect(TransportTimestampTag(position: 0, sampleRate: 44_100).ticks == 0)
    #expect(TransportTimestampTag(position: 1, sampleRate: 44_100).ticks == 2)
    #expect(TransportTimestampTag(position: 1024, sampleRate: 48_000).ticks == 1920)
    #expect(TransportTimestampTag(position: 1024, sampleRate: 44_100).ticks == 2090)
    // 2³³ ticks are 95443.7 s.
    let rate = 48_000
    let wrap = UInt64(1 << 33) * UInt64(rate) / 90_000
    #expect(TransportTimestampTag(position: wrap - 1, sampleRate: rate).ticks == (1 << 33) - 2)
    #expect(TransportTimestampTag(position: wrap, sampleRate: rate).ticks == 0)
    #expect(TransportTimestampTag(position: wrap + 1024, sampleRate: rate).ticks < 2000)
    #expect(TransportTimestampTag(position: .max, sampleRate: rate).ticks < 1 << 33)
  }

  @Test func parserRejectsDamagedTimestampTags() {
    let bytes = TransportTimestampTag(ticks: 4711).bytes
    for index in bytes.indices.dropLast(8) {
      var damaged = bytes
      damaged[index] ^= 1
      #expect(TransportTimestampTag(parsing: damaged) == nil, "\(index)")
    }
    for count in bytes.indices {
      #expect(TransportTimestampTag(parsing: Array(bytes[..<count])) == nil)
    }
    var damaged = bytes
    damaged[bytes.count - 5] = 2
    #expect(TransportTimestampTag(parsing: damaged) == nil)
  }

  /// A reader of frames skips the tag.
  @Test func framesFollowTheTag() throws {
    var writer = try ADTSWriter(configuration: mp4Mono)
    var stream: [UInt8] = []
    for position in [0, 3] {
      stream += TransportTimestampTag(position: UInt64(position) * 1024, sampleRate: 44_100).bytes
      for unit in mp4Units(3) { try writer.append(AccessUnit(bytes: unit), to: &stream) }
    }
    var reader = ADTSReader()
    reader.append(stream)
    reader.finish()
    var tagCount = 0
    var units: [[UInt8]] = []
    while let event = reader.next() {
      switch event {
      case .tag(_, let length):
        tagCount += 1
        #expect(length == TransportTimestampTag.byteCount)
      case .frame(let frame): units += frame.blocks.map { Array(frame.payload[$0]) }
      case .damage(let damage): Issue.record("\(damage)")
      }
    }
    #expect(tagCount == 2)
    #expect(units == mp4Units(3) + mp4Units(3))
  }
}
