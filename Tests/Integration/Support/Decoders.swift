import Foundation
import Testing

/// What the decoders of others make of a file.
enum Decoders {
  /// Decodes with ffmpeg and expects that it has nothing to complain about.
  static func ffmpeg(
    _ name: String, channels: Int, in folder: WorkFolder,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> [[Float]] {
    let outcome = try Program.ffmpeg().run(
      ["-nostdin", "-v", "warning", "-i", name, "-f", "f32le", "-c:a", "pcm_f32le", "-"],
      in: folder)
    #expect(outcome.status == 0, sourceLocation: sourceLocation)
    // A raw stream has no duration; ffmpeg says that of every ADTS file.
    let complaints = outcome.errors.split(separator: "\n").filter {
      !$0.contains("Estimating duration from bitrate")
    }
    #expect(complaints.isEmpty, sourceLocation: sourceLocation)
    return Sound.channels(ofFloats: outcome.output, count: channels)
  }

  /// Decodes with faad, which makes two channels of one and drops the first frame.
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

  /// What ffprobe says of the first stream.
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
