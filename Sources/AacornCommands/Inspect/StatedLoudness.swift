import AacornContainers
import AacornRecording
import AacornSystem

/// The loudness that the metadata of a file states, human-readable and as JSON.
struct StatedLoudness {
  private let loudness: MP4Loudness?
  private let tags: [(name: String, text: String)]

  /// Reads the loudness from tags.
  init(_ tags: MP4Tags) {
    loudness = tags.loudness
    self.tags = tags.loudnessTexts
  }

  /// A human-readable line; empty if nothing is stated.
  var text: String {
    var parts: [String] = []
    if let loudness {
      if let value = loudness.integrated { parts.append("\(QuantityText.decibels(value)) LUFS") }
      if let value = loudness.range { parts.append("range \(QuantityText.decibels(value)) LU") }
      if let value = loudness.maximumMomentary {
        parts.append("at most \(QuantityText.decibels(value)) LUFS in 400 ms")
      }
      if let value = loudness.maximumShortTerm {
        parts.append("\(QuantityText.decibels(value)) LUFS in 3 s")
      }
      if let value = loudness.truePeak {
        parts.append("true peak \(QuantityText.decibels(value)) dBTP")
      }
    }
    for tag in tags { parts.append("\(displayed(tag.name)) “\(displayed(tag.text))”") }
    return parts.joined(separator: ", ")
  }

  /// The stated loudness as JSON; null if nothing is stated.
  var json: JSONValue {
    if loudness == nil && tags.isEmpty { return .null }
    return .object([
      .init("integrated", .level(loudness?.integrated)),
      .init("range", .level(loudness?.range)),
      .init("maximumMomentary", .level(loudness?.maximumMomentary)),
      .init("maximumShortTerm", .level(loudness?.maximumShortTerm)),
      .init("peak", .level(loudness?.samplePeak)),
      .init("truePeak", .level(loudness?.truePeak)),
      .init("tags", .object(tags.map { .init($0.name, .text($0.text)) })),
    ])
  }
}

extension QuantityText {
  /// Returns a level or a loudness with one decimal, without its unit.
  static func decibels(_ value: Float) -> String { fixed(Double(value), decimals: 1) }
}
