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
    PlayedParts(self, samplesPerTick: samplesPerTick)?.ranges ?? []
  }

  /// The samples to cut from the decoded track, or nil if the file does not specify them.
  ///
  /// With several parts, `priming` is the number of samples before the first part, `remainder` the
  /// number after the last part, and `sampleCount` the number in all parts.
  public var trim: StreamTrim? { trimming(samplesPerTick: samplesPerTick) }

  /// Returns the trim for a given number of samples per tick.
  package func trimming(samplesPerTick: UInt64) -> StreamTrim? {
    PlayedParts(self, samplesPerTick: samplesPerTick)?.trim
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

  /// The number of bytes shared by several frames, counted once for each frame after the first.
  package var sharedByteCount: UInt64 { movie.samples.sharedByteCount(of: completeUnitCount) }

  /// Whether the edit list repeats a part or goes back in the track.
  ///
  /// ``playableRanges`` does not support such a list.
  public var hasBackwardEdits: Bool {
    PlayedParts(self, samplesPerTick: 1)?.hasBackwardEdits ?? false
  }
}
