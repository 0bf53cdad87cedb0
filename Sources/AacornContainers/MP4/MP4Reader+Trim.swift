public import AacornCodec

extension MP4Reader {
  /// What is heard of the decoded track, in samples: parts that follow one another without a gap, in
  /// the order of the track; empty if the file does not say.
  ///
  /// An edit list takes precedence over the iTunSMPB tag, unless its ticks are coarser than samples
  /// or it skips nothing. One with several entries, as in a file joined of others, counts if the
  /// entries do not go back. If the file was cut off, only the frames it still has count. What
  /// Apple's encoders leave out of the tag, the delay of band replication, is added.
  ///
  /// Samples are those of the rate that the configuration tells; band replication that only the
  /// frames tell doubles them.
  public var heard: [Range<UInt64>] { heardParts(samplesPerTick: samplesPerTick) }

  /// Samples in a tick of the track, as far as the configuration tells: 2 where the track counts in
  /// those of the core and band replication doubles them, else 1.
  package var samplesPerTick: UInt64 {
    guard let track, let duration = samples.firstDuration else { return 1 }
    let stream = track.stream
    return stream.outputSampleRate == 2 * stream.sampleRate
      && Int64(duration) == Int64(stream.frameLength) ? 2 : 1
  }

  /// The same with so many samples in a tick.
  func heardParts(samplesPerTick: UInt64) -> [Range<UInt64>] {
    guard let track, let duration = samples.firstDuration else { return [] }
    let total = UInt64(completeSampleCount) &* UInt64(duration) &* samplesPerTick
    let played = track.edits.filter { $0.mediaTime >= 0 }
    if !played.isEmpty, track.timescale > 0, track.movieTimescale > 0,
      gaplessTag == nil
        || track.movieTimescale % track.timescale == 0
          && (played.count > 1 || played[0].mediaTime > 0)
    {
      var parts: [Range<UInt64>]? = [part(played[0], of: track, samplesPerTick, total)]
      if played.count > 1 { parts = self.parts(played, of: track, samplesPerTick, total) }
      if let parts {
        return exactParts?.refining(parts, samplesPerTick: samplesPerTick, end: total) ?? parts
      }
    }
    guard let tag = gaplessTag else { return [] }
    var start = UInt64(tag.priming) &* samplesPerTick
    if samplesPerTick == 2, tag.priming == Self.corePriming, track.edits.isEmpty {
      start += Self.replicationDelay
    }
    // For a fragmented file the length was not known when the tag was written.
    let valid = tag.validCount.multipliedReportingOverflow(by: samplesPerTick)
    return [
      Self.part(
        from: min(start, total),
        tag.validCount == 0 || valid.overflow ? total : valid.partialValue, total)
    ]
  }

  /// The delay of Apple's encoders, by which they can be told: their iTunSMPB tags count that of the
  /// core alone, and those of others count all of it.
  private static let corePriming: UInt32 = 2112
  /// Samples by which band replication is later than the core.
  private static let replicationDelay: UInt64 = 962

  /// What to cut from the decoded track, or nil if the file does not say.
  ///
  /// Of several parts, it tells what lies before the first one and behind the last one, and how many
  /// samples are heard in all.
  public var trim: StreamTrim? {
    let parts = heard
    guard let first = parts.first, let last = parts.last, let duration = samples.firstDuration
    else { return nil }
    let total = UInt64(completeSampleCount) &* UInt64(duration) &* samplesPerTick
    var valid: UInt64 = 0
    for part in parts { valid += part.upperBound - part.lowerBound }
    guard let priming = Int(exactly: first.lowerBound), let count = Int(exactly: valid),
      let remainder = Int(exactly: total - last.upperBound)
    else { return nil }
    return StreamTrim(priming: priming, remainder: remainder, sampleCount: count)
  }

  /// The part that the only edit plays.
  private func part(
    _ edit: MP4Track.Edit, of track: MP4Track, _ samplesPerTick: UInt64, _ total: UInt64
  ) -> Range<UInt64> {
    let rate = UInt64(track.timescale) * samplesPerTick
    let clock = UInt64(track.movieTimescale)
    let endTime = samples.endTime(of: completeSampleCount) &* samplesPerTick
    let priming = Self.start(of: edit, samplesPerTick, total)
    var valid = Self.rescale(edit.duration, from: clock, to: rate)
    // Without a duration the edit lasts as long as the frames do; likewise where its clock is too
    // coarse: many writers count the movie in milliseconds and shorten the last frame exactly.
    let untilEnd = endTime - min(priming, endTime)
    let tick = rate / clock
    let difference = max(valid, untilEnd) - min(valid, untilEnd)
    if edit.duration == 0 || track.timescale > track.movieTimescale && difference <= tick + 1 {
      valid = untilEnd
    }
    return Self.part(from: priming, valid, total)
  }

  /// The parts that several edits play; nil if one of them goes back.
  private func parts(
    _ edits: [MP4Track.Edit], of track: MP4Track, _ samplesPerTick: UInt64, _ total: UInt64
  ) -> [Range<UInt64>]? {
    var parts: [Range<UInt64>] = []
    var end: UInt64 = 0
    for edit in edits {
      var start = Self.start(of: edit, samplesPerTick, total)
      // A part that was to begin a sample later may end behind the tick at which the next begins.
      if start < end, end - start < samplesPerTick { start = end }
      if start < end { return nil }
      let valid = Self.rescale(
        edit.duration, from: UInt64(track.movieTimescale),
        to: UInt64(track.timescale) * samplesPerTick)
      let part = Self.part(from: start, valid, total)
      end = part.upperBound
      if !part.isEmpty { parts.append(part) }
    }
    return parts.isEmpty ? nil : parts
  }

  private static func start(
    of edit: MP4Track.Edit, _ samplesPerTick: UInt64, _ total: UInt64
  ) -> UInt64 {
    let (start, overflow) = UInt64(edit.mediaTime).multipliedReportingOverflow(by: samplesPerTick)
    return overflow ? total : min(start, total)
  }

  private static func part(from start: UInt64, _ valid: UInt64, _ total: UInt64) -> Range<UInt64> {
    start..<start + min(valid, total - start)
  }

  private static func rescale(_ time: UInt64, from: UInt64, to: UInt64) -> UInt64 {
    let (seconds, rest) = time.quotientAndRemainder(dividingBy: from)
    return seconds &* to &+ rest &* to / from
  }
}
