import AacornSoundFiles

extension LibrarySoundFile {
  /// The missing audio at the end of a file, in seconds.
  enum Shortfall {
    /// Missing according to the header.
    case announced(Double)
    /// Frames in the file that the library did not read.
    case unread(Double)
  }

  /// The missing audio of the file; nil if none is known.
  var shortfall: Shortfall? {
    let seconds = Double(position) / Double(sampleRate)
    if let frames = mpegFrames, frames.duration - seconds > Self.tolerance * frames.frameDuration {
      return .unread(frames.duration - seconds)
    }
    guard let frameCount, position < frameCount else { return nil }
    return .announced(Double(frameCount - position) / Double(sampleRate))
  }

  /// The number of MPEG audio frames that may be missing: the info frame, and the trimmed delay and
  /// padding of at most 4095 samples each.
  private static var tolerance: Double { 10 }
}
