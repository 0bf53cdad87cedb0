import AacornCodec
import Testing

@testable import AacornContainers

struct MP4WriterTests {
  static let layouts: [MP4Writer.Layout] = [.faststart, .moovAtEnd, .fragmented]

  private func configuration(
    _ layout: MP4Writer.Layout, expecting count: Int? = nil
  ) -> MP4Writer.Configuration {
    var configuration = MP4Writer.Configuration(stream: mp4Mono, layout: layout)
    configuration.expectedUnitCount = count
    configuration.timing.priming = 1024
    return configuration
  }

  /// A stream at 48 kHz with a core at half of that rate.
  private static func replicated(
    _ signaling: AudioSpecificConfig.Signaling, channels: Int = 2
  ) -> AudioSpecificConfig {
    var stream = AudioSpecificConfig.test(rate: 24_000, channels: channels)
    stream.extensionSampleRate = 48_000
    stream.signaling = signaling
    return stream
  }

  @Test(arguments: layouts, [3, 43, 44, 86, 100, 1000])
  func everyFrameIsReadBackFromEveryLayout(_ layout: MP4Writer.Layout, count: Int) throws {
    let units = mp4Units(count)
    let trim = mp4Trim(units: count)
    let file = try mp4File(configuration(layout, expecting: count), units, trim)
    let reader = MP4Reader(file: file)
    #expect(reader.damage == [])
    #expect(reader.unitCount == count)
    #expect(reader.completeUnitCount == count)
    #expect(reader.trim == trim)
    #expect(reader.track?.stream == mp4Mono)
    #expect(reader.track?.timescale == 44_100)
    #expect(reader.track?.rollDistance == -1)
    #expect(reader.track?.hasRollGroups == true)
    #expect(reader.isMovieFirst == (layout != .moovAtEnd))
    #expect((reader.fragmentCount > 0) == (layout == .fragmented))
    for (index, unit) in units.enumerated() {
      let sample = try #require(reader.sample(at: index))
      let start = Int(sample.offset)
      #expect(Array(file[start..<start + Int(sample.byteCount)]) == unit)
      #expect(sample.time == UInt64(index * 1024))
      if index < count - 1 { #expect(sample.duration == 1024) }
    }
    #expect(reader.sample(at: count) == nil)
    #expect(reader.sample(at: -1) == nil)
  }

  @Test(arguments: [0, 1, 42, 43, 44, 100, 129])
  func reservedSpaceFitsExactlyWhenTheCountIsTrue(_ count: Int) throws {
    var writer = try MP4Writer(configuration: configuration(.faststart, expecting: count))
    var file = writer.start()
    let start = file.count
    for unit in mp4Units(count) { try writer.append(AccessUnit(bytes: unit), to: &file) }
    let trim =
      count == 0 ? StreamTrim(priming: 0, remainder: 0, sampleCount: 0) : mp4Trim(units: count)
    let finish = try writer.finish(
      count < 2 ? StreamTrim(priming: 0, remainder: 0, sampleCount: 0) : trim)
    #expect(finish.mediaShift == 0)
    #expect(finish.media.lowerBound == UInt64(start))
    let length = file.count
    try mp4Apply(finish, to: &file)
    #expect(file.count == length)
    // Directly before the audio are an empty box and the header of the media, eight bytes each.
    #expect(Array(file[start - 16..<start - 8]) == [0, 0, 0, 8] + Array("free".utf8))
    #expect(MP4Reader(file: file).damage == [])
  }

  @Test(arguments: [nil, 0, 99, 100, 101, 102, 105, 143, 500])
  func anyExpectationLeadsToAWholeFile(_ expected: Int?) throws {
    let units = mp4Units(100)
    let trim = mp4Trim(units: 100)
    let file = try mp4File(configuration(.faststart, expecting: expected), units, trim)
    let reader = MP4Reader(file: file)
    #expect(reader.damage == [])
    #expect(reader.isMovieFirst)
    #expect(reader.trim == trim)
    let last = try #require(reader.sample(at: 99))
    #expect(Array(file[Int(last.offset)...]) == units[99])
    #expect(file.count == Int(last.offset) + units[99].count)
  }

  @Test func differentExpectationsGiveTheSameMovie() throws {
    let exact = try mp4File(
      configuration(.faststart, expecting: 100), mp4Units(100), mp4Trim(units: 100))
    let shifted = try mp4File(configuration(.faststart), mp4Units(100), mp4Trim(units: 100))
    #expect(exact == shifted)
  }

  @Test func fileIsReadableAtAnyTimeWhileItIsFragmented() throws {
    var writer = try MP4Writer(configuration: configuration(.fragmented))
    var file = writer.start()
    for (index, unit) in mp4Units(200).enumerated() {
      try writer.append(AccessUnit(bytes: unit), to: &file)
      let reader = MP4Reader(file: file)
      #expect(reader.damage == [])
      #expect(reader.unitCount == (index - 2) / 43 * 43)
      #expect(reader.track?.edits == [MP4Track.Edit(duration: 0, mediaTime: 1024)])
    }
  }

  @Test func tagsRoundTrip() throws {
    for layout in Self.layouts {
      var configuration = configuration(layout)
      configuration.tags.title = "Träume"
      configuration.tags.artist = "An artist"
      configuration.tags.album = ""
      configuration.tags.date = "2026-01-02"
      configuration.tags.comment = "夢 🎵"
      configuration.tags.encoder = "aacorn"
      configuration.tags.coverImage = [0xFF, 0xD8, 0xFF, 0xE0, 1, 2, 3]
      let file = try mp4File(configuration, mp4Units(10), mp4Trim(units: 10))
      let reader = MP4Reader(file: file)
      #expect(reader.damage == [])
      for tag in [\MP4Tags.title, \.artist, \.album, \.date, \.comment, \.encoder] {
        #expect(reader.tags[keyPath: tag] == configuration.tags[keyPath: tag])
      }
      let cover = try #require(reader.coverImage)
      #expect(
        Array(file[Int(cover.lowerBound)..<Int(cover.upperBound)])
          == configuration.tags.coverImage)
    }
  }

  @Test func statedBitratesAreThoseOfTheFrames() throws {
    let units = (0..<430).map { [UInt8](repeating: 0, count: $0 < 215 ? 100 : 300) }
    let file = try mp4File(configuration(.faststart), units, mp4Trim(units: 430))
    let track = try #require(MP4Reader(file: file).track)
    #expect(track.bufferByteCount == 768)
    #expect(track.averageBitrate == 68_906)
    // 300 bytes × 8 bits × 44100 / 1024 frames per second.
    #expect(track.maximumBitrate == 103_360)
  }

  /// The time scales do not depend on the signaling.
  ///
  /// With implicit signaling, the sample entry does not mention SBR either.
  @Test(
    arguments: [
      (.implicit, [0x13, 0x10], 24_000),
      (.backwardCompatible, [0x13, 0x10, 0x56, 0xE5, 0x98], 48_000),
      (.hierarchical, [0x2B, 0x11, 0x88, 0x00], 48_000),
    ] as [(AudioSpecificConfig.Signaling, [UInt8], Int)])
  func movieSignalsBandReplicationLikeStream(
    signaling: AudioSpecificConfig.Signaling, bytes: [UInt8], statedRate: Int
  ) throws {
    let stream = Self.replicated(signaling)
    let trim = StreamTrim(priming: 3010, remainder: 100, sampleCount: 100 * 2048 - 3110)
    let file = try mp4File(MP4Writer.Configuration(stream: stream), mp4Units(100), trim)
    // A tag, its length and the configuration, followed by the next tag.
    let description = [0x05, 0x80, 0x80, 0x80, UInt8(bytes.count)] + bytes + [0x06]
    #expect(file.indices.contains { file[$0...].starts(with: description) })
    // The sample rate follows the name, the header of the entry and the numbers of channels and
    // bits.
    let offset = find("mp4a", in: file) + 4 + 24
    #expect(Int(file[offset]) << 8 | Int(file[offset + 1]) == statedRate)
    let reader = MP4Reader(file: file)
    #expect(reader.track?.stream.sampleRate == 24_000)
    #expect(reader.track?.stream.outputSampleRate == statedRate)
    #expect(reader.track?.timescale == 24_000 && reader.track?.movieTimescale == 48_000)
    #expect(reader.track?.edits.map(\.mediaTime) == [1505])
    #expect(reader.sample(at: 1)?.time == 1024)
    #expect(reader.trimming(samplesPerTick: reader.samplesPerDoubledTick) == trim)
    #expect(reader.samplesPerTick == (signaling == .implicit ? 1 : 2))
    if signaling == .implicit { return }
    #expect(reader.trim == trim)
    #expect(reader.gaplessTag == GaplessTag(priming: 1505, remainder: 50, validCount: 100_845))
  }

  @Test(arguments: [AudioSpecificConfig.Signaling.backwardCompatible, .hierarchical])
  func parametricStereoIsATrackOfTwoChannels(signaling: AudioSpecificConfig.Signaling) throws {
    var stream = Self.replicated(signaling, channels: 1)
    stream.hasParametricStereo = true
    let trim = StreamTrim(priming: 4096, remainder: 100, sampleCount: 20 * 2048 - 4196)
    let reader = MP4Reader(
      file: try mp4File(MP4Writer.Configuration(stream: stream), mp4Units(20), trim))
    #expect(reader.track?.channelCount == 2)
    #expect(reader.track?.stream == stream)
    // The buffer size for the core's single channel.
    #expect(reader.track?.bufferByteCount == 768)
    #expect(reader.trim == trim)
  }

  @Test(
    arguments: [
      [4097..<10_000], [4096..<10_001], [4097..<9001, 9001..<9002, 10_001..<20_000],
    ] as [[Range<UInt64>]])
  func highEfficiencyRangesStartAtATick(parts: [Range<UInt64>]) throws {
    var configuration = MP4Writer.Configuration(stream: Self.replicated(.backwardCompatible))
    configuration.expectedUnitCount = 20
    configuration.expectedPartCount = parts.count
    let reader = MP4Reader(file: try mp4File(configuration, mp4Units(20), parts: parts))
    #expect(reader.damage == [])
    // The start of a part is rounded down to a tick of the core's time scale.
    let starts = parts.map { $0.lowerBound / 2 * 2 }
    #expect(reader.playableRanges == zip(starts, parts).map { $0..<$0 + UInt64($1.count) })
    #expect(reader.track?.edits.first?.mediaTime == 2048)
    #expect(reader.track?.edits.map(\.duration) == parts.map { UInt64($0.count) })
  }

  @Test func movieWriterRejectsInvalidInput() throws {
    var configuration = configuration(.faststart)
    configuration.tags.coverImage = [1, 2, 3, 4]
    #expect(throws: ContainerError.unrecognizedCoverImage) {
      _ = try MP4Writer(configuration: configuration)
    }
    configuration.tags = MP4Tags()
    configuration.expectedUnitCount = .max
    #expect(throws: ContainerError.tooManyFrames(limit: 1 << 28)) {
      _ = try MP4Writer(configuration: configuration)
    }
    configuration.expectedUnitCount = nil
    var stream = configuration.stream
    stream.channelConfiguration = 0
    #expect(throws: ContainerError.unsupportedChannelConfiguration(0)) {
      _ = try MP4Writer(configuration: MP4Writer.Configuration(stream: stream))
    }
    var writer = try MP4Writer(configuration: self.configuration(.fragmented))
    var file = writer.start()
    #expect(throws: ContainerError.frameTooLong(byteCount: 65_536, limit: 65_535)) {
      let unit = AccessUnit(bytes: [UInt8](repeating: 0, count: 65_536))
      try writer.append(unit, to: &file)
    }
    for unit in mp4Units(3) { try writer.append(AccessUnit(bytes: unit), to: &file) }
    #expect(throws: ContainerError.trimOutsideStream(priming: 1024, sampleCount: 2049)) {
      _ = try writer.finish(StreamTrim(priming: 1024, remainder: 0, sampleCount: 2049))
    }
    #expect(throws: ContainerError.trimOutsideStream(priming: 2048, sampleCount: 10)) {
      _ = try writer.finish(StreamTrim(priming: 2048, remainder: 0, sampleCount: 10))
    }
  }

  @Test func fragmentsHoldBackWhatTheLastFramesMustNotPlay() throws {
    let units = mp4Units(90)
    let trim = StreamTrim(priming: 1024, remainder: 2500, sampleCount: 90 * 1024 - 3524)
    let file = try mp4File(configuration(.fragmented), units, trim)
    let reader = MP4Reader(file: file)
    #expect(reader.trim == trim)
    #expect(reader.sample(at: 86)?.duration == 1024)
    #expect(reader.sample(at: 87)?.duration == 572)
    #expect(reader.sample(at: 88)?.duration == 0)
  }

  @Test(arguments: [MP4Writer.Layout.faststart, .moovAtEnd, .fragmented])
  func anM4AHasTheTimeOfTheSound(layout: MP4Writer.Layout) throws {
    var configuration = MP4Writer.Configuration(
      stream: Self.replicated(.backwardCompatible, channels: 1), layout: layout)
    configuration.timing.priming = 3010
    var writer = try MP4Writer(configuration: configuration)
    var file = writer.start()
    for _ in 0..<50 { try writer.append(AccessUnit(bytes: [1, 2, 3]), to: &file) }
    let trim = configuration.timing.trim(of: 50 * 2048 - 3010 - 100)
    try mp4Apply(writer.finish(trim), to: &file)
    let reader = MP4Reader(file: file)
    #expect(reader.damage == [])
    // The track, its edit list and the tag all count samples of the core.
    #expect(reader.track?.timescale == 24_000 && reader.track?.edits.first?.mediaTime == 1505)
    #expect(reader.sample(at: 49)?.time == 49 * 1024)
    #expect(reader.gaplessTag?.priming == 1505)
    #expect(reader.trim == trim)
  }
}
