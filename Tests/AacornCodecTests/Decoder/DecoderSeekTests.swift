import Testing

@testable import AacornCodec

@Suite struct DecoderSeekTests {
  private static func encoded(bitrate: Int) throws -> EncodedSound {
    let sound = Signals.music(30_000, rate: 44_100, channels: 2)
    let attacks = Signals.castanets(30_000, rate: 44_100)
    return try EncodedSound(
      [zip(sound[0], attacks).map { ($0 + $1) / 2 }, sound[1]], .constant(bitrate, channels: 2))
  }

  /// At the low bitrate the stream has noise bands.
  ///
  /// Their noise depends only on the number of the unit.
  @Test(arguments: [32_000, 160_000])
  func fromTheSecondUnitOnSamplesAreEqual(bitrate: Int) throws {
    let sound = try Self.encoded(bitrate: bitrate)
    let units = sound.units.map(\.bytes)
    let whole = try DecodedSound(units, sound.config)
    var decoder = try AACDecoder(sound.config)
    for start in [0, 7, 3, 20, 11] {
      // Earlier units must have no effect.
      decoder.decode(units[5])
      decoder.conceal()
      decoder.reset(atUnit: start)
      var part = DecodedSound()
      for unit in units[start...] { part.take(unit, &decoder) }
      for channel in 0..<2 {
        let from = start == 0 ? 0 : 1024
        #expect(
          part.channels[channel][from...] == whole.channels[channel][(start * 1024 + from)...])
      }
    }
  }
}

extension DecodedSound {
  init() {}
}
