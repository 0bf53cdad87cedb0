import AacornCodec
import AacornContainers
import Testing

@testable import AacornApple

/// The requests for the system's encoder, and the parsing of its responses.
@Suite struct ConverterOrderTests {
  private func configuration(
    _ profile: SystemEncoderConfiguration.Profile = .lowComplexity, sampleRate: Int = 48_000,
    channelCount: Int = 2, bitrate: Int = 64_000
  ) -> SystemEncoderConfiguration {
    SystemEncoderConfiguration(
      sampleRate: sampleRate, channelCount: channelCount, profile: profile,
      rateControl: .constant(bitsPerSecond: bitrate))
  }

  @Test(
    arguments: [
      (.lowComplexity, "aac ", 1024), (.highEfficiency, "aach", 2048),
      (.highEfficiencyV2, "aacp", 2048), (.lowDelay, "aacl", 512), (.enhancedLowDelay, "aace", 512),
    ] as [(SystemEncoderConfiguration.Profile, String, Int)])
  func eachProfileHasAFormat(
    profile: SystemEncoderConfiguration.Profile, name: String, frameCount: Int
  ) {
    let order = ConverterOrder(configuration(profile))
    #expect(FourCharacterCode(rawValue: order.target.formatID).bytes == Array(name.utf8))
    #expect(order.target.framesPerPacket == frameCount && order.target.flags == 0)
    #expect(order.target.bytesPerFrame == 0)
    #expect(order.source.flags == 9 && order.source.bytesPerFrame == 8)
    #expect(FourCharacterCode(rawValue: order.source.formatID).bytes == Array("lpcm".utf8))
    #expect(order.components.isEmpty)
  }

  @Test func processingSelectsCodecComponent() throws {
    var request = configuration()
    request.processing = .hardware
    let maker = try #require(ConverterOrder(request).components.first)
    #expect(FourCharacterCode(rawValue: maker.type).bytes == Array("aenc".utf8))
    #expect(FourCharacterCode(rawValue: maker.subtype).bytes == Array("aac ".utf8))
    #expect(FourCharacterCode(rawValue: maker.manufacturer).bytes == Array("aphw".utf8))
    request.processing = .software
    let software = try #require(ConverterOrder(request).components.first)
    #expect(FourCharacterCode(rawValue: software.manufacturer).bytes == Array("appl".utf8))
  }

  @Test func validationRejectsImpossibleConfigurations() throws {
    try configuration().validate()
    try configuration(channelCount: 1).validate()
    for (profile, count): (SystemEncoderConfiguration.Profile, Int) in [
      (.lowComplexity, 6), (.lowComplexity, 0), (.highEfficiencyV2, 1),
    ] {
      #expect(throws: AACBackEndError.unsupportedChannelCount(count)) {
        try configuration(profile, channelCount: count).validate()
      }
    }
    let rates: [(SystemEncoderConfiguration.Profile, Int)] = [
      (.lowComplexity, 44_000), (.lowComplexity, 7_350), (.highEfficiency, 8_000),
      (.highEfficiency, 96_000), (.lowDelay, 64_000), (.lowDelay, -1),
    ]
    for (profile, rate) in rates {
      #expect(throws: AACBackEndError.unsupportedSampleRate(rate)) {
        try configuration(profile, sampleRate: rate).validate()
      }
    }
    for bitrate in [0, -1, Int.max] {
      #expect(throws: AACBackEndError.self) { try configuration(bitrate: bitrate).validate() }
    }
    var variable = configuration()
    variable.rateControl = .variable(level: 6)
    #expect(throws: AACBackEndError.levelOutOfRange(6)) { try variable.validate() }
  }

  @Test func settingsOfTheOwnEncoderHaveACounterpart() {
    var own = AACEncoder.Configuration(
      sampleRate: 44_100, channelCount: 2, bitrate: 48_000, effort: .best)
    own.profile = .highEfficiencyV2
    own.signaling = .hierarchical
    let request = SystemEncoderConfiguration(own, .software)
    #expect(request.profile == .highEfficiencyV2 && request.quality == .highest)
    #expect(request.processing == .software && request.signaling == .hierarchical)
    #expect(request.rateControl == .constant(bitsPerSecond: 48_000))
  }

  @Test func missingSystemEncoderIsRejected() throws {
    let own = AACEncoder.Configuration(sampleRate: 44_100, channelCount: 2)
    try AACBackEnd.own.validate(own)
    if AACBackEnd.hasSystemEncoder {
      try AACBackEnd.system().validate(own)
    } else {
      #expect(throws: AACBackEndError.noSystemEncoder) { try AACBackEnd.system().validate(own) }
    }
  }

  // MARK: Responses

  @Test func aPacketIsWhereItsDescriptionSays() throws {
    let area: [UInt8] = [1, 2, 3, 4]
    func packet(
      _ status: Int32, _ count: UInt32, _ offset: Int64, _ byteCount: UInt32
    ) throws -> ConverterPacket {
      try ConverterPacket(
        status: status, packetCount: count, area: area, offset: offset, byteCount: byteCount)
    }
    let starved = ConverterStatus.starved.code
    #expect(try packet(0, 1, 1, 2) == .bytes([2, 3]))
    #expect(try packet(starved, 1, 0, 4) == .bytes(area))
    #expect(try packet(starved, 0, 0, 0) == .nothing)
    #expect(try packet(0, 0, 0, 0) == .end)
    #expect(throws: ConverterStatus(-50)) { try packet(-50, 1, 0, 4) }
    let wrong: [(Int64, UInt32)] = [(-1, 1), (5, 1), (.max, 1), (1, 4), (0, .max)]
    for (offset, count) in wrong {
      #expect(throws: ConverterStatus.misplacedPacket) { try packet(0, 1, offset, count) }
    }
  }

  @Test func supplyReturnsCompleteFrames() {
    let supply = ConverterSupply(channelCount: 2)
    #expect(supply.fetch(frameCount: 10) == .nothing)
    let samples: [Float] = [1, 2, 3]
    supply.append(samples.span)
    #expect(supply.frameCount == 1)
    #expect(supply.fetch(frameCount: 10) == .samples([1, 2]))
    #expect(supply.fetch(frameCount: 10) == .nothing)
    supply.append(samples.span)
    #expect(supply.fetch(frameCount: 0) == .nothing)
    #expect(supply.fetch(frameCount: 1) == .samples([3, 1]))
    #expect(supply.fetch(frameCount: 1) == .samples([2, 3]))
    supply.append(samples.span)
    supply.finish()
    supply.append(samples.span)
    #expect(supply.frameCount == 5)
    #expect(supply.fetch(frameCount: -1) == .nothing)
    #expect(supply.fetch(frameCount: 10) == .samples([1, 2, 3, 0]))
    #expect(supply.fetch(frameCount: 10) == .end)
  }

  @Test func errorsSayWhatToDo() {
    let errors: [AACBackEndError] = [
      .noSystemEncoder, .unsupportedFormat, .unsupportedChannelCount(3), .unsupportedSampleRate(5),
      .bitrateOutOfRange(requested: 1, lowest: 2, highest: 3), .levelOutOfRange(9), .hardwareInUse,
      .noHardwarePermission, .noConfiguration, .unexpectedStream(sampleRate: 1, channelCount: 1),
      .call(.create, status: -1), .call(.configure, status: -1), .call(.describe, status: -1),
      .call(.encode, status: -1),
    ]
    #expect(Set(errors.map(\.message)).count == errors.count)
    for error in errors {
      #expect(error.message.contains("hoose") && error.message.hasSuffix("."))
    }
  }
}
