import AacornSystem

/// The line at the bottom of the terminal during a recording.
///
///     REC 0:12.3  L #######----|-- -12  R ######-----|-- -13  1.23 MB  2 gaps 340 ms  -18.3 LUFS
///
/// A bar goes from −60 dB to full scale; | is the recent peak, and ! after the bar means clipping.
/// A narrow terminal omits items, the least important first.
struct RecordLine: Equatable {
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
        name.isEmpty ? "device lost: waiting for it" : "device lost: waiting for \(name)"
      case .asleep: "the device is suspended: waiting"
      case .stalled: "no sound arrives: waiting"
      }
    }
  }

  /// The duration of the audio in seconds.
  var seconds = 0.0
  var levels: [LevelMeterDisplay.Reading] = []
  var byteCount = 0
  var gapCount = 0
  /// The total duration of the gaps in seconds.
  var lostSeconds = 0.0
  /// The loudness, such as “-18.3 LUFS”; nil during silence.
  var loudness: String?
  /// The deviation of the device's sampling rate from the nominal one, in parts per million.
  var drift: Double?
  /// The tracks with their recent peaks in dBFS, if there are several.
  var tracks: [Track] = []
  /// The hint about keys, if there are any.
  var hint: String?
  var isPaused = false
  var isMuted = false
  var isStopping = false
  var problem: InputProblem?

  /// A track and its recent peak in dBFS.
  struct Track: Equatable {
    var name: String
    var hold: Double
  }

  private static let minBarWidth = 6
  private static let maxBarWidth = 30
  private static let minDecibels = -60.0

  /// Returns the line for a terminal with a number of columns.
  func text(columns: Int) -> String {
    // The last column stays free: some terminals start a new line after it.
    let width = max(1, columns - 1)
    let head = state + " " + QuantityText.duration(seconds)
    if let problemText {
      let items = [head, problemText] + tail.prefix(1)
      let lines = (hints + [""]).map { hint in
        (items + (hint.isEmpty ? [] : [hint])).joined(separator: "  ")
      }
      return Self.truncate(lines.first { $0.count <= width } ?? lines[lines.count - 1], to: width)
    }
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
    return Self.fit(head, choices, width)
  }

  typealias Reading = LevelMeterDisplay.Reading
  /// Levels to show as meters, and the items after the meters.
  typealias Layout = (levels: [Reading], parts: [String])

  /// Returns the line with the first layout that fits into a width.
  static func fit(_ head: String, _ layouts: [Layout], _ width: Int) -> String {
    for (levels, parts) in layouts {
      let rest = parts.map { "  " + $0 }.joined()
      if let meters = meters(levels, width - head.count - rest.count) {
        return head + meters + rest
      }
    }
    return truncate(head, to: width)
  }

  private var state: String {
    if isStopping { return "STOPPING" }
    if isPaused { return isMuted ? "PAUSED, MUTED" : "PAUSED" }
    return isMuted ? "MUTED" : "REC"
  }

  /// The hint about keys, and a shorter one; empty without a hint.
  private var hints: [String] { hint.map { [$0, RecordKey.shortHint] } ?? [] }

  private var problemText: String? { problem?.text }

  /// The items after the meters, the most important first.
  private var tail: [String] {
    var parts = [QuantityText.size(byteCount)]
    if gapCount > 0 {
      parts.append(Self.gaps(gapCount, seconds: lostSeconds))
    }
    if let loudness { parts.append(loudness) }
    if !tracks.isEmpty {
      let levels = tracks.map { "\($0.name) \(Self.decibels($0.hold))" }
      parts.append(levels.joined(separator: "  "))
    }
    if let driftText { parts.append(driftText) }
    return parts
  }

  /// The drift, such as “+12 ppm”.
  private var driftText: String? {
    guard let drift else { return nil }
    let millionths = QuantityText.fixed(drift, decimals: 0)
    return (millionths.hasPrefix("-") ? "" : "+") + millionths + " ppm"
  }

  /// Returns the number and the duration of gaps, such as “2 gaps 340 ms”.
  static func gaps(_ count: Int, seconds: Double) -> String {
    QuantityText.count(count, "gap") + " " + QuantityText.length(seconds)
  }

  /// Returns meters of a total width, with two spaces before each, or nil if the width is too
  /// small.
  static func meters(
    _ levels: [LevelMeterDisplay.Reading], _ width: Int
  ) -> String? {
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
  static func bar(_ reading: LevelMeterDisplay.Reading, _ width: Int) -> String {
    func column(_ decibels: Double) -> Int {
      guard decibels > minDecibels else { return 0 }
      let part = min(1, 1 - decibels / minDecibels)
      return max(1, Int((part * Double(width)).rounded()))
    }
    let filled = column(reading.level)
    var columns = Array(repeating: Character("#"), count: filled)
    columns += Array(repeating: "-", count: width - filled)
    let hold = column(reading.hold)
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

  static func truncate(_ text: String, to width: Int) -> String {
    text.count <= width ? text : text.prefix(width - 1) + "…"
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
