import AacornDevices

extension FollowerTrack {
  /// Records an event or a gap of the source track, converted to positions in the mix.
  mutating func record(_ event: RecorderEvent) {
    switch event {
    case .gap(let gap):
      if gap.isFilled, let origin {
        gaps.add(at: origin + gap.position, count: gap.length, cause: gap.cause)
      }
    // A pause or mute applies to the whole recording, not to this track.
    case .paused, .muted: break
    default: events.append(.track(name, event))
    }
  }

  /// Returns the events since the last call and the gaps that are complete at `position`; if
  /// `isCut`, all gaps up to there.
  mutating func takeEvents(at position: Int, isCut: Bool, wallTime: Int64) -> [RecorderEvent] {
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
      gaps.add(at: origin + gap.position, count: gap.length, cause: gap.cause)
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
}

/// The gaps of a follower track, in frames of the mix.
///
/// The mix adds the frames that it passed without samples, and the track adds the frames that its
/// device lost. Adjacent and overlapping gaps are merged. A gap is reported when the mix has passed
/// it.
struct FollowerGaps {
  private let track: String
  private let sampleRate: Int
  /// Sorted, neither adjacent nor overlapping.
  private var entries: [(position: Int, end: Int, cause: RecordingGap.Cause)] = []
  /// The end of the last reported entry or of the last cut; earlier frames are not reported again.
  private var reportedEnd = 0

  /// Creates an empty list of gaps for the track with this name.
  init(_ track: String, sampleRate: Int) {
    self.track = track
    self.sampleRate = sampleRate
  }

  /// Adds missing frames.
  mutating func add(at position: Int, count: Int, cause: RecordingGap.Cause) {
    let (start, end) = (max(position, reportedEnd), position + count)
    guard start < end else { return }
    var entry = (position: start, end: end, cause: cause)
    var index = entries.count
    while index > 0, entries[index - 1].end >= entry.position {
      index -= 1
      let other = entries[index]
      if other.position > entry.end { continue }
      entry.position = min(entry.position, other.position)
      entry.end = max(entry.end, other.end)
      // Prefer a specific cause to a generic one.
      if other.cause != .unexplained { entry.cause = other.cause }
      entries.remove(at: index)
    }
    entries.insert(entry, at: index)
  }

  /// Removes and returns the entries that are complete when the mix is at `position`; if `isCut`,
  /// all frames of entries before it.
  ///
  /// `wallTime` is the wall clock at the recording's beginning.
  mutating func take(before position: Int, isCut: Bool, wallTime: Int64) -> [RecordingGap] {
    var gaps: [RecordingGap] = []
    while let entry = entries.first, entry.position < position {
      let end = min(entry.end, position)
      let isComplete = entry.end + sampleRate / 2 <= position
      // Long gaps are reported in parts, so that a crash during a long absence leaves entries.
      let isLong = end - entry.position >= 60 * sampleRate
      guard isComplete || isLong || isCut else { break }
      if end < entry.end { entries[0].position = end } else { entries.removeFirst() }
      reportedEnd = end
      let seconds = Double(entry.position) / Double(sampleRate)
      gaps.append(
        RecordingGap(
          position: entry.position, length: end - entry.position, cause: entry.cause,
          wallTime: wallTime + Int64(seconds * 1e9), track: track))
    }
    // The file that ends here contains these frames as they were mixed.
    if isCut { reportedEnd = max(reportedEnd, position) }
    return gaps
  }
}
