import AacornCodec
import AacornSignal

/// The rules by which the edit list or the iTunSMPB tag of a track specifies its played parts.
///
/// All positions are in samples of the decoded track, unless a name says ticks.
struct PlayedParts {
  private let reader: MP4Reader
  private let track: MP4Track
  private let samplesPerTick: UInt64
  /// The entries of the edit list that play audio.
  private let edits: [MP4Track.Edit]
  /// The end of the last complete frame in the decoded track.
  private let total: UInt64
  /// The end of the last complete frame in the time of the track, which uneven durations stretch.
  private let endTime: UInt64

  /// Creates the rules for a track; returns nil without frames.
  ///
  /// `samplesPerTick` is the number of samples in a tick of the track, 1 or 2.
  init?(_ reader: MP4Reader, samplesPerTick: UInt64) {
    guard let track = reader.track, reader.movie.samples.firstDuration != nil else { return nil }
    self.reader = reader
    self.track = track
    self.samplesPerTick = samplesPerTick
    edits = track.edits.filter { $0.mediaTime >= 0 }
    let count = reader.completeUnitCount
    total = reader.length(ofUnits: count) &* samplesPerTick
    endTime = reader.movie.samples.endTime(of: count) &* samplesPerTick
  }

  /// The parts in the order of the track; empty if the file does not specify them.
  var ranges: [Range<UInt64>] {
    if appliesEdits, let ranges = edits.count == 1 ? [rangeOfSingleEdit] : rangesOfEdits {
      return ranges
    }
    return rangeOfTag.map { [$0] } ?? []
  }

  /// The samples to cut from the decoded track, or nil if the file does not specify them.
  var trim: StreamTrim? {
    let ranges = self.ranges
    guard let first = ranges.first, let last = ranges.last else { return nil }
    var valid: UInt64 = 0
    for range in ranges { valid += range.upperBound - range.lowerBound }
    guard let priming = Int(exactly: first.lowerBound), let count = Int(exactly: valid),
      let remainder = Int(exactly: total - last.upperBound)
    else { return nil }
    return StreamTrim(priming: priming, remainder: remainder, sampleCount: count)
  }

  /// Whether an edit begins before the end of the previous one.
  var hasBackwardEdits: Bool {
    guard track.movieTimescale > 0 else { return false }
    var end: UInt64 = 0
    for edit in edits {
      let start = start(of: edit)
      if start < end { return true }
      end = start + min(duration(of: edit), max(total, endTime) - start)
    }
    return false
  }
}

/// The edit list.
extension PlayedParts {
  /// Whether the edit list takes precedence over the tag.
  ///
  /// The tag is more exact if the ticks of the movie are coarser than the ticks of the track, and
  /// more complete if the list skips nothing.
  private var appliesEdits: Bool {
    guard let first = edits.first, track.timescale > 0, track.movieTimescale > 0 else {
      return false
    }
    if reader.gaplessTag == nil { return true }
    return track.movieTimescale % track.timescale == 0 && (edits.count > 1 || first.mediaTime > 0)
  }

  /// The start of an edit in the time of the track, at most the end of the track.
  private func start(of edit: MP4Track.Edit) -> UInt64 {
    let (start, overflow) = UInt64(edit.mediaTime).multipliedReportingOverflow(by: samplesPerTick)
    let end = max(total, endTime)
    return overflow ? end : min(start, end)
  }

  private func duration(of edit: MP4Track.Edit) -> UInt64 {
    edit.duration.rescaled(from: UInt64(track.movieTimescale), to: rate)
  }

  /// The samples of the decoded track in a second.
  private var rate: UInt64 { UInt64(track.timescale) * samplesPerTick }

  /// The part that a single edit plays.
  ///
  /// An edit without a duration lasts until the last frame ends. So does an edit that ends there
  /// within one tick of the movie: many writers count the movie in milliseconds, and only the last
  /// frame's duration states the exact end.
  private var rangeOfSingleEdit: Range<UInt64> {
    let edit = edits[0]
    let start = start(of: edit)
    let stated = duration(of: edit)
    let untilEnd = endTime - min(start, endTime)
    let difference = max(stated, untilEnd) - min(stated, untilEnd)
    let endsWithTrack =
      track.timescale > track.movieTimescale
      && difference <= rate / UInt64(track.movieTimescale) + 1
    return decoded(start, for: edit.duration == 0 || endsWithTrack ? untilEnd : stated)
  }

  /// The parts that several edits play; nil if an edit goes back, or if all are empty.
  private var rangesOfEdits: [Range<UInt64>]? {
    var ranges: [Range<UInt64>] = []
    var end: UInt64 = 0
    for edit in edits {
      let duration = duration(of: edit)
      var range = decoded(start(of: edit), for: duration)
      // A start is rounded down to a tick, so it may precede the end of the last part.
      if range.lowerBound < end, end - range.lowerBound < samplesPerTick {
        range = clamped(end, for: duration)
      }
      if range.lowerBound < end { return nil }
      end = range.upperBound
      if !range.isEmpty { ranges.append(range) }
    }
    return ranges.isEmpty ? nil : ranges
  }

  /// Returns the part of the decoded track that plays from `start`, in the time of the track.
  private func decoded(_ start: UInt64, for duration: UInt64) -> Range<UInt64> {
    guard reader.movie.samples.hasUnevenDurations else {
      return clamped(min(start, total), for: duration)
    }
    let (end, overflow) = start.addingReportingOverflow(duration)
    let lower = decodedPosition(of: start)
    return lower..<max(lower, overflow ? total : decodedPosition(of: end))
  }

  /// Returns the position in the decoded track at a time of a track with uneven durations.
  ///
  /// A frame whose duration exceeds its length has ended when the next one begins.
  private func decodedPosition(of time: UInt64) -> UInt64 {
    let position = reader.movie.samples.position(of: time / samplesPerTick)
    let start = reader.length(ofUnits: position.index)
    let length = reader.length(ofUnits: position.index + 1) &- start
    return min((start &+ min(position.offset, length)) &* samplesPerTick, total)
  }

  private func clamped(_ start: UInt64, for duration: UInt64) -> Range<UInt64> {
    start..<start + min(duration, total - start)
  }
}

/// The iTunSMPB tag.
extension PlayedParts {
  /// The delay of Apple's encoders, used to recognize them.
  ///
  /// Their iTunSMPB tags count only the delay of the core. Tags of other encoders count the whole
  /// delay.
  private static let corePriming: UInt32 = 2112

  private var rangeOfTag: Range<UInt64>? {
    guard let tag = reader.gaplessTag else { return nil }
    var start = UInt64(tag.priming) &* samplesPerTick
    if samplesPerTick == 2, tag.priming == Self.corePriming, track.edits.isEmpty {
      start += UInt64(StreamTiming.replicationDelay)
    }
    // A tag without a length is from a fragmented file, whose length was unknown when the tag was
    // written.
    let (valid, overflow) = tag.validCount.multipliedReportingOverflow(by: samplesPerTick)
    return clamped(min(start, total), for: valid == 0 || overflow ? total : valid)
  }
}
