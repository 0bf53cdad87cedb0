import AacornDevices

extension FollowerTrack {
  /// The clock that determines when a sample is mixed.
  enum Pace {
    /// The monotonic clock, which the leader follows as well.
    case clock
    /// The mix, which takes samples as it needs them.
    case mix
  }

  /// The capture time of the next frame; nil if no frames arrive or the mix sets the pace.
  var nextTime: Int64? { pace == .clock && !isFinished ? track.nextTime : nil }

  /// Received frames that the effects have not output yet.
  var heldCount: Int { track.effects.heldCount }

  /// Reconnects the source to a missing device.
  func resumeSource() { source?.resume() }

  /// Stops the source at the end of the recording.
  func stopSource() { source?.stop() }
}
