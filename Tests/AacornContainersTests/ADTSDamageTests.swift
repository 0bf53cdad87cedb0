import AacornCodec
import TestSignals
import Testing

@testable import AacornContainers

struct ADTSDamageTests {
  /// Junk that cannot contain a sync word, and junk that is full of them.
  static let junk: [[UInt8]] = [
    [0], [UInt8](repeating: 0xFF, count: 100), Array("not audio at all".utf8),
    [0xFF, 0xF1, 0x50, 0x80, 0x03, 0x3F, 0xFC, 1, 2], [0xFF, 0xFB, 0x90, 0x64, 0, 0, 0, 0, 0],
  ]

  @Test(arguments: junk)
  func garbageAnywhereCostsNoFrame(junk: [UInt8]) throws {
    let stream = try TransportStream.adts(sizes: [25, 40, 33, 12])
    for cut in [0] + stream.ranges.map({ $0.upperBound }) {
      let bytes = Array(stream.bytes[..<cut] + junk + stream.bytes[cut...])
      let events = adtsEvents(bytes)
      let found = events.frames.filter { !(cut..<cut + junk.count).contains($0.offset) }
      #expect(found.map { $0.payload } == stream.payloads)
      #expect(events.cover(bytes.count))
      #expect(!events.damage.isEmpty)
    }
  }

  @Test func garbageInARowIsOneEvent() throws {
    var random = SeededNumbers(seed: 2)
    let stream = try TransportStream.adts(sizes: [25, 40])
    let junk = random.bytes(100_000)
    let events = adtsEvents(stream.bytes + junk + stream.bytes, chunk: 4096)
    #expect(events.frames.count == 4)
    #expect(
      events.damage == [StreamDamage(kind: .garbage, offset: stream.bytes.count, length: 100_000)])
  }

  @Test func everyCutKeepsTheFramesBeforeIt() throws {
    let stream = try TransportStream.adts(sizes: [25, 40, 0, 33, 12])
    for cut in 0...stream.bytes.count {
      let events = adtsEvents(Array(stream.bytes[..<cut]))
      let whole = stream.ranges.count { $0.upperBound <= cut }
      #expect(events.frames.map { $0.payload } == Array(stream.payloads[..<whole]))
      #expect(events.cover(cut))
      let rest = cut - (whole > 0 ? stream.ranges[whole - 1].upperBound : 0)
      let expected = StreamDamage(kind: .truncatedFrame, offset: cut - rest, length: rest)
      #expect(events.damage == (rest > 0 ? [expected] : []))
    }
  }

  @Test func streamJoinedInTheMiddleStartsAtTheNextFrame() throws {
    let stream = try TransportStream.adts(sizes: [125, 140, 133, 112])
    for start in 1..<stream.ranges[1].lowerBound {
      let events = adtsEvents(Array(stream.bytes[start...]))
      #expect(events.frames.map { $0.payload } == Array(stream.payloads[1...]))
      #expect(events.damage.count == 1)
    }
  }

  @Test func segmentCutInAFrameLosesThatFrameOnly() throws {
    let stream = try TransportStream.adts(sizes: [125, 140, 133, 112])
    for cut in stream.ranges[2].dropFirst() {
      let bytes = Array(stream.bytes[..<cut]) + stream.bytes
      let events = adtsEvents(bytes)
      #expect(events.frames.map { $0.payload } == Array(stream.payloads[..<2]) + stream.payloads)
      #expect(events.cover(bytes.count))
    }
  }

  // The frames of the second set have equal sizes, so that a damaged length can point to a later
  // frame.
  @Test(arguments: [[9, 26, 0, 31, 14, 3], [25, 25, 25, 25, 25, 25]])
  func damagedByteCostsAtMostTheFrameItIsIn(sizes: [Int]) throws {
    let stream = try TransportStream.adts(sizes: sizes, seed: 9)
    var lost: [String] = []
    for index in stream.bytes.indices {
      for value in 1...255 as ClosedRange<UInt8> {
        var bytes = stream.bytes
        bytes[index] ^= value
        let events = adtsEvents(bytes)
        let frames = events.frames
        for (range, payload) in zip(stream.ranges, stream.payloads) where !range.contains(index) {
          let isFound = frames.contains { $0.offset == range.lowerBound && $0.payload == payload }
          if !isFound { lost.append("byte \(index) ^ \(value): frame at \(range.lowerBound)") }
        }
        if !events.cover(bytes.count) { lost.append("byte \(index) ^ \(value): bytes") }
      }
    }
    #expect(lost == [])
  }

  @Test func memoryIsBoundedForAnyStream() {
    // Each header announces 8,191 bytes, and no header follows at their end.
    var scanner = FrameScanner<ADTSHeader>()
    let lie = ADTSBlocksTests.header(hasChecksum: false, length: 8191, blockCount: 1)
    var most = 0
    for _ in 0..<20_000 {
      scanner.append((lie + [0, 0, 0, 0]).span)
      while let event = scanner.next() {
        if case .frame(let header) = event { _ = scanner.takeFrame(header, from: 0) }
      }
      most = max(most, scanner.buffer.count)
    }
    #expect(most <= 2 * 8192 + 24)
  }
}
