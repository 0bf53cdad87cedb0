import Testing

@testable import AacornCodec

/// Differences in time that refer to a frame other than the last one received.
@Suite struct SBRTrustTests {
  /// Returns a mono payload after its type, with one envelope or a header.
  private static func payload(
    _ writer: inout SBRWriter, _ script: SBRScript, level: UInt8, grid: SBRGrid,
    header: SBRHeader? = nil, isFresh: Bool = false, isInTime: Bool = false, isCoarse: Bool = true
  ) -> [UInt8] {
    var channels = script.channels
    channels[0].grid = grid
    channels[0].isCoarse = isCoarse && !grid.hasFineSteps
    // Neighboring bands differ more than frames do, so that time differences are cheaper.
    for index in channels[0].envelopes.indices {
      channels[0].envelopes[index] = level + UInt8(8 * (index & 1))
    }
    for index in 0..<16 { channels[0].noise[index] = level / 4 }
    channels[0].harmonics = 0
    writer.choose(
      channels, isCoupled: false, tables: script.tables, isFresh: isFresh || header != nil)
    if isInTime { writer.envelopesInTime[0] = 1 }
    var payload = BitWriter()
    writer.put(to: &payload, channels, tables: script.tables, header: header)
    writer.advance()
    return payload.bytes
  }

  private static func read(
    _ reader: inout SBRReader, _ payload: [UInt8], _ tables: SBRTables, isCoarse: Bool = true
  ) -> Bool {
    var bits = BitReader(payload)
    bits.skip(5)
    guard reader.read(&bits, tables, isCoarse: isCoarse) else { return false }
    reader.advance(tables)
    return true
  }

  private static func read(_ decoder: inout SBRElementDecoder, _ payload: [UInt8]) -> Bool {
    var bits = BitReader(payload)
    bits.skip(4)
    return decoder.read(&bits, hasChecksum: false)
  }

  /// Truncated data has the same effect on later frames as a missing frame, and no effect on a
  /// second payload of its frame.
  @Test(arguments: [1, 2], [false, true])
  func truncatedDataDoesNotChangeReferences(envelopeCount: Int, isSameFrame: Bool) throws {
    let script = try SBRScript(tables: 0, isCoarse: true, channelCount: 1, seed: 1)
    let grid = SBRGrid(even: envelopeCount, isHigh: true)
    var writer = SBRWriter(channelCount: 1)
    let payloads = [(40, true), (60, true), (61, false)].map { level, isFresh in
      Self.payload(
        &writer, script, level: UInt8(level), grid: grid, isFresh: isFresh, isInTime: !isFresh)
    }
    var reader = SBRReader(channelCount: 1, slotCount: 16)
    let isFirstRead = Self.read(&reader, payloads[0], script.tables)
    try #require(isFirstRead)
    if isSameFrame { reader.handleMissingFrame() }
    for count in 1..<payloads[1].count - 1 {
      var (damaged, missing) = (reader, reader)
      let isRead = Self.read(&damaged, Array(payloads[1].prefix(count)), script.tables)
      #expect(!isRead, "\(count)")
      if !isSameFrame {
        damaged.handleMissingFrame()
        missing.handleMissingFrame()
      }
      let areRead = (
        Self.read(&damaged, payloads[2], script.tables),
        Self.read(&missing, payloads[2], script.tables)
      )
      try #require(areRead == (true, true))
      #expect(damaged.channels[0].envelopes[0] < 40)
      #expect(damaged.channels[0].envelopes == missing.channels[0].envelopes, "\(count)")
      #expect(damaged.channels[0].noise == missing.channels[0].noise, "\(count)")
    }
  }

  /// After a gap, levels fade until an envelope is coded in frequency.
  @Test func levelsFadeAfterGap() throws {
    let script = try SBRScript(tables: 0, isCoarse: true, channelCount: 1, seed: 1)
    let grid = SBRGrid(even: 1, isHigh: true)
    var (writer, reader) = (SBRWriter(channelCount: 1), SBRReader(channelCount: 1, slotCount: 16))
    for (level, isLost, expected) in [
      (40, false, 40), (41, false, 41), (42, true, 0), (43, false, 37), (44, false, 35),
      (30, false, 30), (31, false, 31),
    ] {
      let bytes = Self.payload(
        &writer, script, level: UInt8(level), grid: grid, isFresh: level == 40 || level == 30)
      if isLost {
        reader.handleMissingFrame()
        continue
      }
      let isRead = Self.read(&reader, bytes, script.tables)
      try #require(isRead)
      #expect(reader.envelopesInTime[0] == (level == 40 || level == 30 ? 0 : 1))
      #expect(reader.channels[0].envelopes[0] == UInt8(expected), "\(level)")
      #expect(reader.splices.splicedEnvelopeCounts[0] == 0)
    }
  }

  /// A frame whose start does not match the end of the previous frame follows a splice.
  ///
  /// The writer codes coarse levels without reference to the previous frame, so this test uses fine
  /// ones.
  @Test func discontinuousGridIndicatesSplice() throws {
    let script = try SBRScript(tables: 0, isCoarse: false, channelCount: 1, seed: 1)
    let long = try #require(
      SBRGrid(
        borders: SIMD8(0, 18, 0, 0, 0, 0, 0, 0), envelopeCount: 1, transient: -1, resolutions: 1))
    let late = try #require(
      SBRGrid(
        borders: SIMD8(2, 16, 0, 0, 0, 0, 0, 0), envelopeCount: 1, transient: -1, resolutions: 1))
    let even = try #require(
      SBRGrid(
        borders: SIMD8(0, 16, 0, 0, 0, 0, 0, 0), envelopeCount: 1, transient: -1, resolutions: 1))
    var (writer, other) = (SBRWriter(channelCount: 1), SBRWriter(channelCount: 1))
    let first = Self.payload(&writer, script, level: 20, grid: long, isFresh: true, isCoarse: false)
    let foreign = Self.payload(
      &other, script, level: 50, grid: even, isFresh: true, isCoarse: false)
    let last = Self.payload(&writer, script, level: 21, grid: late, isCoarse: false)
    for isDiscontinuous in [false, true] {
      var reader = SBRReader(channelCount: 1, slotCount: 16)
      for bytes in [isDiscontinuous ? foreign : first, last] {
        #expect(!reader.splices.isDiscontinuous)
        let isRead = Self.read(&reader, bytes, script.tables, isCoarse: false)
        try #require(isRead)
      }
      #expect(reader.splices.isDiscontinuous == isDiscontinuous)
      #expect(reader.channels[0].envelopes[0] < (isDiscontinuous ? 50 : 22))
      #expect(reader.channels[0].envelopes[0] > (isDiscontinuous ? 45 : 20))
    }
  }

  /// After a change of the step size, encoders code in frequency.
  ///
  /// A time difference with another step size must not be added to the old levels.
  @Test(arguments: [false, true])
  func changedStepsInTimeIndicateSplice(isCoarse: Bool) throws {
    let script = try SBRScript(tables: 0, isCoarse: true, channelCount: 1, seed: 1)
    let fine = SBRGrid(even: 1, isHigh: true)
    let coarse = SBRGrid(even: 2, isHigh: true)
    for isInTime in [false, true] {
      var (writer, reader) = (SBRWriter(channelCount: 1), SBRReader(channelCount: 1, slotCount: 16))
      let first = Self.payload(
        &writer, script, level: 40, grid: isCoarse ? fine : coarse, isFresh: true)
      let second = Self.payload(
        &writer, script, level: 41, grid: isCoarse ? coarse : fine, isFresh: !isInTime,
        isInTime: isInTime)
      for payload in [first, second] {
        let isRead = Self.read(&reader, payload, script.tables)
        try #require(isRead)
      }
      #expect(reader.splices.isDiscontinuous == isInTime)
      #expect(reader.channels[0].envelopes[0] == (!isInTime ? 41 : isCoarse ? 19 : 78))
    }
  }

  /// An encoder does not choose expensive time differences, so the resulting levels are doubtful
  /// until an envelope is coded in frequency.
  @Test func expensiveTimeDifferencesIndicateSplice() throws {
    let script = try SBRScript(tables: 0, isCoarse: true, channelCount: 1, seed: 1)
    let grid = SBRGrid(even: 1, isHigh: true)
    var (writer, reader) = (SBRWriter(channelCount: 1), SBRReader(channelCount: 1, slotCount: 16))
    for (level, isFresh, isInTime, isDoubtful) in [
      (10, true, false, false), (11, false, false, false), (60, false, true, true),
      (61, false, false, true), (62, true, false, false), (63, false, false, false),
    ] {
      let payload = Self.payload(
        &writer, script, level: UInt8(level), grid: grid, isFresh: isFresh, isInTime: isInTime)
      let isRead = Self.read(&reader, payload, script.tables)
      try #require(isRead)
      #expect(reader.channels[0].envelopes[0] == UInt8(level))
      #expect(reader.splices.splicedEnvelopeCounts[0] == (isDoubtful ? 1 : 0), "\(level)")
    }
  }

  /// A payload that is read with the header of another stream does not end at its last bit.
  @Test(arguments: [false, true])
  func payloadsEndWithLessThanAByte(isOdd: Bool) throws {
    let script = try SBRScript(tables: 0, isCoarse: true, channelCount: 1, seed: 1)
    let grid = SBRGrid(even: 1, isHigh: true)
    var writer = SBRWriter(channelCount: 1)
    var decoder = SBRElementDecoder(
      coreRate: 22_050, frameLength: 1024, channelCount: 1, isDownsampled: false)
    for (index, rest) in [isOdd ? [UInt8(0)] : [], [], [0], [7]].enumerated() {
      let bytes =
        Self.payload(
          &writer, script, level: 30, grid: grid, header: index == 0 ? script.header : nil) + rest
      let isRead = Self.read(&decoder, bytes)
      #expect(isRead == (isOdd || rest.isEmpty), "\(index)")
    }
  }

  /// A payload with a header is decoded as if no damaged payload came before it in the same frame.
  @Test func payloadWithHeaderReplacesDamagedPayload() throws {
    let script = try SBRScript(tables: 0, isCoarse: true, channelCount: 1, seed: 1)
    let grid = SBRGrid(even: 1, isHigh: true)
    var writer = SBRWriter(channelCount: 1)
    let payloads = [10, 20, 21].map { level in
      Self.payload(
        &writer, script, level: level, grid: grid, header: level == 20 ? nil : script.header,
        isFresh: true, isInTime: level == 21)
    }
    let core = (0..<1024).map { Float($0 * 7919 % 2001 - 1000) }
    func output(of decoder: inout SBRElementDecoder) -> [Float] {
      var output = [Float](repeating: 0, count: 2048)
      decoder.process(channel: 0, core, into: &output)
      return output
    }
    var start = SBRElementDecoder(
      coreRate: 22_050, frameLength: 1024, channelCount: 1, isDownsampled: false)
    let isFirstRead = Self.read(&start, payloads[0])
    try #require(isFirstRead)
    _ = output(of: &start)
    for count in 1..<payloads[1].count - 1 {
      var (damaged, repaired, intact) = (start, start, start)
      let truncated = Array(payloads[1].prefix(count))
      let areTruncatedRead = (Self.read(&damaged, truncated), Self.read(&repaired, truncated))
      #expect(areTruncatedRead == (false, false), "\(count)")
      let areRead = (Self.read(&repaired, payloads[2]), Self.read(&intact, payloads[2]))
      try #require(areRead == (true, true))
      // The difference in time refers to the previous frame.
      #expect(repaired.payload.reader.channels[0].envelopes[0] == 11)
      let expected = output(of: &intact)
      #expect(output(of: &repaired) == expected, "\(count)")
      #expect(output(of: &damaged) != expected, "\(count)")
    }
  }

  @Test func stereoParametersAreHeldAfterGap() {
    var data = StereoData()
    data.header.hasLevels = true
    data.header.hasCoherences = true
    data.envelopeCount = 2
    var (parameters, next) = (StereoParameters(), StereoParameters())
    for (isTime, difference, isLost, expected) in [
      (false, Int8(2), false, Int8(2)), (true, 1, false, 4), (true, 3, true, 4),
      (true, 3, false, 4), (false, 1, false, 1), (true, 1, false, 3),
    ] {
      for envelope in 0..<2 {
        data.levels.isTimeCoded[envelope] = isTime
        data.coherences.isTimeCoded[envelope] = isTime
        data.levels.differences[envelope * StereoData.stride] = difference
        data.coherences.differences[envelope * StereoData.stride] = difference
      }
      if isLost { parameters.handleMissingFrame() }
      let isSound = next.update(after: parameters, with: data)
      #expect(isSound)
      next.finish()
      swap(&parameters, &next)
      #expect(parameters.levels[0] == expected && parameters.coherences[0] == expected)
    }
  }
}
