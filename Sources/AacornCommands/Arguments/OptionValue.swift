import AacornCodec
import AacornDevices
import AacornRecording
import AacornSystem

/// Parses option values, or throws a sentence that says what is accepted.
enum OptionValue {
  /// The systems of this platform as values of `--backend`.
  static var backends: [String] {
    (CaptureSystems.all.map { $0.backend } + [.synthetic]).map(\.rawValue)
  }

  /// A place in a sound, to the nanosecond.
  static func moment(_ value: String, _ option: String) throws(UsageError) -> Duration {
    guard let nanoseconds = TimeText.nanoseconds(value) else {
      throw notUnderstood(value, option)
    }
    return .nanoseconds(nanoseconds)
  }

  /// A length of sound, or a place behind its beginning, to the nanosecond.
  static func length(_ value: String, _ option: String) throws(UsageError) -> Duration {
    let time = try moment(value, option)
    if time == .zero { throw tooShort(option) }
    return time
  }

  static func time(_ value: String, _ option: String) throws(UsageError) -> Int {
    let milliseconds = try milliseconds(value, option)
    if milliseconds == 0 { throw tooShort(option) }
    return milliseconds
  }

  private static func tooShort(_ option: String) -> UsageError {
    UsageError("\(option) must be longer than zero.", advice: "Try 10s.")
  }

  static func time(
    _ value: String, _ option: String, in range: ClosedRange<Int>
  ) throws(UsageError) -> Int {
    let milliseconds = try milliseconds(value, option)
    if range.contains(milliseconds) { return milliseconds }
    throw UsageError(
      "\(option) of \(displayed(value)) is too \(milliseconds < range.lowerBound ? "short" : "long").",
      advice: "Choose from \(range.lowerBound) ms to \(range.upperBound) ms.")
  }

  private static func milliseconds(_ value: String, _ option: String) throws(UsageError) -> Int {
    if let milliseconds = TimeText.milliseconds(value) { return milliseconds }
    throw notUnderstood(value, option)
  }

  private static func notUnderstood(_ value: String, _ option: String) -> UsageError {
    UsageError(
      "\(option) does not understand “\(displayed(value))”.",
      advice: "Write it like 10s, 1.5m, 2h or 1:30:00.")
  }

  static func split(_ value: String) throws(UsageError) -> RecordingConfiguration.Split {
    if value == "on-silence" || value == "silence" { return .onSilence }
    if let bytes = bytes(value) {
      if bytes < 100_000 {
        throw UsageError("A file of less than 100 kB is too small.", advice: "Try 10MB.")
      }
      return .bytes(bytes)
    }
    guard let milliseconds = TimeText.milliseconds(value) else {
      throw UsageError(
        "--split does not understand “\(displayed(value))”.",
        advice: "Write it like 10m, 100MB or on-silence.")
    }
    if milliseconds < 1000 {
      throw UsageError("A file of less than a second is too short.", advice: "Try 10m.")
    }
    return .every(.milliseconds(milliseconds))
  }

  /// Parses bytes such as `100MB`, `1.5GB` or `500kB`, in powers of ten as disks are sold.
  static func bytes(_ text: String) -> Int? {
    guard text.hasSuffix("B") || text.hasSuffix("b") else { return nil }
    let number = text.dropLast()
    switch number.last {
    case "k", "K", "m", "M": return DecimalQuantity.parse(String(number))
    case "g", "G": return DecimalQuantity.parse(number.dropLast() + "M").map { $0 * 1000 }
    default: return nil
    }
  }

  /// Parses channels, counted from 0, such as `3,4`, `1-8` or `1,3-4`.
  static func channelMap(_ value: String) throws(UsageError) -> [Int] {
    var channels: [Int] = []
    for part in value.split(separator: ",", omittingEmptySubsequences: false) {
      let ends = part.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
      let numbers = ends.compactMap { Int($0) }.filter { (1...1024).contains($0) }
      guard numbers.count == ends.count, let first = numbers.first, let last = numbers.last,
        first <= last
      else {
        throw UsageError(
          "--channel-map does not understand “\(displayed(value))”.",
          advice: "Write it like 3,4 or 1-8; the first channel is 1.")
      }
      channels += first - 1...last - 1
    }
    if channels.count > 64 {
      throw UsageError("--channel-map names more than 64 channels.", advice: "Choose fewer.")
    }
    return channels
  }

  static func gain(
    _ value: String, _ option: String = "--gain"
  ) throws(UsageError) -> Double {
    guard let decibels = Gain.parse(value) else {
      throw UsageError(
        "\(option) does not understand “\(displayed(value))”.",
        advice: "Give decibels from -60 to 60, such as 6 or -3.5.")
    }
    return decibels
  }

  /// Parses a loudness, and behind a colon the highest true peak: `-16` or `-16:-1.5`.
  static func loudness(_ value: String) throws(UsageError) -> LoudnessTarget {
    let parts = value.split(separator: ":", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { part -> Double? in
      let isPlain = part.utf8.allSatisfy { "+-.0123456789".utf8.contains($0) }
      return isPlain ? Double(part) : nil
    }
    guard (1...2).contains(parts.count), numbers.count == parts.count, let first = numbers.first
    else {
      throw UsageError(
        "--loudness does not understand “\(displayed(value))”.",
        advice: "Give LUFS, such as -16, or with the highest true peak, such as -16:-1.")
    }
    var target = LoudnessTarget(first)
    if numbers.count == 2 { target.ceiling = numbers[1] }
    if let refusal = target.refusal {
      throw UsageError(refusal.problem, advice: refusal.advice)
    }
    return target
  }

  /// Rejects the path of a file behind a sign where shells leave a tilde alone, if there is none.
  static func checkHome(of path: String) throws(UsageError) {
    guard path.hasPrefix("~/"), (try? System.status(of: path)) == nil else { return }
    let rest = displayed(String(path.dropFirst()))
    throw UsageError(
      "There is no file “\(displayed(path))”.",
      advice: "The shell does not expand ~ here; write $HOME\(rest).")
  }

  /// Parses the text of a chain of effects, the name of a preset, or `@` and a file.
  static func effects(_ value: String) throws(UsageError) -> [EffectDescription] {
    if value.hasPrefix("@") { try checkHome(of: String(value.dropFirst())) }
    do throws(EffectError) {
      return try EffectDescription.read(value)
    } catch {
      throw UsageError(error.problem, advice: error.advice)
    }
  }

  /// What `--effects` does.
  static let effectsHelp: String = {
    let presets = EffectPreset.allCases.map(\.rawValue).joined(separator: ", ")
    let effects = EffectKind.allCases.map(\.rawValue).joined(separator: ", ")
    return "Send it through effects, such as “highpass 80, compressor 3:1 -18, limiter -1”; "
      + "through a preset (\(presets)), which others may follow: “speech, loudness -16, limiter -1”; or "
      + "through those in a file (@FILE). The effects are \(effects); “aacorn effects” lists "
      + "them with their numbers, and the plugins that are there."
  }()

  static func bitrate(_ value: String) throws(UsageError) -> Int {
    guard let bitrate = DecimalQuantity.parse(value), bitrate > 0 else {
      throw UsageError(
        "“\(displayed(value))” is not a bitrate.", advice: "Write it like 128k, 128000 or 0.128M.")
    }
    if bitrate < 1000 {
      throw UsageError(
        "A bitrate of \(bitrate) bits per second is too low.", advice: "Did you mean \(bitrate)k?")
    }
    return bitrate
  }

  static func effort(_ value: String) -> AACEncoder.Effort {
    switch value {
    case "fast": .fast
    case "best": .best
    default: .balanced
    }
  }

  static func frequency(_ value: String, _ option: String) throws(UsageError) -> Int {
    guard let hertz = DecimalQuantity.parse(value), hertz > 0 else {
      throw UsageError(
        "\(option) does not understand “\(displayed(value))”.",
        advice: "Give hertz, such as 16000 or 16k.")
    }
    guard (1000...768_000).contains(hertz) else {
      throw UsageError(
        "\(option) of \(hertz) hertz is too \(hertz < 1000 ? "low" : "high").",
        advice: hertz < 1000 ? "Did you mean \(hertz)k?" : "Try 48000.")
    }
    return hertz
  }

  static func count(
    _ value: String, _ option: String, upTo limit: Int
  ) throws(UsageError) -> Int {
    guard let count = Int(value), (1...limit).contains(count) else {
      throw UsageError(
        "\(option) does not understand “\(displayed(value))”.",
        advice: "Give a number from 1 to \(limit).")
    }
    return count
  }
}
