import AacornRecording
import AacornSystem

/// The options about tracks, as typed.
///
/// The source of a track is a device, a file or a test signal.
///
/// Track names are resolved after all options are parsed, because a source may be the last option.
struct TrackArguments: Sendable {
  /// A source, and the name of its track.
  struct Source: Sendable, Equatable {
    var name: String
    var location: String
  }

  /// An option about a track.
  struct Argument: Sendable, Equatable {
    var option: String
    var track: String
    var change: Change
  }

  /// The effect of such an option.
  enum Change: Sendable, Equatable {
    case effects([EffectDescription])
    case gain(Double)
    case pan(Double)
    case muted
    case solo
    case echo(EchoCancellation)
    case looped
    /// Start at a time, or with nil when the track's key is pressed.
    case start(Duration?)
    case stop(Duration)
    case fade(in: Duration, out: Duration)
    /// Duck under one track or all others.
    case ducking(Ducking)
  }

  private(set) var sources: [Source] = []
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
    if sources.contains(where: { $0.name.lowercased() == name.lowercased() }) {
      throw UsageError(
        "Two tracks are named “\(displayed(name))”.", hint: "Give each its own name.")
    }
    try Self.checkTilde(of: location)
    sources.append(Source(name: name, location: location))
  }

  private static func checkTilde(of location: String) throws(UsageError) {
    try OptionValue.checkTilde(
      of: location.hasPrefix("file:") ? String(location.dropFirst(5)) : location)
  }

  private static let sourceHint = "Write it like --source mic=DEVICE or --source music=FILE."

  mutating func add(_ argument: Argument) { arguments.append(argument) }

  /// Parses `NAME=EFFECTS` of `--track-effects`.
  static func effects(_ value: String, _ option: String) throws(UsageError) -> Argument {
    guard let (name, text) = parts(value) else {
      throw UsageError.misunderstood(
        value, option,
        hint: "Write it like mic=speech, or mic=\"highpass 80, gate -45\".")
    }
    return Argument(
      option: option, track: name, change: .effects(try OptionValue.effects(text)))
  }

  /// Parses `NAME=NUMBER` of `--pan`.
  static func pan(_ value: String, _ option: String) throws(UsageError) -> Argument {
    guard let (name, text) = parts(value), let pan = number(text), abs(pan) <= 1 else {
      throw UsageError.misunderstood(
        value, option, hint: "Write it like music=0.3; -1 is left, 1 is right.")
    }
    return Argument(option: option, track: name, change: .pan(pan))
  }

  /// Parses a number with an optional unit “dB”.
  static func number(_ text: String) -> Double? { OptionValue.number(text, unit: "db") }
}

extension TrackArguments {
  /// Returns the tracks with all options applied.
  func tracks() throws(UsageError) -> [SoundChoice.Track] {
    if unnamed != nil, let source = sources.first {
      throw UsageError(
        "Only one of the sources has a name, “\(displayed(source.name))”.",
        hint: "Several sources need names: --source mic=… --source music=….")
    }
    var tracks = sources.map { source in
      SoundChoice.Track(
        configuration: TrackConfiguration(source.name),
        source: SoundChoice.device(for: source.location)
      )
    }
    for argument in arguments {
      let index = try index(of: argument.track, option: argument.option)
      switch argument.change {
      case .effects(let effects): tracks[index].configuration.effects = effects
      case .gain(let gain): tracks[index].configuration.gain = gain
      case .pan(let pan): tracks[index].configuration.pan = pan
      case .muted: tracks[index].configuration.isMuted = true
      case .solo: tracks[index].configuration.isSolo = true
      case .echo(let echo):
        _ = try self.index(of: echo.track, option: argument.option)
        tracks[index].configuration.echoCancellation = echo
      case .looped:
        try reject(
          if: !tracks[index].isFile,
          "Only files can be looped, but the source of the track "
            + "“\(displayed(argument.track))” is not a file.",
          hint: "Omit \(argument.option) \(displayed(argument.track)).")
        tracks[index].configuration.loops = true
      case .start, .stop, .fade:
        try Self.setTime(of: &tracks[index], argument, isFirst: index == 0)
      case .ducking(let ducking):
        if case .track(let other) = ducking.trigger {
          _ = try self.index(of: other, option: argument.option)
        }
        tracks[index].configuration.ducking = ducking
      }
    }
    try Self.checkTimes(of: tracks)
    return tracks
  }

  private func index(of name: String, option: String) throws(UsageError) -> Int {
    if let index = sources.firstIndex(where: { $0.name == name }) { return index }
    let names = sources.map(\.name)
    let message = "\(option) is for “\(displayed(name))”, but there is no track of that name."
    try reject(if: names.isEmpty, message, hint: "Name it with --source \(displayed(name))=….")
    let nearest = NearestName.to(name, among: names)
    throw UsageError(
      message,
      hint: nearest.map { "Did you mean \($0)?" }
        ?? "The tracks are \(names.joined(separator: ", ")).")
  }
}
