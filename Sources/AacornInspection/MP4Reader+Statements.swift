import AacornContainers

extension MP4Reader {
  /// Whether the file is a recording by this package that was not completed.
  ///
  /// Such a recording has space for a movie box before its fragments.
  var isUnfinishedRecording: Bool { fragmentCount > 0 && reservedByteCount > 0 }

  /// The duration in seconds that the header states, including missing frames; nil if unknown.
  ///
  /// The header of a fragmented file does not contain it.
  var statedDuration: Double? {
    guard fragmentCount == 0, let track, track.timescale > 0, sampleCount > 0,
      let last = sample(at: sampleCount - 1)
    else { return nil }
    let timescale = Double(track.timescale)
    let listed = (Double(last.time) + Double(last.duration)) / timescale
    // An edit list or a tag excludes the trimmed parts.
    var edited = 0.0
    for edit in track.edits where edit.mediaTime >= 0 { edited += Double(edit.duration) }
    if edited > 0, track.movieTimescale > 0 {
      return min(listed, edited / Double(track.movieTimescale))
    }
    if let tag = gaplessTag, tag.validCount > 0 {
      return min(listed, Double(tag.validCount) / timescale)
    }
    return listed
  }
}
