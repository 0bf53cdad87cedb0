import AacornCodec
import Foundation
import TestSignals
import Testing

/// A regression test of the encoder's quality with a dozen clips at 48 kb/s per channel, measured
/// against the scores in `Sound/scores.json`.
///
/// If the encoder has improved, or became worse for a good reason, store new scores with
///
///     AACORN_STORE_SCORES=1 Scripts/check-unit-tests --filter SoundQualityTests
///
/// The suite then fails once and reports that, so that a run that sets the variable never passes.
///
/// Serialized, because every effort writes to the same file of scores.
@Suite(.serialized) struct SoundQualityTests {
  @Test(arguments: AACEncoder.Effort.allCases)
  func qualityReachesStoredScores(effort: AACEncoder.Effort) throws {
    let measured = try Self.measure(effort)
    if SoundScores.areRequested {
      try SoundScores.store(measured, of: effort)
      Issue.record(
        """
        New scores of effort \(effort) are in \(SoundScores.file.path). Run the tests again \
        without \(SoundScores.request).
        """)
      return
    }
    let stored = try SoundScores()[effort]
    let odd = Set(stored.keys).symmetricDifference(measured.keys).sorted()
    #expect(
      odd.isEmpty,
      "Clips without scores, or scores without clips. Store new ones: \(SoundScores.command)")
    let common = measured.keys.filter { stored[$0] != nil }.sorted()
    try #require(!common.isEmpty, "There are no clips, or no scores at all.")
    for clip in common {
      check(clip, effort, measured[clip], stored[clip], tolerance: SoundScores.clipTolerance)
    }
    let mean = { (scores: [String: Double]) in
      common.compactMap { scores[$0] }.reduce(0, +) / Double(common.count)
    }
    check(
      "The mean of \(common.count) clips", effort, mean(measured), mean(stored),
      tolerance: SoundScores.meanTolerance)
  }

  /// The clips and the measures for their copies, created once for all efforts.
  private static let clips = Result {
    try SoundClip.all().map { (clip: $0, noise: NoiseToMask(original: $0.sound)) }
  }

  /// The noise in every clip, by clip name.
  private static func measure(_ effort: AACEncoder.Effort) throws -> [String: Double] {
    var scores: [String: Double] = [:]
    for (clip, noise) in try clips.get() {
      scores[clip.name] = noise.decibels(of: try clip.coded(effort: effort))
    }
    return scores
  }

  private func check(
    _ name: String, _ effort: AACEncoder.Effort, _ measured: Double?, _ stored: Double?,
    tolerance: Double
  ) {
    guard let measured, let stored else { return }
    let message = String(
      format: "%@, effort %@: noise at %.2f dB, stored %.2f dB; at most %.2f dB more are allowed.",
      name, "\(effort)", measured, stored, tolerance)
    #expect(
      measured <= stored + tolerance,
      "\(message) If that is intended: \(SoundScores.command)")
  }
}
