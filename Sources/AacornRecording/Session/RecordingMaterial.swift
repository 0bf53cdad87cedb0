/// What a recording is made of.
package enum RecordingMaterial: Sendable {
  /// One source as it is.
  case one(SourceOrigin)
  /// Tracks that are mixed; the first one gives the recording its time.
  case tracks([TrackSource])

  /// Where the sound comes from, the first track's first.
  var origins: [SourceOrigin] {
    switch self {
    case .one(let origin): [origin]
    case .tracks(let tracks): tracks.map(\.origin)
    }
  }
}
