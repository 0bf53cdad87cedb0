import AacornRecording
import AacornSystem

/// The options about tracks, as typed.
///
/// The source of a track is a device, a file or a test signal.
///
/// Track names are resolved after all options are parsed, because a source may be the last option.
struct TrackArguments: Sendable {
  /// An option about a track.
  struct Argument: Sendable {
    var option: String
    var track: String
    /// Another track that the option names.
    var other: String?
    var scope = Scope.all
    let change: @Sendable (inout TrackConfiguration) -> Void
  }

  /// The tracks that an option is for, by their sources.
  enum Scope {
    case all, files
    /// Files and test signals.
    case synthetic
    /// Files and test signals, except of the first track.
    case laterSynthetic
  }

  private var sources: [SoundChoice.Track] = []
  /// The only source, if it has no name.
  private(set) var unnamed: String?
  private(set) var arguments: [Argument] = []

  /// Splits `NAME=TEXT`; returns nil if the text before the first equals sign is not a valid name.
  static func parts(_ value: String) -> (name: String, text: String)? {
    guard let sign = value.firstIndex(of: "=") else { return nil }
    let name = String(value[..<sign])
    // Otherwise the sign is part of a path or a device name.
    if !TrackConfiguration.isSuitable(name) { return nil }
    return (name, String(value[value.index(after: sign)...]))
  }

  /// Splits `NAME=TEXT`; `hint` is the suggestion of the error.
  private static func parts(
    _ value: String, _ option: String, hint: String
  ) throws(UsageError) -> (name: String, text: String) {
    if let parts = parts(value) { return parts }
    throw .misunderstood(value, option, hint: hint)
  }

  /// Adds the source of a `--source` option.
  mutating func add(source value: String) throws(UsageError) {
    guard let (name, location) = Self.parts(value) else {
      if value.isEmpty || value.hasPrefix("=") {
        throw UsageError("--source needs a name and a source.", hint: Self.sourceHint)
      }
      if let unnamed {
        throw UsageError(
          "Neither “\(displayed(unnamed))” nor “\(displayed(value))” has a name.",
          hint: "Several sources need names: --source mic=… --source music=….")
      }
      try Self.checkTilde(of: value)
      unnamed = value
      return
    }
    try reject(
      if: location.isEmpty, "The track “\(displayed(name))” has no source.", hint: Self.sourceHint)
    if sources.contains(where: { $0.configuration.name.lowercased() == name.lowercased() }) {
      throw UsageError(
        "Two tracks are named “\(displayed(name))”.", hint: "Give each its own name.")
    }
    try Self.checkTilde(of: location)
    sources.append(
      SoundChoice.Track(
        configuration: TrackConfiguration(name), source: SoundChoice.device(for: location)))
  }

  private static func checkTilde(of location: String) throws(UsageError) {
    try OptionValue.checkTilde(
      of: location.hasPrefix("file:") ? String(location.dropFirst(5)) : location)
  }

  private static let sourceHint = "Write it like --source mic=DEVICE or --source music=FILE."

  mutating func add(_ argument: Argument) { arguments.append(argument) }

  /// Parses `NAME=EFFECTS` of `--track-effects`.
  static func effects(_ value: String, _ option: String) throws(UsageError) -> Argument {
    let (name, text) = try parts(
      value, option, hint: "Write it like mic=speech, or mic=\"highpass 80, gate -45\".")
    let effects = try OptionValue.effects(text)
    return Argument(option: option, track: name) { $0.effects = effects }
  }

  /// Parses `NAME=NUMBER` of `--pan`.
  static func pan(_ value: String, _ option: String) throws(UsageError) -> Argument {
    guard let (name, text) = parts(value), let pan = number(text), abs(pan) <= 1 else {
      throw UsageError.misunderstood(
        value, option, hint: "Write it like music=0.3; -1 is left, 1 is right.")
    }
    return Argument(option: option, track: name) { $0.pan = pan }
  }

  /// Parses a number with an optional unit “dB”.
  static func number(_ text: String) -> Double? { OptionValue.number(text, unit: "db") }
}

extension TrackArguments {
  /// Returns the tracks with all options applied.
  func tracks() throws(UsageError) -> [SoundChoice.Track] {
    if unnamed != nil, let source = sources.first {
      throw UsageError(
        "Only one of the sources has a name, “\(displayed(source.configuration.name))”.",
        hint: "Several sources need names: --source mic=… --source music=….")
    }
    var tracks = sources
    for argument in arguments {
      let index = try index(of: argument.track, option: argument.option)
      if let other = argument.other { _ = try self.index(of: other, option: argument.option) }
      try argument.check(tracks[index], isFirst: index == 0)
      argument.change(&tracks[index].configuration)
    }
    try Self.checkTimes(of: tracks)
    return tracks
  }

  private func index(of name: String, option: String) throws(UsageError) -> Int {
    let names = sources.map(\.configuration.name)
    if let index = names.firstIndex(of: name) { return index }
    let message = "\(option) is for “\(displayed(name))”, but there is no track of that name."
    try reject(if: names.isEmpty, message, hint: "Name it with --source \(displayed(name))=….")
    let nearest = NearestName.to(name, among: names)
    throw UsageError(
      message,
      hint: nearest.map { "Did you mean \($0)?" }
        ?? "The tracks are \(names.joined(separator: ", ")).")
  }
}

extension TrackArguments.Argument {
  /// Rejects a track that the option is not for.
  fileprivate func check(_ source: SoundChoice.Track, isFirst: Bool) throws(UsageError) {
    if scope == .all { return }
    let track = displayed(track)
    try reject(
      if: scope == .files && !source.isFile,
      "Only files can be looped, but the source of the track “\(track)” is not a file.",
      hint: "Omit \(option) \(track).")
    try reject(
      if: !source.isSynthetic,
      "\(option) is for files and test signals, and the source of the track “\(track)” is a device.",
      hint: "Omit \(option) \(track)=….")
    try reject(
      if: scope == .laterSynthetic && isFirst,
      "The track “\(track)” is the first one. It sets the time of the recording and cannot start "
        + "later.", hint: "Name another --source before it.")
  }
}

// Start and stop times of tracks. They apply to files and test signals, not to devices.
extension TrackArguments {
  /// Parses `NAME=TIME` or `NAME=key` of `--start-track`.
  static func start(_ value: String, _ option: String) throws(UsageError) -> Argument {
    let (name, text) = try parts(
      value, option, hint: "Write it like music=10s, or music=key to wait for a key.")
    let time: Duration? = try text == "key" ? nil : Self.time(text, option)
    return Argument(option: option, track: name, scope: .laterSynthetic) {
      $0.startOffset = time ?? .zero
      $0.startsByItself = time != nil
    }
  }

  /// Parses `NAME=TIME` of `--stop-track`.
  static func stop(_ value: String, _ option: String) throws(UsageError) -> Argument {
    let (name, text) = try parts(value, option, hint: "Write it like music=1:30.")
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
