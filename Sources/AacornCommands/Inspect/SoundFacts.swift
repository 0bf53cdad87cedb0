import AacornContainers
import AacornInspection
import AacornRecording
import AacornSignal
import AacornSystem

/// The result of decoding a file, human-readable and as JSON.
struct SoundFacts {
  private let finding: AudioReportResult
  private let name: String

  /// The maximum number of positions in the human-readable report.
  private static let positionLimit = 8

  /// Creates the facts; nil if nothing was decoded.
  init?(_ finding: AudioReportResult?, name: String) {
    guard let finding else { return nil }
    self.finding = finding
    self.name = name
  }

  /// Whether all frames were decoded without concealment.
  var isIntact: Bool {
    if case .measured(let sound) = finding { return sound.concealedCount == 0 }
    return false
  }

  /// The labels and texts; empty texts are not printed.
  var facts: [(String, String)] {
    switch finding {
    case .impossible(let error):
      [("Decoded", "no: " + AACFileError(error, path: name).problem)]
    case .measured(let sound):
      [
        ("Decoded", Self.length(sound)), ("Loudness", Self.loudness(sound)),
        ("Peak", Self.peak(sound)), ("Silence", Self.silence(sound)),
      ]
    }
  }

  private static func length(_ sound: AudioReport) -> String {
    var parts = [
      "\(QuantityText.duration(sound.duration)) (\(QuantityText.count(Int(clamping: sound.frameCount), "sample")))"
    ]
    if sound.concealedCount == 0 {
      parts.append("no frames concealed")
    } else {
      let frames = QuantityText.count(Int(clamping: sound.concealedCount), "frame")
      parts.append("\(frames) concealed, at \(positions(sound))")
    }
    if sound.formatChangeCount > 0 {
      parts.append(QuantityText.count(sound.formatChangeCount, "change") + " of rate or channels")
    }
    return parts.joined(separator: "; ")
  }

  private static func positions(_ sound: AudioReport) -> String {
    var times = sound.concealedPositions.prefix(positionLimit).map { time(sound, $0) }
    let more = sound.concealedCount - Int64(times.count)
    if more > 0 { times.append("and \(more) more") }
    return times.joined(separator: ", ")
  }

  private static func loudness(_ sound: AudioReport) -> String {
    guard let loudness = sound.loudness else {
      return sound.duration < 0.4 ? "too short to measure" : "silence"
    }
    var text = QuantityText.decibels(loudness) + " LUFS"
    if let range = sound.loudnessRange { text += ", range \(QuantityText.decibels(range)) LU" }
    if let momentary = sound.maximumMomentary {
      text += "; at most \(QuantityText.decibels(momentary)) LUFS in 400 ms"
    }
    if let shortTerm = sound.maximumShortTerm {
      text += ", \(QuantityText.decibels(shortTerm)) LUFS in 3 s"
    }
    return text
  }

  private static func peak(_ sound: AudioReport) -> String {
    if sound.peak == 0 { return "" }
    var text =
      "\(QuantityText.decibels(Decibels.of(amplitude: sound.peak))) dBFS, true peak "
      + "\(QuantityText.decibels(Decibels.of(amplitude: sound.truePeak))) dBTP"
    if sound.clippedSampleCount > 0 {
      text += "; \(QuantityText.count(Int(clamping: sound.clippedSampleCount), "sample")) clipped"
    }
    if sound.excessSampleCount > 0 {
      text +=
        "; \(QuantityText.count(Int(clamping: sound.excessSampleCount), "sample")) beyond full scale"
    }
    return text
  }

  /// Returns whether zero samples are too short to count as silence: every signal crosses zero.
  private static func isInaudible(_ seconds: Double) -> Bool { seconds < 0.001 }

  private static func silence(_ sound: AudioReport) -> String {
    guard let longest = sound.longestSilence else { return "none" }
    if longest.length == sound.frameCount { return "all of it" }
    if isInaudible(sound.seconds(longest.length)) { return "none" }
    var parts: [String] = []
    if !isInaudible(sound.seconds(sound.leadingSilence)) {
      parts.append(QuantityText.length(sound.seconds(sound.leadingSilence)) + " at the start")
    }
    if !isInaudible(sound.seconds(sound.trailingSilence)) {
      parts.append(QuantityText.length(sound.seconds(sound.trailingSilence)) + " at the end")
    }
    parts.append(
      "longest \(QuantityText.length(sound.seconds(longest.length))) at "
        + time(sound, longest.start))
    return parts.joined(separator: ", ")
  }

  private static func time(_ sound: AudioReport, _ frame: Int64) -> String {
    QuantityText.duration(sound.seconds(frame))
  }
}

extension SoundFacts {
  var json: JSONValue {
    switch finding {
    case .impossible(let error):
      ["error": .text(AACFileError(error, path: name).problem)]
    case .measured(let sound): Self.json(sound)
    }
  }

  private static func json(_ sound: AudioReport) -> JSONValue {
    let longest = sound.longestSilence
    return [
      "sampleRate": .integer(sound.sampleRate), "channels": .integer(sound.channelCount),
      "formatChanges": .integer(sound.formatChangeCount), "samples": .clamped(sound.frameCount),
      "duration": .decimal(sound.duration, 6), "loudness": .level(sound.loudness),
      "loudnessRange": .level(sound.loudnessRange),
      "maximumMomentary": .level(sound.maximumMomentary),
      "maximumShortTerm": .level(sound.maximumShortTerm),
      "peak": .level(Decibels.of(amplitude: sound.peak)),
      "truePeak": .level(Decibels.of(amplitude: sound.truePeak)),
      "clippedSamples": .clamped(sound.clippedSampleCount),
      "excessSamples": .clamped(sound.excessSampleCount),
      "silenceAtStart": seconds(sound, sound.leadingSilence),
      "silenceAtEnd": seconds(sound, sound.trailingSilence),
      "longestSilence": seconds(sound, longest?.length ?? 0),
      "longestSilenceAt": longest.map { seconds(sound, $0.start) } ?? .null,
      "concealedFrames": .clamped(sound.concealedCount),
      "concealed": .list(sound.concealedPositions.map { seconds(sound, $0) }),
    ]
  }

  private static func seconds(_ sound: AudioReport, _ frame: Int64) -> JSONValue {
    .decimal(sound.seconds(frame), 6)
  }
}

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
    return [
      "integrated": .level(loudness?.integrated), "range": .level(loudness?.range),
      "maximumMomentary": .level(loudness?.maximumMomentary),
      "maximumShortTerm": .level(loudness?.maximumShortTerm), "peak": .level(loudness?.samplePeak),
      "truePeak": .level(loudness?.truePeak),
      "tags": .object(tags.map { .init($0.name, .text($0.text)) }),
    ]
  }
}

extension QuantityText {
  /// Returns a level or a loudness with one decimal, without its unit.
  static func decibels(_ value: Float) -> String { fixed(Double(value), decimals: 1) }
}
