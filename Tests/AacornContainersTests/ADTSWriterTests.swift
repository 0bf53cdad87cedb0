import AacornCodec
import AacornContainers
import TestSignals
import Testing

struct ADTSWriterTests {
  @Test func headersMatchTheVectors() throws {
    for vector in try TransportVectors.load().adtsHeaders {
      let hertz = try #require(SamplingFrequency(index: vector.frequencyIndex)).hertz
      var writer = try ADTSWriter(
        configuration: .test(
          AudioObjectType(rawValue: UInt8(vector.objectType)), rate: hertz,
          channels: vector.channelConfiguration),
        version: vector.version == 0 ? .mpeg4 : .mpeg2)
      // 5.1 has five channels that count toward the buffer. The extra 159 bits are less than a unit
      // of the field, 32 · 5 bits.
      let bits = vector.bufferFullness == 0x7FF ? nil : vector.bufferFullness * 32 * 5 + 159
      var bytes: [UInt8] = []
      let payload = [UInt8](repeating: 0x21, count: vector.frameLength - 7)
      try writer.append(AccessUnit(bytes: payload, reservoirBits: bits), to: &bytes)
      #expect(Array(bytes[..<7]) == hexBytes(vector.hex))
      #expect(Array(bytes[7...]) == payload)
    }
  }

  @Test func mpeg2HeaderKeepsItsWellKnownBytes() throws {
    var writer = try ADTSWriter(configuration: .stereo44100, version: .mpeg2)
    var bytes: [UInt8] = []
    try writer.append(AccessUnit(bytes: [UInt8](repeating: 0, count: 363)), to: &bytes)
    #expect(Array(bytes[..<7]) == [0xFF, 0xF9, 0x50, 0x80, 0x2E, 0x5F, 0xFC])
    #expect(bytes.count == 370)
  }

  @Test(arguments: SamplingFrequency.all.map { $0.hertz }, 1...7)
  func readerFindsWhatWasWritten(rate: Int, channels: Int) throws {
    let configuration = AudioSpecificConfig.test(rate: rate, channels: channels)
    let stream = try TransportStream.adts(configuration, sizes: [1, 700, 0, 53])
    let events = adtsEvents(stream.bytes)
    #expect(events.count == 4)
    #expect(events.frames.map { $0.payload } == stream.payloads)
    #expect(events.frames.map { $0.offset } == stream.ranges.map { $0.lowerBound })
    for frame in events.frames {
      #expect(frame.header.audioSpecificConfig == configuration)
      #expect(frame.header.audioSpecificConfig.channelCount == (channels == 7 ? 8 : channels))
      #expect(frame.header.version == .mpeg4)
      #expect(frame.header.bufferFullness == 0x7FF)
      #expect(frame.header.blockCount == 1)
      #expect(!frame.header.copyrightIDStart && !frame.header.isPrivate)
    }
  }

  @Test func writerRejectsFramesAboveMaximum() throws {
    var writer = try ADTSWriter(configuration: .stereo44100)
    var bytes: [UInt8] = [1, 2, 3]
    #expect(throws: ContainerError.frameTooLong(byteCount: 8192, limit: 8191)) {
      try writer.append(AccessUnit(bytes: [UInt8](repeating: 0, count: 8185)), to: &bytes)
    }
    #expect(bytes == [1, 2, 3])
    #expect(writer.frameCount == 0)
    bytes = []
    try writer.append(AccessUnit(bytes: [UInt8](repeating: 0, count: 8184)), to: &bytes)
    #expect(bytes.count == 8191)
    #expect(adtsEvents(bytes).frames.first?.header.frameLength == 8191)
    #expect(adtsEvents(bytes).frames.first?.header.copyrightIDStart == false)
  }

  @Test func checksumCountsTowardsTheLongestFrame() throws {
    var writer = try ADTSWriter(configuration: .stereo44100, hasChecksum: true)
    let region = ProtectedRegion(start: 3, count: 192, paddedCount: 192)
    func unit(_ count: Int) -> AccessUnit {
      AccessUnit(bytes: [UInt8](repeating: 0x20, count: count), protectedRegions: [region])
    }
    var bytes: [UInt8] = []
    #expect(throws: ContainerError.frameTooLong(byteCount: 8192, limit: 8191)) {
      try writer.append(unit(8183), to: &bytes)
    }
    try writer.append(unit(8182), to: &bytes)
    #expect(bytes.count == 8191)
  }

  @Test func valuesOutsideTheFieldsAreRefused() throws {
    func refuse(
      _ error: ContainerError, type: UInt8 = 2, rate: Int = 48_000, channels: Int = 2,
      frameLength: Int = 1024, version: ADTSHeader.Version = .mpeg4
    ) {
      var configuration = AudioSpecificConfig.test(
        AudioObjectType(rawValue: type), rate: rate, channels: channels)
      configuration.frameLength = frameLength
      #expect(throws: error) { try ADTSWriter(configuration: configuration, version: version) }
    }
    for rate in [-1, 0, 37_800, 44_099, 192_000] {
      refuse(.unsupportedSampleRate(rate), rate: rate)
    }
    for channels in [-1, 0, 8, 11, 12, 14, 15] {
      refuse(.unsupportedChannelConfiguration(channels), channels: channels)
    }
    for type in [0, 5, 17, 23, 29, 39, 42] as [UInt8] {
      refuse(.unsupportedObjectType(Int(type)), type: type)
    }
    refuse(.unsupportedFrameLength(960), frameLength: 960)
    // MPEG-2 has no long-term prediction.
    refuse(.unsupportedObjectType(4), type: 4, version: .mpeg2)
    _ = try ADTSWriter(configuration: .test(.longTermPrediction, rate: 48_000, channels: 2))
  }

  @Test(arguments: [
    (nil, 0x7FF), (0, 0), (-5, 0), (63, 0), (64, 1), (6400, 100), (10_000_000, 0x7FE),
  ])
  func fullnessIsTheReservoirInUnits(bits: Int?, code: Int) throws {
    var writer = try ADTSWriter(configuration: .stereo44100)
    var bytes: [UInt8] = []
    try writer.append(AccessUnit(bytes: [0xE0], reservoirBits: bits), to: &bytes)
    #expect(adtsEvents(bytes).frames.first?.header.bufferFullness == code)
  }

  @Test func layoutPrecedesEveryUnit() throws {
    var random = SeededNumbers(seed: 3)
    var program = ProgramConfig(
      try #require(ChannelConfiguration(rawValue: 6)),
      samplingFrequency: try #require(SamplingFrequency(hertz: 48_000)))
    program.comment = Array("two LFEs".utf8)
    program.lowFrequency = [0, 1]
    var configuration = AudioSpecificConfig.test(rate: 48_000, channels: 0)
    configuration.programConfig = program

    var writer = try ADTSWriter(configuration: configuration, hasChecksum: true)
    var bytes: [UInt8] = []
    var units: [AccessUnit] = []
    for _ in 0..<3 {
      // Begins with the identifier of a single channel element.
      let unit = AccessUnit(
        bytes: [0x01] + random.bytes(40), reservoirBits: 32 * 5 * 9,
        protectedRegions: [ProtectedRegion(start: 3, count: 192, paddedCount: 192)])
      try writer.append(unit, to: &bytes)
      units.append(unit)
    }
    let frames = adtsEvents(bytes).frames
    #expect(frames.count == 3)
    for (frame, unit) in zip(frames, units) {
      #expect(frame.header.channelConfiguration == 0)
      #expect(frame.header.bufferFullness == 9)
      var reader = BitReader(frame.payload)
      #expect(reader.read(3) == 5)
      #expect(ProgramConfig(reading: &reader, origin: 0) == program)
      let layoutBits = reader.position
      #expect(layoutBits % 8 == 0)
      #expect(Array(frame.payload[(layoutBits / 8)...]) == unit.bytes)
      let layout = ProtectedRegion(
        start: 3, count: layoutBits - 3, paddedCount: layoutBits - 3)
      let element = ProtectedRegion(start: layoutBits + 3, count: 192, paddedCount: 192)
      #expect(frame.checksumMatches(regions: [layout, element]) == true)
      #expect(frame.checksumMatches(regions: [element]) == false)
    }
  }

  @Test func writerDoesNotRepeatExistingProgramConfig() throws {
    var program = ProgramConfig(
      try #require(ChannelConfiguration(rawValue: 2)),
      samplingFrequency: try #require(SamplingFrequency(hertz: 44_100)))
    program.tag = 7
    var configuration = AudioSpecificConfig.stereo44100
    configuration.channelConfiguration = 0
    configuration.programConfig = program
    var writer = try ADTSWriter(configuration: configuration)
    var bytes: [UInt8] = []
    try writer.append(AccessUnit(bytes: [0xA0, 0x55, 0x66]), to: &bytes)
    #expect(bytes.count == 10)
    program.front = []
    configuration.programConfig = program
    #expect(throws: ContainerError.unsupportedChannelConfiguration(0)) {
      try ADTSWriter(configuration: configuration)
    }
  }
}
