import TestSignals
import Testing

@testable import AacornCodec
@testable import AacornInspection

@Suite struct ReplicationTests {
  /// Returns the units of noise, steady or in bursts, and their stream.
  private static func encoded(
    _ channelCount: Int, hasBursts: Bool = false
  ) throws -> (units: [[UInt8]], stream: AudioSpecificConfig) {
    var configuration = AACEncoder.Configuration(
      sampleRate: 44_100, channelCount: channelCount, bitrate: 32_000 * channelCount, effort: .fast)
    configuration.profile = .highEfficiency
    var encoder = try AACEncoder(configuration)
    var state: UInt32 = 1
    let samples = (0..<100_000 * channelCount).map { index -> Float in
      state = state &* 1_664_525 &+ 1_013_904_223
      let noise = Float(state >> 8) / Float(1 << 24) * 0.4 - 0.2
      return hasBursts && index / channelCount % 3037 > 300 ? noise / 1000 : noise
    }
    let (stream, units, _) = encoder.encoded(samples)
    return (units.map(\.bytes), stream)
  }

  private static func report(
    _ blocks: [[UInt8]], _ stream: AudioSpecificConfig = ReplicationBlock.stream
  ) throws -> (report: StreamReport, rows: [FrameRow]) {
    inspect(try adtsStream(blocks, configuration: stream))
  }

  private static func gridCount(_ counts: ReplicationCounts) -> Int64 {
    counts.fixFixChannels + counts.fixVarChannels + counts.varFixChannels + counts.varVarChannels
  }

  @Test(arguments: [1, 2])
  func ownStreamsAreCounted(channelCount: Int) throws {
    let (units, stream) = try Self.encoded(channelCount)
    let report = try Self.report(units, stream).report
    let counts = report.replication
    let frames = Int64(units.count)
    #expect(report.faults.count == 0 && report.frameCount == frames)
    #expect(counts.payloads == frames && counts.readPayloads == frames)
    #expect(counts.unheadedPayloads == 0 && counts.damagedPayloads == 0)
    #expect(counts.headerFrames == (frames + 7) / 8 && counts.headerDistance == 8)
    #expect(counts.channels == frames * Int64(channelCount))
    #expect(Self.gridCount(counts) == counts.channels)
    #expect(counts.envelopes >= counts.channels && counts.envelopes <= 5 * counts.channels)
    #expect(counts.pairs == (channelCount == 2 ? frames : 0))
    #expect(counts.coupledPairs <= counts.pairs && counts.sinePayloads <= frames)
    #expect(counts.stereo == StereoCounts())
    var bits = 0
    for unit in units {
      var reader = FrameReader(stream)
      try reader.read(unit)
      for part in reader.block.extensions where part.kind.isSpectralBandReplication {
        bits += part.bits.count
      }
    }
    #expect(counts.bits == Int64(bits) && bits > 0)
  }

  @Test func burstsHaveVariableBorders() throws {
    let (units, stream) = try Self.encoded(1, hasBursts: true)
    let counts = try Self.report(units, stream).report.replication
    #expect(counts.damagedPayloads == 0 && Self.gridCount(counts) == counts.channels)
    #expect(counts.fixFixChannels < counts.channels)
    #expect(counts.envelopes > counts.channels)
  }

  @Test(arguments: [1, 2])
  func aStreamThatWasJoinedLateIsReadFromItsFirstHeaderOn(channelCount: Int) throws {
    let (units, stream) = try Self.encoded(channelCount)
    let report = try Self.report(Array(units.dropFirst(3)), stream).report
    #expect(report.replication.unheadedPayloads == 5 && report.replication.damagedPayloads == 0)
    #expect(report.replication.headerDistance == 8 && report.faults.count == 0)
  }

  @Test func headersThatDoNotComeAgainAreFarApart() throws {
    var plain = ReplicationBlock()
    plain.hasHeader = false
    let blocks = [ReplicationBlock().bytes] + Array(repeating: plain.bytes, count: 29)
    let once = try Self.report(blocks).report.replication
    #expect(once.headerFrames == 1 && once.headerDistance == 30 && once.readPayloads == 30)
    // The maximum distance is between the first two headers.
    let thrice = try Self.report(blocks + Array(blocks[..<5]) + blocks[..<3]).report.replication
    #expect(thrice.headerFrames == 3 && thrice.headerDistance == 30)
    let never = try Self.report(Array(blocks.dropFirst())).report.replication
    #expect(never.headerFrames == 0 && never.headerDistance == 0)
    #expect(never.unheadedPayloads == 29 && never.channels == 0)
  }

  @Test func gridsAndSinesAreCounted() throws {
    var block = ReplicationBlock()
    block.grid = SBRGrid(even: 4, isHigh: false)
    block.harmonics = 0b101
    let transient = try #require(
      SBRGrid(
        borders: [0, 6, 8, 16, 0, 0, 0, 0], envelopeCount: 3, transient: 1, resolutions: 0))
    var other = ReplicationBlock()
    other.grid = transient
    let report = try Self.report([block.bytes, other.bytes, block.bytes]).report
    let counts = report.replication
    #expect(report.faults.count == 0 && counts.channels == 3)
    #expect(counts.fixFixChannels == 2 && Self.gridCount(counts) == 3)
    #expect(counts.envelopes == 11 && counts.sinePayloads == 2 && counts.pairs == 0)
  }

  @Test func stereoIsCounted() throws {
    var (first, second, third) = (ReplicationBlock(), ReplicationBlock(), ReplicationBlock())
    first.stereo = StereoData(modes: (levels: 1, coherences: 0), envelopeCount: 1)
    second.stereo = StereoData(modes: nil, envelopeCount: 4)
    second.stereo?.header.coherenceMode = 0
    third.stereo = StereoData(modes: (levels: 4, coherences: 2), envelopeCount: 2)
    let blocks = [second.bytes, first.bytes, second.bytes, third.bytes, ReplicationBlock().bytes]
    let (report, rows) = try Self.report(blocks)
    let counts = report.replication.stereo
    let profiles = Array(repeating: AudioObjectType.parametricStereo, count: 4)
    #expect(rows.map(\.profile) == profiles + [.spectralBandReplication])
    #expect(report.faults.count == 0)
    #expect(counts.payloads == 4 && counts.unheadedPayloads == 1 && counts.readPayloads == 3)
    #expect(counts.levelBands == 20 && counts.hasFineLevels && counts.coherenceBands == 34)
    #expect(counts.envelopes == 7 && counts.phasePayloads == 0)
    // The stereo bits and the other bits add up to all bits of the payloads.
    let payloads = [second, first, second, third, ReplicationBlock()].map(\.payload.count)
    #expect(counts.bits > 0 && counts.bits % 8 == 0)
    #expect(counts.bits + report.replication.bits == Int64(8 * payloads.reduce(0, +)))
    #expect(report.replication.bits >= Int64(5 * 8 * ReplicationBlock().payload.count))
  }

  @Test func payloadsThatCannotBeReadAreWarnings() throws {
    let good = ReplicationBlock()
    var (cut, header, checked) = (good, good, good)
    cut.keptCount = good.payload.count - 1
    header.hasImpossibleHeader = true
    checked.firstByte = 0xEF
    for (bad, damage) in [(cut, .data), (header, .header), (checked, .checksum)]
      as [(ReplicationBlock, ReplicationDamage)]
    {
      let (report, rows) = try Self.report([good.bytes, bad.bytes, good.bytes])
      #expect(report.faultKinds == [.replication(damage)])
      #expect(report.faults.warningCount == 1 && report.faults.errorCount == 0)
      #expect(rows.map(\.faultCount) == [0, 1, 0])
      #expect(report.replication.payloads == 3 && report.replication.damagedPayloads == 1)
      #expect(report.replication.readPayloads == 2 && report.replication.channels == 2)
      #expect(report.unreadableFrameCount == 0)
    }
  }

  /// The decoder skips two payloads after damage, because they may belong to another stream.
  @Test func payloadsThatTheDecoderSkipsAreWarnings() throws {
    var (cut, plain) = (ReplicationBlock(), ReplicationBlock())
    cut.keptCount = cut.payload.count - 1
    plain.hasHeader = false
    let blocks = [ReplicationBlock(), cut, plain, plain, plain].map(\.bytes)
    let (report, rows) = try Self.report(blocks)
    let skipped = StreamFault.Kind.replication(.skipped)
    #expect(report.faultKinds == [.replication(.data), skipped, skipped])
    #expect(report.faults.warningCount == 3)
    #expect(rows.map(\.faultCount) == [0, 1, 1, 1, 0])
    #expect(report.replication.damagedPayloads == 1 && report.replication.readPayloads == 4)
  }

  /// The references are broken until the next header, in every eighth frame.
  @Test func payloadThatRefersToAMissingFrameIsAWarning() throws {
    let (units, stream) = try Self.encoded(1)
    let silence = try #require(SilentUnit.bytes(stream))
    var tornCount = 0
    for index in 8..<16 {
      var blocks = units
      blocks[index] = silence
      let faults = try Self.report(blocks, stream).report.faults.first
      let gaps = faults.filter { $0.kind == .replication(.gap) }
      #expect(gaps.allSatisfy { $0.frame > index && $0.frame < 16 && $0.severity == .warning })
      if !gaps.isEmpty { tornCount += 1 }
    }
    #expect(tornCount > 4)
  }

  @Test func gridGapIndicatesMissingFrame() throws {
    let (units, stream) = try Self.encoded(1, hasBursts: true)
    let counts = try units.indices.map { index in
      var blocks = units
      blocks.remove(at: index)
      return try Self.report(blocks, stream).report.faultKinds.count { $0 == .replication(.gap) }
    }
    #expect(counts.contains { $0 > 0 })
    #expect(stride(from: 7, to: counts.count, by: 8).allSatisfy { counts[$0] == 0 })
  }

  @Test func stereoThatCannotBeReadIsAWarning() throws {
    var (good, bad) = (ReplicationBlock(), ReplicationBlock())
    good.stereo = StereoData(modes: (levels: 0, coherences: 0), envelopeCount: 1)
    bad.stereo = good.stereo
    // The second level is past the last step.
    bad.stereo?.levels.differences[0] = 7
    bad.stereo?.levels.differences[1] = 7
    let (report, rows) = try Self.report([good.bytes, bad.bytes, good.bytes])
    #expect(report.faultKinds == [.replication(.stereo)])
    #expect(report.faults.warningCount == 1 && rows[1].faultCount == 1)
    #expect(report.replication.damagedPayloads == 0)
    #expect(report.replication.stereo.payloads == 3)
    #expect(report.replication.stereo.damagedPayloads == 1)
    let fault = try #require(report.faults.first.first)
    #expect("\(fault.name)" == "stereo-data")
    #expect(String(decoding: fault.message, as: UTF8.self).hasPrefix("parametric stereo that"))
  }

  @Test func streamsWithoutReplicationHaveNone() throws {
    let block = TestBlock(fillCount: 20).bytes
    let report = inspect(try adtsStream([block, block])).report
    #expect(report.replication == ReplicationCounts())
  }

  /// Random payloads neither trap nor count as errors.
  @Test func garbagePayloadsOnlyWarn() throws {
    var random = SeededNumbers(seed: 5)
    func next() -> UInt8 { UInt8(truncatingIfNeeded: random.next()) }
    var stereo = ReplicationBlock()
    stereo.stereo = StereoData(modes: (levels: 4, coherences: 1), envelopeCount: 2)
    // The payload begins after 29 bits of the channel and 7 or 15 bits of the fill element.
    let start = 7
    let blocks = (0..<1500).map { round -> [UInt8] in
      var block = round % 3 == 0 ? ReplicationBlock().bytes : stereo.bytes
      for offset in start..<block.count - 1 where round % 2 == 0 || next() < 20 {
        block[offset] = next()
      }
      return block
    }
    let report = try Self.report(blocks).report
    #expect(report.frameCount == 1500 && report.unreadableFrameCount == 0)
    #expect(report.replication.payloads == 1500)
    #expect(report.replication.damagedPayloads > 100 && report.faults.errorCount == 0)
  }
}
