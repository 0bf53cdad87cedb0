import AacornCodec
import AacornRecording
import AacornStreaming
import AacornSystem

/// The line at the bottom of the terminal during a recording or a stream.
///
///     REC 0:12.3  L #######----|-- -12  R ######-----|-- -13  1.23 MB  2 gaps 340 ms  -18.3 LUFS
///     LIVE 0:12.3  ######|--- -12  icecast live 128 kb/s  rtmp reconnecting (3)  -18.3 LUFS
///
/// A bar goes from −60 dB to full scale; | is the recent peak, and ! after the bar means clipping.
/// A narrow terminal omits items, the least important first.
struct LiveLine: Equatable {
  /// The reason why no audio arrives.
  enum InputProblem: Equatable {
    /// No audio has arrived yet.
    case notBegun
    /// The device with this name is disconnected.
    case deviceLost(String)
    /// The device is suspended.
    case asleep
    /// No audio arrives, for an unknown reason.
    case stalled

    var text: String {
      switch self {
      case .notBegun: "waiting for the first sound"
      case .deviceLost(let name):
        "device lost: waiting for \(name.isEmpty ? "it" : displayed(name))"
      case .asleep: "the device is suspended: waiting"
      case .stalled: "no sound arrives: waiting"
      }
    }
  }

  var stream: LiveSnapshot
  var isRecording = false
  /// The reason why no audio arrives, or nil.
  var problem: InputProblem?
  /// The hint about keys, if there are any.
  var hint: String?

  private static let minBarWidth = 6
  private static let maxBarWidth = 30

  /// Returns the line for a terminal with a number of columns.
  func text(columns: Int) -> String {
    let width = TerminalStatusLine.width(ofColumns: columns)
    let head = state + " " + QuantityText.duration(stream.seconds)
    guard isRecording else { return Self.fit(head, streamLayouts, in: width) }
    guard let problem else { return Self.fit(head, recordingLayouts, in: width) }
    let items = [head, problem.text] + tail.prefix(1)
    let lines = (hints.map { [$0] } + [[]]).map { (items + $0).joined(separator: "  ") }
    return TerminalStatusLine.truncate(
      lines.first { $0.count <= width } ?? lines[lines.count - 1], to: width)
  }

  typealias Reading = LevelMeterDisplay.Reading
  /// Levels to show as meters, and the items after the meters.
  private typealias Layout = (levels: [Reading], parts: [String])

  /// Returns the line with the first layout that fits into a width.
  private static func fit(_ head: String, _ layouts: [Layout], in width: Int) -> String {
    for (levels, parts) in layouts {
      let rest = parts.map { "  " + $0 }.joined()
      if let meters = meters(levels, width - head.count - rest.count) {
        return head + meters + rest
      }
    }
    return TerminalStatusLine.truncate(head, to: width)
  }

  private var state: String {
    if stream.isStopping { return "STOPPING" }
    return stream.isMonitored ? activity + ", MONITORED" : activity
  }

  private var activity: String {
    if stream.sound.isPaused { return stream.sound.isMuted ? "PAUSED, MUTED" : "PAUSED" }
    if stream.sound.isMuted { return "MUTED" }
    return isRecording ? "REC" : liveCount > 0 ? "LIVE" : "WAITING"
  }

  /// The hint about keys, and a shorter one; empty without a hint.
  private var hints: [String] { hint.map { [$0, RecordKey.shortHint] } ?? [] }

  /// The loudness, such as “-18.3 LUFS”; nil during silence.
  private var loudness: String? { stream.sound.loudness.currentText }

  /// Returns the number and the duration of gaps, such as “2 gaps 340 ms”, if there are any.
  private func gaps(_ count: Int) -> [String] {
    if count == 0 { return [] }
    let length = QuantityText.length(stream.timing.seconds(stream.sound.filledSampleCount))
    return [QuantityText.count(count, "gap") + " " + length]
  }

  // MARK: - A recording

  private var recordingLayouts: [Layout] {
    let levels = stream.levels
    // A new user needs the hint, so the hint is shortened, and the drift and the loudness are
    // omitted, before the hint is omitted.
    let withoutDrift = tail.filter { $0 != driftText }
    let shortest = withoutDrift.filter { $0 != loudness }
    let oneMeter = levels.isEmpty ? [] : [Reading.loudest(of: levels)]
    var choices: [Layout] = []
    for hint in hints {
      let tails = hint == hints.last ? [tail, withoutDrift, shortest] : [tail, withoutDrift]
      choices += tails.map { (levels, $0 + [hint]) }
    }
    if let hint = hints.last {
      choices += [withoutDrift, shortest].map { (oneMeter, $0 + [hint]) }
    }
    // Omit the drift and the loudness before showing all channels as one bar.
    choices += [tail, withoutDrift, shortest].map { (levels, $0) }
    for count in stride(from: tail.count, through: 0, by: -1) {
      choices.append((oneMeter, Array(tail.prefix(count))))
    }
    return choices
  }

  /// The items after the meters, the most important first.
  private var tail: [String] {
    let sound = stream.sound
    var parts = [QuantityText.size(sound.byteCount)] + gaps(sound.filledGapCount)
    if let loudness { parts.append(loudness) }
    if !sound.tracks.isEmpty {
      let levels = zip(sound.tracks, stream.trackLevels).map {
        "\(displayed($0.name)) \(Self.decibels($1.hold))"
      }
      parts.append(levels.joined(separator: "  "))
    }
    if let driftText { parts.append(driftText) }
    return parts
  }

  /// The drift, such as “+12 ppm”.
  private var driftText: String? {
    guard let drift = stream.sound.driftPartsPerMillion else { return nil }
    let millionths = QuantityText.fixed(drift, decimals: 0)
    return (millionths.hasPrefix("-") ? "" : "+") + millionths + " ppm"
  }

  // MARK: - A stream

  private var streamLayouts: [Layout] {
    let long = stream.outputs.map { Self.outputText($0, bitrate(of: $0)) }
    let short = stream.outputs.map { $0.id + " " + Self.word($0) }
    let meters = problem == nil ? stream.levels : []
    let loudest = meters.isEmpty ? [] : [Reading.loudest(of: meters)]
    let count = stream.lastListenerCount
    let listeners = count > 0 ? [QuantityText.count(count, "listener")] : []
    let middle = listeners + (problem.map { [$0.text] } ?? [])
    let most = middle + long + gaps(stream.sound.gapCount)
    let all = most + (problem == nil ? [loudness].compactMap(\.self) : [])
    let hinted = hints.flatMap { hint -> [Layout] in
      [(meters, all + [hint]), (loudest, all + [hint]), (loudest, most + [hint])]
    }
    return hinted + [
      (meters, all), (loudest, all), (meters, most), (loudest, most), (loudest, middle + long),
      ([], middle + long), (loudest, middle + short), ([], middle + short),
      (loudest, middle + [summary]), ([], middle + [summary]), ([], [summary]),
    ]
  }

  private var liveCount: Int { stream.outputs.count { $0.state == .live } }

  /// The number of live outputs, such as “2 of 4 outputs live”.
  private var summary: String {
    "\(liveCount) of \(QuantityText.count(stream.outputs.count, "output")) live"
  }

  /// Returns the bits per second of an output: the current bitrate if it adapts to the network,
  /// otherwise the average.
  private func bitrate(of output: OutputStatus) -> Double? {
    stream.bitrate.map { Double($0) } ?? output.bitrate(stream.timing(of: output))
  }

  /// Returns a short text about an output.
  private static func outputText(_ output: OutputStatus, _ bitrate: Double?) -> String {
    var parts = [output.id]
    switch (output.kind, output.state) {
    case (.hls, .live): parts.append(QuantityText.count(output.segmentCount ?? 0, "segment"))
    case (.save, .live): parts.append(QuantityText.size(output.byteCount))
    case (_, .live):
      parts.append(word(output))
      if let bitrate {
        parts.append(QuantityText.fixed(bitrate / 1000, decimals: 0) + " kb/s")
      }
    default: parts.append(word(output))
    }
    if output.droppedCount > 0 { parts.append("\(output.droppedCount) dropped") }
    return parts.joined(separator: " ")
  }

  private static func word(_ output: OutputStatus) -> String {
    if case .reconnecting(_, let attempt) = output.state { return "reconnecting (\(attempt))" }
    return output.state.keyword
  }

  // MARK: - Meters

  /// Returns meters of a total width, with two spaces before each, or nil if the width is too
  /// small.
  private static func meters(_ levels: [Reading], _ width: Int) -> String? {
    if levels.isEmpty { return width >= 0 ? "" : nil }
    let labels: [String] =
      switch levels.count {
      case 1: [""]
      case 2: ["L ", "R "]
      default: levels.indices.map { "\($0 + 1) " }
      }
    // Per channel: two spaces, label, bar, mark, and four characters for the number.
    let fixed = labels.reduce(0) { $0 + 2 + $1.count + 5 }
    let room = min(maxBarWidth, (width - fixed) / levels.count)
    guard room >= minBarWidth else { return nil }
    return zip(labels, levels).map { label, reading in
      "  " + label + bar(reading, room) + (reading.isClipped ? "!" : " ") + number(reading.hold)
    }.joined()
  }

  /// Returns a bar with a width in columns.
  static func bar(_ reading: Reading, _ width: Int) -> String {
    let filled = TerminalStatusLine.columns(ofLevel: reading.level, of: width)
    var columns = Array(repeating: Character("#"), count: filled)
    columns += Array(repeating: "-", count: width - filled)
    let hold = TerminalStatusLine.columns(ofLevel: reading.hold, of: width)
    if hold > filled { columns[hold - 1] = "|" }
    return String(columns)
  }

  private static func number(_ decibels: Double) -> String {
    let digits = Self.decibels(decibels)
    return String(repeating: " ", count: max(0, 4 - digits.count)) + digits
  }

  /// Returns whole decibels, or “-∞”.
  private static func decibels(_ decibels: Double) -> String {
    decibels > -99.5 ? QuantityText.fixed(decibels, decimals: 0) : "-∞"
  }
}

extension LevelMeterDisplay.Reading {
  /// Returns the reading of several channels combined.
  static func loudest(of levels: [Self]) -> Self {
    Self(
      level: levels.map(\.level).max() ?? -.infinity,
      hold: levels.map(\.hold).max() ?? -.infinity, isClipped: levels.contains(where: \.isClipped))
  }
}
