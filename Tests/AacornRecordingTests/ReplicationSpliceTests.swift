import AacornCodec
import AacornContainers
import AacornRecording
import AacornSignal
import Foundation
import Testing

/// Joined HE-AAC files: each joint can be decoded, or is reported.
@Suite struct ReplicationSpliceTests {
  private let folder: Folder

  init() throws {
    folder = try Folder()
  }

  /// Writes the units of encoded noise without the first `count`.
  ///
  /// Decoding can start at every eighth unit.
  @discardableResult
  private func write(_ name: String, droppingFirst count: Int = 0) throws -> String {
    var encoder = try AACEncoder(
      AACEncoder.Configuration(
        sampleRate: 48_000, channelCount: 1, rateControl: .constant(bitsPerSecond: 32_000),
        effort: .fast, profile: .highEfficiency))
    var state: UInt32 = 1
    let samples = (0..<100_000).map { _ in
      state = state &* 1_664_525 &+ 1_013_904_223
      return Float(Int32(bitPattern: state) >> 18) / 32_768
    }
    encoder.encode(interleaved: samples.span)
    let trim = encoder.finish()
    let format: CodedFileWriter.Format = name.hasSuffix(".m4a") ? .m4a : .adts()
    var configuration = CodedFileWriter.Configuration(format, stream: encoder.audioSpecificConfig)
    configuration.timing = encoder.timing
    var writer = try CodedFileWriter(configuration)
    var bytes: [UInt8] = []
    var index = 0
    while let unit = encoder.nextAccessUnit() {
      if index >= count { try writer.append(unit, to: &bytes) }
      index += 1
    }
    if let finish = try writer.finish(trim, to: &bytes) {
      for write in finish { write.apply(to: &bytes) }
    }
    return try folder.write(bytes, to: name)
  }

  private func join(_ inputs: [String], to output: String) async throws -> [String] {
    try await AACFile.join(
      inputs.map(folder.file), to: folder.file(output), replacesExisting: true
    ).warnings.filter { $0.contains("has no header of band replication") }
  }

  @Test(arguments: ["out.m4a", "out.aac"])
  func aJointThatCannotBeEnteredIsReported(output: String) async throws {
    try write("whole.aac")
    try write("late.aac", droppingFirst: 8)
    try write("torn.aac", droppingFirst: 3)
    #expect(try await join(["torn.aac", "whole.aac", "late.aac"], to: output).isEmpty)
    let warnings = try await join(["whole.aac", "torn.aac", "late.aac"], to: output)
    #expect(warnings.count == 1 && warnings[0].contains("torn.aac"))
  }

  /// A part starts with frames that are not played.
  ///
  /// The first of them has the SBR header.
  @Test func aPartIsJoinedFromItsHeaderOn() async throws {
    try write("whole.m4a")
    try await AACFile.cut(
      from: folder.file("whole.m4a"), to: folder.file("part.m4a"), start: .milliseconds(900),
      duration: .milliseconds(500))
    for output in ["out.m4a", "out.aac"] {
      #expect(try await join(["whole.m4a", "part.m4a"], to: output).isEmpty)
    }
  }
}
