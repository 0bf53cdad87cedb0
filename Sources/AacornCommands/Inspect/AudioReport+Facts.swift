import AacornContainers
import AacornInspection
import AacornSignal
import AacornSystem

/// The measurements of decoded audio, human-readable.
extension AudioReport {
  /// The maximum number of positions in the human-readable report.
  private static let positionLimit = 8

  /// The labels and texts; empty texts are not printed.
  var facts: [(String, String)] {
    [
      ("Decoded", lengthText), ("Loudness", loudnessText), ("Peak", peakText),
      ("Silence", silenceText),
    ]
  }

  private var lengthText: String {
    var parts = [
      "\(QuantityText.duration(duration)) (\(QuantityText.count(Int(clamping: frameCount), "sample")))"
    ]
    if concealedCount == 0 {
      parts.append("no frames concealed")
    } else {
      let frames = QuantityText.count(Int(clamping: concealedCount), "frame")
      parts.append("\(frames) concealed, at \(positionsText)")
    }
    if formatChangeCount > 0 {
      parts.append(QuantityText.count(formatChangeCount, "change") + " of rate or channels")
    }
    return parts.joined(separator: "; ")
  }

  private var positionsText: String {
    var times = concealedPositions.prefix(Self.positionLimit).map(time)
    let more = concealedCount - Int64(times.count)
    if more > 0 { times.append("and \(more) more") }
    return times.joined(separator: ", ")
  }

  private var loudnessText: String {
    guard let loudness else { return duration < 0.4 ? "too short to measure" : "silence" }
    var text = QuantityText.decibels(loudness) + " LUFS"
    if let loudnessRange { text += ", range \(QuantityText.decibels(loudnessRange)) LU" }
    if let maximumMomentary {
      text += "; at most \(QuantityText.decibels(maximumMomentary)) LUFS in 400 ms"
    }
    if let maximumShortTerm {
      text += ", \(QuantityText.decibels(maximumShortTerm)) LUFS in 3 s"
    }
    return text
  }

  private var peakText: String {
    if peak == 0 { return "" }
    var text =
      "\(QuantityText.decibels(Decibels.of(amplitude: peak))) dBFS, true peak "
      + "\(QuantityText.decibels(Decibels.of(amplitude: truePeak))) dBTP"
    if clippedSampleCount > 0 {
      text += "; \(QuantityText.count(Int(clamping: clippedSampleCount), "sample")) clipped"
    }
    if excessSampleCount > 0 {
      text +=
        "; \(QuantityText.count(Int(clamping: excessSampleCount), "sample")) beyond full scale"
    }
    return text
  }

  private var silenceText: String {
    // Shorter runs of zero samples do not count as silence: every signal crosses zero.
    let audible = 0.001
    guard let longest = longestSilence else { return "none" }
    if longest.length == frameCount { return "all of it" }
    if seconds(longest.length) < audible { return "none" }
    var parts: [String] = []
    for (length, position) in [(leadingSilence, "start"), (trailingSilence, "end")]
    where seconds(length) >= audible {
      parts.append(QuantityText.length(seconds(length)) + " at the \(position)")
    }
    parts.append(
      "longest \(QuantityText.length(seconds(longest.length))) at \(time(longest.start))")
    return parts.joined(separator: ", ")
  }

  private func time(_ frame: Int64) -> String { QuantityText.duration(seconds(frame)) }
}

/// The loudness that the metadata of a file states, human-readable.
extension MP4Tags {
  /// A human-readable line; empty if nothing is stated.
  var statedLoudness: String {
    var parts: [String] = []
    if let value = loudness?.integrated { parts.append("\(QuantityText.decibels(value)) LUFS") }
    if let value = loudness?.range { parts.append("range \(QuantityText.decibels(value)) LU") }
    if let value = loudness?.maximumMomentary {
      parts.append("at most \(QuantityText.decibels(value)) LUFS in 400 ms")
    }
    if let value = loudness?.maximumShortTerm {
      parts.append("\(QuantityText.decibels(value)) LUFS in 3 s")
    }
    if let value = loudness?.truePeak {
      parts.append("true peak \(QuantityText.decibels(value)) dBTP")
    }
    for tag in loudnessTexts { parts.append("\(displayed(tag.name)) “\(displayed(tag.text))”") }
    return parts.joined(separator: ", ")
  }
}

extension QuantityText {
  /// Returns a level or a loudness with one decimal, without its unit.
  static func decibels(_ value: Float) -> String { fixed(Double(value), decimals: 1) }
}
