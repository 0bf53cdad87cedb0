import AacornCodec
import AacornSignal

/// Places in the sound, and how to get there.
extension CodedSoundReader {
  /// How many frames there are in all, as far as the file says it; nil until the format is told.
  public var frameCount: Int? {
    guard format != nil else { return nil }
    if let count = cut.count { return Int(clamping: count) }
    guard isLengthKnown, let movie = file.movie else { return nil }
    let all = Int64(movie.completeSampleCount) * Int64(unitFrameCount)
    return Int(clamping: max(0, all - cut.origin))
  }

  /// What is heard of all that the decoder puts out, in its samples, once the format is told; the
  /// last part of a stream without such limits ends at `Int64.max`.
  package var heardParts: [Range<Int64>] { cut.parts.map { $0.samples } }

  /// Units that are decoded before the one that is wanted, so that it sounds as it would have.
  ///
  /// The overlap needs one; the tools that look back at more of them, and band replication, whose
  /// header and envelopes may refer to earlier ones, are given a little more.
  private var leadCount: Int {
    unitFrameCount > (configuration?.frameLength ?? 0) ? 6 : 3
  }

  /// Continues with the frame of this number, of an MP4 file whose format has been told.
  ///
  /// The result is false, and nothing has changed, where that is not possible.
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
    scout = nil
    scouted = []
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
