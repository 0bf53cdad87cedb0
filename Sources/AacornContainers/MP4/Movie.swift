import AacornCodec

/// The `moov` box of a file with one AAC track (ISO/IEC 14496-12, 8.2).
struct Movie {
  var parameters: TrackParameters
  var tags: MP4Tags
  /// The creation time in seconds since the start of 1904.
  var creationTime: UInt64
  /// The frames listed in the tables; none in a fragmented file.
  var chunks = ChunkRuns()
  /// Samples to skip at the start.
  var priming: UInt32 = 0
  /// The number of samples to play; 0 if the fragments determine it.
  var validCount: UInt64 = 0
  /// The parts to play in samples, if there are several; the first begins after the priming.
  var parts: [Range<UInt64>] = []
  var bitrates = BitrateStatistics(maximum: 0, average: 0)
  /// Whether chunk offsets take eight bytes.
  var usesLargeOffsets = false
  /// Whether fragments follow.
  var isFragmented = false
  var notes = RecordingMetadata()

  /// The number of frames listed in the tables.
  var unitCount: Int { chunks.unitCount }

  /// The duration of all frames in samples.
  private var duration: UInt64 { UInt64(unitCount) &* parameters.samplesPerUnit }

  var samplesPerTick: UInt64 { parameters.samplesPerTick }

  /// The played parts, in samples.
  private var playableRanges: [Range<UInt64>] {
    parts.count > 1 ? parts : [UInt64(priming)..<UInt64(priming) &+ validCount]
  }

  /// The length of times in bits: 64 if 32 are too few; 0xFFFF_FFFF means "unknown".
  private var timeBits: Int { duration >= 0xFFFF_FFFF || creationTime > 0xFFFF_FFFF ? 64 : 32 }

  private var freeFormTags: [FreeFormTag] {
    if isFragmented {
      // Some readers apply the edit list of a fragmented file only if the gapless tag exists too.
      let gapless = GaplessTag(
        priming: UInt32(truncatingIfNeeded: UInt64(priming) / samplesPerTick), remainder: 0,
        validCount: validCount / samplesPerTick)
      return (priming > 0 ? [gapless.tag] : []) + notes.tags
    }
    return [gaplessTag.tag] + notes.tags
  }

  /// The gapless tag, in ticks of the track.
  ///
  /// It supports only one part: from the start of the first part to the end of the last one.
  private var gaplessTag: GaplessTag {
    let ranges = self.playableRanges
    let start = UInt64(priming)
    let end = ranges[ranges.count - 1].upperBound
    let ticks = samplesPerTick
    let skipped = start / ticks
    let played = (end - min(start, end) + ticks - 1) / ticks
    return GaplessTag(
      priming: UInt32(truncatingIfNeeded: skipped),
      remainder: UInt32(truncatingIfNeeded: duration / ticks &- skipped &- played),
      validCount: played)
  }

  /// Returns the box, as `write` writes it.
  func serialized() -> BoxWriter {
    var writer = BoxWriter()
    write(to: &writer)
    return writer
  }

  /// Writes the box, with gaps for the tables of sizes and of chunk offsets, in that order.
  func write(to writer: inout BoxWriter) {
    writer.box(.movie) { box in
      putMovieHeader(to: &box)
      // The titles come before all boxes whose length other programs may change, so that their
      // offsets stay valid.
      let namesDistance = hasChapterTrack ? putChapterNames(to: &box) : 0
      box.box(.track) { box in
        putTrackHeader(1, flags: 7, isAudio: true, to: &box)
        putEditList(to: &box)
        if hasChapterTrack {
          box.box(.trackReference) { box in
            box.box(.chapterReference) { $0.put32(Self.chapterTrackIdentifier) }
          }
        }
        box.box(.media) { box in
          putMediaHeader(
            timescale: parameters.timescale / samplesPerTick, duration: duration / samplesPerTick,
            timeBits: timeBits, to: &box)
          box.putHandler(.soundHandler, name: "Sound")
          box.box(.mediaInformation) { box in
            box.fullBox(.soundMediaHeader) { $0.putZeros(4) }
            Self.putDataInformation(to: &box)
            putSampleTable(to: &box)
          }
        }
        if let loudness = tags.loudness {
          box.box(.userData) { box in
            box.box(.loudness) { $0.put(loudness.content) }
          }
        }
      }
      if hasChapterTrack { putChapterTrack(namesAt: namesDistance, to: &box) }
      if isFragmented { putMovieExtends(to: &box) }
      box.putUserData(tags, freeForm: freeFormTags)
    }
  }

  private func putMovieHeader(to box: inout BoxWriter) {
    box.fullBox(.movieHeader, version: timeBits == 64 ? 1 : 0) { box in
      // A tick of the movie is a sample, because the durations in the edit list are in ticks of the
      // movie.
      putClock(
        timescale: parameters.timescale, duration: validCount, timeBits: timeBits, to: &box)
      box.put32(0x0001_0000)
      box.put16(0x0100)
      box.putZeros(10)
      box.putMatrix()
      box.putZeros(24)
      // The next free track number.
      box.put32(hasChapterTrack ? Self.chapterTrackIdentifier + 1 : 2)
    }
  }

  /// Writes `tkhd`; its flags are: enabled (1), in the movie (2), in the preview (4).
  func putTrackHeader(
    _ identifier: UInt32, flags: UInt32, isAudio: Bool, to box: inout BoxWriter
  ) {
    box.fullBox(.trackHeader, version: timeBits == 64 ? 1 : 0, flags: flags) { box in
      var header = TrackHeader(
        creationTime: creationTime, identifier: identifier, duration: validCount,
        volume: isAudio ? 0x0100 : 0)
      header.transfer(&box, timeBits: timeBits)
    }
  }

  /// Writes `dinf`; flag 1: the media are in this file.
  static func putDataInformation(to box: inout BoxWriter) {
    box.box(.dataInformation) { box in
      box.fullBox(.dataReference) { box in
        box.put32(1)
        box.fullBox(.url, flags: 1) { _ in }
      }
    }
  }

  /// Writes an edit that skips the priming and ends with the last valid sample, or one for each
  /// part.
  private func putEditList(to box: inout BoxWriter) {
    // The duration is in ticks of the movie, the start in ticks of the track, rounded down.
    let edits = playableRanges.map { part in
      MP4Track.Edit(
        duration: part.upperBound - part.lowerBound,
        mediaTime: Int64(bitPattern: part.lowerBound / samplesPerTick))
    }
    let timeBits = edits.contains { $0.needsWideStart } ? 64 : self.timeBits
    box.box(.edit) { box in
      box.fullBox(.editList, version: timeBits == 64 ? 1 : 0) { box in
        box.put32(UInt32(edits.count))
        for var edit in edits { edit.transfer(&box, timeBits: timeBits) }
      }
    }
  }

  /// Writes `mdhd`.
  func putMediaHeader(
    timescale: UInt64, duration: UInt64, timeBits: Int, to box: inout BoxWriter
  ) {
    box.fullBox(.mediaHeader, version: timeBits == 64 ? 1 : 0) { box in
      putClock(timescale: timescale, duration: duration, timeBits: timeBits, to: &box)
      // Language “und” (undetermined): three letters of five bits.
      box.put16(0x55C4)
      box.putZeros(2)
    }
  }

  private func putClock(
    timescale: UInt64, duration: UInt64, timeBits: Int, to box: inout BoxWriter
  ) {
    var clock = MediaClock(
      creationTime: creationTime, timescale: UInt32(timescale), duration: duration)
    clock.transfer(&box, timeBits: timeBits)
  }

  private func putMovieExtends(to box: inout BoxWriter) {
    box.box(.movieExtends) { box in
      box.fullBox(.trackExtends) { box in
        var defaults = FragmentDefaults(
          track: 1, duration: UInt32(truncatingIfNeeded: parameters.ticksPerUnit))
        defaults.transfer(&box)
      }
    }
  }
}

extension Movie {
  /// Creates the movie before fragments: without tables, and with the nominal bitrate.
  init(
    beforeFragments parameters: TrackParameters, _ timing: StreamTiming,
    tags: MP4Tags = MP4Tags(), creationTime: UInt64 = 0,
    notes: RecordingMetadata = RecordingMetadata()
  ) {
    let nominal = UInt32(clamping: timing.nominalBitrate)
    self.init(
      parameters: parameters, tags: tags, creationTime: creationTime,
      priming: UInt32(timing.priming),
      bitrates: BitrateStatistics(maximum: nominal, average: nominal), isFragmented: true,
      notes: notes)
  }
}
