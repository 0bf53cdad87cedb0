import AacornCodec
import AacornSignal
import Testing

/// Public functions do not trap: each is called with the minimum and the maximum of its arguments.
struct ExtremeArgumentTests {
  private static let counts = [Int.min, -1, 0, 1, 2, 3, 65, Int.max]

  // MARK: Encoding

  @Test func impossibleConfigurationsAreErrors() {
    for rate in Self.counts {
      for count in Self.counts {
        var configuration = AACEncoder.Configuration(sampleRate: rate, channelCount: count)
        #expect(throws: EncoderError.self) { try configuration.validate() }
        #expect(configuration.adaptableBitrates == nil)
        #expect(throws: EncoderError.self) { try SegmentSplitter(configuration) }
        #expect(throws: EncoderError.self) { try AACEncoder(sampleRate: rate, bitrate: count) }
        configuration.bandwidth = count
        configuration.rateControl = .variable(level: count)
        #expect(throws: EncoderError.self) { try AACEncoder(configuration) }
        for profile in AACEncoder.Profile.allCases {
          configuration = AACEncoder.Configuration(
            sampleRate: rate, channelCount: count, rateControl: nil, profile: profile)
          #expect(throws: EncoderError.self) { try configuration.validate() }
          configuration = AACEncoder.Configuration(
            sampleRate: 48_000, channelCount: 2, rateControl: .average(bitsPerSecond: count),
            profile: profile)
          #expect(throws: EncoderError.self) { try configuration.validate() }
        }
        _ = AACEncoder.Profile.recommended(bitrate: rate, sampleRate: rate, channelCount: count)
        #expect(AACEncoder.bitrateLimits(sampleRate: rate, channelCount: count) == nil)
      }
    }
  }

  @Test func samplesThatCannotBeEncodedAreCounted() throws {
    var encoder = try AACEncoder(sampleRate: 48_000, channelCount: 2)
    encoder.encode(planar: [Int16(1), 2, 3].span)
    #expect(encoder.ignoredSampleCount == 3)
    // The missing channel of an interleaved frame is silent.
    encoder.encode(interleaved: [Float(0.5)].span)
    encoder.encode(planar: [Float(0.5), 0.5, .nan, -.infinity].span)
    encoder.encode(interleaved: [Int32.min, .max].span)
    encoder.encode(planar: [Int32.min, .max].span)
    #expect(throws: EncoderError.self) { try encoder.setBitrate(.max) }
    #expect(throws: EncoderError.self) { try encoder.setBitrate(.min) }
    #expect(encoder.finish().sampleCount == 5)
    #expect(encoder.ignoredSampleCount == 3)
    encoder.encode(interleaved: [Int16](repeating: 0, count: 8))
    encoder.encode(planar: [[Float(0.5), 0.5]])
    #expect(encoder.ignoredSampleCount == 15)
    #expect(encoder.finish().sampleCount == 5)

    var splitter = try SegmentSplitter(AACEncoder.Configuration())
    splitter.encode(planar: [Int16(1)].span)
    _ = splitter.finish()
    splitter.encode(interleaved: [Int16(1), 2])
    #expect(splitter.ignoredSampleCount == 3)
  }

  @Test func conversionsOfImpossibleFormatsAreErrors() {
    for count in Self.counts where count != 1 && count != 2 && count != 3 {
      let format = PCMFormat(
        sampleFormat: SampleFormat(.int16LittleEndian), sampleRate: 48_000, channelCount: count)
      #expect(throws: AudioConversion.Failure.self) {
        try AudioConversion(from: format, byteCount: .max)
      }
    }
    for rate in Self.counts {
      let format = PCMFormat(
        sampleFormat: SampleFormat(.int16LittleEndian), sampleRate: rate, channelCount: 2)
      #expect(throws: AudioConversion.Failure.self) {
        try AudioConversion(from: format, byteCount: nil, sampleRate: 48_000)
      }
      _ = AudioConversion.suitableRate(for: rate)
    }
  }

  // MARK: Decoding

  @Test func decodersAcceptAnyNumber() throws {
    var decoder = try AACDecoder(.test(channels: 2))
    for count in Self.counts {
      decoder.reset(atUnit: count)
      #expect(decoder.decode([0xFF], range: 0..<max(0, count)) != .decoded)
      decoder.conceal()
      #expect(decoder.samples(ofChannel: count).count == (count == 0 || count == 1 ? 1024 : 0))
      var configuration = decoder.configuration
      configuration.sampleRate = count < 1 ? count : .max
      #expect(throws: DecoderError.self) { try AACDecoder(configuration) }
      configuration = decoder.configuration
      configuration.frameLength = count
      #expect(throws: DecoderError.self) { try AACDecoder(configuration) }
      configuration = decoder.configuration
      configuration.channelConfiguration = count < 4 ? -1 : count
      #expect(throws: DecoderError.self) { try AACDecoder(configuration) }
    }
    var small = [Float](repeating: 7, count: 2047)
    var span = small.mutableSpan
    decoder.write(planar: &span)
    #expect(small == [Float](repeating: 7, count: 2047))
    var large = [Float](repeating: 7, count: 2050)
    span = large.mutableSpan
    decoder.write(planar: &span)
    #expect(large[0] != 7 && large[2047] != 7 && large[2048...] == [7, 7])
  }

  // MARK: Streams and bits

  @Test func timingsDoNotOverflow() {
    for first in Self.counts {
      for second in Self.counts {
        let timing = StreamTiming(
          sampleRate: first, samplesPerUnit: second, priming: first, nominalBitrate: second)
        #expect(timing.unitCount(for: second) >= 0)
        _ = timing.trim(of: second)
        #expect(timing.seconds(second).isFinite)
        #expect(
          (timing.milliseconds(second) < 0) == (second < 0 && timing.milliseconds(second) != 0))
        #expect((timing.nanoseconds(.max) > 0) == (timing.nanoseconds(.min) < 0))
        #expect(timing.bitrate(byteCount: first, unitCount: second).isFinite)
      }
    }
    var stream = AudioSpecificConfig.test(rate: 1, channels: .max, frameLength: .max)
    stream.extensionSampleRate = .max
    #expect(StreamTiming(stream).samplesPerUnit == .max)
    let day = StreamTiming(sampleRate: 48_000, samplesPerUnit: 1024)
    #expect(day.milliseconds(48_000 * 86_400 + 24) == 86_400_000)
    #expect(day.nanoseconds(-24_000) == -500_000_000)
  }

  @Test func configurationsOfAnyNumbersAreWritten() throws {
    for count in Self.counts {
      var program = ProgramConfig(
        profile: count, samplingFrequency: SamplingFrequency(tablesFor: count))
      let element = ProgramConfig.Element(isPair: true, tag: count)
      program.tag = count
      program.front = Array(repeating: element, count: 20)
      program.side = program.front
      program.back = program.front
      program.coupling = program.front
      program.lowFrequency = Array(repeating: count, count: 20)
      program.data = program.lowFrequency
      program.matrixMixdown = .init(index: count)
      program.comment = [UInt8](repeating: 65, count: 300)
      var config = AudioSpecificConfig.test(rate: count, channels: 0)
      config.programConfig = program
      let read = AudioSpecificConfig(parsing: config.bytes)
      #expect((read == nil) == (count < 1))
      #expect(read.map { $0.programConfig?.front.count == 15 } != false)
      #expect(read.map { $0.programConfig?.comment.count == 255 } != false)
      config = .test(AudioObjectType(rawValue: .max), rate: count, channels: count)
      config.extensionSampleRate = count
      for signaling in [AudioSpecificConfig.Signaling.hierarchical, .backwardCompatible] {
        config.signaling = signaling
        #expect(!config.bytes.isEmpty)
      }
      #expect(SamplingFrequency(index: count)?.index == (0...3).first { $0 == count })
      #expect(ChannelConfiguration(channelCount: count)?.rawValue == (1...3).first { $0 == count })
      var reader = FrameReader(config, keepsSpectrum: true)
      #expect(throws: ParseError.self) { try reader.read([1, 2, 3], range: 1..<Int.max) }
    }
  }

  @Test func bitsAreReadWithinTheBytes() {
    for range in [Int.min..<Int.max, Int.min..<Int.min, -1..<1, 2..<9, Int.max..<Int.max] {
      var reader = BitReader([0xAB, 0xCD, 0xEF], range: range)
      #expect(reader.position >= 0 && reader.endBit <= 24)
      for count in Self.counts where count < 33 {
        reader.alignToByte(relativeTo: count)
        _ = reader.peek(count)
        _ = reader.read(count)
        reader.skip(count)
        #expect(reader.position <= reader.endBit)
      }
    }
    for count in Self.counts where count < 100 {
      var writer = BitWriter(byteCapacity: count)
      writer.put(5, count: 3)
      #expect(writer.bytes == [0xA0])
    }
  }
}
