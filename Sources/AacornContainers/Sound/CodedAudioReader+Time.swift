import AacornCodec
import AacornSignal

/// Positions and seeking.
extension CodedAudioReader {
  /// The total number of frames, if the file specifies it; nil before the format is reported.
  public var frameCount: Int? {
    guard format != nil else { return nil }
    if let count = cut.count { return Int(clamping: count) }
    guard isLengthKnown, let movie = file.movie else { return nil }
    let all = Int64(movie.completeUnitCount) * Int64(unitFrameCount)
    return Int(clamping: max(0, all - cut.origin))
  }

  /// The ranges of the decoder's output that are played, in samples; valid once the format is
  /// reported.
  ///
  /// In a stream without a known end, the last range ends at `Int64.max`.
  package var playableRanges: [Range<Int64>] { cut.parts.map { $0.samples } }

  /// The number of units to decode before a seek target, so that the target sounds the same as in
  /// sequential decoding.
  ///
  /// The overlap of transforms needs one unit. Tools that refer to earlier units, such as
  /// prediction, need more. So does band replication, because its header and envelopes may refer to
  /// earlier units.
  private var leadCount: Int {
    unitFrameCount > (configuration?.frameLength ?? 0) ? 6 : 3
  }

  /// Seeks to a frame of an MP4 file whose format has been reported.
  ///
  /// - Returns: Whether the seek is possible. If not, the position is unchanged.
  public mutating func seek(toFrame frame: Int) -> Bool {
    let unitLength = Int64(unitFrameCount)
    guard unitLength > 0 else { return false }
    let target = cut.sample(ofNumber: Int64(max(0, frame)))
    let unit = Int(clamping: max(0, target / unitLength - Int64(leadCount)))
    guard file.seek(toUnit: unit) else { return false }
    decoder?.reset(atUnit: unit)
    ahead = nil
    stage = .reading
    waiting = nil
    searchDecoder = nil
    searchedUnits = []
    held = nil
    heldCount = 0
    newFormat = nil
    concealedPosition = nil
    newFrameCount = 0
    nextIndex = unit
    position = Int64(unit) * unitLength
    cut.begin(at: target)
    return true
  }
}
