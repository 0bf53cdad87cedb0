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
    guard let stream = track?.stream, stream.outputSampleRate == 2 * stream.sampleRate else {
      return 1
    }
    return samplesPerDoubledTick
  }

  /// The same of frames whose band replication doubles the rate, whatever the configuration tells.
  package var samplesPerDoubledTick: UInt64 {
    guard let track, samples.firstDuration != nil else { return 1 }
    return Int64(clamping: length(ofUnits: 1)) == Int64(track.stream.frameLength) ? 2 : 1
  }

  /// The same with so many samples in a tick.
  func heardParts(samplesPerTick: UInt64) -> [Range<UInt64>] {
    guard let track, samples.firstDuration != nil else { return [] }
    let total = length(ofUnits: completeSampleCount) &* samplesPerTick
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
  public var trim: StreamTrim? { trimming(samplesPerTick: samplesPerTick) }

  /// The same with so many samples in a tick.
  package func trimming(samplesPerTick: UInt64) -> StreamTrim? {
    let parts = heardParts(samplesPerTick: samplesPerTick)
    guard let first = parts.first, let last = parts.last else { return nil }
    let total = length(ofUnits: completeSampleCount) &* samplesPerTick
    var valid: UInt64 = 0
    for part in parts { valid += part.upperBound - part.lowerBound }
    guard let priming = Int(exactly: first.lowerBound), let count = Int(exactly: valid),
      let remainder = Int(exactly: total - last.upperBound)
    else { return nil }
    return StreamTrim(priming: priming, remainder: remainder, sampleCount: count)
  }

  /// How many ticks so many decoded frames take, one after another.
  ///
  /// Of a track whose frames differ in duration, the durations tell when a frame was taken, not how
  /// long it is; that follows from the rates.
  func length(ofUnits count: Int) -> UInt64 {
    guard let track, let duration = samples.firstDuration else { return 0 }
    let stream = track.stream
    guard samples.hasUnevenDurations, track.timescale > 0, stream.sampleRate > 0 else {
      return UInt64(count) &* UInt64(duration)
    }
    let frames = UInt64(count) &* UInt64(stream.frameLength)
    return Self.rescale(frames, from: UInt64(stream.sampleRate), to: UInt64(track.timescale))
  }

  /// The part of the decoded track that plays for so long from `start` on, both in samples of the
  /// track's time.
  private func part(
    from start: UInt64, lasting valid: UInt64, _ samplesPerTick: UInt64, _ total: UInt64
  ) -> Range<UInt64> {
    guard samples.hasUnevenDurations else {
      return Self.part(from: min(start, total), valid, total)
    }
    let (end, overflow) = start.addingReportingOverflow(valid)
    let lower = min(position(of: start / samplesPerTick) &* samplesPerTick, total)
    let upper = overflow ? total : min(position(of: end / samplesPerTick) &* samplesPerTick, total)
    return lower..<max(lower, upper)
  }

  /// The tick of the decoded track that is heard at a time of one with uneven durations: a frame
  /// that stands for longer than it is has ended when the next one begins.
  private func position(of time: UInt64) -> UInt64 {
    let place = samples.place(of: time)
    let start = length(ofUnits: place.index)
    return start &+ min(place.offset, length(ofUnits: place.index + 1) &- start)
  }

  /// The part that the only edit plays.
  private func part(
    _ edit: MP4Track.Edit, of track: MP4Track, _ samplesPerTick: UInt64, _ total: UInt64
  ) -> Range<UInt64> {
    let rate = UInt64(track.timescale) * samplesPerTick
    let clock = UInt64(track.movieTimescale)
    let endTime = samples.endTime(of: completeSampleCount) &* samplesPerTick
    let priming = Self.start(of: edit, samplesPerTick, max(total, endTime))
    var valid = Self.rescale(edit.duration, from: clock, to: rate)
    // Without a duration the edit lasts as long as the frames do; likewise where its clock is too
    // coarse: many writers count the movie in milliseconds and shorten the last frame exactly.
    let untilEnd = endTime - min(priming, endTime)
    let tick = rate / clock
    let difference = max(valid, untilEnd) - min(valid, untilEnd)
    if edit.duration == 0 || track.timescale > track.movieTimescale && difference <= tick + 1 {
      valid = untilEnd
    }
    return part(from: priming, lasting: valid, samplesPerTick, total)
  }

  /// The parts that several edits play; nil if one of them goes back.
  private func parts(
    _ edits: [MP4Track.Edit], of track: MP4Track, _ samplesPerTick: UInt64, _ total: UInt64
  ) -> [Range<UInt64>]? {
    var parts: [Range<UInt64>] = []
    var end: UInt64 = 0
    let last = max(total, samples.endTime(of: completeSampleCount) &* samplesPerTick)
    for edit in edits {
      let start = Self.start(of: edit, samplesPerTick, last)
      let valid = Self.rescale(
        edit.duration, from: UInt64(track.movieTimescale),
        to: UInt64(track.timescale) * samplesPerTick)
      var part = self.part(from: start, lasting: valid, samplesPerTick, total)
      // A part that was to begin a sample later may end behind the tick at which the next begins.
      if part.lowerBound < end, end - part.lowerBound < samplesPerTick {
        part = Self.part(from: end, valid, total)
      }
      if part.lowerBound < end { return nil }
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
