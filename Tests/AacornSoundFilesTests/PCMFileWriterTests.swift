import AacornSignal
import AacornSoundFiles
import Testing

struct PCMFileWriterTests {
  private func file(_ configuration: PCMFileWriter.Configuration, _ samples: [Float]) -> [UInt8] {
    var writer = PCMFileWriter(configuration)
    var bytes = writer.header()
    let half = samples.count / configuration.channelCount / 2 * configuration.channelCount
    writer.append(samples.span.extracting(..<half), to: &bytes)
    writer.append(samples.span.extracting(half...), to: &bytes)
    let patches = writer.finish(to: &bytes)
    let byteCount = bytes.count
    for patch in patches { patch.apply(to: &bytes) }
    #expect(bytes.count == byteCount)
    return bytes
  }

  @Test(arguments: [PCMFileWriter.Kind.wav, .aiff, .caf], PCMEncoding.allCases)
  func writtenFilesRoundTrip(kind: PCMFileWriter.Kind, encoding: PCMEncoding) throws {
    for channels in [1, 2, 3, 6, 8] {
      // Values that 16 bits represent exactly; an odd number of frames requires padding.
      let samples = (0..<channels * 7).map { Float($0 - channels) / 512 }
      for frameCount: UInt64? in [7, nil, 9] {
        var configuration = PCMFileWriter.Configuration(
          kind, encoding: encoding, sampleRate: 44_100, channelCount: channels)
        configuration.isDithered = false
        configuration.frameCount = frameCount
        let file = file(configuration, samples)
        guard case .info(let info) = readHeader(file) else {
          Issue.record("not readable: \(kind), \(encoding), \(channels)")
          continue
        }
        #expect(info.format.sampleRate == 44_100)
        #expect(info.format.channelCount == channels)
        #expect(info.format.sampleFormat.bitsPerSample == encoding.bitCount)
        #expect(info.format.sampleFormat.isFloatingPoint == (encoding == .float32))
        #expect(info.dataByteCount == UInt64(samples.count * encoding.byteCount))
        if channels > 2 {
          #expect(info.format.layout == ChannelLayout.standard(channelCount: channels))
        }
        #expect(readSamples(file, info) == samples)
        if kind != .caf { #expect(file.count % 2 == 0) }
      }
    }
  }

  @Test func moreThanSixteenBitsAreExtensible() {
    let bytes = WAVWriter(encoding: .int24, sampleRate: 48_000, channelCount: 2)
      .header(frameCount: 3)
    #expect(Array(bytes[16..<22]) == [40, 0, 0, 0, 0xFE, 0xFF])
    // Six bytes per frame, 24 bits, all of them valid; left and right.
    #expect(Array(bytes[32..<44]) == [6, 0, 24, 0, 22, 0, 24, 0, 3, 0, 0, 0])
    // The padding byte after an odd number of bytes counts for the file, not for the samples.
    let odd = WAVWriter(encoding: .int24, sampleRate: 48_000, channelCount: 1)
      .header(frameCount: 3)
    #expect(Array(odd[4..<8]) == [UInt8(odd.count - 8 + 10), 0, 0, 0])
    #expect(Array(odd[(odd.count - 4)...]) == [9, 0, 0, 0])
  }

  @Test func anAIFFHeaderIsByteExact() {
    let header = AIFFWriter(encoding: .int16, sampleRate: 44_100, channelCount: 2)
      .header(frameCount: 2)
    let rate: [UInt8] = [0x40, 0x0E, 0xAC, 0x44, 0, 0, 0, 0, 0, 0]
    #expect(
      header
        == Array("FORM".utf8) + [0, 0, 0, 54] + Array("AIFFCOMM".utf8) + [0, 0, 0, 18]
        + [0, 2, 0, 0, 0, 2, 0, 16] + rate + Array("SSND".utf8) + [0, 0, 0, 16]
        + [UInt8](repeating: 0, count: 8))
  }

  @Test func anAIFFFileHasALimitAndAWAVFileHasNone() {
    var configuration = PCMFileWriter.Configuration(
      .aiff, encoding: .int32, sampleRate: 48_000, channelCount: 2)
    #expect(PCMFileWriter(configuration).hasRoom(for: 1 << 28))
    #expect(!PCMFileWriter(configuration).hasRoom(for: 1 << 29))
    configuration.kind = .wav
    #expect(PCMFileWriter(configuration).hasRoom(for: 1 << 29))
    // Space for 64-bit sizes is reserved only if it may be needed.
    configuration.frameCount = 1000
    #expect(PCMFileWriter(configuration).header().count == 68)
    configuration.frameCount = 1 << 29
    #expect(PCMFileWriter(configuration).header().count == 104)
  }

  @Test func rawSamplesAreLittleEndianAndClippingIsCounted() {
    var configuration = PCMFileWriter.Configuration(
      .raw, encoding: .int24, sampleRate: 48_000, channelCount: 1)
    configuration.isDithered = false
    var writer = PCMFileWriter(configuration)
    var bytes = writer.header()
    #expect(bytes == [])
    let samples: [Float] = [1 / 8_388_608, 2, -2]
    writer.append(samples.span, to: &bytes)
    #expect(bytes == [1, 0, 0, 0xFF, 0xFF, 0x7F, 0, 0, 0x80])
    #expect(writer.clippedCount == 2)
    #expect(writer.finish(to: &bytes) == [])
  }
}
