import AacornDevices

extension FollowerTrack {
  /// Records an event or a gap of the source track, converted to positions in the mix.
  mutating func record(_ item: SourceTrack.TrackEvent) {
    switch item {
    case .gap(let gap):
      if gap.isFilled, let origin { gaps.add(origin + gap.position, gap.length, gap.cause) }
    // A pause or mute applies to the whole recording, not to this track.
    case .event(.paused), .event(.muted): break
    case .event(let event): events.append(.event(.track(name, event)))
    }
  }

  /// Returns the events since the last call and the gaps that are complete at `position`; if
  /// `isCut`, all gaps up to there.
  mutating func takeEvents(
    at position: Int, isCut: Bool, wallTime: Int64
  ) -> [SourceTrack.TrackEvent] {
    collectGaps(at: position, isCut: isCut, wallTime: wallTime)
    defer { events.removeAll(keepingCapacity: true) }
    return events
  }

  /// Moves the gaps that are complete at `position` to `events`; if `isCut`, all gaps up to there.
  ///
  /// Silence that replaces the samples of a missing device may arrive in time for the mix. It
  /// belongs to the same absence as the frames that the mix has passed without the track. So the
  /// open gap of the source track is added to these frames.
  mutating func collectGaps(at position: Int, isCut: Bool, wallTime: Int64) {
    if let gap = track.openGap, let origin {
      gaps.add(origin + gap.position, gap.length, gap.cause)
    }
    for gap in gaps.take(before: position, isCut: isCut, wallTime: wallTime) {
      events.append(.gap(gap))
    }
  }

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
