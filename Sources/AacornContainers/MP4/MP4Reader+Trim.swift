public import AacornCodec

extension MP4Reader {
  /// What is heard of the decoded track, in its ticks: parts that follow one another without a gap,
  /// in the order of the track; empty if the file does not say.
  ///
  /// An edit list takes precedence over the iTunSMPB tag, unless its ticks are coarser than samples
  /// or it skips nothing. One with several entries, as in a file joined of others, counts if the
  /// entries do not go back. If the file was cut off, only the frames it still has count.
  public var heard: [Range<UInt64>] {
    guard let track, let duration = samples.firstDuration else { return [] }
    let total = UInt64(completeSampleCount) &* UInt64(duration)
    let played = track.edits.filter { $0.mediaTime >= 0 }
    if !played.isEmpty, track.timescale > 0, track.movieTimescale > 0,
      gaplessTag == nil
        || track.movieTimescale % track.timescale == 0
          && (played.count > 1 || played[0].mediaTime > 0)
    {
      if played.count == 1 { return [part(played[0], of: track, total)] }
      if let parts = parts(played, of: track, total) { return parts }
    }
    guard let tag = gaplessTag else { return [] }
    // For a fragmented file the length was not known when the tag was written.
    return [
      Self.part(
        from: min(UInt64(tag.priming), total), tag.validCount == 0 ? total : tag.validCount, total)
    ]
  }

  /// What to cut from the decoded track, or nil if the file does not say.
  ///
  /// Of several parts, it tells what lies before the first one and behind the last one, and how many
  /// samples are heard in all.
  public var trim: StreamTrim? {
    let parts = heard
    guard let first = parts.first, let last = parts.last, let duration = samples.firstDuration
    else { return nil }
    let total = UInt64(completeSampleCount) &* UInt64(duration)
    var valid: UInt64 = 0
    for part in parts { valid += part.upperBound - part.lowerBound }
    guard let priming = Int(exactly: first.lowerBound), let count = Int(exactly: valid),
      let remainder = Int(exactly: total - last.upperBound)
    else { return nil }
    return StreamTrim(priming: priming, remainder: remainder, sampleCount: count)
  }

  /// The part that the only edit plays.
  private func part(_ edit: MP4Track.Edit, of track: MP4Track, _ total: UInt64) -> Range<UInt64> {
    let endTime = samples.endTime(of: completeSampleCount)
    let priming = min(UInt64(edit.mediaTime), total)
    var valid = Self.rescale(edit.duration, from: track.movieTimescale, to: track.timescale)
    // Without a duration the edit lasts as long as the frames do; likewise where its clock is too
    // coarse: many writers count the movie in milliseconds and shorten the last frame exactly.
    let untilEnd = endTime - min(priming, endTime)
    let tick = UInt64(track.timescale / track.movieTimescale)
    let difference = max(valid, untilEnd) - min(valid, untilEnd)
    if edit.duration == 0
      || tick > 0 && track.timescale != track.movieTimescale
        && difference <= tick + 1
    {
      valid = untilEnd
    }
    return Self.part(from: priming, valid, total)
  }

  /// The parts that several edits play; nil if one of them goes back.
  private func parts(
    _ edits: [MP4Track.Edit], of track: MP4Track, _ total: UInt64
  ) -> [Range<UInt64>]? {
    var parts: [Range<UInt64>] = []
    for edit in edits {
      let start = min(UInt64(edit.mediaTime), total)
      if let last = parts.last, start < last.upperBound { return nil }
      let valid = Self.rescale(edit.duration, from: track.movieTimescale, to: track.timescale)
      let part = Self.part(from: start, valid, total)
      if !part.isEmpty { parts.append(part) }
    }
    return parts.isEmpty ? nil : parts
  }

  private static func part(from start: UInt64, _ valid: UInt64, _ total: UInt64) -> Range<UInt64> {
    start..<start + min(valid, total - start)
  }

  private static func rescale(_ time: UInt64, from: UInt32, to: UInt32) -> UInt64 {
    let (seconds, rest) = time.quotientAndRemainder(dividingBy: UInt64(from))
    return seconds &* UInt64(to) &+ rest &* UInt64(to) / UInt64(from)
  }
}
