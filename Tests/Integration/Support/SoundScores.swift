import AacornCodec
import Foundation
import TestSignals

/// The last accepted noise levels of the encoded clips, in dB relative to the masking threshold.
///
/// `NoiseToMask` measures them.
struct SoundScores {
  /// The tolerance for a single clip in dB.
  ///
  /// A small change of the encoder may make the rate control spend bits in other frames.
  static let clipTolerance = 0.5
  /// The tolerance for the mean of all clips in dB.
  static let meanTolerance = 0.15
  /// The environment variable that requests new scores.
  static let request = "AACORN_STORE_SCORES"
  static let command = "\(request)=1 Scripts/check-unit-tests --filter SoundQualityTests"

  static let file = SoundClip.folder.appendingPathComponent("scores.json")

  /// The levels by clip name and effort.
  private var decibels: [String: [String: Double]]

  static var areRequested: Bool { ProcessInfo.processInfo.environment[request] == "1" }

  /// Reads the file.
  ///
  /// Without a file there are no scores.
  init() throws {
    guard FileManager.default.fileExists(atPath: Self.file.path) else {
      decibels = [:]
      return
    }
    decibels = try JSONDecoder().decode(
      [String: [String: Double]].self, from: Data(contentsOf: Self.file))
  }

  /// The scores of one effort, by clip name.
  subscript(effort: AACEncoder.Effort) -> [String: Double] {
    decibels.compactMapValues { $0["\(effort)"] }
  }

  /// Stores new scores of one effort, and removes clips that no longer exist.
  static func store(_ scores: [String: Double], of effort: AACEncoder.Effort) throws {
    let old = try SoundScores().decibels
    var new: [String: [String: Double]] = [:]
    for (clip, score) in scores {
      new[clip] = old[clip] ?? [:]
      new[clip]?["\(effort)"] = (score * 100).rounded() / 100
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    try (encoder.encode(new) + Data("\n".utf8)).write(to: file, options: .atomic)
  }
}
