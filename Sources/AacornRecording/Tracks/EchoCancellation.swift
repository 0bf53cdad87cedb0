/// Another track that a track hears, and that is taken out of it: a loudspeaker beside a microphone.
///
/// What is looked for is the other track as it comes, before its gain, pan, mute and fades: that is
/// what the loudspeaker plays, and therefore usually a monitor of an output. A track that is stopped
/// is silent here as well, and so nothing of it is found.
///
/// The sound system's own cancellation knows better when a loudspeaker plays what; see
/// <doc:SeveralSources>.
public struct EchoCancellation: Sendable, Equatable {
  /// What of the other track is looked for.
  public enum Reference: Sendable, Equatable {
    /// Each channel by itself, as from several loudspeakers.
    case channels
    /// The mean of all channels, as from a single loudspeaker: it is found sooner, with less work.
    case mix
  }

  /// The name of the track that is heard.
  public var track: String
  /// How long after it was played a sound may still be heard, from 10 ms to a second: the way to the
  /// loudspeaker, through the air and from the walls.
  public var tail: Duration
  /// What of it is looked for.
  public var reference: Reference

  /// Takes a track out of another; without further arguments, what is heard of it within 200 ms.
  public init(
    of track: String, tail: Duration = .milliseconds(200), reference: Reference = .channels
  ) {
    self.track = track
    self.tail = tail
    self.reference = reference
  }

  /// The tails that make sense.
  package static let tails = Duration.milliseconds(10)...Duration.seconds(1)
}

extension TrackConfiguration {
  /// Throws if echoes cannot be taken out of these tracks, whose names differ.
  static func validateEchoes(
    _ tracks: [TrackConfiguration], channelCount: Int
  ) throws(TrackError) {
    for track in tracks {
      guard let echo = track.echoCancellation else { continue }
      if echo.track == track.name { throw .echoesItself(track.name) }
      if !tracks.contains(where: { $0.name == echo.track }) { throw .unknownEcho(echo.track) }
      // The work grows with the square of the channels.
      let isHard = echo.reference == .channels && channelCount > 8
      if !EchoCancellation.tails.contains(echo.tail) || isHard {
        throw .impossibleEcho(track: track.name)
      }
    }
    for track in tracks {
      var circle = [track.name]
      while let last = circle.last, circle.count <= tracks.count,
        let echo = tracks.first(where: { $0.name == last })?.echoCancellation
      {
        if echo.track == track.name { throw .echoCircle(circle) }
        circle.append(echo.track)
      }
    }
  }
}
