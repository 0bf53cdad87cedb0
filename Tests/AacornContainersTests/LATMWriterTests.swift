import AacornCodec
import AacornContainers
import TestSignals
import Testing

struct LATMWriterTests {
  @Test func streamMatchesTheVector() throws {
    let vectors = try TransportVectors.load()
    var writer = try LATMWriter(configuration: mp4Mono, configurationInterval: 2)
    var bytes: [UInt8] = []
    for packet in vectors.packets {
      try writer.append(AccessUnit(bytes: hexBytes(packet)), to: &bytes)
    }
    #expect(bytes == hexBytes(vectors.loas))
    #expect(writer.frameCount == 4)
  }

  @Test(
    arguments: SamplingFrequency.all.map { $0.hertz } + [37_800], [1, 2, 3, 4, 5, 6, 7, 11, 12])
  func readerFindsWhatWasWritten(rate: Int, channels: Int) throws {
    let configuration = AudioSpecificConfig.test(rate: rate, channels: channels)
    var random = SeededNumbers(seed: 7)
    // Near the lengths at which the length field grows by a byte.
    let payloads = [0, 1, 254, 255, 256, 509, 510, 511, 900, 3].map { random.bytes($0) }
    let events = latmEvents(try latmStream(configuration, payloads))
    #expect(events.frames.map { $0.payload } == payloads)
    #expect(events.frames.allSatisfy { $0.configuration == configuration })
    #expect(events.count == payloads.count)
  }

  @Test func configurationIsInEveryEighthFrame() throws {
    let payloads = (0..<20).map { [UInt8](repeating: 0x11, count: 30 + $0) }
    let events = latmEvents(try latmStream(mp4Mono, payloads))
    let fullnessIndices = events.frames.indices.filter { events.frames[$0].bufferFullness != nil }
    #expect(fullnessIndices == [0, 8, 16])
  }

  @Test(arguments: [(nil, 0xFF), (-3, 0), (63, 1), (320, 10), (1_000_000, 0xFE)])
  func fullnessIsTheReservoirInUnits(bits: Int?, code: Int) throws {
    var writer = try LATMWriter(configuration: mp4Mono)
    var bytes: [UInt8] = []
    try writer.append(AccessUnit(bytes: [0xE0], reservoirBits: bits), to: &bytes)
    #expect(latmEvents(bytes).frames.first?.bufferFullness == code)
  }

  @Test func configurationIsReadBackUnlessItIsBackwardCompatible() throws {
    let core = AudioSpecificConfig.test(rate: 24_000)
    var replicated = core
    replicated.extensionSampleRate = 48_000
    replicated.hasParametricStereo = true
    replicated.signaling = .hierarchical
    var program = core
    program.channelConfiguration = 0
    program.programConfig = ProgramConfig(
      try #require(ChannelConfiguration(rawValue: 5)),
      samplingFrequency: try #require(SamplingFrequency(hertz: 24_000)))
    for configuration in [core, replicated, program] {
      let events = latmEvents(try latmStream(configuration, [[0x01, 0x40], [0x02]]))
      #expect(events.frames.map { $0.configuration } == [configuration, configuration])
    }
    // Backward-compatible SBR becomes implicit.
    replicated.signaling = .backwardCompatible
    let events = latmEvents(try latmStream(replicated, [[0x21, 0x40]]))
    #expect(events.frames.map { $0.configuration } == [core])
  }

  /// A file signals its SBR, because LATM has no extension that decoders without SBR skip.
  @Test(arguments: [(false, 5), (true, 29)])
  func latmFileSignalsSBRHierarchically(isParametric: Bool, type: Int) throws {
    let core = AudioSpecificConfig.test(rate: 24_000, channels: isParametric ? 1 : 2)
    var configuration = core
    configuration.extensionSampleRate = 48_000
    configuration.hasParametricStereo = isParametric
    func file(_ signaling: AudioSpecificConfig.Signaling) throws -> [UInt8] {
      configuration.signaling = signaling
      var writer = try CodedFileWriter(
        CodedFileWriter.Configuration(.latm, stream: configuration))
      var bytes: [UInt8] = []
      try writer.append(AccessUnit(bytes: [0x21, 0x40]), to: &bytes)
      return bytes
    }
    // The file keeps implicit SBR.
    let implicit = try file(.implicit)
    #expect(latmEvents(implicit).frames.map { $0.configuration } == [core])
    let bytes = try file(.backwardCompatible)
    configuration.signaling = .hierarchical
    #expect(latmEvents(bytes).frames.map { $0.configuration } == [configuration])
    // The outer object type follows 24 bits of the header and 16 of the element.
    #expect(Int(bytes[5] >> 3) == type)
  }

  @Test func writerRejectsElementsAboveMaximum() throws {
    var writer = try LATMWriter(configuration: mp4Mono, configurationInterval: 100)
    var bytes: [UInt8] = []
    try writer.append(AccessUnit(bytes: [0xE0]), to: &bytes)
    let start = bytes
    // 1 bit, 32 bytes of length and 8,159 bytes of payload are 8,191 bytes and 1 bit.
    #expect(throws: ContainerError.frameTooLong(byteCount: 8192, limit: 8191)) {
      try writer.append(AccessUnit(bytes: [UInt8](repeating: 1, count: 8159)), to: &bytes)
    }
    #expect(throws: ContainerError.frameTooLong(byteCount: 100_000, limit: 8191)) {
      try writer.append(AccessUnit(bytes: [UInt8](repeating: 1, count: 100_000)), to: &bytes)
    }
    #expect(bytes == start)
    #expect(writer.frameCount == 1)
    let longest = [UInt8](repeating: 1, count: 8158)
    try writer.append(AccessUnit(bytes: longest), to: &bytes)
    #expect(bytes.count == start.count + 3 + 8191)
    #expect(latmEvents(bytes).frames.last?.payload == longest)
  }

  @Test func writerRejectsUnsupportedConfigurations() {
    func make(_ type: UInt8, _ rate: Int, _ channels: Int) throws(ContainerError) {
      _ = try LATMWriter(
        configuration: .test(AudioObjectType(rawValue: type), rate: rate, channels: channels))
    }
    #expect(throws: ContainerError.unsupportedObjectType(39)) { try make(39, 48_000, 2) }
    #expect(throws: ContainerError.unsupportedSampleRate(0)) { try make(2, 0, 2) }
    #expect(throws: ContainerError.unsupportedSampleRate(1 << 24)) { try make(2, 1 << 24, 2) }
    for channels in [-1, 0, 8, 9, 10, 13, 15, 16] {
      #expect(throws: ContainerError.unsupportedChannelConfiguration(channels)) {
        try make(2, 48_000, channels)
      }
    }
  }
}

func latmStream(_ configuration: AudioSpecificConfig, _ payloads: [[UInt8]]) throws -> [UInt8] {
  var writer = try LATMWriter(configuration: configuration)
  var bytes: [UInt8] = []
  for payload in payloads { try writer.append(AccessUnit(bytes: payload), to: &bytes) }
  return bytes
}

func latmEvents(_ bytes: [UInt8], chunk: Int = .max) -> [LATMReader.Event] {
  LATMReader().events(of: bytes, chunk: chunk)
}

extension [LATMReader.Event] {
  var frames: [LATMFrame] { compactMap { if case .frame(let frame) = $0 { frame } else { nil } } }

  var damage: [StreamDamage] {
    compactMap { if case .damage(let damage) = $0 { damage } else { nil } }
  }
}
