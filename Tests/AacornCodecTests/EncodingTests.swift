import AacornSignal
import Testing

@testable import AacornCodec

/// The encoder through the protocol of all encoders.
@Suite struct EncodingTests {
  /// Encodes samples, and returns the result.
  private func encode(
    _ samples: [Float], _ encoder: inout some AACEncoding
  ) throws -> (units: [AccessUnit], trim: StreamTrim) {
    var units: [AccessUnit] = []
    var unit = AccessUnit()
    try encoder.encode(interleaved: samples.span)
    while try encoder.nextAccessUnit(into: &unit) { units.append(unit) }
    let trim = try encoder.finish()
    while try encoder.nextAccessUnit(into: &unit) { units.append(unit) }
    return (units, trim)
  }

  @Test func copiedEncoderProducesSameUnits() throws {
    let samples = Signals.music(20_000, rate: 48_000, channels: 1)[0]
    let configuration = AACEncoder.Configuration(
      sampleRate: 48_000, channelCount: 1, bitrate: 64_000, effort: .fast)
    var encoder = try AACEncoder(configuration)
    var other = encoder
    let (units, trim) = try encode(samples, &encoder)
    other.encode(interleaved: samples.span)
    var expected: [AccessUnit] = []
    while let unit = other.nextAccessUnit() { expected.append(unit) }
    let otherTrim = other.finish()
    #expect(otherTrim == trim)
    while let unit = other.nextAccessUnit() { expected.append(unit) }
    #expect(units == expected && !units.isEmpty)
  }

  @Test func aBitrateItDoesNotHaveChangesNothing() throws {
    var encoder = try AACEncoder(sampleRate: 48_000, channelCount: 1, bitrate: 64_000)
    let answers = [encoder.changeBitrate(to: 1), encoder.changeBitrate(to: 96_000)]
    #expect(answers == [false, true])
    #expect(encoder.bitrate == 96_000)
  }

  @Test func fewerUnitsThanTheSamplesTakeHoldLess() {
    let timing = StreamTiming(sampleRate: 48_000, samplesPerUnit: 1024, priming: 2112)
    #expect(
      timing.trim(of: 5000, unitCount: timing.unitCount(for: 5000)) == timing.trim(of: 5000))
    #expect(
      timing.trim(of: 5000, unitCount: 3)
        == StreamTrim(priming: 2112, remainder: 0, sampleCount: 960))
    #expect(
      timing.trim(of: 5000, unitCount: 1)
        == StreamTrim(priming: 1024, remainder: 0, sampleCount: 0))
    #expect(timing.trim(of: 0, unitCount: 0) == timing.trim(of: 0))
  }
}
