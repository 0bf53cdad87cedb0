import AacornCodec
import AacornContainers
import Testing

@testable import AacornInspection

@Suite struct FaultTests {
  private let good = TestBlock(fillCount: 4).bytes

  @Test func garbageIsPlaced() throws {
    let frames = try adtsStream([good, good])
    let garbage = [UInt8](repeating: 0x11, count: 50)
    let (report, rows) = inspect(frames + garbage + frames)
    #expect(rows.count == 4)
    #expect(
      report.faults.first == [
        StreamFault(
          kind: .damage(.garbage), offset: Int64(frames.count), length: 50, frame: 2)
      ])
    #expect(report.faults.errorCount == 1)
    #expect(rows.map(\.faultCount) == [0, 0, 1, 0])
  }

  @Test func truncatedEndIsReported() throws {
    let bytes = try adtsStream([good, good, good])
    let (report, rows) = inspect(Array(bytes.dropLast(4)))
    #expect(rows.count == 2)
    #expect(report.faultKinds == [.damage(.truncatedFrame)])
    #expect(report.faults.first[0].frame == 2)
  }

  @Test func unreadableBlocksAreReported() throws {
    let bad = TestBlock(bandCount: 50, fillCount: 4).bytes
    let (report, rows) = inspect(try adtsStream([good, bad, good]))
    #expect(report.frameCount == 3 && report.unreadableFrameCount == 1)
    #expect(report.sampleCount == 3072)
    #expect(report.tools.channels == 2)
    let first = try #require(report.faults.first.first)
    #expect(first.kind == .unreadable(.tooManyBands(count: 50, limit: 49), bit: 25))
    #expect(first.frame == 1 && first.severity == .error)
    #expect(rows[1].usedBits == nil && rows[1].firstWindow == nil)
    #expect(rows[1].faultCount == 1)
  }

  @Test func mismatchedWindowSlopesAreOnlyNotes() throws {
    let blocks = [0, 2, 2, 0, 3].map { TestBlock(sequences: [$0]).bytes }
    let (report, _) = inspect(try adtsStream(blocks))
    #expect(
      report.faultKinds == [
        .windowTransition(from: .onlyLong, to: .eightShort, channel: 0),
        .windowTransition(from: .eightShort, to: .onlyLong, channel: 0),
        .windowTransition(from: .onlyLong, to: .longStop, channel: 0),
      ])
    #expect(report.faults.noteCount == 3)
    #expect(report.faults.warningCount == 0 && report.faults.errorCount == 0)
    let matching = [0, 0, 1, 2, 2, 3, 0, 1, 3, 1].map { TestBlock(sequences: [$0]).bytes }
    #expect(inspect(try adtsStream(matching)).report.faults.count == 0)
  }

  @Test(arguments: [17, 22, 23, 39, 42])
  func opaqueObjectTypeIsReportedOnce(type: UInt8) throws {
    let stream = AudioSpecificConfig(
      objectType: AudioObjectType(rawValue: type), sampleRate: 44_100, channelConfiguration: 2)
    var analyzer = FrameAnalyzer(measuresLevels: false)
    for index in 0..<300 {
      let unit = FrameAnalyzer.Unit(
        stream, [UInt8](repeating: 0x5A, count: 100), offset: Int64(index * 100))
      #expect(analyzer.read(unit) == nil)
      let row = analyzer.countRow(unit, byteCount: nil)
      #expect(row.byteCount == 100 && row.faultCount == (index == 0 ? 1 : 0))
    }
    let report = analyzer.currentReport
    #expect(report.faultKinds == [.opaqueObjectType(AudioObjectType(rawValue: type))])
    #expect(report.faults.noteCount == 1)
    #expect(report.frameCount == 300 && report.unreadableFrameCount == 300)
    #expect(report.sampleCount == 300 * (type == 23 || type == 39 ? 512 : 1024))
    let message = String(decoding: try #require(report.faults.first.first).message, as: UTF8.self)
    #expect(message.hasPrefix("frames of object type \(type) ("))
    #expect(message.contains("), which are not supported; "))
    #expect(message.contains("the container and the sizes and times of the frames were"))
  }

  @Test func latmConfigurationChangeIsOnlyNote() throws {
    var other = AudioSpecificConfig.testStream
    other.sampleRate = 48_000
    var bytes: [UInt8] = []
    for configuration in [AudioSpecificConfig.testStream, other] {
      var writer = try LATMWriter(configuration: configuration)
      for _ in 0..<4 { try writer.append(AccessUnit(bytes: good), to: &bytes) }
    }
    let report = inspect(bytes).report
    #expect(report.faultKinds == [.configurationChange])
    #expect(report.faults.noteCount == 1 && report.frameCount == 8)
  }

  @Test func aFrameMayUseTheBufferOfAllChannelsOfItsStream() throws {
    var stream = AudioSpecificConfig.testStream
    stream.channelConfiguration = 2
    var analyzer = FrameAnalyzer(measuresLevels: false)
    // One channel instead of the announced two is a separate fault, but the size is valid.
    let bytes = TestBlock(fillCount: 900).bytes
    let unit = FrameAnalyzer.Unit(stream, bytes, offset: 0)
    _ = analyzer.countRow(unit, byteCount: analyzer.read(unit))
    let report = analyzer.currentReport
    #expect(report.faultKinds == [.channelCount(found: 1, expected: 2)])
    #expect(report.decoderBuffer.capacity == 2 * 6144)
  }

  @Test func noiseIsForMPEG4Only() throws {
    let noise = TestBlock(bandCount: 1, hasNoise: true).bytes
    #expect(inspect(try adtsStream([noise, good])).report.faults.count == 0)
    let (report, _) = inspect(try adtsStream([noise, good], version: .mpeg2))
    #expect(report.isMPEG2)
    #expect(report.faultKinds == [.noiseInMPEG2])
    #expect(report.tools.noiseChannels == 1 && report.tools.noiseBands == 1)
  }

  @Test func oversizedFramesAreReported() throws {
    let large = TestBlock(fillCount: 900).bytes
    let (report, rows) = inspect(try adtsStream([good, large]))
    #expect(
      report.faultKinds == [.frameTooLarge(bits: Int64(large.count * 8), limit: 6144)])
    #expect(report.decoderBuffer.oversizedFrameCount == 1)
    #expect(rows[1].faultCount == 1)
  }

  @Test func faultOfOneBlockIsReported() throws {
    let faults: [(TestBlock, StreamFault.Kind, StreamFault.Severity)] = [
      (TestBlock(fillCount: 4, trailingCount: 3), .trailingBytes(count: 3), .note),
      (TestBlock(sequences: [0, 0]), .channelCount(found: 2, expected: 1), .warning),
      (TestBlock(sequences: []), .channelCount(found: 0, expected: 1), .error),
    ]
    for (block, kind, severity) in faults {
      let (report, rows) = inspect(try adtsStream([good, block.bytes, good]))
      #expect(report.faultKinds == [kind])
      #expect(report.faults.first.map(\.severity) == [severity])
      #expect(rows.map(\.faultCount) == [0, 1, 0])
    }
  }

  @Test func parameterChangeIsReported() throws {
    var other = AudioSpecificConfig.testStream
    other.sampleRate = 48_000
    let bytes =
      try adtsStream([good, good]) + adtsStream([good, good], configuration: other)
    let (report, rows) = inspect(bytes)
    #expect(report.faultKinds == [.damage(.parametersChanged)])
    #expect(report.faults.warningCount == 1)
    #expect(rows.map(\.sampleRate) == [44_100, 44_100, 48_000, 48_000])
    #expect(report.sampleRate == 44_100)
  }

  @Test func blocksThatCannotBeFoundAreMissing() throws {
    let bad = TestBlock(bandCount: 50).bytes
    var bytes = try adtsStream([bad + good, good])
    bytes[6] |= 1
    let (report, rows) = inspect(bytes)
    #expect(report.frameCount == 3 && rows.count == 2)
    #expect(report.unreadableFrameCount == 2)
    #expect(report.faultKinds.last == .missingBlock)
    #expect(rows[1].number == 2)
  }

  @Test func emptyOrGarbageInputReportsNoFrames() {
    #expect(inspect([]).report.faultKinds == [.noFrames])
    let report = inspect([UInt8](repeating: 0x20, count: 3000)).report
    #expect(report.container == .unknown)
    #expect(report.faultKinds == [.damage(.garbage), .noFrames])
  }

  @Test func faultsAreCountedBeyondTheirLimit() throws {
    let bad = TestBlock(bandCount: 50).bytes
    let (report, rows) = inspect(try adtsStream(Array(repeating: bad, count: 1500)))
    #expect(rows.count == 1500)
    #expect(report.faults.errorCount == 1500)
    #expect(report.faults.first.count == FaultLog.limit)
  }
}
