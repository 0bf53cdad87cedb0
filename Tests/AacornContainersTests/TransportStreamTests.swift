import TestSignals
import Testing

@testable import AacornContainers

struct TransportStreamTests {
  let data: [UInt8]
  /// A stream of one program, in PES packets of a thousand bytes.
  let packer: TransportPacker

  init() {
    var random = SeededNumbers(seed: 3)
    data = random.bytes(5000)
    var packer = TransportPacker()
    packer.putAssociation([(1, 0x1000)])
    packer.putMap(1, at: 0x1000, [(0x0F, 0x100)])
    for start in stride(from: 0, to: data.count, by: 1000) {
      packer.putStream(0x100, Array(data[start..<start + 1000]))
    }
    self.packer = packer
  }

  @Test func checksumMatchesCheckValue() {
    #expect(SectionReader.checksum(Array("123456789".utf8)) == 0x0376_E6E7)
  }

  @Test func packetsOfEveryLengthGiveTheStream() {
    for bytes in [packer.bytes, packer.timedBytes, packer.parityBytes] {
      let events = transportEvents(bytes)
      #expect(events.first == .begins(.adts))
      #expect(events.data == data)
      #expect(events.damage == [])
    }
  }

  @Test(arguments: [1, 7, 187, 188, 189, 1000])
  func chunksOfAnySizeGiveTheSameEvents(chunk: Int) {
    var bytes = packer.bytes
    bytes.insert(contentsOf: [UInt8](repeating: 0x47, count: 100), at: 188 * 9)
    bytes.removeSubrange(188 * 15..<188 * 15 + 50)
    bytes = [1, 2, 3] + bytes + [0x47, 1]
    #expect(transportEvents(bytes, chunk: chunk) == transportEvents(bytes))
  }

  @Test func eventOffsetsMatchByteOffsets() {
    let bytes = packer.timedBytes
    for case .bytes(let part, let offset) in transportEvents(bytes) {
      #expect(Array(bytes[offset..<offset + part.count]) == part)
    }
  }

  @Test func lostPacketIsReportedButNotRepeatedOne() {
    var lossy = packer
    lossy.packets.remove(at: 10)
    #expect(
      transportEvents(lossy.bytes).damage
        == [StreamDamage(kind: .missingPackets, offset: 188 * 10, length: 0)])
    var repeating = packer
    repeating.packets.insert(repeating.packets[10], at: 11)
    let events = transportEvents(repeating.bytes)
    #expect(events.damage == [])
    #expect(events.data == data)
  }

  @Test func foreignPacketsCauseNoGap() {
    var other = packer
    var video = TransportPacker()
    video.putStream(0x200, [UInt8](repeating: 0, count: 3000))
    for packet in video.packets { other.packets.insert(packet, at: 8) }
    // A packet without payload repeats the counter of the previous packet.
    var empty = other.packets[6]
    empty[3] = empty[3] & 0x0F | 0x20
    empty[4] = 183
    empty[5] = 0
    other.packets.insert(empty, at: 7)
    let events = transportEvents(other.bytes)
    #expect(events.damage == [])
    #expect(events.data == data)
  }

  @Test func bytesBetweenPacketsAreSkipped() {
    var bytes = packer.bytes
    bytes.insert(contentsOf: [UInt8](repeating: 0x11, count: 100), at: 188 * 9)
    let events = transportEvents(bytes)
    #expect(events.damage == [StreamDamage(kind: .garbage, offset: 188 * 9, length: 100)])
    #expect(events.data == data)
  }

  @Test func damagedSyncByteCostsOnePacket() {
    var bytes = packer.bytes
    bytes[188 * 9] = 0
    let events = transportEvents(bytes)
    #expect(
      events.damage == [
        StreamDamage(kind: .garbage, offset: 188 * 9, length: 188),
        StreamDamage(kind: .missingPackets, offset: 188 * 10, length: 0),
      ])
    #expect(events.data.count == data.count - 184)
  }

  @Test func headerMayBeLongerThanAPacket() {
    var packer = TransportPacker()
    packer.putAssociation([(1, 0x1000)])
    packer.putMap(1, at: 0x1000, [(0x11, 0x100)])
    packer.putStream(0x100, data, headerCount: 264)
    let events = transportEvents(packer.bytes)
    #expect(events.first == .begins(.loas))
    #expect(events.data == data)
    #expect(events.damage == [])
  }

  @Test func partialPacketAtStartIsSkipped() {
    // Remove the packet with the first PES header. After the tables, the stream then begins with
    // the end of a PES packet.
    var cut = packer
    cut.packets.remove(at: 2)
    let events = transportEvents(cut.bytes)
    #expect(events.data == Array(data[1000...]))
    #expect(events.damage == [])
  }

  @Test func trackIsCountedInTheOrderOfTheMaps() {
    var packer = TransportPacker()
    packer.putAssociation([(1, 0x1000), (2, 0x1001)])
    packer.putMap(2, at: 0x1001, [(0x1B, 0x200), (0x0F, 0x201), (0x11, 0x202)])
    packer.putMap(1, at: 0x1000, [(0x0F, 0x100)])
    packer.putMap(2, at: 0x1001, [(0x1B, 0x200), (0x0F, 0x201), (0x11, 0x202)])
    packer.putStream(0x100, [1])
    packer.putStream(0x201, [2])
    packer.putStream(0x202, [3])
    #expect(transportEvents(packer.bytes).data == [2])
    #expect(transportEvents(packer.bytes, track: 1).data == [2])
    #expect(transportEvents(packer.bytes, track: 2).data == [3])
    #expect(transportEvents(packer.bytes, track: 2).first == .begins(.loas))
    #expect(transportEvents(packer.bytes, track: 3).data == [1])
    #expect(transportEvents(packer.bytes, track: 4).first == .failed(.noAudioTrack(found: 3)))
  }

  @Test func otherStreamsAreIdentified() {
    func failure(_ types: [UInt8]) -> TransportStreamReader.Event? {
      var packer = TransportPacker()
      packer.putAssociation([(1, 0x1000)])
      packer.putMap(1, at: 0x1000, types.enumerated().map { ($0.element, 0x100 + $0.offset) })
      for _ in 0..<5 { packer.putStream(0x100, [1, 2, 3]) }
      return transportEvents(packer.bytes).first
    }
    #expect(failure([0x1B, 0x03]) == .failed(.unsupportedCodec(.streamType(3))))
    #expect(failure([0xCF]) == .failed(.encrypted))
    #expect(failure([0x1B]) == .failed(.noAudioTrack(found: 0)))
  }

  @Test func scrambledStreamIsEncrypted() {
    var packer = TransportPacker()
    packer.putAssociation([(1, 0x1000)])
    packer.putMap(1, at: 0x1000, [(0x0F, 0x100)])
    packer.putStream(0x100, data, isScrambled: true)
    #expect(transportEvents(packer.bytes).contains(.failed(.encrypted)))
  }

  @Test func newMapBringsAnotherStream() {
    var longer = packer
    longer.putMap(1, at: 0x1000, [(0x11, 0x101)], version: 1)
    longer.putStream(0x101, [1, 2, 3])
    let events = transportEvents(longer.bytes)
    #expect(events.contains(.begins(.loas)))
    #expect(events.data == data + [1, 2, 3])
  }

  @Test func damagedTableIsIgnored() {
    var damaged = packer
    damaged.packets[1][170] ^= 1
    #expect(transportEvents(damaged.bytes).data == [])
  }
}

func transportEvents(
  _ bytes: [UInt8], track: Int? = nil, chunk: Int = .max
) -> [TransportStreamReader.Event] {
  TransportStreamReader(track: track).events(of: bytes, chunk: chunk)
}

extension [TransportStreamReader.Event] {
  var data: [UInt8] {
    flatMap { event -> [UInt8] in if case .bytes(let bytes, _) = event { bytes } else { [] } }
  }

  var damage: [StreamDamage] {
    compactMap { if case .damage(let damage) = $0 { damage } else { nil } }
  }
}
