import AacornCodec
import Foundation
import TestSignals
import Testing

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

  /// The levels by clip and row.
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

  /// The scores of one row, by clip name.
  subscript(row: SoundRow) -> [String: Double] { decibels.compactMapValues { $0[row.name] } }

  /// Stores new scores of one row, and removes those of clips and rows that no longer exist.
  static func store(_ scores: [String: Double], of row: SoundRow) throws {
    let names = Set(SoundRow.all.map(\.name))
    var new = try SoundScores().decibels.mapValues { clip in
      clip.filter { names.contains($0.key) && $0.key != row.name }
    }
    for (clip, score) in scores {
      new[clip, default: [:]][row.name] = (score * 100).rounded() / 100
    }
    new = new.filter { !$0.value.isEmpty }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    try (encoder.encode(new) + Data("\n".utf8)).write(to: file, options: .atomic)
  }
}

/// A configuration of the encoder whose sound is tested.
struct SoundRow: CustomTestStringConvertible, Sendable {
  let name: String
  var profile = AACEncoder.Profile.lowComplexity
  /// The rate; a clip that has one channel gets half of a constant or average rate.
  var rateControl = AACEncoder.RateControl.constant(bitsPerSecond: 96_000)
  var effort = AACEncoder.Effort.balanced
  /// Whether only the first channel is encoded.
  var isMono = false
  /// The clips; nil for all.
  var clips: [String]? = ["castanets", "choir", "electronic", "guitar", "harpsichord", "speech"]

  var testDescription: String { name }

  static let all: [SoundRow] =
    AACEncoder.Effort.allCases.map { SoundRow(name: "\($0)", effort: $0, clips: nil) } + [
      SoundRow(name: "64 kb/s", rateControl: .constant(bitsPerSecond: 64_000)),
      SoundRow(name: "128 kb/s", rateControl: .constant(bitsPerSecond: 128_000)),
      SoundRow(name: "192 kb/s", rateControl: .constant(bitsPerSecond: 192_000)),
      SoundRow(name: "64 kb/s mono", rateControl: .constant(bitsPerSecond: 64_000), isMono: true),
      SoundRow(name: "96 kb/s on average", rateControl: .average(bitsPerSecond: 96_000)),
      SoundRow(name: "variable", rateControl: .variable(level: 4)),
      SoundRow(
        name: "HE-AAC", profile: .highEfficiency, rateControl: .constant(bitsPerSecond: 48_000)),
      SoundRow(
        name: "HE-AAC mono", profile: .highEfficiency,
        rateControl: .constant(bitsPerSecond: 32_000), isMono: true),
      SoundRow(
        name: "HE-AAC v2", profile: .highEfficiencyV2,
        rateControl: .constant(bitsPerSecond: 32_000),
        clips: ["castanets", "choir", "electronic", "guitar", "harpsichord"]),
    ]

  /// Returns the configuration for a clip.
  func configuration(for sound: Sound) -> AACEncoder.Configuration {
    var configuration = AACEncoder.Configuration(
      sampleRate: sound.rate, channelCount: sound.channels.count, rateControl: rateControl,
      effort: effort)
    configuration.profile = profile
    if isMono || sound.channels.count > 1 { return configuration }
    switch rateControl {
    case .constant(let rate): configuration.rateControl = .constant(bitsPerSecond: rate / 2)
    case .average(let rate): configuration.rateControl = .average(bitsPerSecond: rate / 2)
    case .variable: break
    }
    return configuration
  }
}
