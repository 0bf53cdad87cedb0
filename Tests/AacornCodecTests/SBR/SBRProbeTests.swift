import Testing

@testable import AacornCodec

/// Information about payloads of band replication, without decoding them.
@Suite struct SBRProbeTests {
  /// The number of channels of a silent element, and its payload.
  private typealias Part = (channelCount: Int, payload: [UInt8])

  private static func stream(_ channelConfiguration: Int) -> AudioSpecificConfig {
    .test(rate: 22_050, channels: channelConfiguration)
  }

  private static func block(_ parts: [Part]) -> [UInt8] {
    var bits = BitWriter()
    for part in parts {
      bits.put([(part.channelCount == 2 ? 1 : 0, 3), (0, part.channelCount == 2 ? 5 : 4)])
      // A gain and a long window, without bands and tools.
      for _ in 0..<part.channelCount { bits.put([(100, 8), (0, 14)]) }
      let count = part.payload.count
      if count == 0 { continue }
      bits.put(6, count: 3)
      bits.put(UInt32(min(count, 15)), count: 4)
      if count >= 15 { bits.put(UInt32(count - 14), count: 8) }
      for byte in part.payload { bits.put(UInt32(byte), count: 8) }
    }
    bits.put(7, count: 3)
    return bits.bytes
  }

  private static func read(_ probe: inout SBRProbe, _ parts: [Part]) throws {
    let bytes = block(parts)
    var reader = FrameReader(stream(parts.count == 1 ? parts[0].channelCount : 3))
    try reader.read(bytes)
    probe.read(reader.block, in: bytes, range: 0..<bytes.count)
  }

  private static func facts(
    _ probe: inout SBRProbe, _ payload: [UInt8], channelCount: Int = 1
  ) throws -> SBRFacts {
    try read(&probe, [(channelCount, payload)])
    try #require(probe.payloads.count == 1)
    return probe.payloads[0]
  }

  /// After a payload that ends before its header flag, the end element follows with a one.
  @Test func cutPayloadHasNoHeader() throws {
    let bytes = Self.block([(1, [0xE0])])
    var reader = FrameReader(Self.stream(1))
    try reader.read(bytes)
    let payloads = reader.block.extensions
    #expect(payloads.map(\.kind) == [.checkedSpectralBandReplication])
    #expect(payloads.allSatisfy { !$0.hasReplicationHeader(in: bytes) })
  }

  private static func payload(
    _ script: SBRScript, hasHeader: Bool = true, stereo: BitWriter? = nil
  ) -> [UInt8] {
    var writer = SBRWriter(channelCount: script.channels.count)
    writer.choose(
      script.channels, isCoupled: script.isCoupled, tables: script.tables, isFresh: true)
    var payload = BitWriter()
    writer.put(
      to: &payload, script.channels, tables: script.tables,
      header: hasHeader ? script.header : nil, stereo: stereo)
    return payload.bytes
  }

  private static func script(_ channelCount: Int, seed: UInt64 = 3) throws -> SBRScript {
    var script = try SBRScript(
      tables: 0, isCoarse: false, channelCount: channelCount, greatest: 20, seed: seed)
    script.advance()
    return script
  }

  @Test(arguments: [0, 1, 2], [1, 2])
  func probeReportsWrittenFrames(tables: Int, channelCount: Int) throws {
    var script = try SBRScript(
      tables: tables, isCoarse: tables == 1, channelCount: channelCount, greatest: 31, seed: 5)
    var writer = SBRWriter(channelCount: channelCount)
    var probe = SBRProbe(Self.stream(channelCount))
    var frameCount = 0
    var classes: Set<SBRGrid.FrameClass> = []
    for _ in 0..<100 {
      script.advance()
      let (channels, header) = (script.channels, frameCount % 8 == 0 ? script.header : nil)
      writer.choose(
        channels, isCoupled: script.isCoupled, tables: script.tables, isFresh: header != nil)
      var payload = BitWriter()
      writer.put(to: &payload, channels, tables: script.tables, header: header)
      // Random frames may exceed the capacity of a fill element.
      if payload.bitCount > 8 * SBRWriter.maxByteCount { continue }
      writer.advance()
      frameCount += 1
      let facts = try Self.facts(&probe, payload.bytes, channelCount: channelCount)
      #expect(facts.state == .read && facts.hasHeader == (header != nil))
      #expect(facts.bitCount == payload.bitCount && facts.stereo == nil)
      #expect(facts.channelCount == channelCount && facts.isCoupled == script.isCoupled)
      let grids = channels.map(\.grid)
      for index in 0..<4 {
        let count = grids.count(where: { Int($0.frameClass.rawValue) == index })
        #expect(facts.gridClasses[index] == Int64(count))
      }
      for grid in grids { classes.insert(grid.frameClass) }
      #expect(facts.envelopeCount == grids.reduce(0) { $0 + $1.envelopeCount })
      let hasHarmonics = channels.contains { $0.harmonics != 0 }
      #expect(facts.hasHarmonics == hasHarmonics)
    }
    #expect(frameCount > 80 && classes.count == 4)
  }

  @Test(arguments: [1, 2])
  func probeDetectsEveryTruncation(channelCount: Int) throws {
    let payload = Self.payload(try Self.script(channelCount))
    for count in 1..<payload.count {
      var probe = SBRProbe(Self.stream(channelCount))
      let cut = try Self.facts(&probe, Array(payload[..<count]), channelCount: channelCount)
      #expect(cut.state == .illegalHeader || cut.state == .illegalData, "\(count)")
      #expect(cut.bitCount == 8 * count)
      // The next header ends the error state.
      let whole = try Self.facts(&probe, payload, channelCount: channelCount)
      #expect(whole.state == .read)
    }
  }

  @Test func nothingIsReadBeforeAHeader() throws {
    let script = try Self.script(1)
    var probe = SBRProbe(Self.stream(1))
    let early = try Self.facts(&probe, Self.payload(script, hasHeader: false))
    #expect(early.state == .withoutHeader && !early.hasHeader && early.envelopeCount == 0)
    let first = try Self.facts(&probe, Self.payload(script))
    #expect(first.state == .read && first.hasHeader)
    let next = try Self.facts(&probe, Self.payload(script, hasHeader: false))
    #expect(next.state == .read && !next.hasHeader)
  }

  @Test func impossibleHeaderIsReportedAndInvalidatesPrevious() throws {
    let script = try Self.script(1)
    var header = script.header
    header.spectrum.startFrequency = 15
    header.spectrum.stopFrequency = 0
    let isImpossible = SBRTables(header, rate: 44_100) == nil
    try #require(isImpossible)
    var bad = BitWriter()
    bad.put([(0xD, 4), (1, 1)])
    header.put(to: &bad)
    bad.put(0, count: 32)
    var probe = SBRProbe(Self.stream(1))
    _ = try Self.facts(&probe, Self.payload(script))
    let facts = try Self.facts(&probe, bad.bytes)
    #expect(facts.state == .illegalHeader && !facts.hasHeader)
    #expect(try Self.facts(&probe, Self.payload(script, hasHeader: false)).state == .withoutHeader)
    #expect(try Self.facts(&probe, Self.payload(script)).state == .read)
  }

  /// A payload above full scale is not applied, nor the next ones without a header.
  @Test func payloadAboveFullScaleIsNotApplied() throws {
    let script = try SBRScript(tables: 0, isCoarse: true, channelCount: 1, seed: 1)
    var probe = SBRProbe(Self.stream(1))
    for (level, hasHeader, isApplied) in [
      (20, true, true), (50, false, false), (20, false, false), (20, true, true),
    ] {
      var channels = script.channels
      channels[0].grid = SBRGrid(even: 2, isHigh: true)
      channels[0].isCoarse = true
      for index in channels[0].envelopes.indices { channels[0].envelopes[index] = UInt8(level) }
      channels[0].noise = SIMD16(repeating: 4)
      channels[0].harmonics = 0
      var writer = SBRWriter(channelCount: 1)
      writer.choose(channels, isCoupled: false, tables: script.tables, isFresh: true)
      var payload = BitWriter()
      writer.put(
        to: &payload, channels, tables: script.tables, header: hasHeader ? script.header : nil)
      let facts = try Self.facts(&probe, payload.bytes)
      #expect(facts.state == .read && facts.isApplied == isApplied, "\(level)")
    }
  }

  @Test func checksumsAreChecked() throws {
    let plain = Self.payload(try Self.script(1))
    // The checksum covers the bits after the 4-bit type, and 6 bits of padding.
    let count = 8 * plain.count - 4 + 6
    var content = BitWriter()
    var rest = BitReader(plain)
    rest.skip(4)
    while rest.remaining > 0 { content.put(rest.read(1), count: 1) }
    content.put(0, count: 6)
    let checksum = SBRChecksum.ofRemainingBits(BitReader(content.bytes, bits: 0..<count))
    for isRight in [true, false] {
      var checked = BitWriter()
      checked.put([(0xE, 4), (UInt32(isRight ? checksum : checksum ^ 1), 10)])
      var bits = BitReader(content.bytes, bits: 0..<count)
      while bits.remaining > 0 { checked.put(bits.read(1), count: 1) }
      var probe = SBRProbe(Self.stream(1))
      let facts = try Self.facts(&probe, checked.bytes)
      #expect(facts.state == (isRight ? .read : .wrongChecksum))
      #expect(facts.hasHeader == isRight)
    }
  }

  /// Elements are distinguished by their order, regardless of their tags.
  @Test func elementsDoNotDisturbEachOther() throws {
    let (single, pair) = (try Self.script(1, seed: 8), try Self.script(2, seed: 9))
    var probe = SBRProbe(Self.stream(3))
    for frame in 0..<3 {
      let hasHeader = frame == 0
      let payloads = [single, pair].map { Self.payload($0, hasHeader: hasHeader) }
      try Self.read(&probe, [(1, payloads[0]), (2, payloads[1])])
      try #require(probe.payloads.count == 2)
      #expect(probe.payloads.allSatisfy { $0.state == .read && $0.hasHeader == hasHeader })
      #expect(probe.payloads.map(\.channelCount) == [1, 2])
      #expect(probe.payloads[1].isCoupled == pair.isCoupled)
    }
    // Only the second element has a payload.
    let payload = Self.payload(pair, hasHeader: false)
    try Self.read(&probe, [(1, []), (2, payload)])
    #expect(probe.payloads.map(\.channelCount) == [2])
    // The state of an element of another kind is not continued.
    try Self.read(&probe, [(2, payload), (2, payload)])
    #expect(probe.payloads.map(\.state) == [.withoutHeader, .read])
  }

  @Test func payloadWithoutElementIsIgnored() throws {
    var bits = BitWriter()
    bits.put([(6, 3), (4, 4), (0xD555_5555, 32), (7, 3)])
    let bytes = bits.bytes
    var reader = FrameReader(Self.stream(1))
    try reader.read(bytes)
    try #require(reader.block.extensions.count == 1)
    var probe = SBRProbe(Self.stream(1))
    probe.read(reader.block, in: bytes, range: 0..<bytes.count)
    #expect(probe.payloads.isEmpty)
  }

  @Test func probeReportsStereoWithBitCount() throws {
    let script = try Self.script(1)
    var data = StereoData()
    data.hasHeader = true
    data.header = ParametricStereoTests.header(1, 1)
    data.envelopeCount = 2
    var stereo = BitWriter()
    data.put(to: &stereo)
    let payload = Self.payload(script, stereo: stereo)
    var probe = SBRProbe(Self.stream(1))
    let facts = try Self.facts(&probe, payload)
    let size = (2 + stereo.bitCount + 7) / 8
    #expect(facts.state == .read && facts.bitCount == 8 * (payload.count - size))
    let found = try #require(facts.stereo)
    #expect(found.state == .read && found.bitCount == 8 * size)
    #expect(found.levelBandCount == 20 && found.coherenceBandCount == 20)
    #expect(found.envelopeCount == 2 && !found.hasFineLevels && !found.hasPhases)
  }
}
