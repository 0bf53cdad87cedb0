import AacornRecording
import AacornSystem

extension TrackArguments {
  /// Parses `NAME=OTHER` of `--cancel-echo`, followed by `,tail=MILLISECONDS` and `,reference=mix`.
  static func echo(_ value: String, _ option: String) throws(UsageError) -> Argument {
    let mistake = UsageError.misunderstood(
      value, option,
      hint: "Write it like mic=far, mic=far,tail=300 or mic=far,reference=mix.")
    guard let (name, text) = parts(value) else { throw mistake }
    var items = text.split(separator: ",", omittingEmptySubsequences: false)[...]
    // Track names may contain commas, but no equals signs.
    var settings: [Substring] = []
    while let item = items.last, item.contains("=") {
      settings.append(item)
      items.removeLast()
    }
    let other = items.joined(separator: ",")
    guard TrackConfiguration.isSuitable(other) else { throw mistake }
    var echo = EchoCancellation(of: other)
    for setting in settings.reversed() {
      let words = setting.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      switch words[0] {
      case "tail": echo.tail = try tail(String(words[1]), option)
      case "reference" where words[1] == "mix": echo.reference = .mix
      case "reference" where words[1] == "channels": echo.reference = .channels
      default: throw mistake
      }
    }
    return Argument(option: option, track: name, other: echo.track) { [echo] in
      $0.echoCancellation = echo
    }
  }

  /// Parses the duration of the echo in milliseconds, with or without the unit.
  private static func tail(_ text: String, _ option: String) throws(UsageError) -> Duration {
    let number = text.hasSuffix("ms") ? String(text.dropLast(2)) : text
    if let count = Int(number), EchoCancellation.tails.contains(.milliseconds(count)) {
      return .milliseconds(count)
    }
    throw UsageError(
      "\(option) does not understand the tail “\(displayed(text))”.",
      hint: "Choose from 10 to 1000 milliseconds, such as tail=300.")
  }

  /// Parses `NAME:OTHER=DB` or `NAME=DB` of `--duck`, followed by `,threshold=DB`, `,attack=TIME`,
  /// `,release=TIME` and `,hold=TIME`.
  static func ducking(_ value: String, _ option: String) throws(UsageError) -> Argument {
    let mistake = UsageError.misunderstood(
      value, option,
      hint: "Write it like music:mic=-12, or music=-12 to duck for all others; you may append "
        + ",threshold=-40,attack=50ms,release=500ms,hold=500ms.")
    guard let sign = value.firstIndex(of: "=") else { throw mistake }
    let names = value[..<sign].split(
      separator: ":", maxSplits: 1, omittingEmptySubsequences: false
    ).map(String.init)
    let settings = value[value.index(after: sign)...].split(
      separator: ",", omittingEmptySubsequences: false)
    guard names.allSatisfy(TrackConfiguration.isSuitable), let first = settings.first,
      let depth = number(String(first)), abs(depth) <= 96
    else { throw mistake }
    var ducking = Ducking(of: names.count == 2 ? .track(names[1]) : .others, depth: abs(depth))
    for setting in settings.dropFirst() {
      let words = setting.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard words.count == 2, set(&ducking, words[0], to: String(words[1])) else {
        throw mistake
      }
    }
    return Argument(
      option: option, track: names[0], other: names.count == 2 ? names[1] : nil
    ) { [ducking] in $0.ducking = ducking }
  }

  /// Sets a setting; returns false if its name or value is invalid.
  private static func set(_ ducking: inout Ducking, _ word: Substring, to text: String) -> Bool {
    if word == "threshold" {
      guard let threshold = number(text), (-96...0).contains(threshold) else { return false }
      ducking.threshold = threshold
      return true
    }
    guard let nanoseconds = TimeText.nanoseconds(text) else { return false }
    let time = Duration.nanoseconds(nanoseconds)
    guard time <= .seconds(60) else { return false }
    switch word {
    case "attack": ducking.attack = time
    case "release": ducking.release = time
    case "hold": ducking.hold = time
    default: return false
    }
    return true
  }
}
