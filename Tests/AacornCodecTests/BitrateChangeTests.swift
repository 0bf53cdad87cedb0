import Testing

@testable import AacornCodec

@Suite struct BitrateChangeTests {
  /// Encodes in pieces of a fixed length, and changes the bitrate before the given units.
  static func encode(
    _ channels: [[Float]], _ configuration: AACEncoder.Configuration, changes: [Int: Int],
    pieceLength: Int = 5000
  ) throws -> [AccessUnit] {
    var encoder = try AACEncoder(configuration)
    var units: [AccessUnit] = []
    func take() throws {
      while true {
        if let bitrate = changes[units.count] { try encoder.setBitrate(bitrate) }
        guard let unit = encoder.nextAccessUnit() else { return }
        units.append(unit)
      }
    }
    var start = 0
    while start < channels[0].count {
      let end = min(channels[0].count, start + pieceLength)
      let samples = EncodedSound.interleaved(channels.map { Array($0[start..<end]) })
      encoder.encode(interleaved: samples.span)
      try take()
      start = end
    }
    _ = encoder.finish()
    try take()
    return units
  }

  /// Simulates a decoder's buffer whose input rate changes.
  ///
  /// At a change, the bits that arrive before a unit may follow any rate between the old and the
  /// new one, less up to 8 bits.
  static func checkBuffer(
    _ units: [AccessUnit], _ configuration: AACEncoder.Configuration, changes: [Int: Int]
  ) throws {
    let stream = try AACEncoder(configuration).audioSpecificConfig
    let capacity = 6144 * stream.bufferedChannelCount
    var now = configuration.rateControl.nominalBitrate
    var level: Int?
    for (index, unit) in units.enumerated() {
      let before = now
      now = changes[index] ?? now
      let bits = unit.bytes.count * 8
      let reported = try #require(unit.reservoirBits)
      try #require(reported >= 0, "underflow at unit \(index)")
      try #require(reported + bits <= capacity, "overflow before unit \(index)")
      if let level {
        let arrived = reported + bits - level
        let slowest = min(before, now) * 1024 / stream.sampleRate - (before == now ? 0 : 8)
        let fastest = max(before, now) * 1024 / stream.sampleRate + 1
        try #require((slowest...fastest).contains(arrived), "\(arrived) bits before unit \(index)")
      }
      level = reported
    }
  }

  private static let music = Signals.music(44_100 * 7, rate: 44_100)
  private static let long = (0..<2).map { Signals.noise(44_100 * 14, seed: UInt32($0 + 1)) }
  private static let bursts: [[Float]] = [
    Signals.silence(50_000)[0] + Signals.noise(40_000, amplitude: 1)
      + Signals.silence(60_000)[0] + Signals.noise(60_000)
  ]

  static func stereo(_ bitrate: Int) -> AACEncoder.Configuration {
    .constant(bitrate, channels: 2, effort: .fast)
  }

  static let changes: [[Int: Int]] = [
    [0: 64_000], [1: 64_000], [60: 64_000, 150: 128_000], [60: 320_000, 150: 48_000],
    // The minimum and the maximum in alternation, and two changes in succession.
    [20: 17_226, 40: 528_000, 41: 17_226, 80: 528_000, 120: 96_000, 121: 97_000],
  ]

  @Test(arguments: changes) func decoderBufferIsValidAcrossBitrateChanges(
    changes: [Int: Int]
  ) throws {
    let units = try Self.encode(Self.music, Self.stereo(128_000), changes: changes)
    try Self.checkBuffer(units, Self.stereo(128_000), changes: changes)
  }

  @Test func suddenNoiseFitsBufferAcrossBitrateChanges() throws {
    let configuration = AACEncoder.Configuration.constant(64_000, effort: .fast)
    for (first, second) in [(16_000, 128_000), (200_000, 24_000)] {
      let changes = [47: first, 50: second, 90: first, 150: second]
      let units = try Self.encode(Self.bursts, configuration, changes: changes)
      try Self.checkBuffer(units, configuration, changes: changes)
    }
  }

  @Test func lastOfSeveralBitrateChangesApplies() throws {
    var encoder = try AACEncoder(Self.stereo(128_000))
    let samples = EncodedSound.interleaved(Self.music)
    encoder.encode(interleaved: samples.span)
    _ = encoder.finish()
    var units: [AccessUnit] = []
    while true {
      if units.count == 40 {
        try encoder.setBitrate(528_000)
        try encoder.setBitrate(64_000)
      }
      guard let unit = encoder.nextAccessUnit() else { break }
      units.append(unit)
    }
    try Self.checkBuffer(units, Self.stereo(128_000), changes: [40: 64_000])
  }

  /// Without bitrate changes, the bit reservoir restarts at a fixed level at each segment boundary.
  ///
  /// After a change, its level continues across the boundary.
  @Test(arguments: [100, 505, 511, 512, 513])
  func decoderBufferIsValidAcrossSegmentEnd(change: Int) throws {
    let units = try Self.encode(Self.long, Self.stereo(128_000), changes: [change: 64_000])
    #expect(units.count > AACEncoder.segmentFrameCount + 60)
    try Self.checkBuffer(units, Self.stereo(128_000), changes: [change: 64_000])
  }

  @Test(arguments: AACEncoder.Profile.replicating)
  func highEfficiencyFitsBufferAcrossBitrateChanges(profile: AACEncoder.Profile) throws {
    let configuration = AACEncoder.Configuration.fast(profile, bitrate: 48_000)
    let changes = [30: 32_000, 70: 72_000, 110: 40_000]
    let units = try Self.encode(Self.music, configuration, changes: changes)
    try Self.checkBuffer(units, configuration, changes: changes)
    let encoder = try AACEncoder(configuration)
    let decoded = try DecodedSound(units.map(\.bytes), encoder.audioSpecificConfig)
    #expect(decoded.concealedCount == 0)
    #expect(decoded.channels.map(\.count) == [2048 * units.count, 2048 * units.count])
  }

  /// Bits saved at one bitrate must not be spent at the next.
  @Test(arguments: [true, false]) func averageBitrateFollowsChange(isConstant: Bool) throws {
    var configuration = Self.stereo(128_000)
    if !isConstant { configuration.rateControl = .average(bitsPerSecond: 128_000) }
    let changes = [100: 64_000, 200: 192_000]
    let units = try Self.encode(Self.music, configuration, changes: changes)
    for (range, bitrate) in [(0..<100, 128_000), (100..<200, 64_000), (200..<300, 192_000)] {
      let bits = units[range].reduce(0) { $0 + $1.bytes.count * 8 }
      let rate = Double(bits) * 44_100 / Double(range.count * 1024)
      #expect(abs(rate / Double(bitrate) - 1) < 0.08, "\(rate) instead of \(bitrate)")
    }
    #expect(units.allSatisfy { ($0.reservoirBits != nil) == isConstant })
  }

  @Test func equalBitrateChangesYieldEqualBytes() throws {
    let changes = [40: 64_000, 120: 160_000]
    let first = try Self.encode(Self.music, Self.stereo(128_000), changes: changes)
    let second = try Self.encode(
      Self.music, Self.stereo(128_000), changes: changes, pieceLength: 1777)
    #expect(first == second)
    let unchanged = try Self.encode(Self.music, Self.stereo(128_000), changes: [:])
    #expect(first.prefix(40) == unchanged.prefix(40))
    #expect(first[40...] != unchanged[40...])
  }

  @Test func unchangedBitrateYieldsEqualBytes() throws {
    let plain = try Self.encode(Self.music, Self.stereo(96_000), changes: [:])
    let same = try Self.encode(
      Self.music, Self.stereo(96_000), changes: [0: 96_000, 7: 96_000, 100: 96_000])
    #expect(plain == same)
    // Before the first unit, a change has the same effect as a configuration with that bitrate.
    let early = try Self.encode(Self.music, Self.stereo(128_000), changes: [0: 96_000])
    #expect(early == plain)
  }

  @Test func bandwidthFollowsBitrateUnlessSet() throws {
    var encoder = try AACEncoder(Self.stereo(128_000))
    let bandwidth = encoder.bandwidth
    try encoder.setBitrate(48_000)
    #expect(encoder.bitrate == 48_000)
    let low = try AACEncoder(Self.stereo(48_000))
    #expect(encoder.bandwidth == low.bandwidth)
    #expect(encoder.bandwidth < bandwidth)
    try encoder.setBitrate(128_000)
    #expect(encoder.bandwidth == bandwidth)
    #expect(encoder.configuration == Self.stereo(128_000))
    var given = Self.stereo(128_000)
    given.bandwidth = 15_000
    var other = try AACEncoder(given)
    let kept = other.bandwidth
    try other.setBitrate(48_000)
    #expect(other.bandwidth == kept)
    var replicated = try AACEncoder(.fast(.highEfficiency))
    let top = replicated.bandwidth
    try replicated.setBitrate(32_000)
    #expect(replicated.bandwidth == top)
  }

  @Test func toneContinuesAcrossBitrateChanges() throws {
    let tone = Signals.sine(44_100 * 3, hertz: 997, rate: 44_100)
    let configuration = AACEncoder.Configuration.constant(96_000)
    let units = try Self.encode([tone], configuration, changes: [40: 24_000, 80: 96_000])
    let encoder = try AACEncoder(configuration)
    let decoded = try ReferenceDecoder.decode(
      units: units.map(\.bytes), config: encoder.audioSpecificConfig)
    let output = decoded[0].dropFirst(encoder.timing.priming).map { $0 / 32_768 }
    #expect(Likeness.signalToNoise(tone, output) > 12)
    let worst = zip(tone, output).map { abs(Double($0) - $1) }.max() ?? 1
    #expect(worst < 0.15)
  }

  @Test func invalidBitrateChangesThrow() throws {
    func bitrateError(
      _ configuration: AACEncoder.Configuration, _ bitrate: Int
    ) throws -> EncoderError? {
      var encoder = try AACEncoder(configuration)
      do throws(EncoderError) {
        try encoder.setBitrate(bitrate)
        return nil
      } catch {
        #expect(encoder.bitrate == configuration.rateControl.nominalBitrate)
        return error
      }
    }
    var variable = Self.stereo(128_000)
    variable.rateControl = .variable(level: 3)
    #expect(variable.adaptableBitrates == nil)
    #expect(try bitrateError(variable, 96_000) == .noBitrateToChange)
    #expect(
      try bitrateError(Self.stereo(128_000), 1000)
        == .bitrateOutOfRange(requested: 1000, lowest: 17_226, highest: 528_510))
    let replicated = AACEncoder.Configuration.fast(.highEfficiency, bitrate: 48_000)
    #expect(replicated.adaptableBitrates == 32_000...72_000)
    #expect(
      try bitrateError(replicated, 31_999)
        == .bitrateOutOfRange(requested: 31_999, lowest: 32_000, highest: 72_000))
    #expect(try bitrateError(replicated, 72_000) == nil)
    var impossible = Self.stereo(128_000)
    impossible.channelCount = 7
    #expect(impossible.adaptableBitrates == nil)
  }
}
