/// Where a further track is silent because nothing came, in frames of the mix.
///
/// The mix notes what it has passed without sound, and the track what its device lost; what adjoins or
/// overlaps is one entry. It is told when the mix has passed it.
struct FollowerGaps {
  private let track: String
  private let sampleRate: Int
  /// In order, and apart from each other.
  private var entries: [(position: Int, end: Int, cause: RecordingGap.Cause)] = []
  /// Where the last entry ended that was told.
  private var toldEnd = 0

  /// No gaps yet, of a track with this name.
  init(_ track: String, sampleRate: Int) {
    self.track = track
    self.sampleRate = sampleRate
  }

  /// Notes that sound is missing.
  mutating func add(_ position: Int, _ count: Int, _ cause: RecordingGap.Cause) {
    let (start, end) = (max(position, toldEnd), position + count)
    guard start < end else { return }
    var entry = (position: start, end: end, cause: cause)
    var index = entries.count
    while index > 0, entries[index - 1].end >= entry.position {
      index -= 1
      let other = entries[index]
      if other.position > entry.end { continue }
      entry.position = min(entry.position, other.position)
      entry.end = max(entry.end, other.end)
      // Who knows why is believed.
      if other.cause != .unexplained { entry.cause = other.cause }
      entries.remove(at: index)
    }
    entries.insert(entry, at: index)
  }

  /// The entries that are complete when the mix is at `position`; with a cut, everything before it.
  ///
  /// `wallTime` is the wall clock at the recording's beginning.
  mutating func take(before position: Int, isCut: Bool, wallTime: Int64) -> [RecordingGap] {
    var gaps: [RecordingGap] = []
    while let entry = entries.first, entry.position < position {
      let end = min(entry.end, position)
      let isComplete = entry.end + sampleRate / 2 <= position
      // Written now and then, so that a crash during a long absence leaves its entries.
      let isLong = end - entry.position >= 60 * sampleRate
      guard isComplete || isLong || isCut else { break }
      if end < entry.end { entries[0].position = end } else { entries.removeFirst() }
      toldEnd = end
      let seconds = Double(entry.position) / Double(sampleRate)
      gaps.append(
        RecordingGap(
          position: entry.position, length: end - entry.position, cause: entry.cause,
          wallTime: wallTime + Int64(seconds * 1e9), track: track))
    }
    return gaps
  }
}
