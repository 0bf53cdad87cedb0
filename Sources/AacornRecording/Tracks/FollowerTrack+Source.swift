import AacornDevices

extension FollowerTrack {
  /// Who determines when a sample is heard.
  enum Pace {
    /// The monotonic clock, by which the leader goes as well.
    case clock
    /// The mix.
    case mix
  }

  /// When its next frame is captured; nil if nothing comes for now, or as the mix needs it.
  var nextTime: Int64? { pace == .clock && !isOver ? track.nextTime : nil }

  /// Frames that have come, and that its effects hold back.
  var heldCount: Int { track.effects.heldCount }

  /// Has the source take its device back, if that is away.
  func resumeSource() { source?.resume() }

  /// Ends what the source does; the recording is over.
  func stopSource() { source?.stop() }
}
