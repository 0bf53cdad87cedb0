import Testing

@testable import AacornCodec

@Suite struct DecoderStreamTests {
  @Test(arguments: ReferenceDecoderTests.streams)
  func decodesToTheKnownSamples(name: String) throws {
    let stream = try CodecVectors.stream(name)
    let sound = try DecodedSound(stream.units, stream.configuration)
    let frame = try #require(stream.referenceFrame)
    #expect(sound.channels.count == stream.channels && sound.concealedCount == 0)
    for (channel, samples) in stream.referenceSamples.enumerated() {
      let made = sound.channels[channel][frame * 1024..<(frame + 1) * 1024]
      let error = zip(made, samples).map { (Double($0 * 32_768) - $1).magnitude }.max()
      #expect(samples.count == 1024)
      #expect(error ?? .infinity < 0.02, "channel \(channel)")
    }
  }

  @Test(arguments: ReferenceDecoderTests.streams)
  func agreesWithTheReferenceEverywhere(name: String) throws {
    let stream = try CodecVectors.stream(name)
    let sound = try DecodedSound(stream.units, stream.configuration)
    let exact = try ReferenceDecoder.decode(units: stream.units, config: stream.configuration)
    for (channel, samples) in exact.enumerated() {
      #expect(Likeness.worst(sound.channels[channel], samples.map { $0 / 32_768 }) < 3e-6)
    }
  }

  @Test func noiseHasTheKnownVariance() throws {
    let stream = try CodecVectors.stream("lc_pns")
    let sound = try DecodedSound(stream.units, stream.configuration)
    let level = Likeness.level(sound.channels[0][1024...]) * 32_768
    let variance = try #require(stream.variance)
    #expect((level * level - variance).magnitude < 25)
  }

  /// Decodes a unit inside a larger buffer, and appends interleaved samples frame by frame.
  @Test func rangesAndInterleavingAreTheSame() throws {
    let stream = try CodecVectors.stream("lc_stereo_ms_intensity")
    let sound = try DecodedSound(stream.units, stream.configuration)
    var decoder = try AACDecoder(stream.configuration)
    #expect(decoder.channelCount == 2 && decoder.sampleRate == stream.configuration.sampleRate)
    var samples: [Float] = []
    for unit in stream.units {
      let range = 13..<13 + unit.count
      let bytes = [UInt8](repeating: 0xFF, count: 13) + unit + [0xFF, 0xFF]
      #expect(decoder.decode(bytes, range: range) == .decoded)
      decoder.append(to: &samples)
    }
    #expect(samples == EncodedSound.interleaved(sound.channels))
  }

  @Test func unsupportedConfigurationsThrow() {
    #expect(throws: DecoderError.unsupportedObjectType(.scalableSamplingRate)) {
      try AACDecoder(.test(.scalableSamplingRate))
    }
    #expect(throws: DecoderError.unsupportedChannels(9)) { try AACDecoder(.test(channels: 9)) }
    #expect(throws: DecoderError.invalidConfiguration) { try AACDecoder(.test(rate: 0)) }
    #expect(throws: DecoderError.invalidConfiguration) { try AACDecoder(.test(frameLength: 512)) }
  }
}
