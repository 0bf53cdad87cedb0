import AacornCodec
import AacornContainers
import AacornSignal
import Testing

/// Public functions do not trap: each is called with the minimum and the maximum of its arguments.
struct ExtremeArgumentTests {
  private static let counts = [Int.min, -1, 0, 1, 65, Int.max]
  private static let offsets = [UInt64.min, 1, 16, 1 << 62, .max]

  private static let stream = AudioSpecificConfig.test(rate: 48_000, channels: 2)

  private static var impossibleStreams: [AudioSpecificConfig] {
    counts.flatMap { count -> [AudioSpecificConfig] in
      var (rate, channels, length, program) = (stream, stream, stream, stream)
      rate.sampleRate = count
      rate.extensionSampleRate = count
      channels.channelConfiguration = count == 1 ? -2 : count
      length.frameLength = count
      program.channelConfiguration = 0
      program.programConfig = ProgramConfig(
        profile: count, samplingFrequency: SamplingFrequency(tablesFor: count))
      return [rate, channels, length, program]
    }
  }

  @Test func framesOfImpossibleStreamsAreErrors() {
    for stream in Self.impossibleStreams {
      #expect(throws: ContainerError.self) { try ADTSWriter(configuration: stream) }
      if stream.sampleRate != 1 && stream.sampleRate != 65 {
        #expect(throws: ContainerError.self) {
          try LATMWriter(configuration: stream, configurationInterval: stream.sampleRate)
        }
      }
      #expect(MagicCookie.bytes(of: stream, bitrate: stream.sampleRate).count > 2)
    }
  }

  @Test func framesWithImpossibleRegionsAreErrors() throws {
    var adts = try ADTSWriter(configuration: Self.stream, hasChecksum: true)
    var latm = try LATMWriter(configuration: Self.stream, configurationInterval: .min)
    var bytes: [UInt8] = []
    for count in Self.counts where count != 0 && count != 1 {
      for region in [
        ProtectedRegion(start: count, count: 1, paddedCount: 1),
        ProtectedRegion(start: 0, count: count, paddedCount: count),
        ProtectedRegion(start: 0, count: 1, paddedCount: count > 1 ? .max : count),
      ] {
        let unit = AccessUnit(
          bytes: [0x20, 1], sampleCount: count, samplePosition: count, reservoirBits: count,
          protectedRegions: [region])
        #expect(throws: ContainerError.protectedRegionsMissing) {
          try adts.append(unit, to: &bytes)
        }
        try latm.append(unit, to: &bytes)
      }
    }
    #expect(adts.frameCount == 0 && latm.frameCount == 12)
  }

  @Test func moviesOfImpossibleStreamsAreErrors() throws {
    var configurations = Self.impossibleStreams.map { MP4Writer.Configuration(stream: $0) }
    for count in Self.counts where count > 1 || count < 0 {
      var configuration = MP4Writer.Configuration(stream: Self.stream)
      configuration.timing = StreamTiming(
        sampleRate: count == 65 ? 0 : count, samplesPerUnit: count, priming: count,
        nominalBitrate: count)
      configurations.append(configuration)
      configuration.timing = StreamTiming(sampleRate: 48_000, samplesPerUnit: count, priming: -1)
      configurations.append(configuration)
    }
    for configuration in configurations {
      let (stream, timing) = (configuration.stream, configuration.timing)
      // These files support sample rates without an index and other frame lengths.
      if stream.sampleRate < 100 && stream.sampleRate > 0 { continue }
      if timing.samplesPerUnit < 100 && timing.priming == 0 && stream.channelCount > 0 { continue }
      #expect(throws: ContainerError.self) { try MP4Writer(configuration: configuration) }
      #expect(throws: ContainerError.self) { try MP4SegmentWriter(stream: stream, timing: timing) }
      var recording = MP4RecordingWriter.Configuration(stream: stream)
      recording.timing = timing
      #expect(throws: ContainerError.self) { try MP4RecordingWriter(configuration: recording) }
      #expect(throws: ContainerError.self) {
        try MP4Completion(
          configuration: configuration,
          location: .media(offset: 0, headerByteCount: 8, hasRoomForLongSize: true))
      }
    }
  }

  @Test(arguments: [MP4Writer.Layout.faststart, .moovAtEnd, .fragmented])
  func movieWritersAcceptAnyNumber(layout: MP4Writer.Layout) throws {
    for count in Self.counts {
      var configuration = MP4Writer.Configuration(stream: Self.stream, layout: layout)
      configuration.expectedUnitCount = count == .max ? 65 : count
      configuration.expectedPartCount = count
      configuration.creationTime = .max
      configuration.timing.nominalBitrate = count
      configuration.tags.chapters = [MP4Chapter(start: .max, title: "")]
      configuration.tags.loudness = MP4Loudness(
        integrated: .nan, range: .infinity, maximumMomentary: -.infinity, samplePeak: .nan,
        truePeak: .greatestFiniteMagnitude)
      var writer = try MP4Writer(configuration: configuration)
      var bytes = writer.start()
      #expect(throws: ContainerError.self) { try writer.count(count < 0 ? count : .max) }
      try writer.append(
        AccessUnit(bytes: [0x20], sampleCount: count, samplePosition: count), to: &bytes)
      #expect(throws: ContainerError.self) {
        try writer.finish(StreamTrim(priming: count, remainder: count, sampleCount: .max))
      }
      #expect(throws: ContainerError.self) {
        try writer.finish(parts: [0..<UInt64.max, 0..<UInt64.max, UInt64.max..<UInt64.max])
      }
      var finish = try writer.finish(StreamTrim(priming: 0, remainder: 0, sampleCount: 1024))
      #expect(finish.next() != nil)
      configuration.expectedUnitCount = .max
      #expect(throws: ContainerError.self) { try MP4Writer(configuration: configuration) }
    }
    var tags = MP4Tags()
    tags.setLoudness(MP4Loudness(integrated: 199, samplePeak: -199, truePeak: .infinity))
    #expect(tags.otherItems.count == 3)
  }

  @Test func segmentAndRecordingWritersAcceptAnyNumber() throws {
    for count in Self.counts {
      var segments = try MP4SegmentWriter(
        stream: Self.stream, timing: StreamTiming(Self.stream, nominalBitrate: count), time: .max,
        fragmentCount: .max)
      try segments.append(AccessUnit(bytes: [0x20], sampleCount: count, samplePosition: count))
      #expect(!segments.takeFragment(startsSegment: true, remainder: count).isEmpty)
      var configuration = MP4RecordingWriter.Configuration(stream: Self.stream)
      configuration.unitsPerFragment = count
      configuration.expectedUnitCount = count == .max ? 65 : count
      configuration.reservedByteCount = count == .max ? 65 : count
      configuration.creationTime = .max
      var recording = try MP4RecordingWriter(configuration: configuration)
      var bytes = recording.start()
      try recording.append(
        AccessUnit(bytes: [0x20], sampleCount: count, samplePosition: count), to: &bytes)
      #expect(throws: ContainerError.self) {
        try recording.finish(StreamTrim(priming: count, remainder: count, sampleCount: .max))
      }
      var coded = CodedFileWriter.Configuration(.m4a, stream: Self.stream)
      coded.expectedPartCount = count
      var writer = try CodedFileWriter(coded)
      if count < 1 && count > -65 {
        try writer.append(AccessUnit(bytes: [0x20], samplePosition: count), to: &bytes)
      } else if count < 0 {
        #expect(throws: ContainerError.self) {
          try writer.append(AccessUnit(bytes: [0x20], samplePosition: count), to: &bytes)
        }
      }
      #expect(CodedFileWriter.expectedUnitCount(count) == (count < 0 || count > 65 ? nil : count))
      _ = CodedFileWriter.expectedUnitCount(
        frameCount: Int64(count), from: count,
        to: StreamTiming(sampleRate: count, samplesPerUnit: count))
    }
  }

  @Test func completionAcceptsAnyOffset() throws {
    let configuration = MP4Writer.Configuration(stream: Self.stream)
    for offset in Self.offsets {
      for size in Self.counts {
        for location in [
          MP4Completion.Location.fragments(
            movieOffset: offset, movieByteCount: size, reservedByteCount: size),
          .media(offset: offset, headerByteCount: size, hasRoomForLongSize: true),
        ] {
          var completion = try MP4Completion(
            configuration: configuration, location: location, spareUnit: [0x20])
          try completion.append(frameAt: offset, byteCount: 1)
          try completion.append(frameAt: .max, byteCount: 65_535)
          #expect(throws: ContainerError.self) {
            try completion.append(frameAt: 0, byteCount: size < 0 ? size : .max)
          }
          let trim = StreamTrim(priming: 0, remainder: 0, sampleCount: 2048)
          for byteCount in Self.offsets {
            _ = completion.spareUnitOffset(fileByteCount: byteCount)
            let writes = try completion.finish(trim, fileByteCount: byteCount)
            #expect(writes == nil || offset <= byteCount)
          }
        }
      }
    }
  }

  @Test func readersAcceptAnyNumber() throws {
    for count in Self.counts {
      var file = CodedFileReader(byteCount: .max, track: count)
      #expect(file.seek(toUnit: count) == false)
      #expect(try file.step() != .end)
      var sound = CodedAudioReader(byteCount: UInt64(bitPattern: Int64(count)))
      #expect(sound.seek(toFrame: count) == false)
      var movie = MP4Reader(byteCount: .max, track: count)
      movie.supply([UInt8](repeating: .max, count: 16))
      #expect(movie.sample(at: count) == nil)
      let tag = TransportTimestampTag(position: .max, sampleRate: count)
      #expect(tag.ticks < 1 << 33)
    }
    #expect(ADTSHeader(bits: .max) == nil && ADTSHeader(bits: 0) == nil)
    #expect(TransportTimestampTag(position: 48_000, sampleRate: 48_000).ticks == 90_000)
    #expect(JSONReader.elements(of: [0x5D, 0x5D, 0x2C, 0x5B][...]).isEmpty)
  }
}
