import AacornCodec
import AacornContainers
import AacornInspection
import AacornRecording
import AacornSystem

/// The result of an inspection, human-readable and as JSON.
struct InspectReport {
  let name: String
  var report: StreamReport
  var tags = MP4Tags()
  var gaps: [GapRecord] = []
  var cover: CoverFacts?

  /// The maximum number of faults, and of gaps, in the human-readable report.
  private static let faultLimit = 20

  /// Whether the file has neither errors nor warnings, and its audio, if decoded, is intact.
  ///
  /// Faults with the severity “note” do not count.
  var isFaultless: Bool {
    report.faults.errorCount == 0 && report.faults.warningCount == 0
      && isSoundIntact
  }

  /// False if frames could not be decoded or were concealed.
  private var isSoundIntact: Bool {
    switch report.sound {
    case nil: true
    case .impossible: false
    case .measured(let sound): sound.concealedCount == 0
    }
  }

  private var soundFacts: [(String, String)] {
    switch report.sound {
    case nil: []
    case .impossible(let error): [("Decoded", "no: " + AACFileError(error, path: name).problem)]
    case .measured(let sound): sound.facts
    }
  }

  private var soundJSON: JSONValue {
    switch report.sound {
    case nil: .null
    case .impossible(let error): ["error": .text(AACFileError(error, path: name).problem)]
    case .measured(let sound): sound.json
    }
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
    list.append(("Stated", tags.statedLoudness))
    return list + [
      ("Tags", tagText), ("Cover", cover?.line ?? ""),
      ("Chapters", tags.chapters.isEmpty ? "" : "\(tags.chapters.count)"),
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

  /// The duration of the audio in seconds, trimmed as the container specifies.
  private var seconds: Double {
    if let trim = report.trim, report.trimRate > 0 {
      return Double(trim.sampleCount) / Double(report.trimRate)
    }
    return report.sampleRate > 0 ? Double(report.sampleCount) / Double(report.sampleRate) : 0
  }

  /// The duration that the header of a truncated file states, if it exceeds the present audio.
  private var statedText: String? {
    guard let stated = report.statedDuration, stated > seconds else { return nil }
    let text = QuantityText.duration(stated)
    return text == QuantityText.duration(seconds) ? nil : text
  }

  /// The amount of missing audio, such as “0:02.5 of 0:05.0 is missing”.
  private var missingText: String? {
    guard let stated = report.statedDuration, let statedText else { return nil }
    return "\(QuantityText.duration(stated - seconds)) of \(statedText) is missing"
  }

  private var length: String {
    let frames = QuantityText.count(Int(clamping: report.frameCount), "frame")
    let duration = QuantityText.duration(seconds) + (statedText.map { " of " + $0 } ?? "")
    guard let trim = report.trim else {
      return "\(duration) (\(frames), delay unknown)"
    }
    return "\(duration) (\(trim.sampleCount) samples in \(frames); "
      + "\(trim.priming) trimmed at the start, \(trim.remainder) at the end)"
  }

  private var gapText: String {
    // Only a recording can state that it has no gaps.
    if gaps.isEmpty { return report.started == nil ? "" : "none" }
    return GapRecord.summary(gaps, sampleRate: clockRate)
  }

  private var chapterLines: [String] {
    Self.lines(tags.chapters) { chapter in
      QuantityText.duration(Self.startSeconds(chapter)) + "  " + displayed(chapter.title)
    }
  }

  /// Returns a line for each of the first items, and one for the others.
  private static func lines<Item>(_ items: [Item], line: (Item) -> String) -> [String] {
    let lines = items.prefix(faultLimit).map { "    " + line($0) }
    let more = items.count - lines.count
    return more > 0 ? lines + ["    and \(more) more; --json lists all"] : lines
  }

  private static func startSeconds(_ chapter: MP4Chapter) -> Double {
    Double(chapter.start) / Double(MP4Chapter.unitsPerSecond)
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

  private var windows: String { Self.shares(windowCounts, of: report.tools.channels) }

  private var windowCounts: [(String, Int64)] {
    let tools = report.tools
    return [
      ("long", tools.longChannels), ("start", tools.startChannels), ("short", tools.shortChannels),
      ("stop", tools.stopChannels),
    ]
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
    for (name, value) in namedTags {
      if let value { parts.append("\(name) “\(displayed(value))”") }
    }
    for tag in report.tags.prefix(3) {
      let length = QuantityText.count(Int(clamping: tag.length), "byte")
      parts.append("\(length) at byte \(tag.offset)")
    }
    if report.tagCount > 3 { parts.append("and \(report.tagCount - 3) more") }
    return parts.joined(separator: ", ")
  }

  private var namedTags: [(String, String?)] {
    [
      ("title", tags.title), ("artist", tags.artist), ("album", tags.album), ("date", tags.date),
      ("comment", tags.comment), ("encoder", tags.encoder),
    ]
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

extension InspectReport {
  var json: JSONValue { streamJSON + toolsJSON + contentsJSON }

  /// The format and the size of the stream.
  private var streamJSON: JSONValue {
    [
      "type": .text("report"), "file": .text(name), "status": .text(isFaultless ? "ok" : "faults"),
      "container": .text(container), "profile": .optional(report.profile.map { "\($0.name)" }),
      "mpeg2": .flag(report.isMPEG2), "sampleRate": .integer(report.outputSampleRate),
      "coreSampleRate": .integer(report.sampleRate),
      "channels": .integer(report.outputChannelCount), "frames": .integer(report.frameCount),
      "unreadableFrames": .integer(report.unreadableFrameCount), "duration": .decimal(seconds, 6),
      "samples": .optional(report.trim?.sampleCount), "priming": .optional(report.trim?.priming),
      "remainder": .optional(report.trim?.remainder), "bytes": .integer(report.byteCount),
      "payloadBytes": .integer(report.payloadByteCount), "bitrate": .integer(report.bitrate.mean),
      "minimumBitrate": .integer(report.bitrate.minimum),
      "maximumBitrate": .integer(report.bitrate.maximum),
      "largestFrame": .integer(report.largestFrame.byteCount),
      "bufferRequired": .integer(report.decoderBuffer.required),
      "bufferCapacity": .integer(report.decoderBuffer.capacity),
      "bufferFits": .flag(report.decoderBuffer.fits),
    ]
  }

  /// The coding tools of the stream.
  private var toolsJSON: JSONValue {
    let tools = report.tools
    return [
      "windows": Self.counts(windowCounts),
      "tools": Self.counts([
        ("channels", tools.channels), ("pairs", tools.pairs),
        ("midSidePairs", tools.midSidePairs),
        ("noiseShaping", tools.noiseShapingChannels), ("noise", tools.noiseChannels),
        ("intensity", tools.intensityChannels), ("pulses", tools.pulseChannels),
        ("sbrFrames", tools.spectralBandReplicationFrames),
      ]),
      "replicatedFrom": .optional(report.replicatedFrequencies?.lowerBound),
      "replicatedTo": .optional(report.replicatedFrequencies?.upperBound),
      "replication": ReplicationFacts(report)?.json ?? .null,
      "parametricStereo": ReplicationFacts(report)?.stereoJSON ?? .null,
    ]
  }

  /// The metadata and the faults.
  private var contentsJSON: JSONValue {
    [
      "checksums": Self.counts([
        ("present", report.checksums.present), ("verified", report.checksums.verified),
        ("failed", report.checksums.failed),
      ]),
      "tags": .object(namedTags.compactMap { name, value in value.map { .init(name, .text($0)) } }),
      "cover": cover?.json ?? .null, "program": report.program?.json ?? .null,
      "chapters": .list(
        tags.chapters.map {
          ["start": .decimal(Self.startSeconds($0), 3), "title": .text($0.title)]
        }),
      "statedLoudness": tags.statedLoudnessJSON,
      "sound": soundJSON,
      "started": .optional(report.started), "gaps": .list(gaps.map(\.json)),
      "errors": .integer(report.faults.errorCount),
      "warnings": .integer(report.faults.warningCount), "notes": .integer(report.faults.noteCount),
      "faults": .list(report.faults.first.map(FaultReport.json)),
    ]
  }

  private static func counts(_ values: [(String, Int64)]) -> JSONValue {
    .object(values.map { .init($0.0, .integer($0.1)) })
  }
}
