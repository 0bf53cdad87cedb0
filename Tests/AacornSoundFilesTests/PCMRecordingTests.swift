import AacornSignal
import AacornSoundFiles
import Testing

/// A writer of files that are readable before they are complete.
private protocol RecordingWriter {
  var headerLength: Int { get }
  func header(frameCount: UInt64?) -> [UInt8]
  func append(_ samples: Span<Float>, to bytes: inout [UInt8])
  func patches(frameCount: UInt64) -> [FileWrite]
}

extension WAVWriter: RecordingWriter {}
extension CAFWriter: RecordingWriter {}

/// Recordings of samples, readable at any time.
struct PCMRecordingTests {
  /// Checks the result of a reader for a file at any stage.
  private func expect(
    _ file: [UInt8], _ format: PCMFormat, offset: Int, byteCount: UInt64?, samples: [Float]? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let info = PCMFileInfo(format: format, dataOffset: UInt64(offset), dataByteCount: byteCount)
    for canSeek in [true, false] {
      #expect(readHeader(file, canSeek: canSeek) == .info(info), sourceLocation: sourceLocation)
    }
    if let samples {
      #expect(readSamples(file, info) == samples, sourceLocation: sourceLocation)
    }
  }

  private func checkStages(_ writer: some RecordingWriter, _ format: PCMFormat) {
    let samples = (0..<format.channelCount * 7).map { Float($0 - format.channelCount) / 512 }
    var file = writer.header(frameCount: nil)
    let offset = file.count
    #expect(offset == writer.headerLength)
    writer.append(samples.span, to: &file)
    let byteCount = UInt64(file.count - offset)
    expect(file, format, offset: offset, byteCount: nil, samples: samples)
    // A crash may leave a partial frame.
    expect(
      Array(file.dropLast()), format, offset: offset, byteCount: nil,
      samples: Array(samples.dropLast(format.channelCount)))
    for patch in writer.patches(frameCount: 7) {
      patch.apply(to: &file)
      expect(file, format, offset: offset, byteCount: byteCount, samples: samples)
    }
    #expect(file.starts(with: writer.header(frameCount: 7)))
  }

  private func format(
    _ encoding: PCMEncoding, channels: Int, layout: ChannelLayout?
  ) throws -> PCMFormat {
    let sampleFormat = try #require(
      encoding == .int16
        ? SampleFormat(integerBytes: 2, bigEndian: false, validBits: 16)
        : SampleFormat(floatBytes: 4, bigEndian: false))
    return PCMFormat(
      sampleFormat: sampleFormat, sampleRate: 48_000, channelCount: channels, layout: layout)
  }

  @Test(arguments: [1, 2, 3, 6, 8, 9, 64], [PCMEncoding.int16, .float32])
  func aWAVRecordingIsReadableAtEveryStage(channels: Int, encoding: PCMEncoding) throws {
    let layout = channels > 2 ? ChannelLayout.standard(channelCount: channels) : nil
    for reserves in [false, true] {
      let writer = WAVWriter(
        encoding: encoding, sampleRate: 48_000, channelCount: channels,
        reservesLongSizes: reserves)
      checkStages(writer, try format(encoding, channels: channels, layout: layout))
    }
  }

  @Test func aLongWAVRecordingBecomesRF64() throws {
    let frameCount: UInt64 = 1 << 31
    let format = try format(.int16, channels: 2, layout: nil)
    var writer = WAVWriter(
      encoding: .int16, sampleRate: 48_000, channelCount: 2, reservesLongSizes: true)
    var file = writer.header()
    let offset = file.count
    expect(file, format, offset: offset, byteCount: nil)
    let patches = writer.patches(frameCount: frameCount)
    #expect(patches.count == 1)
    for patch in patches { patch.apply(to: &file) }
    #expect(file.count == offset)
    #expect(file.starts(with: Array("RF64".utf8) + [0xFF, 0xFF, 0xFF, 0xFF]))
    // Sizes of 64 bits, little-endian: the file without eight bytes, and the samples.
    #expect(Array(file[20..<28]) == [72, 0, 0, 0, 2, 0, 0, 0])
    #expect(Array(file[28..<36]) == [0, 0, 0, 0, 2, 0, 0, 0])
    expect(file, format, offset: offset, byteCount: frameCount * 4)
    writer = WAVWriter(encoding: .int16, sampleRate: 48_000, channelCount: 2)
    #expect(writer.patches(frameCount: frameCount) == [])
    #expect(writer.patches(frameCount: .max) == [])
  }

  @Test(arguments: [1, 2, 3, 4, 6, 8, 9, 64], [PCMEncoding.int16, .float32])
  func aCAFRecordingIsReadableAtEveryStage(channels: Int, encoding: PCMEncoding) throws {
    let writer = CAFWriter(encoding: encoding, sampleRate: 48_000, channelCount: channels)
    let format = try format(encoding, channels: channels, layout: .standard(channelCount: channels))
    checkStages(writer, format)
    #expect(writer.patches(frameCount: .max) == [])
    expect(
      writer.header(frameCount: 1 << 40), format, offset: writer.headerLength,
      byteCount: UInt64(encoding.byteCount * channels) << 40)
  }

  @Test(arguments: [
    [SpeakerPosition.frontLeft, .frontRight, .backLeft, .backRight],
    [.frontCenter, .frontLeft, .frontRight],
    [.frontLeft, .frontRight, .frontCenter, .lowFrequency, .sideLeft, .sideRight],
    [.lowFrequency, .topCenter],
  ])
  func cafRecordingStoresLayout(_ speakers: [SpeakerPosition]) throws {
    let layout = try #require(ChannelLayout(speakers))
    let writer = CAFWriter(
      encoding: .float32, sampleRate: 48_000, channelCount: speakers.count, layout: layout)
    let file = writer.header(frameCount: 0)
    let format = try format(.float32, channels: speakers.count, layout: layout)
    expect(file, format, offset: file.count, byteCount: 0, samples: [])
  }
}
