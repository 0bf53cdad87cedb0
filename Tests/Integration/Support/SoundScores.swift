import AacornCodec
import Foundation

/// The noise in the coded clips as it was when somebody last found it good enough, in decibels below
/// what the clips mask; see `NoiseToMask`.
struct SoundScores {
  /// How much worse a single clip may get; the rate control shifts bits for small reasons.
  static let clipTolerance = 0.5
  /// How much worse the mean of all clips may get.
  static let meanTolerance = 0.15
  /// The environment variable that asks for new scores.
  static let request = "AACORN_STORE_SCORES"
  static let command = "\(request)=1 Scripts/check-unit-tests --filter SoundQualityTests"

  static let file = SoundClip.folder.appendingPathComponent("scores.json")

  /// By the name of the clip and of the effort.
  private var decibels: [String: [String: Double]]

  static var areRequested: Bool { ProcessInfo.processInfo.environment[request] == "1" }

  /// Reads the file; without one there are no scores.
  init() throws {
    guard FileManager.default.fileExists(atPath: Self.file.path) else {
      decibels = [:]
      return
    }
    decibels = try JSONDecoder().decode(
      [String: [String: Double]].self, from: Data(contentsOf: Self.file))
  }

  /// The scores of one effort by the name of the clip.
  subscript(effort: AACEncoder.Effort) -> [String: Double] {
    decibels.compactMapValues { $0["\(effort)"] }
  }

  /// Puts new scores of one effort into the file, and forgets clips that are no more.
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
