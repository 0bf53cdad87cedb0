import AacornCodec
import AacornContainers
import AacornInspection
import AacornRecording
import AacornSignal
import Foundation
import Testing

/// HE-AAC that is cut or joined can be decoded correctly from each cut and joint on.
///
/// Otherwise a warning is reported.
@Suite struct ReplicationSpliceTests {
  private let folder: Folder

  init() throws { folder = try Folder() }

  private static let hiss = noise(100_000, amplitude: 0.25)

  /// Writes the encoded units for which `isKept` returns true.
  ///
  /// Decoding can begin with every eighth unit.
  @discardableResult
  private func write(
    _ name: String, _ samples: [Float] = hiss, where isKept: (Int) -> Bool = { _ in true }
  ) throws -> String {
    var encoder = try AACEncoder(
      AACEncoder.Configuration(
        sampleRate: 48_000, channelCount: 1, rateControl: .constant(bitsPerSecond: 32_000),
        effort: .fast, profile: .highEfficiency))
    encoder.encode(interleaved: samples.span)
    let trim = encoder.finish()
    var (units, index): ([AccessUnit], Int) = ([], 0)
    while let unit = encoder.nextAccessUnit() {
      if isKept(index) { units.append(unit) }
      index += 1
    }
    return try folder.write(
      units, of: encoder.audioSpecificConfig, timing: encoder.timing, trim: trim, to: name)
  }

  private func join(_ inputs: [String], to output: String) async throws -> [String] {
    try await AACFile.join(
      inputs.map(folder.file), to: folder.file(output), replacesExisting: true
    ).warnings.filter { $0.contains("has no header of band replication") }
  }

  @Test(arguments: ["out.m4a", "out.aac"])
  func aJointThatCannotBeEnteredIsReported(output: String) async throws {
    try write("whole.aac")
    try write("late.aac") { $0 >= 8 }
    try write("torn.aac") { $0 >= 3 }
    #expect(try await join(["torn.aac", "whole.aac", "late.aac"], to: output).isEmpty)
    let warnings = try await join(["whole.aac", "torn.aac", "late.aac"], to: output)
    #expect(warnings.count == 1 && warnings[0].contains("torn.aac"))
  }

  /// A part starts with frames that are not played.
  ///
  /// The first of them has the SBR header.
  @Test func aPartIsJoinedFromItsHeaderOn() async throws {
    try write("whole.m4a")
    try await folder.cut(
      "whole.m4a", to: "part.m4a", start: .milliseconds(900), duration: .milliseconds(500))
    for output in ["out.m4a", "out.aac"] {
      #expect(try await join(["whole.m4a", "part.m4a"], to: output).isEmpty)
    }
  }
  /// The unit before a header, with which a cut stream begins, is omitted after a joint.
  @Test func aPartOfAStreamIsJoinedFromItsHeaderOn() async throws {
    let path = try write("whole.aac")
    let part = folder.file("part.aac")
    try await AACFile.cut(from: path, to: part, start: .milliseconds(900))
    let output = folder.file("out.aac")
    let summary = try await AACFile.join([path, part], to: output)
    #expect(!summary.warnings.contains { $0.contains("how its high frequencies are made") })
    let counts = try await [AACFile.inspect(path), AACFile.inspect(part), AACFile.inspect(output)]
      .map(\.frameCount)
    #expect(counts[0] + counts[1] == counts[2] + 1)
    let piece = try #require(summary.pieces.last)
    #expect(piece.excessBefore == .zero && piece.excessAfter == .zero)
  }

  /// Band replication from the first samples of a decoder's core would cause a click.
  @Test func aCutStreamBeginsWithoutAClick() async throws {
    var samples = Self.hiss
    for _ in 0..<4 {
      for index in (1..<samples.count).reversed() { samples[index] -= samples[index - 1] }
    }
    for index in samples.indices {
      let tone = 0.1 * Float(sin(Double(index) * 300 * 2 * .pi / 48_000))
      samples[index] = tone + (index % 7000 < 3500 ? 0.3 * samples[index] : 0)
    }
    try write("gated.aac", samples)
    let whole = try folder.samples("gated.aac").map(abs)
    for unit in [8, 16, 24, 32] {
      let summary = try await folder.cut(
        "gated.aac", to: "out.aac", start: .milliseconds(unit * 128 / 3 + 1),
        duration: .milliseconds(250))
      #expect(summary.warnings.count == 1)
      let near = whole[unit * 2048 - 4096..<unit * 2048 + 16_384]
      let peak = try #require(try folder.samples("out.aac").map(abs).max())
      #expect(peak < 1.2 * near.max()!, "unit \(unit)")
    }
  }

  /// If every unit has a header, no unit precedes a header, and the click cannot be prevented.
  @Test func aCutThatMayBeginTooLoudIsReported() async throws {
    try write("headers.aac", Self.hiss + Self.hiss) { $0 % 8 == 0 }
    for (start, isReported) in [(0, false), (480, true)] {
      let summary = try await folder.cut(
        "headers.aac", to: "out.aac", start: .milliseconds(start))
      let isFound = summary.warnings.contains { $0.contains("may be missing or too loud at first") }
      #expect(isFound == isReported)
    }
  }
}
