public import AacornCodec

extension MP4Reader {
  /// What to cut from the decoded track, or nil if the file does not say.
  ///
  /// An edit list takes precedence over the iTunSMPB tag, unless its ticks are coarser than samples
  /// or it skips nothing. If the file was cut off, only the frames it still has count.
  public var trim: StreamTrim? {
    guard let track, let duration = samples.firstDuration else { return nil }
    let total = UInt64(completeSampleCount) &* UInt64(duration)
    let endTime = samples.endTime(of: completeSampleCount)
    let played = track.edits.filter { $0.mediaTime >= 0 }
    if played.count == 1, track.timescale > 0, track.movieTimescale > 0,
      gaplessTag == nil
        || track.movieTimescale % track.timescale == 0 && played[0].mediaTime > 0
    {
      let edit = played[0]
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
      return Self.trim(priming: priming, valid: valid, total: total)
    }
    guard let tag = gaplessTag else { return nil }
    // For a fragmented file the length was not known when the tag was written.
    return Self.trim(
      priming: min(UInt64(tag.priming), total), valid: tag.validCount == 0 ? total : tag.validCount,
      total: total)
  }

  private static func trim(priming: UInt64, valid: UInt64, total: UInt64) -> StreamTrim? {
    let valid = min(valid, total - priming)
    guard let priming = Int(exactly: priming), let count = Int(exactly: valid),
      let total = Int(exactly: total)
    else { return nil }
    return StreamTrim(priming: priming, remainder: total - priming - count, sampleCount: count)
  }

  private static func rescale(_ time: UInt64, from: UInt32, to: UInt32) -> UInt64 {
    let (seconds, rest) = time.quotientAndRemainder(dividingBy: UInt64(from))
    return seconds &* UInt64(to) &+ rest &* UInt64(to) / UInt64(from)
  }
}
