import AacornSoundFiles

extension LibrarySoundFile {
  /// Sound that is missing when the end has come, in seconds.
  enum Shortfall {
    /// The header announces it.
    case announced(Double)
    /// The file has frames of it that the library did not read.
    case unread(Double)
  }

  /// What is missing of the file's sound; nil if nothing is known to be.
  var shortfall: Shortfall? {
    let seconds = Double(position) / Double(sampleRate)
    if let frames = mpegFrames, frames.duration - seconds > Self.tolerance * frames.frameDuration {
      return .unread(frames.duration - seconds)
    }
    guard let frameCount, position < frameCount else { return nil }
    return .announced(Double(frameCount - position) / Double(sampleRate))
  }

  /// How many frames of MPEG audio may be missing: the one that describes the others, and what its
  /// encoder says to cut before and behind the sound, 4095 samples each at most.
  private static var tolerance: Double { 10 }
}
