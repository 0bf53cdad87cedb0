import AacornApple
import AacornCodec
import AacornSignal
import TestSignals
import Testing

@Suite struct PacketDecoderTests {
  static let configuration = AACEncoder.Configuration(sampleRate: 44_100, channelCount: 2)

  private func encoded() throws -> EncodedSound {
    try AacornAppleTests.encoded(interleavedMusic(6000), Self.configuration)
  }

  private func decoded(
    _ sound: EncodedSound, leadingTrim: Int = 0, trailingTrim: Int = 0
  ) throws -> SoundBuffer {
    let bytes = sound.units.flatMap(\.bytes)
    let ranges = PacketDecoder.ranges(sizes: sound.units.map(\.bytes.count), byteCount: bytes.count)
    var decoder = try PacketDecoder(sound.config)
    let made = decoder.decode(
      bytes, packets: try #require(ranges), leadingTrim: leadingTrim, trailingTrim: trailingTrim)
    #expect(decoder.concealedCount == 0)
    return try #require(made)
  }

  @Test func batchedPacketsEqualSinglePackets() throws {
    let sound = try encoded()
    let all = try decoded(sound)
    #expect(all.sampleRate == 44_100 && all.channelCount == 2)
    #expect(all.layout == ChannelLayout.standard(channelCount: 2))
    #expect(all.frameCount == sound.units.count * 1024)
    var single = try PacketDecoder(sound.config)
    var samples: [Float] = []
    for unit in sound.units {
      let part = single.decode(unit.bytes, packets: [0..<unit.bytes.count])
      samples += try #require(part).samples
    }
    #expect(samples == all.samples)
  }

  @Test func decoderTrimsPackets() throws {
    let sound = try encoded()
    let trimmed = try decoded(
      sound, leadingTrim: sound.trim.priming, trailingTrim: sound.trim.remainder)
    #expect(trimmed.frameCount == 6000)
    #expect(try trimmed.samples == Array(decoded(sound).samples[2048..<2048 + 12_000]))
    #expect(try decoded(sound, leadingTrim: .max).frameCount == 0)
    #expect(try decoded(sound, trailingTrim: .max).frameCount == 0)
  }

  @Test func missingAndDamagedPacketsAreReplaced() throws {
    let sound = try encoded()
    var decoder = try PacketDecoder(sound.config)
    let bytes = sound.units[1].bytes
    let found = decoder.decode(
      bytes, packets: [0..<bytes.count, 5..<5, 0..<bytes.count + 1, -3..<2, 0..<3])
    #expect(found?.frameCount == 5 * 1024)
    #expect(decoder.concealedCount == 4)
  }

  @Test func sizesBecomeRangesOrNone() {
    #expect(PacketDecoder.ranges(sizes: [3, 0, 4], byteCount: 7) == [0..<3, 3..<3, 3..<7])
    #expect(PacketDecoder.ranges(sizes: [], byteCount: 0) == [])
    #expect(PacketDecoder.ranges(sizes: [3, 5], byteCount: 7) == nil)
    #expect(PacketDecoder.ranges(sizes: [3, -1], byteCount: 7) == nil)
    #expect(PacketDecoder.ranges(sizes: [3, .max], byteCount: 7) == nil)
  }

  @Test func trimsFollowFromPacketTimes() {
    func trims(_ start: Int64, _ duration: Int64) -> PacketTrims {
      PacketTrims(
        start: MediaTime(value: 1000, timescale: 48_000),
        outputStart: MediaTime(value: 1000 + start, timescale: 48_000),
        duration: MediaTime(value: 1024, timescale: 48_000),
        outputDuration: MediaTime(value: duration, timescale: 48_000), sampleRate: 48_000)
    }
    #expect(trims(0, 1024) == trims(-5, 2000))
    #expect(trims(1024, 0).leading == 1024 && trims(1024, 0).trailing == 0)
    #expect(trims(24, 500).leading == 24 && trims(24, 500).trailing == 500)
    let unknown = PacketTrims(
      start: nil, outputStart: nil, duration: nil, outputDuration: nil, sampleRate: 48_000)
    #expect(unknown.leading == 0 && unknown.trailing == 0)
  }

  @Test func packetDecoderAcceptsAnyNumber() throws {
    for count in [Int.min, -1, 0, 1, 2, 65, .max] {
      let ranges = PacketDecoder.ranges(sizes: [count, count], byteCount: 3)
      #expect(ranges?.count == (count == 0 || count == 1 ? 2 : nil))
    }
    var packets = try PacketDecoder(encoded().config)
    let sound = packets.decode(
      [1, 2], packets: [0..<0, -3..<9, 0..<Int.max], leadingTrim: .min, trailingTrim: .max)
    #expect(sound?.frameCount == 0 && packets.concealedCount == 3)
  }
}
