extension FollowerTrack {
  /// Who determines when a sample is heard.
  enum Pace {
    /// The monotonic clock, by which the leader goes as well.
    case clock
    /// The mix.
    case mix
  }
}
