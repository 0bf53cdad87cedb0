import AacornCodec
import AacornContainers
import AacornDevices
import AacornInspection
import AacornRecording
import AacornSignal
import AacornSoundFiles
import Foundation
import SoundRigs
import Testing

/// A temporary folder that is deleted with its owner.
final class Folder: Sendable {
  let path: String

  init() throws {
    let url = FileManager.default.temporaryDirectory
      .appendingPathComponent("aacorn-recording-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    path = url.path
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func file(_ name: String) -> String { path + "/" + name }
  var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
  }
  func bytes(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: file(name))))
  }
  @discardableResult
  func write(_ bytes: [UInt8], to name: String) throws -> String {
    try Data(bytes).write(to: URL(fileURLWithPath: file(name)))
    return file(name)
  }
}

@Suite struct RecordedFileTests {
  /// Records a counter into files.
  private func record(
    to output: FileOutput, frameCount: Int = 96_000, faults: [SyntheticFaults.Event] = [],
    _ change: (inout RecordingConfiguration) -> Void = { _ in }
  ) throws -> RecordingSummary {
    var configuration = RecordingConfiguration(sampleRate: 48_000, channelCount: 2)
    change(&configuration)
    let source = SyntheticSource(
      CaptureDevice(backend: .synthetic, id: "test", name: "Test"),
      playing: SyntheticExcerpt(
        of: CounterSignal(sampleRate: 48_000, channelCount: 2), frameCount: frameCount),
      pacing: .unpaced, faults: SyntheticFaults(faults))
    let session = RecordingSession(configuration)
    try session.start(source, outputs: [output])
    return try finalSummary(of: session)
  }

  @Test func wavHoldsEverySampleAndItsLength() throws {
    let folder = try Folder()
    let summary = try record(to: FileOutput(folder.file("a.wav"), .wav)) { $0.coding = .int16 }
    #expect(summary.failure == nil)
    let bytes = try folder.bytes("a.wav")
    var reader = PCMFileReader()
    guard case .ready(let info) = try reader.push(bytes.span) else {
      Issue.record("The file has no header.")
      return
    }
    #expect(info.dataByteCount == 96_000 * 4)
    let data = bytes[Int(info.dataOffset)...]
    let samples = stride(from: data.startIndex, to: data.endIndex - 1, by: 2).map {
      Int16(bitPattern: UInt16(data[$0]) | UInt16(data[$0 + 1]) << 8)
    }
    #expect(samples.count == 2 * 96_000)
    #expect(firstWrongFrame(samples, gaps: []) == nil)
  }

  /// The report and the metadata of an M4A file, and whether the file has movie fragments.
  private func movie(
    _ bytes: [UInt8]
  ) -> (report: StreamReport, gaps: [[UInt8]], started: String?, isFragmented: Bool) {
    var inspector = MovieInspector(byteCount: UInt64(bytes.count))
    reading: while true {
      switch inspector.step() {
      case .need(let offset, let count):
        inspector.supply(Array(bytes.dropFirst(Int(offset)).prefix(count)))
      case .row: break
      case .finished: break reading
      }
    }
    let text = String(decoding: bytes, as: UTF8.self)
    return (
      inspector.report, inspector.reader.gapEntries, inspector.reader.started, text.contains("moof")
    )
  }

  @Test func compactCopyOfARecordingHasTheSameContents() throws {
    let folder = try Folder()
    for finish in FileOutput.Finish.allCases {
      var options = FileOutput.Options()
      options.finish = finish
      options.tags.title = "Counter"
      try FileManager.default.createSymbolicLink(
        atPath: folder.file("\(finish).m4a"), withDestinationPath: "target-\(finish).m4a")
      try folder.write([], to: "target-\(finish).m4a")
      options.replacesExisting = true
      let summary = try record(
        to: FileOutput(folder.file("\(finish).m4a"), .m4a, options),
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
    let folder = try Folder()
    try Data("precious".utf8).write(to: URL(fileURLWithPath: folder.file("a.m4a")))
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
    let folder = try Folder()
    var options = FileOutput.Options()
    options.replacesExisting = true
    for count in [96_000, 48_000] {
      let summary = try record(
        to: FileOutput(folder.file("a.aac"), .aac, options), frameCount: count)
      #expect(summary.sampleCount == count)
    }
    // Nothing was appended, so the second file is shorter.
    #expect(try folder.bytes("a.aac").count < 20_000)
  }

  @Test func linkTargetIsOverwrittenAndLinkKept() throws {
    let folder = try Folder()
    try Data("old".utf8).write(to: URL(fileURLWithPath: folder.file("target.aac")))
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("link.aac"), withDestinationPath: "target.aac")
    var options = FileOutput.Options()
    options.replacesExisting = true
    let summary = try record(to: FileOutput(folder.file("link.aac"), .aac, options))
    #expect(summary.failure == nil)
    #expect(folder.names == ["link.aac", "target.aac"])
    #expect(
      try FileManager.default.destinationOfSymbolicLink(atPath: folder.file("link.aac"))
        == "target.aac")
    #expect(try folder.bytes("target.aac").starts(with: [0xFF, 0xF1]))
  }

  @Test func aSourceThatCannotBeOpenedLeavesNoFile() throws {
    let folder = try Folder()
    let session = RecordingSession(RecordingConfiguration())
    #expect(throws: RecordingError.self) {
      try session.start(
        BrokenSource(), outputs: [FileOutput(folder.file("a.m4a"), .m4a)])
    }
    #expect(folder.names.isEmpty)
  }

  @Test func aRecordingOfNothingLeavesNoFile() throws {
    let folder = try Folder()
    let summary = try record(to: FileOutput(folder.file("a.m4a"), .m4a), frameCount: 0)
    #expect(summary.outputs.isEmpty)
    #expect(folder.names.isEmpty)
  }

  @Test func adtsFileHasGapSidecar() throws {
    let folder = try Folder()
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

  @Test func partsAreNumbered() throws {
    let folder = try Folder()
    var options = FileOutput.Options()
    options.isNumbered = true
    let summary = try record(to: FileOutput(folder.file("talk.m4a"), .m4a, options)) {
      $0.split = .every(.milliseconds(700))
    }
    #expect(folder.names == ["talk-001.m4a", "talk-002.m4a", "talk-003.m4a"])
    #expect(summary.outputs.map(\.sampleCount) == [33_600, 33_600, 28_800])
  }

  @Test func aNameThatIsTakenIsPassedOverInTheMiddleOfARecording() throws {
    let folder = try Folder()
    try Data("precious".utf8).write(to: URL(fileURLWithPath: folder.file("talk-002.m4a")))
    var options = FileOutput.Options()
    options.isNumbered = true
    let summary = try record(to: FileOutput(folder.file("talk.m4a"), .m4a, options)) {
      $0.split = .every(.milliseconds(1000))
    }
    #expect(summary.failure == nil)
    #expect(folder.names == ["talk-001.m4a", "talk-002.m4a", "talk-003.m4a"])
    #expect(try folder.bytes("talk-002.m4a") == Array("precious".utf8))
  }
}

/// A source that fails to open.
final class BrokenSource: CaptureSource {
  var device: CaptureDevice? { nil }
  var failure: CaptureError? { nil }
  let followsClock: Bool
  var diagnostics: [String] { [] }
  init(followsClock: Bool = true) { self.followsClock = followsClock }
  func start(_ sink: CaptureSink) throws(CaptureError) { throw .noDevice(backend: .alsa) }
  func stop() {}
}
