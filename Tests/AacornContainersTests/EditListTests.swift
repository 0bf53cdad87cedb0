import AacornCodec
import AacornSignal
import Testing

@testable import AacornContainers

/// Edit lists with several entries, as in files joined from others.
struct EditListTests {
  private static let parts: [Range<UInt64>] = [1024..<5000, 7100..<7101, 8192..<15_000]

  private func configuration(
    _ layout: MP4Writer.Layout, expecting count: Int?
  ) -> MP4Writer.Configuration {
    var configuration = MP4Writer.Configuration(stream: mp4Mono, layout: layout)
    configuration.expectedUnitCount = count
    configuration.expectedPartCount = Self.parts.count
    return configuration
  }

  @Test(arguments: [MP4Writer.Layout.faststart, .moovAtEnd])
  func severalPartsAreReadBack(layout: MP4Writer.Layout) throws {
    let reader = MP4Reader(
      file: try mp4File(
        configuration(layout, expecting: 16), mp4Units(16), parts: Self.parts))
    #expect(reader.damage == [])
    #expect(reader.playableRanges == Self.parts)
    #expect(reader.track?.edits.count == 3)
    #expect(
      reader.trim == StreamTrim(priming: 1024, remainder: 1384, sampleCount: 3976 + 1 + 6808))
    #expect(!reader.hasBackwardEdits)
    // A gapless tag can describe only one part, so it covers all parts and the gaps between them.
    #expect(
      reader.gaplessTag == GaplessTag(priming: 1024, remainder: 1384, validCount: 13_976))
  }

  @Test func backwardEditsAreReportedAndIgnored() throws {
    var file = try mp4File(
      configuration(.moovAtEnd, expecting: 16), mp4Units(16), parts: Self.parts)
    // The position of the second entry, after the version, the count and the first entry.
    let offset = find("elst", in: file) + 4 + 8 + 12 + 4
    #expect(Array(file[offset..<offset + 4]) == [0, 0, 0x1B, 0xBC])
    file.replaceSubrange(offset..<offset + 4, with: [0, 0, 0, 0])
    let reader = MP4Reader(file: file)
    #expect(reader.hasBackwardEdits && reader.damage == [])
    #expect(reader.playableRanges == [1024..<15_000])
  }

  @Test func singlePartEqualsPlainTrim() throws {
    let trim = mp4Trim(units: 16)
    var configuration = MP4Writer.Configuration(stream: mp4Mono)
    configuration.expectedUnitCount = 16
    let end = UInt64(trim.priming + trim.sampleCount)
    #expect(
      try mp4File(configuration, mp4Units(16), trim)
        == mp4File(configuration, mp4Units(16), parts: [1024..<end]))
  }

  @Test(arguments: [[5..<9, 8..<20], [0..<10, 20..<16_385]] as [[Range<UInt64>]])
  func impossiblePartsAreRefused(parts: [Range<UInt64>]) throws {
    #expect(throws: ContainerError.self) {
      try mp4File(configuration(.moovAtEnd, expecting: nil), mp4Units(16), parts: parts)
    }
  }

  @Test(arguments: [2_500_000_000, 1 << 63] as [UInt64])
  func startBeyondSignedNumbersIsWide(start: UInt64) throws {
    var box = BoxWriter()
    var movie = Movie(
      parameters: try TrackParameters(mp4Mono, StreamTiming(mp4Mono)), tags: MP4Tags(),
      creationTime: 0)
    movie.chunks = ChunkRuns(unitCount: 3_000_000, perChunk: 43)
    movie.parts = [0..<1024, start..<start + 1024]
    movie.write(to: &box)
    let offset = find("elst", in: box.bytes)
    #expect(box.bytes[offset + 4] == 1)
  }

  // MARK: - Audio

  /// Decodes a file made from 20,000 frames that plays only these parts, or everything if there are
  /// none.
  private func sound(
    _ parts: [Range<UInt64>], isPipe: Bool = false, from frame: Int? = nil
  ) throws -> (samples: [Float], announced: Int?) {
    var encoder = try AACEncoder(.init(sampleRate: 44_100, channelCount: 1))
    let tone: [Float] = (0..<20_000).map { index in Float(index * 7919 % 1000) / 2000 - 0.25 }
    encoder.encode(interleaved: tone)
    let trim = encoder.finish()
    var configuration = MP4Writer.Configuration(stream: encoder.audioSpecificConfig)
    configuration.expectedUnitCount = 30
    configuration.expectedPartCount = parts.count
    var writer = try MP4Writer(configuration: configuration)
    var file = writer.start()
    while let unit = encoder.nextAccessUnit() { try writer.append(unit, to: &file) }
    let total = UInt64(trim.priming + trim.sampleCount + trim.remainder)
    try mp4Apply(writer.finish(parts: parts.isEmpty ? [0..<total] : parts), to: &file)
    let sound = try DecodedFile(file, isPipe: isPipe, from: frame)
    #expect(sound.concealed == [] && sound.damageCount == 0)
    return (sound.samples, sound.announced)
  }

  private static let playableRanges: [Range<UInt64>] = [
    1500..<1600, 1700..<1800, 2047..<2048, 2048..<2049, 6000..<13_001, 15_000..<18_432,
  ]

  @Test(arguments: [false, true])
  func playableRangesAreConcatenated(isPipe: Bool) throws {
    let whole = try sound([]).samples
    let wanted = Self.playableRanges.flatMap { whole[Int($0.lowerBound)..<Int($0.upperBound)] }
    let parts = try sound(Self.playableRanges, isPipe: isPipe)
    #expect(parts.samples == wanted)
    #expect(parts.announced == wanted.count)
  }

  @Test(arguments: [0, 50, 100, 199, 200, 201, 202, 5000, 7202, 7203, 10_000])
  func aJumpContinuesInThePartThatHasTheSample(frame: Int) throws {
    let all = try sound(Self.playableRanges).samples
    #expect(try sound(Self.playableRanges, from: frame).samples == Array(all[frame...]))
  }
}
