public import AacornCodec
import AacornSignal

extension MP4Reader {
  /// The played parts of the decoded track in samples, in the order of the track; empty if the file
  /// does not specify them.
  ///
  /// The parts are played one after another without a gap. An edit list takes precedence over the
  /// iTunSMPB tag, unless the movie's ticks are coarser than the track's, or the list skips
  /// nothing. An edit list with several entries, as in a file joined from others, is used if its
  /// entries do not go back. If the file is truncated, only its complete frames are played. Apple's
  /// encoders omit the delay of band replication from the tag, so it is added.
  ///
  /// Positions are in samples at the rate of the configuration. If only the frames signal band
  /// replication, the decoded audio has twice as many samples.
  public var playableRanges: [Range<UInt64>] { playableRanges(samplesPerTick: samplesPerTick) }

  /// The number of samples per tick of the track, according to the configuration.
  ///
  /// The number is 2 if the track counts samples of the core and band replication doubles them,
  /// else 1.
  package var samplesPerTick: UInt64 {
    guard let stream = track?.stream, stream.outputSampleRate == 2 * stream.sampleRate else {
      return 1
    }
    return samplesPerDoubledTick
  }

  /// The number of samples per tick if band replication doubles the rate, whatever the
  /// configuration says.
  package var samplesPerDoubledTick: UInt64 {
    guard let track, movie.samples.firstDuration != nil else { return 1 }
    return Int64(clamping: length(ofUnits: 1)) == Int64(track.stream.frameLength) ? 2 : 1
  }

  func playableRanges(samplesPerTick: UInt64) -> [Range<UInt64>] {
    guard let track, movie.samples.firstDuration != nil else { return [] }
    let total = length(ofUnits: completeUnitCount) &* samplesPerTick
    let played = track.edits.filter { $0.mediaTime >= 0 }
    if !played.isEmpty, track.timescale > 0, track.movieTimescale > 0,
      gaplessTag == nil
        || track.movieTimescale % track.timescale == 0
          && (played.count > 1 || played[0].mediaTime > 0)
    {
      if played.count == 1 { return [part(played[0], of: track, samplesPerTick, total)] }
      if let parts = parts(played, of: track, samplesPerTick, total) { return parts }
    }
    guard let tag = gaplessTag else { return [] }
    var start = UInt64(tag.priming) &* samplesPerTick
    if samplesPerTick == 2, tag.priming == Self.corePriming, track.edits.isEmpty {
      start += UInt64(StreamTiming.replicationDelay)
    }
    // A tag without a length is from a fragmented file, whose length was unknown when the tag was
    // written.
    let valid = tag.validCount.multipliedReportingOverflow(by: samplesPerTick)
    return [
      Self.part(
        from: min(start, total),
        tag.validCount == 0 || valid.overflow ? total : valid.partialValue, total)
    ]
  }

  /// The delay of Apple's encoders, used to recognize them.
  ///
  /// Their iTunSMPB tags count only the delay of the core. Tags of other encoders count the whole
  /// delay.
  private static let corePriming: UInt32 = 2112

  /// The samples to cut from the decoded track, or nil if the file does not specify them.
  ///
  /// With several parts, `priming` is the number of samples before the first part, `remainder` the
  /// number after the last part, and `sampleCount` the number in all parts.
  public var trim: StreamTrim? { trimming(samplesPerTick: samplesPerTick) }

  /// Returns the trim for a given number of samples per tick.
  package func trimming(samplesPerTick: UInt64) -> StreamTrim? {
    let parts = playableRanges(samplesPerTick: samplesPerTick)
    guard let first = parts.first, let last = parts.last else { return nil }
    let total = length(ofUnits: completeUnitCount) &* samplesPerTick
    var valid: UInt64 = 0
    for part in parts { valid += part.upperBound - part.lowerBound }
    guard let priming = Int(exactly: first.lowerBound), let count = Int(exactly: valid),
      let remainder = Int(exactly: total - last.upperBound)
    else { return nil }
    return StreamTrim(priming: priming, remainder: remainder, sampleCount: count)
  }

  /// Returns the number of ticks of `count` consecutive decoded frames.
  ///
  /// In a track with uneven durations, the durations specify when a frame was captured, not its
  /// length. The length then follows from the sample rates.
  func length(ofUnits count: Int) -> UInt64 {
    guard let track, let duration = movie.samples.firstDuration else { return 0 }
    let stream = track.stream
    guard movie.samples.hasUnevenDurations, track.timescale > 0, stream.sampleRate > 0 else {
      return UInt64(count) &* UInt64(duration)
    }
    let frames = UInt64(count) &* UInt64(stream.frameLength)
    return frames.rescaled(from: UInt64(stream.sampleRate), to: UInt64(track.timescale))
  }

  /// Returns the part of the decoded track that plays from `start` for `valid` samples of the
  /// track's time.
  private func part(
    from start: UInt64, duration valid: UInt64, _ samplesPerTick: UInt64, _ total: UInt64
  ) -> Range<UInt64> {
    guard movie.samples.hasUnevenDurations else {
      return Self.part(from: min(start, total), valid, total)
    }
    let (end, overflow) = start.addingReportingOverflow(valid)
    let lower = min(position(of: start / samplesPerTick) &* samplesPerTick, total)
    let upper = overflow ? total : min(position(of: end / samplesPerTick) &* samplesPerTick, total)
    return lower..<max(lower, upper)
  }

  /// Returns the tick of the decoded track that plays at `time` of a track with uneven durations.
  ///
  /// A frame whose duration exceeds its length has ended when the next one begins.
  private func position(of time: UInt64) -> UInt64 {
    let position = movie.samples.position(of: time)
    let start = length(ofUnits: position.index)
    return start &+ min(position.offset, length(ofUnits: position.index + 1) &- start)
  }

  /// Returns the part that a single edit plays.
  private func part(
    _ edit: MP4Track.Edit, of track: MP4Track, _ samplesPerTick: UInt64, _ total: UInt64
  ) -> Range<UInt64> {
    let rate = UInt64(track.timescale) * samplesPerTick
    let clock = UInt64(track.movieTimescale)
    let endTime = movie.samples.endTime(of: completeUnitCount) &* samplesPerTick
    let priming = Self.start(of: edit, samplesPerTick, max(total, endTime))
    var valid = edit.duration.rescaled(from: clock, to: rate)
    // An edit without a duration lasts until the last frame ends. So does an edit that ends there
    // within one tick of the movie: many writers count the movie in milliseconds, and only the last
    // frame's duration states the exact end.
    let untilEnd = endTime - min(priming, endTime)
    let tick = rate / clock
    let difference = max(valid, untilEnd) - min(valid, untilEnd)
    if edit.duration == 0 || track.timescale > track.movieTimescale && difference <= tick + 1 {
      valid = untilEnd
    }
    return part(from: priming, duration: valid, samplesPerTick, total)
  }

  /// Returns the parts that several edits play, or nil if an edit goes back.
  private func parts(
    _ edits: [MP4Track.Edit], of track: MP4Track, _ samplesPerTick: UInt64, _ total: UInt64
  ) -> [Range<UInt64>]? {
    var parts: [Range<UInt64>] = []
    var end: UInt64 = 0
    let last = max(total, movie.samples.endTime(of: completeUnitCount) &* samplesPerTick)
    for edit in edits {
      let start = Self.start(of: edit, samplesPerTick, last)
      let valid = edit.duration.rescaled(
        from: UInt64(track.movieTimescale), to: UInt64(track.timescale) * samplesPerTick)
      var part = self.part(from: start, duration: valid, samplesPerTick, total)
      // A part shifted by a sample may end after the tick at which the next part begins.
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
}

extension MP4Reader {
  /// The number of bytes shared by several frames, counted once for each frame after the first.
  package var sharedByteCount: UInt64 { movie.samples.sharedByteCount(of: completeUnitCount) }

  /// Whether the edit list repeats a part or goes back in the track.
  ///
  /// ``playableRanges`` does not support such a list.
  public var hasBackwardEdits: Bool {
    guard let track, movie.samples.firstDuration != nil, track.movieTimescale > 0 else {
      return false
    }
    let total = max(
      length(ofUnits: completeUnitCount), movie.samples.endTime(of: completeUnitCount))
    let (timescale, clock) = (UInt64(track.timescale), UInt64(track.movieTimescale))
    var end: UInt64 = 0
    for edit in track.edits where edit.mediaTime >= 0 {
      let part = Self.part(
        from: Self.start(of: edit, 1, total),
        edit.duration.rescaled(from: clock, to: timescale), total)
      if part.lowerBound < end { return true }
      end = part.upperBound
    }
    return false
  }
}
