import AacornCodec
import AacornContainers
import AacornRecording
import AacornSignal
import AacornSoundFiles
import Foundation
import Testing

extension Folder {
  /// Writes access units into an M4A or ADTS file.
  @discardableResult
  func write(
    _ units: some Sequence<AccessUnit>, of stream: AudioSpecificConfig,
    timing: StreamTiming? = nil, trim: StreamTrim, to name: String,
    _ change: (inout CodedFileWriter.Configuration) -> Void = { _ in }
  ) throws -> String {
    let format: CodedFileWriter.Format = name.hasSuffix(".m4a") ? .m4a : .adts()
    var configuration = CodedFileWriter.Configuration(format, stream: stream)
    if let timing { configuration.timing = timing }
    change(&configuration)
    var writer = try CodedFileWriter(configuration)
    var bytes: [UInt8] = []
    for unit in units { try writer.append(unit, to: &bytes) }
    if let finish = try writer.finish(trim, to: &bytes) {
      for write in finish { write.apply(to: &bytes) }
    }
    return try write(bytes, to: name)
  }

  /// Cuts one of its files into another, and replaces that.
  @discardableResult
  func cut(
    _ input: String, to output: String, start: Duration = .zero, duration: Duration? = nil
  ) async throws(AACFileError) -> AACFile.SpliceSummary {
    try await AACFile.cut(
      from: file(input), to: file(output), start: start, duration: duration,
      replacesExisting: true)
  }

  /// Joins some of its files into another, and replaces that.
  @discardableResult
  func join(
    _ inputs: String..., to output: String
  ) async throws(AACFileError) -> AACFile.SpliceSummary {
    try await AACFile.join(inputs.map { file($0) }, to: file(output), replacesExisting: true)
  }
}

@Suite struct SpliceTests {
  private let folder: Folder

  init() throws { folder = try Folder() }

  /// Writes a file of noise.
  ///
  /// The encoder substitutes no noise, because a decoder would generate that randomly.
  private func write(
    _ name: String, frames: Int = 100_000, channels: Int = 2, rate: Int = 44_100, seed: Int = 1,
    damaged: Range<Int> = 0..<0, _ change: (inout CodedFileWriter.Configuration) -> Void = { _ in }
  ) throws {
    var settings = AACEncoder.Configuration(
      sampleRate: rate, channelCount: channels, bitrate: 64_000 * channels)
    settings.tools = .all.subtracting(.noiseSubstitution)
    var encoder = try AACEncoder(settings)
    var samples = noise(frames * channels, amplitude: 0.5, seed: seed)
    var level: Float = 0
    for index in samples.indices {
      level += (samples[index] - level) * 0.2
      samples[index] = level
    }
    encoder.encode(interleaved: samples)
    let trim = encoder.finish()
    var units: [AccessUnit] = []
    while var unit = encoder.nextAccessUnit() {
      if damaged.contains(units.count) { unit.bytes = [UInt8](repeating: 0xFF, count: 100) }
      units.append(unit)
    }
    try folder.write(
      units, of: encoder.audioSpecificConfig, timing: encoder.timing, trim: trim, to: name, change)
  }

  private func movie(_ name: String) throws -> MP4Reader { try MP4Reader(file: folder.bytes(name)) }

  // MARK: - Cutting

  private static let borders: [(start: Int, duration: Int?)] = [
    (0, 250), (10, 30), (500, 1000), (1234, 1), (1500, nil), (0, nil), (2200, 5000),
  ]

  @Test(arguments: borders)
  func aPartIsExactToTheSample(start: Int, duration: Int?) async throws {
    for input in ["in.m4a", "in.aac"] {
      try write(input)
      let summary = try await folder.cut(
        input, to: "out.m4a", start: .milliseconds(start),
        duration: duration.map { .milliseconds($0) })
      let first = 2 * (start * 44_100 / 1000)
      let count = duration.map { 2 * ($0 * 44_100 / 1000) } ?? Int.max
      let wanted = Array(try folder.samples(input)[first...].prefix(count))
      #expect(try folder.samples("out.m4a") == wanted)
      #expect(summary.isExact && summary.warnings.isEmpty)
      #expect(summary.sampleCount == wanted.count / 2)
      let result = try movie("out.m4a")
      #expect(result.damage.isEmpty && result.unitCount == summary.frameCount)
      let trim = try #require(result.trim)
      #expect(trim.priming < 2 * 1024 + 1024 && trim.remainder < 1024 + 1024)
      #expect(result.gaplessTag?.priming == UInt32(trim.priming))
    }
  }

  @Test func aPartOfAPartIsAPart() async throws {
    try write("in.m4a")
    try await folder.cut(
      "in.m4a", to: "a.m4a", start: .milliseconds(500), duration: .seconds(1))
    try await folder.cut(
      "a.m4a", to: "b.m4a", start: .milliseconds(100), duration: .milliseconds(300))
    let wanted = try folder.samples("in.m4a")[(2 * (22_050 + 4410))...].prefix(2 * 13_230)
    #expect(try folder.samples("b.m4a") == Array(wanted))
  }

  @Test func aStreamIsCutToTheFrame() async throws {
    try write("in.m4a")
    let whole = try folder.samples("in.m4a")
    let summary = try await folder.cut(
      "in.m4a", to: "out.aac", start: .seconds(1), duration: .milliseconds(500))
    #expect(!summary.isExact && summary.sampleCount == summary.frameCount * 1024)
    let piece = try #require(summary.pieces.first)
    #expect(piece.duration == .milliseconds(500) && piece.excessBefore < .milliseconds(24))
    #expect(summary.warnings.first?.contains("consists of complete frames") == true)
    let out = try folder.samples("out.aac")
    #expect(out.count == 2 * summary.sampleCount)
    // The first frame overlaps a previous frame that was cut off.
    let seconds: Double = piece.excessBefore / Duration.seconds(1)
    let first = 2 * (44_100 - Int((seconds * 44_100).rounded()))
    #expect(Array(out[2048...]) == Array(whole[(first + 2048)...].prefix(out.count - 2048)))
  }

  private func expectNoTags(
    _ warnings: [String], _ words: String = "cannot carry the tags",
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(warnings.contains { $0.contains(words) }, sourceLocation: sourceLocation)
  }

  @Test func tagsAndNotesAreKept() async throws {
    func note(_ position: Int) -> [UInt8] {
      Array(#"{"position":\#(position),"length":1000,"cause":"overrun","filled":true}"#.utf8)
    }
    try write("in.m4a") { configuration in
      configuration.tags.title = "A title"
      configuration.tags.coverImage = [0xFF, 0xD8, 0xFF, 1, 2, 3]
      configuration.gapEntries = [note(10), note(50_000)]
      configuration.started = "2026-03-01T12:00:00Z"
    }
    try await folder.cut("in.m4a", to: "a.m4a", start: .seconds(1))
    let part = try movie("a.m4a")
    #expect(part.tags.title == "A title" && part.coverImage != nil)
    #expect(part.started == nil)
    #expect(part.gapEntries == [note(5900)])
    try await folder.join("in.m4a", "in.m4a", to: "b.m4a")
    let both = try movie("b.m4a")
    #expect(both.tags.title == "A title" && both.coverImage != nil)
    #expect(both.started == "2026-03-01T12:00:00Z" && both.gapEntries.count == 2)
    expectNoTags(try await folder.cut("in.m4a", to: "c.aac").warnings)
  }

  @Test func theTagBeforeAStreamIsKept() async throws {
    try write("plain.aac", frames: 20_000)
    let title: [UInt8] = Array("TIT2".utf8) + [0, 0, 0, 8, 0, 0, 3] + Array("A title".utf8)
    let tag = Array("ID3".utf8) + [4, 0, 0, 0, 0, 0, UInt8(title.count)] + title
    let path = try folder.write(tag + folder.bytes("plain.aac"), to: "in.aac")
    let cut = try await folder.cut("in.aac", to: "cut.m4a")
    #expect(cut.warnings.isEmpty)
    try await folder.join("in.aac", "in.aac", to: "joined.m4a")
    try await AACFile.encode(from: path, to: folder.file("encoded.m4a"))
    for name in ["cut", "joined", "encoded"] {
      #expect(try movie(name + ".m4a").tags.title == "A title")
    }
    expectNoTags(try await folder.cut("in.aac", to: "out.aac").warnings)
  }

  @Test func chaptersMoveWithTheSound() async throws {
    func chapter(_ milliseconds: UInt64, _ title: String) -> MP4Chapter {
      MP4Chapter(start: milliseconds * 10_000, title: title)
    }
    // A track number without content.
    let item: [UInt8] = [0, 0, 0, 9, 0x74, 0x72, 0x6B, 0x6E, 7]
    try write("in.m4a", frames: 88_200) { configuration in
      configuration.tags.chapters = [chapter(0, "A"), chapter(500, "B"), chapter(1500, "C")]
      configuration.tags.otherItems = [item]
    }
    try await folder.cut(
      "in.m4a", to: "a.m4a", start: .milliseconds(700), duration: .milliseconds(900))
    let part = try movie("a.m4a").tags
    #expect(part.chapters == [chapter(0, "B"), chapter(800, "C")])
    #expect(part.otherItems == [item])
    try await folder.join("a.m4a", "in.m4a", to: "b.m4a")
    let both = try movie("b.m4a").tags
    #expect(both.chapters.map(\.title) == ["B", "C", "A", "B", "C"])
    let starts: [UInt64] = [0, 8_000_000, 9_000_000, 14_000_000, 24_000_000]
    #expect(both.chapters.map(\.start) == starts)
    // The duration of an ADTS stream is unknown, so the chapters of the second file have no known
    // start.
    try write("c.aac", frames: 20_000)
    let summary = try await folder.join("c.aac", "in.m4a", to: "d.m4a")
    #expect(try movie("d.m4a").tags.chapters.isEmpty)
    #expect(summary.warnings.contains { $0.contains("chapters") })
    // Audio that is encoded again keeps its timing.
    let path = folder.file("in.m4a")
    try await AACFile.encode(from: path, to: folder.file("e.m4a"))
    let again = try movie("e.m4a").tags
    #expect(again.chapters.map(\.title) == ["A", "B", "C"] && again.otherItems == [item])
    let stream = try await AACFile.encode(from: path, to: folder.file("e.aac"))
    expectNoTags(stream.warnings, "cannot carry the tags and chapters")
  }

  @Test func cutStartingAfterEndThrows() async throws {
    for input in ["in.m4a", "in.aac"] {
      try write(input, frames: 20_000)
      let error = await #expect(throws: AACFileError.self) {
        try await folder.cut(input, to: "out.m4a", start: .seconds(9))
      }
      #expect(error?.message.contains("ends before 0:09.0") == true)
    }
    #expect(folder.names == ["in.aac", "in.m4a"])
  }

  @Test func damagedFramesAreCopiedWithWarning() async throws {
    // An ADTS stream does not state its encoder's delay, so the delay is part of its time.
    for (name, time) in [("in.m4a", "0:01.1"), ("in.aac", "0:01.2")] {
      try write(name, damaged: 50..<53)
      let whole = try await folder.cut(name, to: "out.m4a")
      let words =
        "3 frames of “\(folder.file(name))” are damaged, the first at \(time); copied as they are."
      #expect(whole.isDamaged && whole.warnings == [words])
      // Damage outside the cut is not reported.
      let part = try await folder.cut(name, to: "out.m4a", duration: .seconds(1))
      #expect(!part.isDamaged && part.warnings.isEmpty)
      let both = try await folder.join(name, name, to: "out.m4a")
      #expect(both.isDamaged && both.warnings == [words, words])
    }
  }

  // MARK: - Joining

  @Test func joinedFilesFollowOneAnotherToTheSample() async throws {
    let inputs = ["a.m4a", "b.m4a", "c.aac", "d.m4a"]
    for (index, name) in inputs.enumerated() {
      try write(name, frames: 20_001 + 1000 * index, seed: index + 1)
    }
    let summary = try await folder.join("a.m4a", "b.m4a", "c.aac", "d.m4a", to: "out.m4a")
    let wanted = try inputs.flatMap { try folder.samples($0) }
    #expect(try folder.samples("out.m4a") == wanted)
    #expect(summary.isExact && summary.pieces.map(\.input) == inputs.map(folder.file))
    let result = try movie("out.m4a")
    #expect(result.playableRanges.count == 4 && result.damage.isEmpty)
    #expect(result.trim?.sampleCount == summary.sampleCount)
    // Joined files can be cut across a joint, and joined again.
    try await folder.cut(
      "out.m4a", to: "part.m4a", start: .milliseconds(400), duration: .milliseconds(200))
    #expect(try folder.samples("part.m4a") == Array(wanted[(2 * 17_640)...].prefix(2 * 8820)))
    try await folder.join("out.m4a", "a.m4a", to: "again.m4a")
    #expect(try folder.samples("again.m4a") == wanted + folder.samples("a.m4a"))
  }

  @Test func streamsAreJoinedToTheFrame() async throws {
    try write("a.aac", frames: 20_000)
    try write("b.aac", frames: 20_000, seed: 2)
    let summary = try await folder.join("a.aac", "b.aac", to: "out.aac")
    let size = try folder.bytes("a.aac").count + folder.bytes("b.aac").count
    #expect(try folder.bytes("out.aac").count == size && summary.byteCount == size)
    let count = try folder.samples("a.aac").count + folder.samples("b.aac").count
    #expect(try folder.samples("out.aac").count == count && summary.sampleCount == count / 2)
    #expect(!summary.isExact && summary.warnings.count == 1)
  }

  @Test func joinOfDifferentFormatsThrowsSpecificError() async throws {
    try write("a.m4a", frames: 5000)
    try write("mono.m4a", frames: 5000, channels: 1)
    try write("slow.m4a", frames: 5000, rate: 32_000)
    for (other, words) in [
      ("mono.m4a", "cannot be joined: the first is stereo, the second is mono."),
      ("slow.m4a", "cannot be joined: the sampling rates are 44100 and 32000 Hz."),
    ] {
      let error = await #expect(throws: AACFileError.self) {
        try await folder.join("a.m4a", other, to: "out.m4a")
      }
      let names = "“\(folder.file("a.m4a"))” and “\(folder.file(other))” "
      #expect(error?.kind == .unsupported && error?.problem == names + words)
    }
    await #expect(throws: AACFileError.self) { try await folder.join("a.m4a", to: "out.m4a") }
    let itself = await #expect(throws: AACFileError.self) {
      try await folder.join("a.m4a", "a.m4a", to: "a.m4a")
    }
    #expect(itself?.kind == .exists)
    #expect(!folder.names.contains("out.m4a"))
  }

  @Test func framesOfWhichNoneCanBeDecodedAreRefused() async throws {
    let unit = AccessUnit(bytes: [UInt8](repeating: 0xFF, count: 100))
    try folder.write(
      repeatElement(unit, count: 50),
      of: AudioSpecificConfig(
        objectType: .lowComplexity, sampleRate: 44_100, channelConfiguration: 1),
      trim: StreamTrim(priming: 1024, remainder: 0, sampleCount: 49 * 1024), to: "in.m4a")
    let cut = await #expect(throws: AACFileError.self) {
      try await folder.cut("in.m4a", to: "out.m4a", start: .milliseconds(100))
    }
    let joined = await #expect(throws: AACFileError.self) {
      try await folder.join("in.m4a", "in.m4a", to: "out.m4a")
    }
    for error in [cut, joined] {
      #expect(error?.kind == .badInput)
      #expect(error?.problem.hasSuffix("has no frame that can be decoded.") == true)
    }
    #expect(!folder.names.contains("out.m4a"))
  }
}
