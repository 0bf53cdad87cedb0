import Foundation
import TestSignals
import Testing

/// Loudness measurements, compared with those of ffmpeg for the same file.
@Suite struct LoudnessMeasurementTests {
  /// The loudness in LUFS, the range in LU and the true peak in dB.
  private struct Reading {
    var integrated: Double
    var range: Double
    var truePeak: Double
  }

  let folder = WorkFolder()

  /// The final measurement of ffmpeg, which prints one decimal.
  private func theirs(_ name: String) throws -> Reading {
    let outcome = try Program.ffmpeg().run(
      [
        "-nostdin", "-hide_banner", "-nostats", "-i", name, "-filter_complex",
        "ebur128=peak=true:framelog=verbose", "-f", "null", "-",
      ], in: folder)
    #expect(outcome.status == 0)
    var values: [String: Double] = [:]
    // The last summary counts. An empty one may belong to a filter that was only configured.
    for line in outcome.errors.split(separator: "\n") {
      let words = line.split(separator: " ")
      guard words.count == 3, ["I:", "LRA:", "Peak:"].contains(words[0]) else { continue }
      values[String(words[0])] = Double(words[1])
    }
    return Reading(
      integrated: try #require(values["I:"]), range: try #require(values["LRA:"]),
      truePeak: try #require(values["Peak:"]))
  }

  private func ours(_ name: String) throws -> Reading {
    let outcome = try folder.aacorn(
      "encode", "-f", "--json", "--loudness-tags", name, "-o", "out.m4a")
    let report = try #require(
      try JSONSerialization.jsonObject(with: outcome.output) as? [String: Any])
    let loudness = try #require(report["loudness"] as? [String: Any])
    return Reading(
      integrated: try #require(loudness["integrated"] as? Double),
      range: try #require(loudness["range"] as? Double),
      truePeak: try #require(loudness["truePeak"] as? Double))
  }

  /// Music in sections of equal length, each multiplied by one of the factors.
  private func passages(_ factors: [Float], rate: Int, channels: Int) -> Sound {
    let length = 6 * rate
    var sound = Sound.music(frames: factors.count * length, rate: rate, channels: channels)
    for channel in sound.channels.indices {
      for frame in 0..<sound.frameCount {
        sound.channels[channel][frame] *= factors[frame / length]
      }
    }
    return sound
  }

  static let sounds: [(factors: [Float], rate: Int, channels: Int)] = [
    ([1, 1], 48_000, 2), ([1, 0.15, 0.5, 0.05, 0.7], 44_100, 2), ([0.5, 0.1], 32_000, 1),
    ([0.4, 0.8, 0.2], 48_000, 6),
  ]

  /// Within 0.1 LU, plus the rounding of ffmpeg's output to one decimal.
  @Test(arguments: sounds)
  func loudnessMatchesFFmpeg(factors: [Float], rate: Int, channels: Int) throws {
    try folder.write(passages(factors, rate: rate, channels: channels).wav, to: "in.wav")
    let (one, other) = (try ours("in.wav"), try theirs("in.wav"))
    #expect(abs(one.integrated - other.integrated) <= 0.15, "\(one), \(other)")
    #expect(abs(one.range - other.range) <= 0.15, "\(one), \(other)")
    #expect(abs(one.truePeak - other.truePeak) <= 0.15, "\(one), \(other)")
  }
}
