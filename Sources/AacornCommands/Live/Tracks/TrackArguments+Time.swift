import AacornRecording
import AacornSystem

// Start and stop times of tracks. They apply to files and test signals, not to devices.
extension TrackArguments {
  /// Parses `NAME=TIME` or `NAME=key` of `--start-track`.
  static func start(_ value: String, _ option: String) throws(UsageError) -> Argument {
    guard let (name, text) = parts(value) else {
      throw UsageError.misunderstood(
        value, option, hint: "Write it like music=10s, or music=key to wait for a key.")
    }
    let time: Duration? = try text == "key" ? nil : Self.time(text, option)
    return Argument(option: option, track: name, scope: .laterSynthetic) {
      $0.startOffset = time ?? .zero
      $0.startsByItself = time != nil
    }
  }

  /// Parses `NAME=TIME` of `--stop-track`.
  static func stop(_ value: String, _ option: String) throws(UsageError) -> Argument {
    guard let (name, text) = parts(value) else {
      throw UsageError.misunderstood(
        value, option, hint: "Write it like music=1:30.")
    }
    let time = try time(text, option)
    return Argument(option: option, track: name, scope: .synthetic) { $0.stopOffset = time }
  }

  /// Parses `NAME=IN` or `NAME=IN/OUT` of `--fade`.
  static func fade(_ value: String, _ option: String) throws(UsageError) -> Argument {
    let mistake = UsageError.misunderstood(
      value, option, hint: "Write it like music=2s, or music=2s/4s to fade it out as well.")
    guard let (name, text) = parts(value) else { throw mistake }
    let words = text.split(separator: "/", omittingEmptySubsequences: false)
    let times = words.compactMap { TimeText.nanoseconds(String($0)) }
    guard (1...2).contains(words.count), times.count == words.count else { throw mistake }
    let fades = times.map { Duration.nanoseconds($0) }
    if fades.contains(where: { $0 > Self.maxFadeDuration }) {
      throw UsageError(
        "\(option) of \(displayed(text)) is too long.", hint: "Choose at most ten minutes.")
    }
    return Argument(option: option, track: name, scope: .synthetic) {
      $0.fadeIn = fades[0]
      $0.fadeOut = fades.count == 2 ? fades[1] : .zero
    }
  }

  private static let maxFadeDuration = Duration.seconds(600)
  private static let latest = Duration.seconds(86_400)

  private static func time(_ text: String, _ option: String) throws(UsageError) -> Duration {
    let time = try OptionValue.position(text, option)
    if time <= latest { return time }
    throw UsageError(
      "\(option) at \(displayed(text)) is too late.", hint: "Choose at most a day.")
  }

  /// Rejects a start after the end of the recording.
  static func checkStarts(
    of tracks: [SoundChoice.Track], before end: Duration?
  ) throws(UsageError) {
    guard let end else { return }
    let late = tracks.map(\.configuration).first { $0.startOffset >= max(end, .milliseconds(1)) }
    guard let late else { return }
    throw UsageError(
      "The recording ends before the track “\(displayed(late.name))” starts.",
      hint: "Choose an earlier --start-track or a longer --duration.")
  }

  /// Rejects inconsistent times, when all of them are known.
  static func checkTimes(of tracks: [SoundChoice.Track]) throws(UsageError) {
    for track in tracks.map(\.configuration) {
      guard let stop = track.stopOffset, stop <= track.startOffset else { continue }
      throw UsageError(
        "The track “\(displayed(track.name))” would stop before it starts.",
        hint: "Choose a later --stop-track.")
    }
    let others = tracks.filter(\.isSynthetic).dropFirst(TrackKeys.limit).map(\.configuration)
    if let track = others.first(where: { !$0.startsByItself }) {
      throw UsageError(
        "There is no key for the track “\(displayed(track.name))”: the keys 1 to 9 are for the first "
          + "nine files or test signals.",
        hint: "Name it earlier, or give --start-track a time.")
    }
  }
}
