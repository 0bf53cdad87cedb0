import AacornRecording
import AacornSystem

extension TrackArguments {
  /// Adds `NAME:OTHER=DB` or `NAME=DB` of `--duck`, followed by `,threshold=DB`, `,attack=TIME`,
  /// `,release=TIME` and `,hold=TIME`.
  mutating func add(ducking value: String) throws(UsageError) {
    let mistake = UsageError(
      "--duck does not understand “\(displayed(value))”.",
      hint: "Write it like music:mic=-12, or music=-12 to duck for all others; you may append "
        + ",threshold=-40,attack=50ms,release=500ms,hold=500ms.")
    guard let sign = value.firstIndex(of: "=") else { throw mistake }
    let names = value[..<sign].split(
      separator: ":", maxSplits: 1, omittingEmptySubsequences: false
    ).map(String.init)
    let settings = value[value.index(after: sign)...].split(
      separator: ",", omittingEmptySubsequences: false)
    guard names.allSatisfy(TrackConfiguration.isSuitable), let first = settings.first,
      let depth = Self.number(String(first)), abs(depth) <= 96
    else { throw mistake }
    var ducking = Ducking(of: names.count == 2 ? .track(names[1]) : .others, depth: abs(depth))
    for setting in settings.dropFirst() {
      let words = setting.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard words.count == 2, Self.set(&ducking, words[0], to: String(words[1])) else {
        throw mistake
      }
    }
    add(.ducking(ducking), of: names[0], option: "--duck")
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
