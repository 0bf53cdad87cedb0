import Testing

@testable import AacornCodec

/// The same samples result in the same bytes, regardless of the calls that append them.
@Suite struct EncoderInputTests {
  static let music = Signals.music(12_000, rate: 44_100)
  static let configuration = AACEncoder.Configuration(sampleRate: 44_100, channelCount: 2)
  static let stereo = EncodedSound.interleaved(music)

  /// Appends samples in chunks, and reads units either in between or only at the end.
  static func encode(
    _ samples: [Float], chunks: [Int], takingUnits: Bool,
    configuration: AACEncoder.Configuration = configuration
  ) throws -> (units: [AccessUnit], trim: StreamTrim) {
    var encoder = try AACEncoder(configuration)
    var units: [AccessUnit] = []
    var start = 0
    var turn = 0
    while start < samples.count {
      let end = min(samples.count, start + chunks[turn % chunks.count])
      let chunk = Array(samples[start..<end])
      encoder.encode(interleaved: chunk.span)
      if takingUnits { units += encoder.completeUnits() }
      start = end
      turn += 1
    }
    let sound = try EncodedSound(finishing: &encoder)
    return (units + sound.units, sound.trim)
  }

  @Test(
    arguments: [
      [1], [7], [1023], [1024], [4097], [24_000], [2, 1, 5000, 3, 2048, 1, 0, 999, 10_000],
    ], [true, false])
  func chunksDoNotMatter(chunks: [Int], takingUnits: Bool) throws {
    let whole = try EncodedSound(Self.music, Self.configuration)
    let parts = try Self.encode(Self.stereo, chunks: chunks, takingUnits: takingUnits)
    #expect(parts.units == whole.units)
    #expect(parts.trim == whole.trim)
  }

  @Test(arguments: [2, 3, 6, 8])
  func multichannelOutputIsIndependentOfChunkSize(channelCount: Int) throws {
    // The long input lets the queues discard used samples.
    let music = Signals.music(
      channelCount == 2 ? 90_000 : 5000, rate: 44_100, channels: channelCount)
    let configuration = AACEncoder.Configuration.constant(
      64_000 * channelCount, channels: channelCount)
    let whole = try EncodedSound(music, configuration)
    let parts = try Self.encode(
      EncodedSound.interleaved(music), chunks: channelCount == 2 ? [1024] : [5, 7, 1024, 1],
      takingUnits: true, configuration: configuration)
    #expect(parts.units == whole.units)
  }

  @Test(arguments: AACEncoder.Profile.replicating, [[1], [2047, 3], [4097], [7, 0, 20_000, 1]])
  func bandReplicationOutputIsIndependentOfChunkSize(
    profile: AACEncoder.Profile, chunks: [Int]
  ) throws {
    let configuration = AACEncoder.Configuration.fast(profile, bitrate: 32_000)
    let whole = try EncodedSound(Self.music, configuration)
    let parts = try Self.encode(
      Self.stereo, chunks: chunks, takingUnits: true, configuration: configuration)
    #expect(parts.units == whole.units)
    #expect(parts.trim == whole.trim)
  }

  @Test func incompleteFrameIsPaddedWithSilence() throws {
    let whole = try Self.encode(Self.stereo + [0.5, 0], chunks: [100_000], takingUnits: false)
    let cut = try Self.encode(Self.stereo + [0.5], chunks: [100_000], takingUnits: false)
    #expect(cut.units == whole.units)
    #expect(cut.trim == whole.trim)
  }

  @Test func integersAndFloatsGiveTheSameBytes() throws {
    let whole = try EncodedSound(Self.music, Self.configuration)
    let short = Self.stereo.map { Int16($0 * 32_768) }
    var encoder = try AACEncoder(Self.configuration)
    encoder.encode(interleaved: short.span)
    #expect(try EncodedSound(finishing: &encoder).units == whole.units)
    let long = short.map { Int32($0) << 16 }
    encoder = try AACEncoder(Self.configuration)
    encoder.encode(interleaved: long.span)
    #expect(try EncodedSound(finishing: &encoder).units == whole.units)
  }

  @Test func planarAndInterleavedGiveTheSameBytes() throws {
    let whole = try EncodedSound(Self.music, Self.configuration)
    for blockLength in [12_000, 1000, 37] {
      var floats = try AACEncoder(Self.configuration)
      var integers = try AACEncoder(Self.configuration)
      for start in stride(from: 0, to: 12_000, by: blockLength) {
        let end = min(12_000, start + blockLength)
        let block = Array(Self.music[0][start..<end] + Self.music[1][start..<end])
        let rounded = block.map { Int16($0 * 32_768) }
        floats.encode(planar: block.span)
        integers.encode(planar: rounded.span)
      }
      #expect(try EncodedSound(finishing: &floats).units == whole.units)
      #expect(try EncodedSound(finishing: &integers).units == whole.units)
    }
  }

  @Test func planarChannelsAreInTheOrderOfAWAVFile() throws {
    let music = Signals.music(4000, rate: 48_000, channels: 6)
    let configuration = AACEncoder.Configuration.constant(384_000, channels: 6, rate: 48_000)
    var encoder = try AACEncoder(configuration)
    let planar = Array(music.joined())
    encoder.encode(planar: planar.span)
    #expect(try EncodedSound(finishing: &encoder).units == EncodedSound(music, configuration).units)
  }

  @Test(arguments: AACEncoder.Effort.allCases)
  func encoderCopyIsIndependent(effort: AACEncoder.Effort) throws {
    var configuration = Self.configuration
    configuration.effort = effort
    let whole = try EncodedSound(Self.music, configuration)
    var one = try AACEncoder(configuration)
    let (start, rest) = (Array(Self.stereo[..<9001]), Array(Self.stereo[9001...]))
    one.encode(interleaved: start.span)
    var units: [AccessUnit] = []
    for _ in 0..<2 {
      let unit = one.nextAccessUnit()
      units.append(try #require(unit))
    }
    var other = one
    // Input of one copy must not affect the other copy.
    let noise = Signals.noise(10_000)
    other.encode(interleaved: noise.span)
    _ = other.completeUnits()
    var third = one
    one.encode(interleaved: rest.span)
    third.encode(interleaved: rest.span)
    #expect(units + (try EncodedSound(finishing: &one).units) == whole.units)
    #expect(units + (try EncodedSound(finishing: &third).units) == whole.units)
  }

  @Test func finishMayBeCalledAgainAndEndsTheInput() throws {
    var encoder = try AACEncoder(Self.configuration)
    encoder.encode(interleaved: Self.stereo.span)
    let trim = encoder.finish()
    #expect(encoder.finish() == trim)
    let unit = encoder.nextAccessUnit()
    let first = try #require(unit)
    encoder.encode(interleaved: Self.stereo.span)
    let (short, long) = ([Int16](repeating: 900, count: 2000), [Int32](repeating: 9, count: 2000))
    encoder.encode(planar: short.span)
    encoder.encode(interleaved: long.span)
    #expect(encoder.finish() == trim)
    let rest = try EncodedSound(finishing: &encoder)
    #expect([first] + rest.units == (try EncodedSound(Self.music, Self.configuration).units))
    #expect(encoder.nextAccessUnit() == nil)
  }

  @Test func encodersAreIndependent() async throws {
    let whole = try EncodedSound(Self.music, Self.configuration)
    try await withThrowingTaskGroup(of: [AccessUnit].self) { group in
      for _ in 0..<4 {
        group.addTask { try EncodedSound(Self.music, Self.configuration).units }
      }
      for try await units in group { #expect(units == whole.units) }
    }
  }
}
