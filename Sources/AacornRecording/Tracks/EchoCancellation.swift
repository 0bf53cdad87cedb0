/// The removal of another track's sound from a track, for example of a loudspeaker next to a
/// microphone.
///
/// The reference is the other track before its gain, pan, mute and fades. It should contain what
/// the loudspeaker plays, so it is usually the monitor of an output. A stopped track is silent as a
/// reference, so its echo is not removed.
///
/// The sound system's own cancellation is more exact, because it has the playback time of each
/// sample; see <doc:SeveralSources>.
public struct EchoCancellation: Sendable, Equatable {
  /// The reference signal.
  public enum Reference: Sendable, Equatable {
    /// Each channel separately, as from several loudspeakers.
    case channels
    /// The mean of all channels, as from a single loudspeaker: converges sooner, with less work.
    case mix
  }

  /// The name of the track to remove.
  public var track: String
  /// The maximum delay between playback and echo, from 10 ms to a second: the latency of the
  /// loudspeaker, the air and the walls.
  public var tail: Duration
  /// The reference signal.
  public var reference: Reference

  /// Creates an echo cancellation; by default, for echoes within 200 ms.
  public init(
    of track: String, tail: Duration = .milliseconds(200), reference: Reference = .channels
  ) {
    self.track = track
    self.tail = tail
    self.reference = reference
  }

  /// The supported tails.
  package static let tails = Duration.milliseconds(10)...Duration.seconds(1)
}

extension TrackConfiguration {
  /// Throws if the echo cancellation of these tracks is invalid.
  ///
  /// The names of the tracks must differ.
  static func validateEchoes(
    _ tracks: [TrackConfiguration], channelCount: Int
  ) throws(RecordingError) {
    for track in tracks {
      guard let echo = track.echoCancellation else { continue }
      if echo.track == track.name { throw .tracks(.echoesItself(track.name)) }
      if !tracks.contains(where: { $0.name == echo.track }) {
        throw .tracks(.unknownEcho(echo.track))
      }
      // The work grows with the square of the channel count.
      let isExpensive = echo.reference == .channels && channelCount > 8
      if !EchoCancellation.tails.contains(echo.tail) || isExpensive {
        throw .tracks(.impossibleEcho(track: track.name))
      }
    }
    for track in tracks {
      var circle = [track.name]
      while let last = circle.last, circle.count <= tracks.count,
        let echo = tracks.first(where: { $0.name == last })?.echoCancellation
      {
        if echo.track == track.name { throw .tracks(.echoCircle(circle)) }
        circle.append(echo.track)
      }
    }
  }
}
