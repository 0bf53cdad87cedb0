import AacornCodec
import AacornContainers
import TestSignals
import Testing

@testable import AacornInspection

@Suite struct StreamInspectorTests {
  @Test(arguments: [1, 188, 5000, Int.max])
  func formatIsRecognizedAfterTags(chunk: Int) throws {
    var tags: [UInt8] = []
    for count in [3000, 0, 0, 100] {
      tags += Array("ID3".utf8) + [4, 0, 0, 0, 0]
      tags += [UInt8(count >> 7), UInt8(count & 127)] + [UInt8](repeating: 0, count: count)
    }
    let block = TestBlock().bytes
    let adts = try adtsStream([block, block, block])
    let packets = TransportPacker.stream(type: 0x0F, [adts]).bytes
    let files: [(StreamReport.Container, [UInt8])] = [
      (.adif, try adifHeader() + block + block + block), (.adts, adts),
      (.transportStream, packets),
    ]
    for (container, file) in files {
      let plain = inspect(file)
      let (report, rows) = inspect(tags + file, chunk: chunk)
      #expect(report.container == container && report.frameCount == 3)
      #expect(report.foreignTagCount == 4 && report.faults == plain.report.faults)
      let offsets = plain.rows.map { $0.offset + Int64(tags.count) }
      #expect(rows.map { $0.offset } == offsets)
    }
  }

  @Test func adtsStreamIsCounted() throws {
    let block = TestBlock(fillCount: 20).bytes
    let bytes = try adtsStream(Array(repeating: block, count: 100))
    let (report, rows) = inspect(bytes)
    #expect(report.container == .adts)
    #expect(report.configuration == .testStream)
    #expect(report.profile == .lowComplexity && !report.isMPEG2)
    #expect(report.frameCount == 100 && report.unreadableFrameCount == 0)
    #expect(report.sampleCount == 102_400)
    #expect(report.byteCount == Int64(bytes.count))
    #expect(report.payloadByteCount == Int64(100 * block.count))
    #expect(report.overheadByteCount == 700)
    #expect(report.faults.count == 0)
    #expect(report.tools.channels == 100 && report.tools.longChannels == 100)
    #expect(report.tools.fillBytes == 2000)
    #expect(report.fullness.variableRateCount == 100 && report.fullness.levelCount == 0)
    #expect(rows.map(\.number) == Array(0..<100))
    #expect(rows[3].offset == Int64(3 * (block.count + 7)))
    #expect(rows[3].samplePosition == 3072)
    #expect(rows[3].byteCount == block.count)
    #expect(rows[3].channelCount == 1 && rows[3].firstWindow == .onlyLong)
    #expect(rows[3].secondWindow == nil && rows[3].faultCount == 0)
  }

  @Test func equalFramesHaveOneRate() throws {
    let block = TestBlock(fillCount: 20).bytes
    let (report, _) = inspect(try adtsStream(Array(repeating: block, count: 100)))
    let rate = Int64((Double(block.count * 8) * 44_100 / 1024).rounded())
    #expect(report.bitrate.mean == rate)
    #expect(report.bitrate.minimum == rate && report.bitrate.maximum == rate)
    // A buffer of one frame is enough, and the required buffer never exceeds the input.
    #expect(report.decoderBuffer.required == Int64(block.count * 8))
    #expect(report.decoderBuffer.capacity == 6144)
    #expect(report.decoderBuffer.fits)
    #expect(report.plot.buckets == Array(repeating: Int64(block.count * 8), count: 100))
  }

  @Test func aLoudSecondShowsInTheRates() throws {
    // 43 frames are closest to a second.
    let small = TestBlock(fillCount: 10).bytes
    let large = TestBlock(fillCount: 700).bytes
    let blocks =
      Array(repeating: small, count: 43) + Array(repeating: large, count: 43)
      + Array(repeating: small, count: 43)
    let (report, _) = inspect(try adtsStream(blocks))
    func rate(_ count: Int) -> Int64 {
      Int64((Double(count * 8) * 44_100 / 1024).rounded())
    }
    #expect(report.bitrate.minimum == rate(small.count))
    #expect(report.bitrate.maximum == rate(large.count))
    #expect(report.largestFrame.byteCount == large.count && report.largestFrame.number == 43)
    #expect(!report.decoderBuffer.fits)
    #expect(report.decoderBuffer.minimumLevel < 0)
    #expect(report.decoderBuffer.oversizedFrameCount == 0)
  }

  @Test(arguments: [1, 7, 1000])
  func chunksDoNotMatter(chunk: Int) throws {
    let blocks = [0, 1, 2, 3, 0].map { TestBlock(sequences: [$0], fillCount: 30).bytes }
    let bytes = [1, 2, 3] + (try adtsStream(blocks)) + [0xFF, 0xF1]
    let whole = inspect(bytes)
    let parts = inspect(bytes, chunk: chunk)
    #expect(whole.rows.count == 5)
    #expect(parts.rows == whole.rows)
    #expect(parts.report.json == whole.report.json)
  }

  @Test func windowsAreCounted() throws {
    let sequences = [0, 1, 2, 2, 3, 0]
    let (report, rows) = inspect(
      try adtsStream(sequences.map { TestBlock(sequences: [$0]).bytes }))
    #expect(report.tools.longChannels == 2 && report.tools.startChannels == 1)
    #expect(report.tools.shortChannels == 2 && report.tools.stopChannels == 1)
    #expect(rows.map { $0.firstWindow?.rawValue } == [0, 1, 2, 2, 3, 0])
    #expect(report.faults.count == 0)
  }

  @Test func reservoirIsReadFromTheHeaders() throws {
    var writer = try ADTSWriter(configuration: .testStream)
    var bytes: [UInt8] = []
    for bits in [64, 640, 320] {
      try writer.append(TestBlock().unit(reservoirBits: bits), to: &bytes)
    }
    let (report, rows) = inspect(bytes)
    #expect(report.fullness.levelCount == 3 && report.fullness.variableRateCount == 0)
    #expect(report.fullness.minimum == 64 && report.fullness.maximum == 640)
    #expect(rows.map(\.reservoirBits) == [64, 640, 320])
  }

  @Test func checksumsAreVerified() throws {
    var writer = try ADTSWriter(configuration: .testStream, hasChecksum: true)
    var bytes: [UInt8] = []
    for _ in 0..<4 { try writer.append(TestBlock().unit(), to: &bytes) }
    let length = bytes.count / 4
    #expect(inspect(bytes).report.checksums.verified == 4)
    // Damage the gain of the third frame.
    bytes[2 * length + 10] ^= 0x04
    let (report, rows) = inspect(bytes)
    #expect(report.checksums.present == 4)
    #expect(report.checksums.verified == 3 && report.checksums.failed == 1)
    #expect(
      report.faults.first == [
        StreamFault(kind: .checksum, offset: Int64(2 * length), length: Int64(length), frame: 2)
      ])
    #expect(rows.map(\.faultCount) == [0, 0, 1, 0])
  }

  @Test func replicationInThePayloadMakesHEAAC() throws {
    let block = TestBlock(fillCount: 12, fillKind: 0xD).bytes
    let (report, rows) = inspect(try adtsStream([block, block]))
    #expect(report.profile == .spectralBandReplication)
    #expect(report.sampleRate == 44_100 && report.outputSampleRate == 88_200)
    #expect(!report.isExtensionSignaled)
    #expect(report.tools.spectralBandReplicationFrames == 2)
    #expect(rows.map(\.hasSpectralBandReplication) == [true, true])
    #expect(report.tools.fillBytes == 0)
  }

  @Test func programConfigDeterminesLayout() throws {
    let rate = try #require(SamplingFrequency(hertz: 44_100))
    var program = ProgramConfig(profile: 1, samplingFrequency: rate)
    program.front = [0, 1, 2].map { ProgramConfig.Element(isPair: false, tag: $0) }
    var configuration = AudioSpecificConfig.testStream
    configuration.channelConfiguration = 0
    configuration.programConfig = program
    let block = TestBlock(sequences: [0, 0, 0]).bytes
    let (report, rows) = inspect(
      try adtsStream([block, block], configuration: configuration))
    #expect(report.configuration?.programConfig == program)
    #expect(report.configuration?.channelCount == 3)
    #expect(report.tools.programConfigElements == 2)
    #expect(rows.map(\.channelCount) == [3, 3])
    #expect(report.decoderBuffer.capacity == 3 * 6144)
    #expect(report.faults.count == 0)
  }

  @Test func severalBlocksInAFrameAreSeveralFrames() throws {
    let blocks = [TestBlock(fillCount: 3).bytes, TestBlock(fillCount: 9).bytes]
    var bytes = try adtsStream([blocks[0] + blocks[1], blocks[0] + blocks[1]])
    for start in [0, bytes.count / 2] { bytes[start + 6] |= 1 }
    let (report, rows) = inspect(bytes)
    #expect(report.frameCount == 4 && report.faults.count == 0)
    #expect(rows.map(\.byteCount) == (blocks + blocks).map(\.count))
    #expect(rows.map(\.samplePosition) == [0, 1024, 2048, 3072])
    #expect(rows[1].offset == 0)
    #expect(report.fullness.variableRateCount == 2)
  }

  @Test func tagsAreReported() throws {
    let tag = Array("ID3".utf8) + [4, 0, 0, 0, 0, 0, 20] + [UInt8](repeating: 0x55, count: 20)
    let (report, rows) = inspect(tag + (try adtsStream([TestBlock().bytes, TestBlock().bytes])))
    #expect(report.foreignTags == [StreamReport.ForeignTag(offset: 0, length: 30)])
    #expect(report.foreignTagCount == 1 && rows.count == 2)
    #expect(rows[0].offset == 30)
  }

  @Test func loasStreamIsRecognized() throws {
    var writer = try LATMWriter(configuration: .testStream)
    var bytes: [UInt8] = []
    for count in 0..<20 { try writer.append(TestBlock(fillCount: count).unit(), to: &bytes) }
    for chunk in [5, .max] {
      let (report, rows) = inspect(bytes, chunk: chunk)
      #expect(report.container == .loas)
      #expect(report.configuration?.sampleRate == 44_100)
      #expect(report.frameCount == 20 && rows.count == 20)
      #expect(report.faults.count == 0)
    }
  }

  @Test(arguments: [3, 5000, .max])
  func adifFileIsWalkedThrough(chunk: Int) throws {
    let header = try adifHeader()
    let blocks = (0..<300).map { TestBlock(fillCount: $0).bytes }
    let (report, rows) = inspect(header + blocks.joined(), chunk: chunk)
    #expect(report.container == .adif)
    #expect(report.sampleRate == 32_000)
    #expect(report.configuration?.channelCount == 1)
    #expect(rows.map(\.byteCount) == blocks.map(\.count))
    #expect(rows[0].offset == Int64(header.count))
    #expect(report.faults.count == 0)
  }

  @Test func streamInspectorDoesNotReadMP4() {
    let start: [UInt8] = [0, 0, 0, 0x20, 0x66, 0x74, 0x79, 0x70, 0x4D, 0x34, 0x41, 0x20]
    #expect(StreamInspector.needsSeeking(start))
    #expect(!StreamInspector.needsSeeking([0xFF, 0xF1, 0x50, 0x80, 0, 0x1F, 0xFC, 0]))
    #expect(inspect(start).report.faultKinds == [.needsSeekableSource, .noFrames])
  }
}
