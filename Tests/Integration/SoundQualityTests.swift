import AacornCodec
import Foundation
import TestSignals
import Testing

/// A regression test of the encoder's quality in every profile, measured against the scores in
/// `Sound/scores.json`.
///
/// If the encoder has improved, or became worse for a good reason, store new scores with
///
///     AACORN_STORE_SCORES=1 Scripts/check-unit-tests --filter SoundQualityTests
///
/// The suite then fails once and reports that, so that a run that sets the variable never passes.
///
/// Serialized, because every row writes to the same file of scores.
@Suite(.serialized) struct SoundQualityTests {
  @Test(arguments: SoundRow.all)
  func qualityReachesStoredScores(row: SoundRow) throws {
    let measured = try Self.measure(row)
    if SoundScores.areRequested {
      try SoundScores.store(measured, of: row)
      Issue.record(
        """
        New scores of row “\(row.name)” are in \(SoundScores.file.path). Run the tests again \
        without \(SoundScores.request).
        """)
      return
    }
    let stored = try SoundScores()[row]
    let odd = Set(stored.keys).symmetricDifference(measured.keys).sorted()
    #expect(
      odd.isEmpty,
      "Clips without scores, or scores without clips. Store new ones: \(SoundScores.command)")
    let common = measured.keys.filter { stored[$0] != nil }.sorted()
    try #require(!common.isEmpty, "There are no clips, or no scores at all.")
    for clip in common {
      check(clip, row, measured[clip], stored[clip], tolerance: SoundScores.clipTolerance)
    }
    let mean = { (scores: [String: Double]) in
      common.compactMap { scores[$0] }.reduce(0, +) / Double(common.count)
    }
    check(
      "The mean of \(common.count) clips", row, mean(measured), mean(stored),
      tolerance: SoundScores.meanTolerance)
  }

  /// A clip and the measure for its copies.
  private typealias MeasuredClip = (clip: SoundClip, noise: NoiseToMask)

  /// The clips and the measures for their copies, created once for all rows.
  private static let clips = Result {
    try SoundClip.all().map { ($0, NoiseToMask(original: $0.sound)) as MeasuredClip }
  }

  /// The noise in every clip, by clip name.
  private static func measure(_ row: SoundRow) throws -> [String: Double] {
    var scores: [String: Double] = [:]
    for (whole, original) in try clips.get() where row.clips?.contains(whole.name) ?? true {
      let clip = row.isMono ? whole.mono : whole
      let noise = row.isMono ? NoiseToMask(original: clip.sound) : original
      scores[clip.name] = noise.decibels(of: try clip.coded(row.configuration(for: clip.sound)))
    }
    return scores
  }

  private func check(
    _ name: String, _ row: SoundRow, _ measured: Double?, _ stored: Double?,
    tolerance: Double
  ) {
    guard let measured, let stored else { return }
    let message = String(
      format: "%@, %@: noise at %.2f dB, stored %.2f dB; at most %.2f dB more are allowed.",
      name, row.name, measured, stored, tolerance)
    #expect(
      measured <= stored + tolerance,
      "\(message) If that is intended: \(SoundScores.command)")
  }
}
