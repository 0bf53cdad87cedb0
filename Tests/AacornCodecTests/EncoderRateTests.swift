import Testing

@testable import AacornCodec

@Suite struct EncoderRateTests {
  static let seconds = 10
  static let stereo = Signals.music(44_100 * seconds, rate: 44_100)
  static let castanets = Signals.castanets(44_100 * 4, rate: 44_100)
  static let surround = Signals.music(48_000 * 3, rate: 48_000, channels: 6)

  /// Simulates a decoder's buffer that fills at exactly the bitrate.
  ///
  /// Amounts are in bits times the sample rate, so that nothing is rounded.
  static func checkBuffer(_ sound: EncodedSound, bitsPerSecond: Int) throws {
    let rate = sound.config.sampleRate
    let capacity = 6144 * sound.config.bufferedChannelCount
    let perFrame = bitsPerSecond * 1024
    let first = try #require(sound.units.first)
    // The decoder receives the bits of one frame, and then consumes a unit. After the first unit,
    // the buffer contains the bits that the unit reports.
    let saved = try #require(first.reservoirBits) + first.bytes.count * 8 - perFrame / rate
    var fullness = saved * rate + perFrame
    for (index, unit) in sound.units.enumerated() {
      let bits = unit.bytes.count * 8
      try #require(fullness <= capacity * rate, "overflow before unit \(index)")
      try #require(fullness >= bits * rate, "underflow at unit \(index)")
      fullness -= bits * rate
      // The encoder counts the received bits as an integer, and carries the fraction over to the
      // next frame.
      let reported = try #require(unit.reservoirBits)
      try #require(fullness / rate == reported, "unit \(index) reports \(reported)")
      fullness += perFrame
    }
  }

  static func checkBuffer(
    _ channels: [[Float]], rate: Int = 44_100, bitrate: Int,
    effort: AACEncoder.Effort = .fast
  ) throws {
    let sound = try EncodedSound(
      channels, .constant(bitrate, channels: channels.count, rate: rate, effort: effort))
    try checkBuffer(sound, bitsPerSecond: bitrate)
  }

  @Test(
    arguments: [20_000, 32_000, 64_000, 96_000, 128_000, 192_000, 256_000, 320_000, 510_000],
    AACEncoder.Effort.allCases)
  func decoderBufferNeverOverflowsOrUnderruns(bitrate: Int, effort: AACEncoder.Effort) throws {
    try Self.checkBuffer(Self.stereo, bitrate: bitrate, effort: effort)
  }

  @Test(arguments: [16_000, 64_000, 128_000, 200_000, 260_000], AACEncoder.Effort.allCases)
  func attacksFitDecoderBuffer(bitrate: Int, effort: AACEncoder.Effort) throws {
    try Self.checkBuffer([Self.castanets], bitrate: bitrate, effort: effort)
  }

  @Test(arguments: [64_000, 192_000, 384_000, 640_000, 1_400_000])
  func surroundFitsDecoderBuffer(bitrate: Int) throws {
    try Self.checkBuffer(Self.surround, rate: 48_000, bitrate: bitrate)
  }

  /// Silence before and after noise is the hardest case for the buffer.
  @Test(arguments: [32_000, 64_000, 128_000, 256_000], AACEncoder.Effort.allCases)
  func suddenNoiseFitsDecoderBuffer(bitrate: Int, effort: AACEncoder.Effort) throws {
    let quiet = Signals.silence(30_000)[0]
    let samples = quiet + Signals.noise(30_000, amplitude: 1) + quiet + Signals.noise(9000)
    try Self.checkBuffer([samples], bitrate: bitrate, effort: effort)
  }

  @Test(arguments: [8_000, 11_025, 22_050, 32_000, 96_000])
  func otherRatesFitDecoderBuffer(rate: Int) throws {
    let music = Signals.music(rate * 2, rate: rate)
    let limits = try #require(AACEncoder.bitrateLimits(sampleRate: rate, channelCount: 2))
    for bitrate in [limits.lowerBound, rate * 3, limits.upperBound - 1, limits.upperBound] {
      try Self.checkBuffer(music, rate: rate, bitrate: bitrate)
    }
  }

  static let rates: [(Int, AACEncoder.Effort)] =
    [
      24_000, 32_000, 48_000, 64_000, 80_000, 96_000, 112_000, 128_000, 160_000, 192_000, 224_000,
      256_000, 288_000, 320_000, 384_000, 448_000,
    ].map { ($0, .balanced) }
    + [64_000, 128_000, 256_000].flatMap { [($0, .fast), ($0, .best)] }

  @Test(arguments: rates)
  func bitrateIsMetWithinHalfAPercent(bitrate: Int, effort: AACEncoder.Effort) throws {
    for control in [
      AACEncoder.RateControl.constant(bitsPerSecond: bitrate), .average(bitsPerSecond: bitrate),
    ] {
      let sound = try EncodedSound(
        Self.stereo,
        .init(sampleRate: 44_100, channelCount: 2, rateControl: control, effort: effort))
      let error = sound.bitrate / Double(bitrate) - 1
      #expect(abs(error) < 0.005, "\(sound.bitrate) bits per second")
    }
  }

  @Test func onlyAConstantRateReportsAReservoir() throws {
    let music = [Array(Self.stereo[0].prefix(9000))]
    for control in [AACEncoder.RateControl.average(bitsPerSecond: 64_000), .variable(level: 3)] {
      let sound = try EncodedSound(
        music, .init(sampleRate: 44_100, channelCount: 1, rateControl: control))
      #expect(sound.units.allSatisfy { $0.reservoirBits == nil })
      #expect(try sound.parsed().allSatisfy { $0.fillByteCount == 0 })
    }
  }

  /// The quantizer may overestimate by a few bits, but must never underestimate.
  @Test(arguments: [1, 2, 6], AACEncoder.Effort.allCases)
  func countedBitsAreWrittenBits(channelCount: Int, effort: AACEncoder.Effort) throws {
    var material = Signals.music(20_000, rate: 44_100, channels: channelCount)
    material[0] = Signals.castanets(20_000, rate: 44_100)
    var encoder = try AACEncoder(
      .init(
        sampleRate: 44_100, channelCount: channelCount,
        rateControl: .average(bitsPerSecond: 64_000 * channelCount), effort: effort))
    let samples = EncodedSound.interleaved(material)
    encoder.encode(interleaved: samples.span)
    _ = encoder.finish()
    while let unit = encoder.nextAccessUnit() {
      // Count the bits as the quantizer does. The encoder still has the state of the frame.
      var counter = FrameWriter(BitCounter())
      for element in encoder.elements { counter.putOverhead(of: element, encoder.channels) }
      let counted = (counter.bitCount + encoder.spectralBits + 3 + 7) / 8 * 8
      #expect(unit.bytes.count * 8 <= counted)
      #expect(counted - unit.bytes.count * 8 <= 24 * channelCount)
    }
  }
}
