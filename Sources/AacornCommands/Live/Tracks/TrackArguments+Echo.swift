import AacornRecording
import AacornSystem

extension TrackArguments {
  /// Adds `NAME=OTHER` of `--cancel-echo`, followed by `,tail=MILLISECONDS` and `,reference=mix`.
  mutating func add(echo value: String) throws(UsageError) {
    let mistake = UsageError(
      "--cancel-echo does not understand “\(displayed(value))”.",
      hint: "Write it like mic=far, mic=far,tail=300 or mic=far,reference=mix.")
    guard let (name, text) = Self.parts(value) else { throw mistake }
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
      case "tail": echo.tail = try Self.tail(String(words[1]))
      case "reference" where words[1] == "mix": echo.reference = .mix
      case "reference" where words[1] == "channels": echo.reference = .channels
      default: throw mistake
      }
    }
    add(.echo(echo), of: name, option: "--cancel-echo")
  }

  /// Parses the duration of the echo in milliseconds, with or without the unit.
  private static func tail(_ text: String) throws(UsageError) -> Duration {
    let number = text.hasSuffix("ms") ? String(text.dropLast(2)) : text
    if let count = Int(number), EchoCancellation.tails.contains(.milliseconds(count)) {
      return .milliseconds(count)
    }
    throw UsageError(
      "--cancel-echo does not understand the tail “\(displayed(text))”.",
      hint: "Choose from 10 to 1000 milliseconds, such as tail=300.")
  }
}
