import AacornCodec
import AacornContainers
import Testing

@testable import AacornApple

/// This package's part of the system's encoder: the calls of the converter, and the handling of its
/// packets.
@Suite struct ConverterEncoderTests {
  typealias Encoder = AACSystemEncoder

  private static let stereo = SystemEncoderConfiguration(
    sampleRate: 48_000, channelCount: 2, rateControl: .constant(bitsPerSecond: 128_000))
  private static func config(_ sampleRate: Int, _ channelCount: Int) -> AudioSpecificConfig {
    AudioSpecificConfig(
      objectType: .lowComplexity, sampleRate: sampleRate, channelConfiguration: channelCount)
  }

  private static var cookie: [UInt8] {
    MagicCookie.bytes(of: config(48_000, 2))
  }

  private func make(
    _ configuration: SystemEncoderConfiguration, _ script: ScriptedConverter.Script
  ) throws -> (Encoder, ScriptedConverter) {
    var converter: ScriptedConverter?
    let encoder = try Encoder(configuration) { order throws(ConverterStatus) in
      let made = ScriptedConverter(order, script)
      converter = made
      return made
    }
    return (encoder, try #require(converter))
  }

  private func units(_ encoder: Encoder) throws -> [AccessUnit] {
    var units: [AccessUnit] = []
    var unit = AccessUnit()
    while try encoder.nextAccessUnit(into: &unit) { units.append(unit) }
    return units
  }

  private func encode(
    _ samples: [Float], _ encoder: Encoder, by count: Int = 1234
  ) throws -> (units: [AccessUnit], trim: StreamTrim) {
    var found: [AccessUnit] = []
    var start = 0
    while start < samples.count {
      let end = min(samples.count, start + count)
      try encoder.encode(interleaved: samples.span.extracting(start..<end))
      found += try units(encoder)
      start = end
    }
    let trim = try encoder.finish()
    return (found + (try units(encoder)), trim)
  }

  private func ramp(_ frameCount: Int) -> [Float] {
    (0..<frameCount * 2).map { Float($0) / 100_000 }
  }

  // MARK: Order of calls

  @Test func converterIsConfiguredBeforeItIsQueried() throws {
    let (encoder, converter) = try make(Self.stereo, .init(Self.cookie))
    #expect(
      converter.calls == [
        .write(ConverterProperty.rateControl, 0), .write(ConverterProperty.quality, 0x40),
        .read(ConverterProperty.applicableBitrates), .write(ConverterProperty.bitrate, 128_000),
        .read(ConverterProperty.bitrate), .read(ConverterProperty.magicCookie),
        .read(ConverterProperty.outputFormat), .read(ConverterProperty.priming),
        .read(ConverterProperty.largestPacket),
      ])
    #expect(
      encoder.timing
        == StreamTiming(
          sampleRate: 48_000, samplesPerUnit: 1024, priming: 2112, nominalBitrate: 128_000))
    #expect(encoder.magicCookie == Self.cookie)
    #expect(encoder.audioSpecificConfig.bytes == [0x11, 0x90])
  }

  @Test func aVariableRateHasAQualityAndNoBitrate() throws {
    var configuration = Self.stereo
    configuration.rateControl = .variable(level: 3)
    configuration.quality = .highest
    let (encoder, converter) = try make(configuration, .init(Self.cookie))
    #expect(
      converter.calls.prefix(4) == [
        .write(ConverterProperty.rateControl, 3), .write(ConverterProperty.variableQuality, 63),
        .write(ConverterProperty.quality, 0x7F), .read(ConverterProperty.magicCookie),
      ])
    #expect(encoder.timing.nominalBitrate == 0)
  }

  @Test func unknownOptionalPropertyIsIgnored() throws {
    var script = ScriptedConverter.Script(Self.cookie)
    script.writeErrors[ConverterProperty.rateControl.rawValue] = ConverterStatus.unknown.code
    script.writeErrors[ConverterProperty.quality.rawValue] = ConverterStatus.unknown.code
    #expect(try make(Self.stereo, script).0.timing.nominalBitrate == 128_000)
    var configuration = Self.stereo
    configuration.rateControl = .variable(level: 3)
    let expected = AACBackEndError.call(.configure, status: ConverterStatus.unknown.code)
    #expect(throws: expected) { try make(configuration, script) }
    script.writeErrors[ConverterProperty.quality.rawValue] = -50
    #expect(throws: AACBackEndError.call(.configure, status: -50)) { try make(Self.stereo, script) }
  }

  // MARK: Audio

  @Test(arguments: [1, 700, 1024, 2500, 30_001])
  func everySampleIsFetchedOnceAndUnitsArePositioned(frameCount: Int) throws {
    let (encoder, converter) = try make(Self.stereo, .init(Self.cookie))
    let samples = ramp(frameCount)
    let (units, trim) = try encode(samples, encoder)
    #expect(converter.fetchedSamples == samples)
    #expect(converter.violations.isEmpty)
    #expect(units.count == encoder.timing.unitCount(for: frameCount))
    #expect(trim == encoder.timing.trim(of: frameCount))
    for (index, unit) in units.enumerated() {
      #expect(unit.bytes == [UInt8(index & 255), 0xAA])
      #expect(unit.samplePosition == index * 1024 - 2112 && unit.sampleCount == 1024)
    }
    #expect(try encoder.finish() == trim)
    #expect(try self.units(encoder).isEmpty)
  }

  /// Packets after the end of the input are dropped, and missing ones shorten the trim.
  @Test(arguments: [2, -1])
  func trimFollowsTheNumberOfPackets(surplus: Int) throws {
    var script = ScriptedConverter.Script(Self.cookie)
    script.surplus = surplus
    let (encoder, _) = try make(Self.stereo, script)
    let (units, trim) = try encode(ramp(5000), encoder)
    let shorter = StreamTrim(priming: 2112, remainder: 0, sampleCount: 6 * 1024 - 2112)
    #expect(units.count == (surplus > 0 ? encoder.timing.unitCount(for: 5000) : 6))
    #expect(trim == (surplus > 0 ? encoder.timing.trim(of: 5000) : shorter))
  }

  @Test func emptyInputHasNoUnits() throws {
    let (encoder, converter) = try make(Self.stereo, .init(Self.cookie))
    #expect(try encoder.finish() == StreamTrim(priming: 0, remainder: 0, sampleCount: 0))
    #expect(try units(encoder).isEmpty)
    #expect(converter.violations.isEmpty)
  }

  @Test func converterFailureThrowsOnceAndEndsOutput() throws {
    var script = ScriptedConverter.Script(Self.cookie)
    script.failure = (packet: 2, status: -108)
    let (encoder, converter) = try make(Self.stereo, script)
    let samples = ramp(8000)
    try encoder.encode(interleaved: samples.span)
    var unit = AccessUnit()
    var made: [Bool] = []
    for _ in 0..<2 { made.append(try encoder.nextAccessUnit(into: &unit)) }
    #expect(throws: AACBackEndError.call(.encode, status: -108)) {
      _ = try encoder.nextAccessUnit(into: &unit)
    }
    made.append(try encoder.nextAccessUnit(into: &unit))
    #expect(made == [true, true, false])
    #expect(try encoder.finish().priming == 2048)
    #expect(converter.violations.isEmpty)
  }

  @Test func converterBitrateCannotChange() throws {
    #expect(try !make(Self.stereo, .init(Self.cookie)).0.changeBitrate(to: 64_000))
  }

  // MARK: Bitrates

  /// Returns a list in the layout of the system.
  private func list(_ ranges: [(Double, Double)]) -> [UInt8] {
    var bytes: [UInt8] = []
    for (lowest, highest) in ranges {
      for number in [lowest.bitPattern, highest.bitPattern] {
        for shift in stride(from: UInt64(0), to: 64, by: 8) {
          bytes.append(UInt8(truncatingIfNeeded: number >> shift))
        }
      }
    }
    return bytes
  }

  @Test func theNearestBitrateIsTakenAndReadBack() throws {
    var script = ScriptedConverter.Script(Self.cookie)
    script.values[ConverterProperty.applicableBitrates.rawValue] = list([
      (.nan, .nan), (64_000, 64_000), (96_000, 96_000), (112_000, 120_000.5), (160_000, 160_000),
    ])
    let (encoder, converter) = try make(Self.stereo, script)
    #expect(converter.calls.contains(.write(ConverterProperty.bitrate, 120_000)))
    #expect(encoder.timing.nominalBitrate == 120_000)
    script.bitrate = 119_000
    #expect(try make(Self.stereo, script).0.timing.nominalBitrate == 119_000)
    var configuration = Self.stereo
    configuration.rateControl = .average(bitsPerSecond: 200_000)
    let expected = AACBackEndError.bitrateOutOfRange(
      requested: 200_000, lowest: 64_000, highest: 160_000)
    #expect(throws: expected) { try make(configuration, script) }
  }

  @Test(
    arguments: [
      (0x666D_743F, AACBackEndError.unsupportedFormat), (-50, .call(.configure, status: -50)),
    ] as [(Int32, AACBackEndError)])
  func aBitrateThatTheSystemListsAndRefusesIsAnError(status: Int32, error: AACBackEndError) {
    var script = ScriptedConverter.Script(Self.cookie)
    script.values[ConverterProperty.applicableBitrates.rawValue] = list([(128_000, 128_000)])
    script.writeErrors[ConverterProperty.bitrate.rawValue] = status
    #expect(throws: error) { try make(Self.stereo, script) }
  }

  @Test func lowerBitrateWinsTie() throws {
    #expect(try nearest(80_000, [96_000...96_000, 64_000...64_000]) == 64_000)
    #expect(try nearest(80_001, [96_000...96_000, 64_000...64_000]) == 96_000)
    #expect(try nearest(77_777, []) == 77_777)
  }

  private func nearest(_ wanted: Int, _ ranges: [ClosedRange<Int>]) throws -> Int {
    try ConverterSetup.nearest(to: wanted, in: ranges)
  }

  // MARK: Streams

  private func profile(
    _ profile: SystemEncoderConfiguration.Profile
  ) -> SystemEncoderConfiguration {
    var configuration = Self.stereo
    configuration.profile = profile
    configuration.rateControl = .constant(bitsPerSecond: 48_000)
    return configuration
  }

  @Test func implicitReplicationIsInferredFromProfile() throws {
    let core = Self.config(24_000, 2)
    let script = ScriptedConverter.Script(core.bytes, framesPerPacket: 2048, priming: 4224)
    let (encoder, converter) = try make(profile(.highEfficiency), script)
    #expect(encoder.audioSpecificConfig.extensionSampleRate == 48_000)
    #expect(encoder.audioSpecificConfig.bytes == core.bytes)
    #expect(encoder.timing.samplesPerUnit == 2048 && encoder.timing.priming == 4224)
    #expect(converter.order.target.framesPerPacket == 2048)
    var signaled = profile(.highEfficiency)
    signaled.signaling = .hierarchical
    #expect(try make(signaled, script).0.audioSpecificConfig.signaling == .hierarchical)
    let mono = Self.config(24_000, 1)
    let stereo = try make(profile(.highEfficiencyV2), .init(mono.bytes, framesPerPacket: 2048)).0
    #expect(stereo.audioSpecificConfig.hasParametricStereo)
  }

  @Test(
    arguments: [
      (.lowDelay, [0xB9, 0x91, 0x00], 23), (.enhancedLowDelay, [0xF8, 0xE6, 0x40, 0x00], 39),
    ] as [(SystemEncoderConfiguration.Profile, [UInt8], UInt8)])
  func theKindsOfLowDelayKeepTheirCookie(
    kind: SystemEncoderConfiguration.Profile, cookie: [UInt8], type: UInt8
  ) throws {
    let (encoder, _) = try make(profile(kind), .init(cookie, framesPerPacket: 512, priming: 480))
    #expect(encoder.magicCookie == cookie)
    #expect(encoder.audioSpecificConfig.objectType.rawValue == type)
    #expect(encoder.timing.samplesPerUnit == 512)
    let (units, trim) = try encode(ramp(3000), encoder)
    #expect(units.count == 7 && trim.priming == 480)
  }

  @Test func anotherStreamThanTheOneAskedForIsRefused() throws {
    let other = Self.config(44_100, 2)
    #expect(throws: AACBackEndError.unexpectedStream(sampleRate: 44_100, channelCount: 2)) {
      try make(Self.stereo, .init(other.bytes))
    }
    #expect(throws: AACBackEndError.unexpectedStream(sampleRate: 48_000, channelCount: 2)) {
      try make(profile(.highEfficiency), .init(Self.cookie))
    }
    #expect(throws: AACBackEndError.noConfiguration) { try make(Self.stereo, .init([])) }
    var script = ScriptedConverter.Script(Self.cookie)
    script.values[ConverterProperty.priming.rawValue] = [0, 0]
    #expect(throws: AACBackEndError.noConfiguration) { try make(Self.stereo, script) }
    script.values[ConverterProperty.priming.rawValue] = nil
    let expected = AACBackEndError.call(.describe, status: ConverterStatus.unknown.code)
    #expect(throws: expected) { try make(Self.stereo, script) }
  }

  @Test func withoutAFormatTheProfileSaysHowLongAPacketIs() throws {
    var script = ScriptedConverter.Script(Self.cookie)
    script.values[ConverterProperty.outputFormat.rawValue] = [UInt8](repeating: 0, count: 40)
    #expect(try make(Self.stereo, script).0.timing.samplesPerUnit == 1024)
  }

  @Test(
    arguments: [
      (0x666D_743F, AACBackEndError.unsupportedFormat),
      (0x2169_7372, .unsupportedSampleRate(48_000)),
      (0x6877_6975, .hardwareInUse), (0x7065_726D, .noHardwarePermission),
      (-108, .call(.create, status: -108)),
    ] as [(Int32, AACBackEndError)])
  func converterCreationFailureThrowsReason(status: Int32, error: AACBackEndError) {
    #expect(throws: error) {
      _ = try Encoder(Self.stereo) { _ throws(ConverterStatus) in throw ConverterStatus(status) }
    }
  }
}
