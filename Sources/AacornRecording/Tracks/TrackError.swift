import AacornSystem

/// The reason why tracks cannot be recorded together.
public enum TrackError: Error, CustomStringConvertible, Equatable, Sendable {
  /// There are no tracks.
  case noTracks
  /// A name is empty, or contains a slash, a colon, an equals sign or an invisible character.
  case unsuitableName(String)
  /// Two tracks have this name.
  case repeatedName(String)
  /// A track ducks under a track that does not exist.
  case unknownTrack(String)
  /// A track ducks under itself.
  case ducksItself(String)
  /// A track has more effects than ``EffectDescription/maxEffectCount``.
  case tooManyEffects(Int, track: String)
  /// A gain is outside −60 to 60 dB.
  case gainOutOfRange(Double, track: String)
  /// A pan position is outside −1 to 1.
  case panOutOfRange(Double, track: String)
  /// A track is panned, but the recording does not have two channels.
  case panWithoutStereo(track: String, channelCount: Int)
  /// A threshold or a depth of ducking is out of range, or a time is negative or too long.
  case impossibleDucking(track: String)
  /// A start, a stop or a fade is negative or too long.
  case impossibleTime(track: String)
  /// A track stops before it starts, or immediately.
  case stopsBeforeStart(track: String)
  /// A device cannot follow the time line of a leader with another clock.
  case otherClock(track: String, leader: String)
  /// An echo cancellation names a track that does not exist.
  case unknownEcho(String)
  /// An echo cancellation names its own track.
  case echoesItself(String)
  /// Echo cancellations form a cycle: each track names the next one, and the last names the first.
  case echoCircle([String])
  /// The tail is out of range, or the reference has too many channels.
  case impossibleEcho(track: String)
  /// The echo canceller's library is not installed; with its file name and Debian's package.
  case echoCancellerMissing(library: String, package: String)
  /// The echo canceller's library cannot be used.
  case echoCancellerUnsuitable(library: String, reason: String)

  /// The message, so that printing the error is useful.
  public var description: String { message }

  /// The problem and the remedy, as a message.
  public var message: String {
    switch self {
    case .noTracks: "A recording needs at least one track. Add one."
    case .unsuitableName(let name):
      "A track cannot be named “\(displayed(name))”. Choose a name without slashes, colons, equals "
        + "signs and control characters."
    case .repeatedName(let name):
      "Two tracks are named “\(displayed(name))”. Give each track a different name."
    case .unknownTrack(let name):
      "No track named “\(displayed(name))” to duck for. Use an existing track."
    case .ducksItself(let name):
      "The track “\(displayed(name))” cannot duck for itself. Choose another track."
    case .tooManyEffects(let count, let name):
      "The track “\(displayed(name))” has \(count) effects. Use at most "
        + "\(EffectDescription.maxEffectCount)."
    case .gainOutOfRange(let gain, let name):
      "A gain of \(gain) dB is out of range for the track “\(displayed(name))”. Choose from -60 to "
        + "60."
    case .panOutOfRange(let pan, let name):
      "A pan of \(pan) is out of range for the track “\(displayed(name))”. Choose from -1 (left) to 1 "
        + "(right)."
    case .panWithoutStereo(let name, let count):
      "The track “\(displayed(name))” cannot be panned, because the recording has "
        + "\(QuantityText.count(count, "channel")). Choose two channels, or no pan."
    case .impossibleDucking(let name):
      "The ducking of the track “\(displayed(name))” is out of range. Choose a threshold from -96 to "
        + "0 dB, a depth from 0 to 96 dB, and times of at most a minute."
    case .impossibleTime(let name):
      "A time of the track “\(displayed(name))” is out of range. Choose a start of at most a day for "
        + "a signal and ten seconds for a device, none for the first track, a stop of at most a "
        + "day, and fades of at most ten minutes."
    case .stopsBeforeStart(let name):
      "The track “\(displayed(name))” would stop before it starts. Choose a later stop, or none."
    case .otherClock(let name, let leader):
      "The track “\(displayed(name))” uses the computer's clock, but the first track, "
        + "“\(displayed(leader))”, does not. Make a device the first track, or play the first track "
        + "in real time."
    case .unknownEcho(let name):
      "No track named “\(displayed(name))” to remove the echo of. Use an existing track."
    case .echoesItself(let name):
      "The track “\(displayed(name))” cannot remove its own echo. Choose another track."
    case .echoCircle(let names):
      "The tracks \(names.map { "“\(displayed($0))”" }.joined(separator: ", ")) remove each other's "
        + "echo in a cycle. Turn off the echo cancellation of one of them."
    case .impossibleEcho(let name):
      "The echo cancellation of the track “\(displayed(name))” is not possible. Choose a tail from "
        + "10 ms to 1 s, and the mix as the reference if there are more than 8 channels."
    case .echoCancellerMissing(let library, let package):
      SpeexUnavailable.problem(Self.echoStays, library: library, reason: nil) + " "
        + SpeexUnavailable.installHint(debianPackage: package)
    case .echoCancellerUnsuitable(let library, let reason):
      SpeexUnavailable.problem(Self.echoStays, library: library, reason: reason)
        + " Turn off echo cancellation."
    }
  }

  private static let echoStays = "Echo cancellation is not available"
}

extension TrackConfiguration {
  /// Throws if these tracks cannot be recorded together.
  package static func validate(
    _ tracks: [TrackConfiguration], channelCount: Int
  ) throws(RecordingError) {
    if tracks.isEmpty { throw .tracks(.noTracks) }
    var names: Set<String> = []
    for track in tracks {
      if !isSuitable(track.name) { throw .tracks(.unsuitableName(track.name)) }
      // Names become file names, and some file systems ignore case.
      if !names.insert(track.name.lowercased()).inserted {
        throw .tracks(.repeatedName(track.name))
      }
    }
    for (index, track) in tracks.enumerated() {
      try track.validate(isFirst: index == 0, channelCount: channelCount)
      guard case .track(let other)? = track.ducking?.trigger else { continue }
      if other == track.name { throw .tracks(.ducksItself(other)) }
      if !tracks.contains(where: { $0.name == other }) { throw .tracks(.unknownTrack(other)) }
    }
    try validateEchoes(tracks, channelCount: channelCount)
  }

  /// Returns whether a track, and therefore its file, may have this name.
  package static func isSuitable(_ name: String) -> Bool {
    if name.isEmpty || name.utf8.count > 100 || name.hasPrefix(".") || name.hasPrefix("-") {
      return false
    }
    return displayed(name) == name && !name.contains { "/\\:=*".contains($0) }
  }

  private func validate(isFirst: Bool, channelCount: Int) throws(RecordingError) {
    if effects.count > EffectDescription.maxEffectCount {
      throw .tracks(.tooManyEffects(effects.count, track: name))
    }
    if !(abs(gain) <= 60) { throw .tracks(.gainOutOfRange(gain, track: name)) }
    if !(abs(pan) <= 1) { throw .tracks(.panOutOfRange(pan, track: name)) }
    if pan != 0 && channelCount != 2 {
      throw .tracks(.panWithoutStereo(track: name, channelCount: channelCount))
    }
    let fades = Duration.zero...Duration.seconds(600)
    let starts = Duration.zero...Duration.seconds(isFirst ? 0 : 86_400)
    if !fades.contains(fadeIn) || !fades.contains(fadeOut) || !starts.contains(startOffset) {
      throw .tracks(.impossibleTime(track: name))
    }
    if let stopOffset {
      if stopOffset > .seconds(86_400) { throw .tracks(.impossibleTime(track: name)) }
      if stopOffset <= startOffset { throw .tracks(.stopsBeforeStart(track: name)) }
    }
    guard let ducking else { return }
    let times = Duration.zero...Duration.seconds(60)
    let hasTimes = [ducking.attack, ducking.release, ducking.hold].allSatisfy { times.contains($0) }
    let thresholds: ClosedRange<Double> = -96...0
    let depths: ClosedRange<Double> = 0...96
    let hasLevels = thresholds.contains(ducking.threshold) && depths.contains(ducking.depth)
    if !hasTimes || !hasLevels { throw .tracks(.impossibleDucking(track: name)) }
  }
}
