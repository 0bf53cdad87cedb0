import AacornCodec
import AacornDevices
import AacornRecording
import AacornSystem

/// Parsers of option values.
///
/// Their errors state the accepted values.
enum OptionValue {
  /// The values of `--backend` on this platform.
  static var backends: [DeviceBackend] {
    DeviceSystems.all.map { $0.backend } + [.synthetic]
  }

  /// Parses a position in audio, to the nanosecond.
  static func position(_ value: String, _ option: String) throws(UsageError) -> Duration {
    guard let nanoseconds = TimeText.nanoseconds(value) else {
      throw invalidValueError(value, option)
    }
    return .nanoseconds(nanoseconds)
  }

  /// Parses a duration of audio, or a position relative to the start, to the nanosecond.
  static func length(_ value: String, _ option: String) throws(UsageError) -> Duration {
    let time = try position(value, option)
    if time == .zero { throw tooShortError(option) }
    return time
  }

  /// Parses a duration, to the millisecond.
  static func time(_ value: String, _ option: String) throws(UsageError) -> Duration {
    let milliseconds = try milliseconds(value, option)
    if milliseconds == 0 { throw tooShortError(option) }
    return .milliseconds(milliseconds)
  }

  private static func tooShortError(_ option: String) -> UsageError {
    UsageError("\(option) must be longer than zero.", hint: "Try 10s.")
  }

  /// Returns a parser of durations in a range of milliseconds.
  static func time(
    in range: ClosedRange<Int>
  ) -> @Sendable (_ value: String, _ option: String) throws(UsageError) -> Duration {
    { (value, option) throws(UsageError) in
      let milliseconds = try milliseconds(value, option)
      if range.contains(milliseconds) { return .milliseconds(milliseconds) }
      let word = milliseconds < range.lowerBound ? "short" : "long"
      throw UsageError(
        "\(option) of \(displayed(value)) is too \(word).",
        hint: "Choose from \(range.lowerBound) ms to \(range.upperBound) ms.")
    }
  }

  private static func milliseconds(_ value: String, _ option: String) throws(UsageError) -> Int {
    if let milliseconds = TimeText.milliseconds(value) { return milliseconds }
    throw invalidValueError(value, option)
  }

  private static func invalidValueError(_ value: String, _ option: String) -> UsageError {
    UsageError.misunderstood(
      value, option, hint: "Write it like 10s, 1.5m, 2h or 1:30:00.")
  }

  static func split(
    _ value: String, _ option: String = "--split"
  ) throws(UsageError) -> RecordingConfiguration.Split {
    if value == "on-silence" || value == "silence" { return .onSilence }
    if let bytes = bytes(value) {
      try reject(if: bytes < 100_000, "\(option) must be at least 100 kB.", hint: "Try 10MB.")
      return .bytes(bytes)
    }
    guard let milliseconds = TimeText.milliseconds(value) else {
      throw UsageError.misunderstood(
        value, option, hint: "Write it like 10m, 100MB or on-silence.")
    }
    try reject(if: milliseconds < 1000, "\(option) must be at least 1 s.", hint: "Try 10m.")
    return .every(.milliseconds(milliseconds))
  }

  /// Parses bytes such as `100MB`, `1.5GB` or `500kB`, in powers of ten.
  static func bytes(_ text: String) -> Int? {
    guard text.hasSuffix("B") || text.hasSuffix("b") else { return nil }
    let number = text.dropLast()
    switch number.last {
    case "k", "K", "m", "M": return DecimalQuantity.parse(String(number))
    case "g", "G": return DecimalQuantity.parse(number.dropLast() + "M").map { $0 * 1000 }
    default: return nil
    }
  }

  /// Parses channels such as `3,4`, `1-8` or `1,3-4` into indexes from 0.
  static func channelMap(
    _ value: String, _ option: String = "--channel-map"
  ) throws(UsageError) -> [Int] {
    var channels: [Int] = []
    for part in value.split(separator: ",", omittingEmptySubsequences: false) {
      let ends = part.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
      let numbers = ends.compactMap { Int($0) }.filter { (1...1024).contains($0) }
      guard numbers.count == ends.count, let first = numbers.first, let last = numbers.last,
        first <= last
      else {
        throw UsageError.misunderstood(
          value, option, hint: "Write it like 3,4 or 1-8; the first channel is 1.")
      }
      channels += first - 1...last - 1
    }
    try reject(
      if: channels.count > 64, "\(option) names more than 64 channels.", hint: "Choose fewer.")
    return channels
  }

  static func gain(
    _ value: String, _ option: String = "--gain"
  ) throws(UsageError) -> Double {
    guard let decibels = Gain.parse(value) else {
      throw outOfRange(
        value, option, "-60 to 60 decibels",
        hint: "Give decibels from -60 to 60, such as 6 or -3.5.")
    }
    return decibels
  }

  /// Parses a loudness and, after a colon, the maximum true peak: `-16`, `-16LUFS` or `-16:-1.5`.
  static func loudness(
    _ value: String, _ option: String = "--loudness"
  ) throws(UsageError) -> LoudnessTarget {
    let parts = value.split(separator: ":", omittingEmptySubsequences: false)
    let numbers = zip(parts, ["lufs", "dbtp"]).compactMap { number($0, unit: $1) }
    guard (1...2).contains(parts.count), numbers.count == parts.count, let first = numbers.first
    else {
      throw UsageError.misunderstood(
        value, option,
        hint: "Give LUFS, such as -16, or with the maximum true peak, such as -16:-1.")
    }
    var target = LoudnessTarget(first)
    if numbers.count == 2 { target.ceiling = numbers[1] }
    if let error = target.validationError {
      throw UsageError(error.problem, hint: error.advice)
    }
    return target
  }

  /// Parses a number with an optional unit, in lowercase or uppercase.
  static func number(_ text: some StringProtocol, unit: String) -> Double? {
    let digits = text.lowercased().hasSuffix(unit) ? text.dropLast(unit.count) : text[...]
    let isNumeric = digits.utf8.allSatisfy { "+-.0123456789".utf8.contains($0) }
    return isNumeric ? Double(digits) : nil
  }

  /// Rejects a missing file whose path begins with a tilde that the shell did not expand, as after
  /// `@`.
  static func checkTilde(of path: String) throws(UsageError) {
    guard path.hasPrefix("~/"), (try? System.status(of: path)) == nil else { return }
    let rest = displayed(String(path.dropFirst()))
    throw UsageError(
      "There is no file “\(displayed(path))”.",
      hint: "The shell does not expand ~ here; write $HOME\(rest).")
  }

  /// Checks a date in ISO 8601, the form of dates in tags: a year, and optionally a month, a day and
  /// a time.
  static func date(_ value: String, _ option: String) throws(UsageError) -> String {
    let day = value.prefix { $0 != "T" }
    let parts = day.split(separator: "-", omittingEmptySubsequences: false)
    let ranges = [0...9999, 1...12, 1...31]
    let isValid = zip(parts, ranges).enumerated().allSatisfy { index, pair in
      pair.0.utf8.count == (index == 0 ? 4 : 2) && pair.0.utf8.allSatisfy(\.isDigit)
        && Int(pair.0).map(pair.1.contains) == true
    }
    let time = value.dropFirst(day.count + 1)
    let isTime = time.utf8.allSatisfy { $0.isDigit || ":.Z+-".utf8.contains($0) }
    guard isValid, isTime, parts.count <= 3, day.count == value.count || parts.count == 3 else {
      throw UsageError.misunderstood(
        value, option, hint: "Write a year or a date, such as 2024 or 2024-05-31.")
    }
    return value
  }

  /// Parses the text of a chain of effects, the name of a preset, or `@` and a file.
  static func effects(
    _ value: String, _ option: String = "--effects"
  ) throws(UsageError) -> [EffectDescription] {
    if value.hasPrefix("@") { try checkTilde(of: String(value.dropFirst())) }
    return try rethrow(
      as: { (error: EffectError) in
        UsageError(error.problem, hint: error.recoverySuggestion)
      }, EffectDescription.read(value))
  }

  static let effectsHelp: String = {
    let presets = EffectPreset.allCases.map(\.rawValue).joined(separator: ", ")
    let effects = EffectKind.allCases.map(\.rawValue).joined(separator: ", ")
    return
      "Apply effects, such as “speech” or “highpass 80, limiter -1”. The presets are \(presets); "
      + "effects may follow: “speech, loudness -16, limiter -1”. @FILE reads the effects from a file. "
      + "The effects are \(effects). “aacorn effects” lists them with their settings."
  }()

  static let profileHelp =
    "AAC profile (default lc). lc: AAC-LC, for 44k per channel and more. he: HE-AAC, for lower "
    + "bitrates, at sampling rates from 16000 to 48000. he2: HE-AAC v2, for stereo below 28k. auto: "
    + "selects by these limits, which are lower at rates below 44100."

  static func bitrate(_ value: String, _ option: String = "") throws(UsageError) -> Int {
    guard let bitrate = DecimalQuantity.parse(value), bitrate > 0 else {
      throw UsageError(
        "“\(displayed(value))” is not a bitrate.", hint: "Write it like 128k, 128000 or 0.128M.")
    }
    try reject(
      if: bitrate < 1000, "A bitrate must be at least 1 kb/s, not \(bitrate) b/s.",
      hint: "Did you mean \(bitrate)k?")
    return bitrate
  }

  static func frequency(_ value: String, _ option: String) throws(UsageError) -> Int {
    guard let hertz = DecimalQuantity.parse(value), hertz > 0 else {
      throw UsageError.misunderstood(
        value, option, hint: "Give hertz, such as 16000 or 16k.")
    }
    guard (1000...768_000).contains(hertz) else {
      throw UsageError(
        "\(option) must be 1000 to 768000 hertz, not \(hertz).",
        hint: hertz < 1000 ? "Did you mean \(hertz)k?" : "Try 48000.")
    }
    return hertz
  }

  /// Returns a parser of numbers in a range.
  static func integer(
    in range: ClosedRange<Int>
  ) -> @Sendable (_ value: String, _ option: String) throws(UsageError) -> Int {
    { (value, option) throws(UsageError) in try integer(value, option, in: range) }
  }

  static func integer(
    _ value: String, _ option: String, in range: ClosedRange<Int>
  ) throws(UsageError) -> Int {
    if let number = Int(value), range.contains(number) { return number }
    throw outOfRange(value, option, "\(range.lowerBound) to \(range.upperBound)")
  }

  /// Returns the error for a value outside of an option's range, or not a number.
  static func outOfRange(
    _ value: String, _ option: String, _ range: String, suchAs example: String = "",
    hint: String? = nil
  ) -> UsageError {
    let isNumber = Double(value) != nil
    return UsageError(
      isNumber
        ? "\(option) must be \(range), not \(displayed(value))."
        : "\(option) does not understand “\(displayed(value))”.",
      hint: isNumber ? "" : hint ?? "Give a number from \(range)\(example).")
  }

  /// Rejects standard input as several inputs.
  static func checkStandardInput(in inputs: [String]) throws(UsageError) {
    if inputs.count(where: { $0 == "-" }) > 1 {
      throw UsageError("Standard input (-) can be read only once.")
    }
  }
}

extension StringProtocol {
  /// The text without white space at its start and end.
  var trimmed: String {
    var text = self[...].drop(while: \.isWhitespace)
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }
}
