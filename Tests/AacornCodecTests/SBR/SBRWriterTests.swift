import TestSignals
import Testing

@testable import AacornCodec

@Suite struct SBRWriterTests {
  static func isSame(_ read: SBRChannelData, _ data: SBRChannelData, _ tables: SBRTables) -> Bool {
    guard read.grid == data.grid, read.isCoarse == data.isCoarse,
      read.harmonics == data.harmonics
    else { return false }
    for band in 0..<tables.noiseCount {
      if read.inverseFiltering[band] != data.inverseFiltering[band] { return false }
      for floor in 0..<data.grid.noiseCount
      where read.noise[8 * floor + band] != data.noise[8 * floor + band] {
        return false
      }
    }
    for envelope in 0..<data.grid.envelopeCount {
      let offset = envelope * SBRTables.maxBandCount
      let count = tables.bandCount(isHigh: data.grid.isHigh(envelope))
      if read.envelopes[offset..<offset + count] != data.envelopes[offset..<offset + count] {
        return false
      }
    }
    return true
  }

  /// Three kinds of tables, with fine and with coarse steps.
  @Test(arguments: 0..<6, [1, 2])
  func framesAreReadAsTheyWereWritten(kind: Int, channelCount: Int) throws {
    let isCoarse = kind >= 3
    var script = try SBRScript(
      tables: kind % 3, isCoarse: isCoarse, channelCount: channelCount, seed: UInt64(7 + kind))
    let tables = script.tables
    var writer = SBRWriter(channelCount: channelCount)
    var reader = SBRReader(channelCount: channelCount, slotCount: 16)
    var decoder = SBRElementDecoder(
      coreRate: 22_050, frameLength: 1024, channelCount: channelCount, isDownsampled: false)
    var (inTime, inFrequency) = (0, 0)
    var classes: Set<SBRGrid.FrameClass> = []
    var couplings: Set<Bool> = []
    for frame in 0..<200 {
      script.advance()
      let header = frame % 16 == 0 ? script.header : nil
      writer.choose(
        script.channels, isCoupled: script.isCoupled, tables: tables, isFresh: header != nil)
      var payload = BitWriter()
      writer.put(to: &payload, script.channels, tables: tables, header: header)
      let byteCount = writer.byteCount(script.channels, tables: tables, header: header)
      #expect(payload.bitCount == 8 * byteCount)
      var bits = BitReader(payload.bytes)
      let extensionKind = ExtensionPayload.Kind(rawValue: UInt8(bits.readInt(4)))
      #expect(extensionKind == .spectralBandReplication)
      var sameBits = bits
      let isTaken = decoder.read(&sameBits, hasChecksum: false)
      #expect(isTaken)
      let hasHeader = bits.readFlag()
      #expect(hasHeader == (header != nil))
      if hasHeader {
        let read = SBRHeader(&bits)
        #expect(read == header)
      }
      let isRead = reader.read(&bits, tables, isCoarse: isCoarse)
      try #require(isRead)
      reader.advance(tables)
      #expect(reader.isCoupled == script.isCoupled)
      for channel in 0..<channelCount {
        #expect(
          Self.isSame(reader.channels[channel], script.channels[channel], tables),
          "frame \(frame), channel \(channel)")
        let grid = script.channels[channel].grid
        let count =
          writer.envelopesInTime[channel].nonzeroBitCount
          + writer.noiseInTime[channel].nonzeroBitCount
        inTime += count
        inFrequency += grid.envelopeCount + grid.noiseCount - count
        classes.insert(grid.frameClass)
        // The first envelope with coarse steps is not coded in time: after a splice, a decoder
        // would add the differences to levels with other steps.
        if script.channels[channel].isCoarse && !(script.isCoupled && channel == 1) {
          #expect(writer.envelopesInTime[channel] & 1 == 0)
        }
        if header != nil {
          #expect((writer.envelopesInTime[channel] | writer.noiseInTime[channel]) & 1 == 0)
        }
      }
      couplings.insert(script.isCoupled)
      // No extension, and the padding of the last byte.
      #expect(bits.remaining >= 1 && bits.remaining <= 8)
      let rest = bits.read(bits.remaining)
      #expect(rest == 0)
      writer.advance()
    }
    #expect(inTime > 50 && inFrequency > 50)
    #expect(classes.count == 4 && couplings.count == channelCount)
  }

  /// Differences in the other direction, time or frequency, never need fewer bits.
  @Test(arguments: [false, true], [1, 2])
  func theCheaperDifferencesAreTaken(isCoarse: Bool, channelCount: Int) throws {
    // All codebooks contain differences up to 31.
    var script = try SBRScript(
      tables: 1, isCoarse: isCoarse, channelCount: channelCount, greatest: 31, seed: 3)
    let tables = script.tables
    var writer = SBRWriter(channelCount: channelCount)
    var last: (isCoarse: [Bool], isCoupled: Bool)?
    var otherCount = 0
    for _ in 0..<200 {
      script.advance()
      let channels = script.channels
      writer.choose(channels, isCoupled: script.isCoupled, tables: tables, isFresh: false)
      for channel in 0..<channelCount {
        let data = channels[channel]
        let hasPast = last?.isCoupled == script.isCoupled
        let isLevel = !(script.isCoupled && channel == 1)
        let hasEnvelope =
          hasPast && last?.isCoarse[channel] == data.isCoarse && !(data.isCoarse && isLevel)
        func bitCount(_ writer: SBRWriter) -> Int {
          var counter = BitCounter()
          writer.putEnvelopes(&counter, of: data, tables: tables, channel: channel)
          writer.putNoise(&counter, of: data, tables: tables, channel: channel)
          return counter.bitCount
        }
        for envelope in (hasEnvelope ? 0 : 1)..<data.grid.envelopeCount {
          var other = writer
          other.envelopesInTime[channel] ^= 1 << UInt8(envelope)
          #expect(bitCount(other) >= bitCount(writer))
          otherCount += bitCount(other) - bitCount(writer)
        }
        for floor in (hasPast ? 0 : 1)..<data.grid.noiseCount {
          var other = writer
          other.noiseInTime[channel] ^= 1 << UInt8(floor)
          #expect(bitCount(other) >= bitCount(writer))
        }
      }
      last = (isCoarse: channels.map(\.isCoarse), isCoupled: script.isCoupled)
      writer.advance()
    }
    #expect(otherCount > 1000)
  }

  /// A jump from silence to a loud level exceeds the time codebooks.
  @Test func largeLevelJumpIsCodedInFrequency() throws {
    let script = try SBRScript(tables: 0, isCoarse: false, channelCount: 1, seed: 1)
    var channels = script.channels
    channels[0].grid = SBRGrid(even: 1, isHigh: true)
    var writer = SBRWriter(channelCount: 1)
    for (level, direction) in [(0, 0), (0, 1), (60, 0), (121, 0), (121, 1)] as [(UInt8, UInt8)] {
      for band in 0..<SBRTables.maxBandCount { channels[0].envelopes[band] = level }
      writer.choose(channels, isCoupled: false, tables: script.tables, isFresh: false)
      #expect(writer.envelopesInTime == [direction])
      #expect(writer.byteCount(channels, tables: script.tables) < 16)
      writer.advance()
    }
  }

  @Test(arguments: [false, true], [false, true])
  func limitsRaiseNoMoreThanTheyMust(isCoarse: Bool, isCoupled: Bool) throws {
    let script = try SBRScript(tables: 0, isCoarse: isCoarse, channelCount: 2, seed: 1)
    var random = SeededNumbers(seed: 5)
    let (most, step) = isCoarse ? (63, 31) : (127, 60)
    for _ in 0..<200 {
      var channels = script.channels
      for channel in 0..<2 {
        channels[channel].grid = SBRGrid(even: 2, isHigh: true)
        channels[channel].isCoarse = isCoarse
        for index in channels[channel].envelopes.indices {
          channels[channel].envelopes[index] = UInt8.random(in: 0...255, using: &random)
        }
        for index in 0..<16 {
          channels[channel].noise[index] = UInt8.random(in: 0...255, using: &random)
        }
      }
      let original = channels
      SBRWriter.limit(&channels, isCoupled: isCoupled, tables: script.tables)
      for channel in 0..<2 {
        let isBalance = isCoupled && channel == 1
        for offset in [0, SBRTables.maxBandCount] {
          let bands = offset..<offset + script.tables.bandCount(isHigh: true)
          let expected = bands.map { band -> Int in
            if isBalance {
              return min(Int(original[channel].envelopes[band]), isCoarse ? 24 : 48) / 2 * 2
            }
            return bands.map { other in
              min(Int(original[channel].envelopes[other]), most) - step * abs(other - band)
            }.max() ?? 0
          }
          #expect(channels[channel].envelopes[bands].map { Int($0) } == expected)
        }
        for index in 0..<16 {
          let value = Int(original[channel].noise[index])
          let expected = isBalance ? min(value, 24) / 2 * 2 : min(value, 30)
          #expect(Int(channels[channel].noise[index]) == expected)
        }
      }
    }
  }

  @Test func segmentBytesDoNotDependOnHistoryOrTrials() throws {
    var script = try SBRScript(tables: 0, isCoarse: true, channelCount: 2, seed: 11)
    var old = SBRWriter(channelCount: 2)
    var new = SBRWriter(channelCount: 2)
    for frame in 0..<40 {
      script.advance()
      var channels = script.channels
      if frame == 20 {
        old.begin(atFrame: 512)
        new.begin(atFrame: 512)
      }
      old.choose(channels, isCoupled: script.isCoupled, tables: script.tables, isFresh: false)
      if frame >= 20 {
        var others = channels
        SBRWriter.limit(&others, isCoupled: true, tables: script.tables)
        new.choose(others, isCoupled: true, tables: script.tables, isFresh: false)
        SBRWriter.limit(&channels, isCoupled: script.isCoupled, tables: script.tables)
        new.choose(channels, isCoupled: script.isCoupled, tables: script.tables, isFresh: false)
        var (first, second) = (BitWriter(), BitWriter())
        old.put(to: &first, channels, tables: script.tables)
        new.put(to: &second, channels, tables: script.tables)
        #expect(first.bytes == second.bytes, "frame \(frame)")
        new.advance()
      }
      old.advance()
    }
  }
}

extension SBRWriter {
  func byteCount(
    _ channels: [SBRChannelData], tables: SBRTables, header: SBRHeader? = nil,
    stereo: BitWriter? = nil
  ) -> Int {
    var counter = BitCounter()
    put(to: &counter, channels, tables: tables, header: header, stereo: stereo)
    return counter.bitCount / 8
  }
}
