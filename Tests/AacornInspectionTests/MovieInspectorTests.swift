import AacornCodec
import AacornContainers
import AacornSignal
import AacornSoundFiles
import Testing

@testable import AacornInspection

@Suite struct MovieInspectorTests {
  @Test(arguments: [MP4Writer.Layout.faststart, .moovAtEnd, .fragmented])
  func movieIsCounted(layout: MP4Writer.Layout) throws {
    let file = try movie(layout, blockCount: 200)
    #expect(StreamInspector.needsSeeking(Array(file.prefix(12))))
    let (report, rows) = inspectMovie(file)
    #expect(
      report.container == .movie(isQuickTime: false, isFragmented: layout == .fragmented))
    #expect(report.frameCount == 200 && rows.count == 200)
    #expect(report.sampleCount == 204_800)
    #expect(report.configuration?.sampleRate == 44_100)
    #expect(report.byteCount == Int64(file.count))
    #expect(report.payloadByteCount == Int64((0..<200).reduce(0) { $0 + block($1).count }))
    #expect(report.trim == StreamTrim(priming: 2112, remainder: 688, sampleCount: 202_000))
    #expect(report.trimRate == 44_100)
    #expect(report.fullness == StreamReport.Fullness())
    #expect(report.faults.count == 0)
    let start = Int(rows[77].offset)
    #expect(Array(file[start..<start + rows[77].byteCount]) == block(77))
  }

  @Test(arguments: [MP4Writer.Layout.faststart, .moovAtEnd, .fragmented])
  func tagsAndCoverAreReported(layout: MP4Writer.Layout) throws {
    let cover: [UInt8] = [
      0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 0, 0, 0xFF, 0xC0, 0, 11, 8, 1, 224, 2, 128, 1, 1, 17, 0,
    ]
    let trim = StreamTrim(priming: 2112, remainder: 688, sampleCount: 20 * 1024 - 2112 - 688)
    let file = try movieFile(
      (0..<20).map { AccessUnit(bytes: block($0)) }, .testStream, trim, layout,
      title: "A “title”", cover: cover)
    let report = inspectMovie(file).report
    let found = try #require(report.cover)
    #expect(found.format == .jpeg && found.width == 640 && found.height == 480)
    #expect(Array(file[Int(found.range.lowerBound)..<Int(found.range.upperBound)]) == cover)
    #expect(report.tags.title == "A “title”")
    let json = try #require(JSONReader.value(Array(report.json.utf8)[...]))
    #expect(json["tags"]?.encoded == #"{"title":"A “title”"}"#)
    #expect(json["cover"]?["bytes"]?.integer == cover.count)
    #expect(json["frames"]?.integer == 20 && json["status"]?.text == "ok")
  }

  @Test func truncatedCoverHasNoSize() {
    for count in 0..<10 {
      let cover = CoverImage(
        Array([0xFF, 0xD8, 0xFF, 0xC0, 0, 11, 8, 1, 224, 2].prefix(count)), range: 0..<10)
      #expect(cover.width == nil && cover.height == nil)
    }
    let head: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    #expect(CoverImage(head, range: 0..<8).format == .png)
    #expect(CoverImage(head, range: 0..<8).width == nil)
  }

  @Test func bytesThatSeveralFramesListAreReported() throws {
    var file = try movie(.moovAtEnd, blockCount: 200)
    let start = try #require(file.offsets(of: "stco").last) + 12
    // Each chunk contains a second of audio, 43 frames. The second chunk gets the offset of the
    // first.
    let size = (0..<43).reduce(0) { $0 + block($1).count }
    file.replaceSubrange(start + 4..<start + 8, with: file[start..<start + 4])
    let report = inspectMovie(file).report
    let fault = report.faults.first.first { $0.kind == .sharedBytes(count: Int64(size)) }
    #expect(fault?.severity == .note)
    #expect(report.frameCount == 200)
  }

  @Test(arguments: [
    (48_000, 48_000), (44_100, nil), (22_050, 22_050), (46_000, 46_000), (43_500, nil),
  ])
  func timesForAnotherRateAreReported(timescale: Int, rate: Int?) throws {
    var file = try movie(.faststart, blockCount: 200)
    let start = try #require(file.offset(of: "mdhd")) + 16
    for index in 0..<4 {
      file[start + index] = UInt8(truncatingIfNeeded: timescale >> (24 - 8 * index))
    }
    let faults = inspectMovie(file).report.faults.first
    var kinds: [StreamFault.Kind] = []
    if let rate { kinds.append(.rateMismatch(times: rate, audio: 44_100)) }
    #expect(faults.map(\.kind) == kinds)
    #expect(faults.allSatisfy { $0.severity == .warning })
  }

  @Test func secondFileIsReported() throws {
    let file = try movie(.faststart, blockCount: 20)
    let report = inspectMovie(file + file).report
    #expect(report.faults.first.map(\.kind) == [.secondFile])
    let fault = try #require(report.faults.first.first)
    #expect(fault.offset == Int64(file.count) && fault.length == Int64(file.count))
    #expect(fault.severity == .note && report.frameCount == 20)
    // The initialization segment of a stream may be repeated.
    let fragmented = try movie(.fragmented, blockCount: 200)
    #expect(inspectMovie(fragmented + fragmented).report.faults.count == 0)
  }

  @Test func soundOfAnotherKindIsNamed() throws {
    let whole = try movie(.faststart, blockCount: 10)
    func messages(_ name: String) -> [String] {
      var file = whole
      let entry = whole.offset(of: "mp4a") ?? 0
      file.replaceSubrange(entry..<entry + 4, with: Array(name.utf8))
      let (report, rows) = inspectMovie(file)
      #expect(rows.isEmpty)
      return report.faults.first.map { String(decoding: $0.message, as: UTF8.self) }
    }
    #expect(messages("alac") == ["the audio is ALAC (Apple Lossless), not AAC"])
    #expect(messages("abc\n") == ["the audio is in an unsupported format: sample entry abc?"])
    #expect(messages("enca") == ["the audio is encrypted"])
  }

  @Test func streamSegmentsAreIdentified() throws {
    let stream = AudioSpecificConfig(
      objectType: .lowComplexity, sampleRate: 44_100, channelConfiguration: 1)
    var writer = try MP4SegmentWriter(stream: stream, timing: StreamTiming(stream))
    try writer.append(AccessUnit(bytes: [1, 2, 3]))
    let segment = writer.takeFragment(startsSegment: true)
    for (file, isBeginning) in [(writer.initialization, true), (segment, false)] {
      let report = inspectMovie(file).report
      let error = CodedFileError.pieceOfFragments(isBeginning: isBeginning)
      #expect(report.faultKinds == [.noStream(error)])
    }
  }

  @Test func truncatedMovieIsReported() throws {
    let file = try movie(.faststart, blockCount: 50)
    let (report, rows) = inspectMovie(Array(file.dropLast(block(49).count + 3)))
    #expect(rows.count == 48)
    #expect(report.faultKinds.contains(.movie(.sampleOutsideFile)))
    #expect(report.faults.errorCount > 0)
    let whole = inspectMovie(file).report
    let samples = try #require(whole.trim).sampleCount
    #expect(try #require(report.statedDuration) == Double(samples) / 44_100)
    #expect(whole.statedDuration == nil)
  }

  @Test func shrinkingMovieIsReported() throws {
    let file = try movie(.faststart, blockCount: 50)
    let (report, rows) = inspectMovie(file.dropLast(1000), announced: file.count)
    #expect(rows.count < 50)
    #expect(report.faultKinds.contains(.movie(.sampleOutsideFile)))
  }

  @Test(arguments: [MP4Writer.Layout.faststart, .fragmented])
  func truncatedFileHasLengthOfItsFrames(layout: MP4Writer.Layout) throws {
    let file = try movie(layout, blockCount: 100)
    for dropped in stride(from: 5, to: file.count - 3000, by: 97) {
      let (report, _) = inspectMovie(Array(file.dropLast(dropped)))
      #expect(report.frameCount < 100)
      let trim = try #require(report.trim)
      #expect(trim.priming + trim.sampleCount + trim.remainder == Int(report.sampleCount))
    }
  }

  @Test func recordingReportsItsGaps() throws {
    var configuration = MP4RecordingWriter.Configuration(stream: .testStream)
    configuration.started = "2026-11-20T10:00:00.123Z"
    var writer = try MP4RecordingWriter(configuration: configuration)
    var file = writer.start()
    let entries = [Array(#"{"position":1}"#.utf8), Array(#"{"position":2}"#.utf8)]
    for index in 0..<50 {
      try writer.append(AccessUnit(bytes: block(index)), to: &file)
      if index == 30 { for entry in entries { try writer.append(gap: entry, to: &file) } }
    }
    var (report, _) = inspectMovie(file)
    #expect(report.container == .movie(isQuickTime: false, isFragmented: true))
    #expect(report.started == "2026-11-20T10:00:00.123Z")
    #expect(report.gapEntries == entries)
    #expect(report.faultKinds == [.unfinishedRecording] && report.faults.noteCount == 1)
    #expect(report.statedDuration == nil)
    #expect(report.frameCount == 44)
    for write in try writer.finish(StreamTrim(priming: 1024, remainder: 24, sampleCount: 50_152)) {
      write.apply(to: &file)
    }
    (report, _) = inspectMovie(file)
    #expect(report.container == .movie(isQuickTime: false, isFragmented: false))
    #expect(report.started == "2026-11-20T10:00:00.123Z")
    #expect(report.gapEntries == entries)
    #expect(report.frameCount == 50 && report.faults.count == 0)
  }

  /// The inspector reads the same frames as the decoder.
  @Test(arguments: [70_000, 120_000, 140_000])
  func hugeFrameIsReadUpToTheDecodersLimit(byteCount: Int) throws {
    let huge = TestBlock(fillCount: byteCount).bytes
    // The writer does not write such a frame, so the table changes: the frame is written in parts,
    // and as many frames after it are written as one.
    let parts = stride(from: 0, to: huge.count, by: 50_000).map {
      Array(huge[$0..<min($0 + 50_000, huge.count)])
    }
    let rest = parts.indices.map { block($0) }
    var file = try movie(.moovAtEnd, [block(0)] + parts + [rest.flatMap(\.self)])
    let table = try #require(file.indices.last { file[$0...].starts(with: "stsz".utf8) }) + 16
    for (index, frame) in ([block(0), huge] + rest).enumerated() {
      for byte in 0..<4 {
        file[table + 4 * index + byte] = UInt8(truncatingIfNeeded: frame.count >> (24 - 8 * byte))
      }
    }
    let (report, rows) = inspectMovie(file)
    #expect(report.frameCount == 2 + rest.count)
    if byteCount > 1 << 17 {
      #expect(rows.count == 1 + rest.count && report.faultKinds == [.missingBlock])
    } else {
      #expect(rows.count == 2 + rest.count && rows[1].byteCount == huge.count)
      #expect(report.faultKinds == [.frameTooLarge(bits: Int64(huge.count) * 8, limit: 6144)])
    }
  }

  private func block(_ index: Int) -> [UInt8] { TestBlock(fillCount: 10 + index % 60).bytes }

  private func movie(_ layout: MP4Writer.Layout, blockCount: Int) throws -> [UInt8] {
    try movie(layout, (0..<blockCount).map(block))
  }

  private func movie(_ layout: MP4Writer.Layout, _ blocks: [[UInt8]]) throws -> [UInt8] {
    let trim = StreamTrim(
      priming: 2112, remainder: 688, sampleCount: blocks.count * 1024 - 2112 - 688)
    return try movieFile(blocks.map { AccessUnit(bytes: $0) }, .testStream, trim, layout)
  }

  private func inspectMovie(
    _ file: some RandomAccessCollection<UInt8>, announced: Int? = nil
  ) -> (report: StreamReport, rows: [FrameRow]) {
    let file = Array(file)
    var inspector = MovieInspector(byteCount: UInt64(announced ?? file.count))
    var rows: [FrameRow] = []
    while true {
      switch inspector.step() {
      case .need(let offset, let count):
        let start = min(Int(offset), file.count)
        inspector.supply(Array(file[start..<min(start + count, file.count)]))
      case .row(let row): rows.append(row)
      case .finished: return (inspector.report, rows)
      }
    }
  }
}
