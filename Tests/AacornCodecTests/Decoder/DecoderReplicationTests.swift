import Testing

@testable import AacornCodec

/// Streams whose band replication and parametric stereo are signaled only by their payloads.
@Suite struct DecoderReplicationTests {
  static let streams = [
    "sbr_mono_fixfix1", "sbr_mono_varvar_sines_smooth", "sbr_stereo_coupled_indep",
    "ps_iid20_icc20",
  ]

  @Test(arguments: streams)
  func decodesToTheKnownSamples(name: String) throws {
    let stream = try CodecVectors.replicationStream(name)
    let sound = try DecodedSound(stream.units, stream.configuration)
    let frame = try #require(stream.referenceFrame)
    #expect(sound.concealedCount == 0 && sound.channels.count == stream.channels)
    for (channel, samples) in stream.referenceSamples.enumerated() {
      let made = sound.channels[channel][frame * 2048..<(frame + 1) * 2048]
      #expect(samples.count == 2048)
      let ratio = Likeness.signalToNoise(
        samples.map { Float($0) }, made.map { Double($0) * 32_768 })
      #expect(ratio > 40, "channel \(channel): \(ratio) dB")
    }
    for (frame, levels) in try #require(stream.rms).enumerated() {
      for (channel, level) in levels.enumerated() {
        let made = Likeness.level(sound.channels[channel][frame * 2048..<(frame + 1) * 2048])
        #expect((made * 32_768 / level - 1).magnitude < 0.03, "frame \(frame)")
      }
    }
  }

  /// Payloads enable replication permanently.
  ///
  /// A single payload after units without one counts as damage.
  @Test func payloadsDoubleTheRate() throws {
    let stream = try CodecVectors.replicationStream("sbr_mono_fixfix1")
    let silence = try #require(SilentUnit.bytes(stream.configuration))
    var decoder = try AACDecoder(stream.configuration)
    let rate = stream.configuration.sampleRate
    for _ in 0..<3 { decoder.decode(silence) }
    #expect(decoder.sampleRate == rate && decoder.sampleCount == 1024)
    for unit in [stream.units[0], silence, stream.units[0]] {
      decoder.decode(unit)
      #expect(decoder.sampleRate == rate && decoder.sampleCount == 1024)
    }
    for unit in stream.units {
      decoder.decode(unit)
      #expect(decoder.sampleRate == 2 * rate && decoder.sampleCount == 2048)
    }
    decoder.decode(silence)
    decoder.conceal()
    decoder.reset()
    decoder.decode(silence)
    #expect(decoder.sampleRate == 2 * rate && decoder.channelCount == 1)
    var other = try AACDecoder(stream.configuration)
    other.decode(stream.units[0])
    #expect(other.sampleRate == 2 * rate)
    #expect(decoder.samples(ofChannel: 0).count == 2048)
  }

  @Test func parametricStereoMakesTwoChannelsOfOne() throws {
    let stream = try CodecVectors.replicationStream("ps_iid20_icc20")
    let mono = try CodecVectors.replicationStream("sbr_mono_fixfix1")
    #expect(mono.configuration == stream.configuration)
    var decoder = try AACDecoder(stream.configuration)
    #expect(decoder.channelCount == 1)
    for unit in mono.units { decoder.decode(unit) }
    #expect(decoder.channelCount == 1)
    for unit in stream.units { decoder.decode(unit) }
    #expect(decoder.channelCount == 2)
    #expect(decoder.samples(ofChannel: 0) != decoder.samples(ofChannel: 1))
    decoder.decode(mono.units[0])
    decoder.conceal()
    decoder.reset()
    for unit in mono.units { decoder.decode(unit) }
    #expect(decoder.channelCount == 2 && decoder.samples(ofChannel: 1).count == 2048)
  }

  @Test(arguments: ["ps_iid20_icc20", "sbr_mono_fixfix1"])
  func resetDecoderDecodesLikeANewOne(name: String) throws {
    let stream = try CodecVectors.replicationStream(name)
    var used = try AACDecoder(stream.configuration)
    for unit in stream.units { used.decode(unit) }
    used.reset()
    var fresh = try AACDecoder(stream.configuration)
    for unit in stream.units {
      used.decode(unit)
      fresh.decode(unit)
      for channel in 0..<fresh.channelCount {
        #expect(used.samples(ofChannel: channel) == fresh.samples(ofChannel: channel))
      }
    }
    #expect(fresh.channelCount == used.channelCount)
  }

  /// With `expectsParametricStereo`, the output is stereo from the first payload of band
  /// replication on, even if the stream has no stereo data.
  @Test func expectedStereoIsThereFromTheFirstPayload() throws {
    let stream = try CodecVectors.replicationStream("sbr_mono_fixfix1")
    let silence = try #require(SilentUnit.bytes(stream.configuration))
    var options = AACDecoder.Options()
    options.expectsParametricStereo = true
    var decoder = try AACDecoder(stream.configuration, options: options)
    var samples: [Float] = []
    #expect(decoder.decode(silence) == .decoded)
    decoder.append(to: &samples)
    #expect(samples.count == 1024 * decoder.channelCount)
    for unit in stream.units { decoder.decode(unit) }
    #expect(decoder.channelCount == 2)
    #expect(decoder.samples(ofChannel: 0) == decoder.samples(ofChannel: 1))
    var explicit = stream.configuration
    explicit.extensionSampleRate = 2 * explicit.sampleRate
    explicit.hasParametricStereo = true
    explicit.signaling = .hierarchical
    let announced = try AACDecoder(explicit)
    #expect(announced.channelCount == 2 && announced.sampleCount == 2048)
  }

  /// Envelopes of the last payload that extend past its frame are applied once, not in every later
  /// frame.
  @Test(arguments: streams)
  func nothingIsLeftWhenReplicationEnds(name: String) throws {
    let stream = try CodecVectors.replicationStream(name)
    let silence = try #require(SilentUnit.bytes(stream.configuration))
    var decoder = try AACDecoder(stream.configuration)
    for unit in stream.units { decoder.decode(unit) }
    // Parametric stereo fades out.
    for _ in 0..<6 { decoder.decode(silence) }
    for channel in 0..<decoder.channelCount {
      #expect(Likeness.level(decoder.samples(ofChannel: channel)) < 1e-9)
    }
  }

  @Test func aDamagedPayloadOnlyCostsTheHighBands() throws {
    let stream = try CodecVectors.replicationStream("sbr_stereo_coupled_indep")
    var reader = FrameReader(stream.configuration)
    var units = stream.units
    try reader.read(units[4])
    let payload = try #require(reader.block.extensions.first { $0.kind.isSpectralBandReplication })
    let start = (payload.bits.lowerBound + 60) / 8
    for offset in 0..<6 { units[4][start + offset] ^= 0x5A }
    let sound = try DecodedSound(units, stream.configuration)
    #expect(sound.concealedCount == 0)
    #expect(sound.channels.allSatisfy { $0.allSatisfy { $0.isFinite } })
    let whole = try DecodedSound(stream.units, stream.configuration)
    for channel in 0..<2 {
      let (made, exact) = (sound.channels[channel], whole.channels[channel])
      #expect(made[..<(4 * 2048)] == exact[..<(4 * 2048)])
      #expect(Likeness.level(made) < 1.5 * Likeness.level(exact))
    }
  }
}
