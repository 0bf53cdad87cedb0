import AacornCodec
import AacornContainers
import AacornDevices
import AacornInspection
import AacornRecording
import AacornSignal
import AacornSoundFiles
import DeviceRigs
import Foundation
import Testing

@Suite struct RecordedFileTests {
  private let folder: Folder

  init() throws { folder = try Folder() }

  private func record(
    to output: FileOutput, frameCount: Int = 96_000, faults: [SyntheticFaults.Event] = [],
    _ change: (inout RecordingConfiguration) -> Void = { _ in }
  ) throws -> RecordingSummary {
    let source = FaultySource.test(frames: frameCount, faults: faults)
    let session = RecordingSession(.stereo(nil, change))
    try session.start(source, outputs: [output])
    return try finalSummary(of: session)
  }

  @Test func wavHoldsEverySampleAndItsLength() throws {
    let summary = try record(to: FileOutput(folder.file("a.wav"), .wav)) { $0.coding = .int16 }
    #expect(summary.failure == nil)
    #expect(try folder.statedByteCount("a.wav") == 96_000 * 4)
    #expect(try folder.samples("a.wav") == counterSamples(frames: 96_000))
  }

  /// The report and the metadata of an M4A file, and whether the file has movie fragments.
  private func movie(
    _ bytes: [UInt8]
  ) -> (report: StreamReport, gaps: [[UInt8]], started: String?, isFragmented: Bool) {
    let inspector = MovieInspector(of: bytes)
    let text = String(decoding: bytes, as: UTF8.self)
    return (
      inspector.report, inspector.reader.gapEntries, inspector.reader.started, text.contains("moof")
    )
  }

  @Test func compactCopyOfARecordingHasTheSameContents() throws {
    for finish in FileOutput.Finish.allCases {
      var options = FileOutput.Options.replacing
      options.finish = finish
      options.tags.title = "Counter"
      try folder.link("\(finish).m4a", to: "target-\(finish).m4a")
      try folder.write([], to: "target-\(finish).m4a")
      let summary = try record(
        to: FileOutput(folder.file("\(finish).m4a"), .m4a, options: options),
        faults: [.at(20_000, .loss(frameCount: 3000, cause: .overrun))])
      #expect(summary.failure == nil && summary.losses.isEmpty && summary.outputs.count == 1)
      #expect(try summary.outputs.first?.byteCount == folder.bytes("target-\(finish).m4a").count)
    }
    let fragmented = movie(try folder.bytes("target-inPlace.m4a"))
    #expect(fragmented.isFragmented)
    for finish in [FileOutput.Finish.automatic, .compact] {
      let compact = movie(try folder.bytes("target-\(finish).m4a"))
      #expect(!compact.isFragmented)
      #expect(compact.report.faults.count == 0)
      #expect(compact.report.frameCount == fragmented.report.frameCount)
      #expect(compact.report.trim == fragmented.report.trim)
      #expect(compact.gaps.count == 1 && compact.started != nil)
    }
    #expect(folder.names.count == 6)
  }

  @Test func existingFileIsUnchanged() throws {
    try folder.write(Array("precious".utf8), to: "a.m4a")
    let error = try #require(throws: RecordingError.self) {
      _ = try record(to: FileOutput(folder.file("a.m4a"), .m4a))
    }
    guard case .output(let reason) = error else {
      Issue.record("\(error)")
      return
    }
    #expect(reason.kind == .exists)
    #expect(try folder.bytes("a.m4a") == Array("precious".utf8))
    #expect(folder.names == ["a.m4a"])
  }

  @Test func aSecondRecordingReplacesTheFirstOnlyWhenAsked() throws {
    for count in [96_000, 48_000] {
      let summary = try record(
        to: FileOutput(folder.file("a.aac"), .aac, options: .replacing), frameCount: count)
      #expect(summary.sampleCount == count)
    }
    // Nothing was appended, so the second file is shorter.
    #expect(try folder.bytes("a.aac").count < 20_000)
  }

  @Test func linkTargetIsOverwrittenAndLinkKept() throws {
    try folder.write([1], to: "target.aac")
    try folder.link("link.aac", to: "target.aac")
    let summary = try record(to: FileOutput(folder.file("link.aac"), .aac, options: .replacing))
    #expect(summary.failure == nil)
    #expect(folder.names == ["link.aac", "target.aac"])
    #expect(
      try FileManager.default.destinationOfSymbolicLink(atPath: folder.file("link.aac"))
        == "target.aac")
    #expect(try folder.bytes("target.aac").starts(with: [0xFF, 0xF1]))
  }

  @Test func aSourceThatCannotBeOpenedLeavesNoFile() throws {
    let session = RecordingSession(RecordingConfiguration())
    #expect(throws: RecordingError.self) {
      try session.start(
        FailingSource(followsClock: true), outputs: [FileOutput(folder.file("a.m4a"), .m4a)])
    }
    #expect(folder.names.isEmpty)
  }

  @Test func aRecordingOfNothingLeavesNoFile() throws {
    let summary = try record(to: FileOutput(folder.file("a.m4a"), .m4a), frameCount: 0)
    #expect(summary.outputs.isEmpty)
    #expect(folder.names.isEmpty)
  }

  @Test func adtsFileHasGapSidecar() throws {
    _ = try record(
      to: FileOutput(folder.file("a.aac"), .aac),
      faults: [
        .at(10_000, .loss(frameCount: 480, cause: .overrun)),
        .at(50_000, .loss(frameCount: 48, cause: .serverHole)),
      ])
    #expect(folder.names == ["a.aac", "a.aac.gaps.json"])
    struct Entry: Decodable, Equatable {
      var position: Int
      var length: Int
      var cause: String
      var filled: Bool
    }
    let entries = try JSONDecoder().decode(
      [Entry].self, from: Data(try folder.bytes("a.aac.gaps.json")))
    #expect(
      entries == [
        Entry(position: 10_000, length: 480, cause: "overrun", filled: true),
        Entry(position: 50_000, length: 48, cause: "server-hole", filled: true),
      ])
  }

  @Test(arguments: [false, true])
  func partsAreNumberedWithoutReplacingFiles(isTaken: Bool) throws {
    if isTaken { try folder.write(Array("precious".utf8), to: "talk-002.m4a") }
    let summary = try record(to: FileOutput(folder.file("talk.m4a"), .m4a, options: .numbered)) {
      $0.split = .every(.milliseconds(700))
    }
    #expect(summary.failure == nil)
    #expect(summary.outputs.map(\.sampleCount) == [33_600, 33_600, 28_800])
    #expect(folder.names == (1...(isTaken ? 4 : 3)).map { "talk-00\($0).m4a" })
    if isTaken { #expect(try folder.bytes("talk-002.m4a") == Array("precious".utf8)) }
  }
}

extension MovieInspector {
  init(of bytes: [UInt8]) {
    self.init(byteCount: UInt64(bytes.count))
    while true {
      switch step() {
      case .need(let offset, let count):
        supply(Array(bytes.dropFirst(Int(offset)).prefix(count)))
      case .row: break
      case .finished: return
      }
    }
  }
}
