extension MP4Reader {
  /// The number of bytes shared by several frames, counted once for each frame after the first.
  package var sharedByteCount: UInt64 { movie.samples.sharedByteCount(of: completeSampleCount) }

  /// Whether the edit list repeats a part or goes back in the track.
  ///
  /// ``playableRanges`` does not support such a list.
  public var hasBackwardEdits: Bool {
    guard let track, movie.samples.firstDuration != nil, track.movieTimescale > 0 else {
      return false
    }
    let total = max(
      length(ofUnits: completeSampleCount), movie.samples.endTime(of: completeSampleCount))
    let (timescale, clock) = (UInt64(track.timescale), UInt64(track.movieTimescale))
    var end: UInt64 = 0
    for edit in track.edits where edit.mediaTime >= 0 {
      let start = min(UInt64(edit.mediaTime), total)
      if start < end { return true }
      let (seconds, rest) = edit.duration.quotientAndRemainder(dividingBy: clock)
      let length = seconds &* timescale &+ rest &* timescale / clock
      end = start + min(length, total - start)
    }
    return false
  }
}
