import Foundation
import TestSignals
import Testing

/// Decoders of other projects.
enum Decoders {
  /// Decodes a file with ffmpeg, and expects no warnings.
  static func ffmpeg(
    _ name: String, channels: Int, in folder: WorkFolder,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> [[Float]] {
    let outcome = try Program.ffmpeg().run(
      ["-nostdin", "-v", "warning", "-i", name, "-f", "f32le", "-c:a", "pcm_f32le", "-"],
      in: folder)
    #expect(outcome.status == 0, sourceLocation: sourceLocation)
    // A raw stream has no duration. ffmpeg reports that for every ADTS file.
    let complaints = outcome.errors.split(separator: "\n").filter {
      !$0.contains("Estimating duration from bitrate")
    }
    #expect(complaints.isEmpty, sourceLocation: sourceLocation)
    return Sound.channels(ofFloats: outcome.output, count: channels)
  }

  /// Decodes a file with faad, which duplicates a single channel and drops the first frame.
  static func faad(
    _ name: String, channels: Int, in folder: WorkFolder,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> [[Float]] {
    let output = folder.hidden("faad-\(folder.nextNumber())")
    let outcome = try Program.faad().run(
      ["-q", "-b", "4", "-f", "2", "-o", output, name], in: folder)
    #expect(outcome.status == 0, sourceLocation: sourceLocation)
    #expect(outcome.errors.isEmpty && outcome.output.isEmpty, sourceLocation: sourceLocation)
    let data = try Data(contentsOf: URL(fileURLWithPath: output))
    try FileManager.default.removeItem(atPath: output)
    return Sound.channels(ofFloats: data, count: max(2, channels))
  }

  /// The properties of the first stream, from ffprobe.
  static func probe(_ name: String, in folder: WorkFolder) throws -> [String: String] {
    let outcome = try Program.ffprobe().run(
      ["-v", "error", "-show_streams", "-of", "default=noprint_wrappers=1", name], in: folder)
    #expect(outcome.status == 0)
    #expect(outcome.errors.isEmpty)
    var facts: [String: String] = [:]
    for line in outcome.text.split(separator: "\n") {
      let parts = line.split(separator: "=", maxSplits: 1)
      if parts.count == 2 { facts[String(parts[0])] = String(parts[1]) }
    }
    return facts
  }
}
