/// The sources of a recording.
package enum RecordingMaterial: Sendable {
  /// One source, recorded without track settings.
  case one(SourceOrigin)
  /// Tracks to mix; the first one sets the recording's time line.
  case tracks([TrackSource])

  /// The origins of the audio, the first track's first.
  var origins: [SourceOrigin] {
    switch self {
    case .one(let origin): [origin]
    case .tracks(let tracks): tracks.map(\.origin)
    }
  }
}
