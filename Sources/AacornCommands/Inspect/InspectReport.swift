import AacornCodec
import AacornContainers
import AacornInspection
import AacornRecording
import AacornSystem

/// The result of an inspection, human-readable and as JSON.
struct InspectReport {
  let name: String
  var report: StreamReport

  /// The maximum number of faults, and of gaps, in the human-readable report.
  private static let faultLimit = 20

  private var soundFacts: [(String, String)] {
    switch report.sound {
    case nil: []
    case .impossible(let error): [("Decoded", "no: " + AACFileError(error, path: name).problem)]
    case .measured(let sound): sound.facts
    }
  }

  var json: JSONValue {
    var soundError: String?
    if case .impossible(let error) = report.sound {
      soundError = AACFileError(error, path: name).problem
    }
    return ["type": .text("report"), "file": .text(name)]
      + report.object(sound: report.soundObject(error: soundError))
  }

  var lines: [String] {
    if report.frameCount == 0 && report.container == .unknown {
      return [displayed(name), "  This is not AAC: it contains no frames."]
    }
    var lines = [displayed(name)]
    for (label, text) in facts where !text.isEmpty {
      lines.append("  " + label + String(repeating: " ", count: 13 - label.count) + text)
      if label == "Gaps" { lines += Self.lines(gaps) { $0.line(sampleRate: clockRate) } }
      if label == "Chapters" { lines += chapterLines }
    }
    for fault in report.faults.first.prefix(Self.faultLimit) {
      lines.append("    " + FaultReport.line(fault, in: report, missing: missingText))
    }
    let more = report.faults.count - Int64(min(report.faults.first.count, Self.faultLimit))
    if more > 0 { lines.append("    and \(more) more; --json lists the first \(FaultLog.limit)") }
    return lines
  }

  private var facts: [(String, String)] {
    guard report.frameCount > 0 else {
      return [("Size", QuantityText.size(Int(clamping: report.byteCount))), ("Faults", faults)]
    }
    var list = [
      ("Container", container), ("Program", report.program?.line ?? ""),
      ("Codec", codec), ("Sound", sound), ("Length", length),
      ("Started", displayed(report.started ?? "")), ("Gaps", gapText),
      ("Bitrate", bitrate), ("Size", size), ("Buffer", buffer), ("Reservoir", reservoir),
      ("Windows", windows), ("Tools", tools),
    ]
    list += ReplicationFacts(report)?.facts ?? []
    list.append(("Checksums", checksums))
    list += soundFacts
    list.append(("Stated", report.tags.statedLoudness))
    return list + [
      ("Tags", tagText), ("Cover", report.cover?.line ?? ""),
      ("Chapters", report.tags.chapters.isEmpty ? "" : "\(report.tags.chapters.count)"),
      ("Faults", faults),
    ]
  }

  private var container: String { "\(report.container.name)" }

  private var codec: String {
    let version = report.isMPEG2 ? "MPEG-2" : "MPEG-4"
    let profile = report.profile.map { "\($0.name)" } ?? "unknown"
    return "AAC \(profile), \(version)"
  }

  private var sound: String {
    let layout =
      report.outputLayout.map { "\($0.name)" }
      ?? QuantityText.count(report.outputChannelCount, "channel")
    return QuantityText.frequency(report.outputSampleRate) + ", " + layout
  }

  /// The duration that the header of a truncated file states, if it exceeds the present audio.
  private var statedText: String? {
    guard let stated = report.statedDuration, stated > report.duration else { return nil }
    let text = QuantityText.duration(stated)
    return text == QuantityText.duration(report.duration) ? nil : text
  }

  /// The amount of missing audio, such as “0:02.5 of 0:05.0 is missing”.
  private var missingText: String? {
    guard let stated = report.statedDuration, let statedText else { return nil }
    return "\(QuantityText.duration(stated - report.duration)) of \(statedText) is missing"
  }

  private var length: String {
    let frames = QuantityText.count(Int(clamping: report.frameCount), "frame")
    let duration = QuantityText.duration(report.duration) + (statedText.map { " of " + $0 } ?? "")
    guard let trim = report.trim else {
      return "\(duration) (\(frames), delay unknown)"
    }
    return "\(duration) (\(trim.sampleCount) samples in \(frames); "
      + "\(trim.priming) trimmed at the start, \(trim.remainder) at the end)"
  }

  private var gaps: [GapRecord] { report.gapEntries.map(GapRecord.init) }

  private var gapText: String {
    // Only a recording can state that it has no gaps.
    if gaps.isEmpty { return report.started == nil ? "" : "none" }
    return GapRecord.summary(gaps, sampleRate: clockRate)
  }

  private var chapterLines: [String] {
    Self.lines(report.tags.chapters) { chapter in
      QuantityText.duration(chapter.startSeconds) + "  " + displayed(chapter.title)
    }
  }

  /// Returns a line for each of the first items, and one for the others.
  private static func lines<Item>(_ items: [Item], line: (Item) -> String) -> [String] {
    let lines = items.prefix(faultLimit).map { "    " + line($0) }
    let more = items.count - lines.count
    return more > 0 ? lines + ["    and \(more) more; --json lists all"] : lines
  }

  /// The sampling rate of positions and lengths.
  private var clockRate: Int { report.trimRate > 0 ? report.trimRate : report.outputSampleRate }

  private var bitrate: String {
    let rate = report.bitrate
    return "\(QuantityText.bitrate(Double(rate.mean))); by the second "
      + "\(QuantityText.bitrate(Double(rate.minimum))) to "
      + "\(QuantityText.bitrate(Double(rate.maximum)))"
  }

  private var size: String {
    let overhead = QuantityText.size(Int(clamping: report.overheadByteCount))
    // Packets also carry other streams, such as video.
    let rest = report.container == .transportStream ? "packets and other streams" : "overhead"
    return "\(QuantityText.size(Int(clamping: report.byteCount))), \(overhead) of it \(rest); "
      + "largest frame \(QuantityText.count(report.largestFrame.byteCount, "byte")) (number "
      + "\(report.largestFrame.number))"
  }

  private var buffer: String {
    let buffer = report.decoderBuffer
    // Without a readable frame the required buffer is unknown.
    if buffer.capacity == 0 { return "" }
    let rateText = buffer.fits ? "fits a constant rate" : "needs a variable rate"
    return "\(rateText): takes \(buffer.required) of \(buffer.capacity) bits"
  }

  private var reservoir: String {
    let fullness = report.fullness
    if fullness.levelCount > 0 {
      return "\(fullness.minimum) to \(fullness.maximum) bits according to the headers"
    }
    return fullness.variableRateCount > 0 ? "variable rate according to the headers" : ""
  }

  private var windows: String {
    let tools = report.tools
    return Self.shares(
      [
        ("long", tools.longChannels), ("start", tools.startChannels),
        ("short", tools.shortChannels), ("stop", tools.stopChannels),
      ], of: tools.channels)
  }

  private var tools: String {
    let tools = report.tools
    if tools.channels == 0 { return "" }
    var parts: [String] = []
    let pairs = Self.shares([("mid/side", tools.midSidePairs)], of: tools.pairs)
    if !pairs.isEmpty { parts.append(pairs + " of pairs") }
    let channels = Self.shares(
      [
        ("noise shaping", tools.noiseShapingChannels), ("noise", tools.noiseChannels),
        ("intensity", tools.intensityChannels), ("pulses", tools.pulseChannels),
      ], of: tools.channels)
    if !channels.isEmpty { parts.append(channels + " of channels") }
    if report.hasSpectralBandReplication {
      parts.append("SBR" + (report.isExtensionSignaled ? "" : ", only in the payload"))
    }
    return parts.isEmpty ? "none" : parts.joined(separator: "; ")
  }

  private var checksums: String {
    let counts = report.checksums
    if counts.present == 0 { return "" }
    return "\(counts.verified) of \(counts.present) match, \(counts.failed) do not"
  }

  private var tagText: String {
    var parts: [String] = []
    for (name, text) in report.tags.namedTexts { parts.append("\(name) “\(displayed(text))”") }
    for tag in report.foreignTags.prefix(3) {
      let length = QuantityText.count(Int(clamping: tag.length), "byte")
      parts.append("\(length) at byte \(tag.offset)")
    }
    if report.foreignTagCount > 3 { parts.append("and \(report.foreignTagCount - 3) more") }
    return parts.joined(separator: ", ")
  }

  private var faults: String {
    let log = report.faults
    if log.count == 0 { return "none" }
    return [
      QuantityText.count(Int(clamping: log.errorCount), "error"),
      QuantityText.count(Int(clamping: log.warningCount), "warning"),
      QuantityText.count(Int(clamping: log.noteCount), "note"),
    ].joined(separator: ", ")
  }

  /// Returns the share of each kind in the total, in percent; kinds that do not occur are omitted.
  static func shares(_ kinds: [(String, Int64)], of total: Int64) -> String {
    guard total > 0 else { return "" }
    return kinds.filter { $0.1 > 0 }.map { kind in
      kind.0 + " " + QuantityText.fixed(Double(kind.1) * 100 / Double(total), decimals: 1) + " %"
    }.joined(separator: ", ")
  }

  /// The chart of the bitrate over time.
  var chart: BitrateChart {
    let plot = report.plot
    let rate = Double(max(1, report.sampleRate))
    let bucketSeconds = Double(plot.framesPerBucket) * Double(report.frameLength) / rate
    var values = plot.buckets.map { Double($0) / bucketSeconds }
    if let last = plot.buckets.last, plot.lastBucketFrames > 0 {
      let share = Double(plot.lastBucketFrames) / Double(plot.framesPerBucket)
      values[values.count - 1] = Double(last) / (bucketSeconds * share)
    }
    return BitrateChart(
      secondsPerValue: bucketSeconds, values: values, mean: Double(report.bitrate.mean),
      title: FileName.last(name))
  }
}

extension CoverImage {
  /// The format and the size of the cover, human-readable.
  fileprivate var line: String {
    var parts = [format.map { "\($0.name)".uppercased() } ?? "unknown format"]
    if let width, let height { parts.append("\(width) × \(height) pixels") }
    parts.append(QuantityText.size(Int(clamping: byteCount)))
    return parts.joined(separator: ", ")
  }
}
