import AacornSoundFiles

/// The positions of the frames of MPEG-1 or MPEG-2 audio in a file, among tags, padding and other
/// data.
package struct MPEGAudioFrames: Equatable, Sendable {
  /// The ranges of the file that consist of complete frames, in order.
  package private(set) var pieces: [Range<Int>] = []
  /// The total duration of the frames, in seconds.
  package private(set) var duration = 0.0
  /// The duration of the longest frame, in seconds.
  package private(set) var frameDuration = 0.0

  /// Appends a frame after all others.
  mutating func append(_ range: Range<Int>, _ header: MPEGAudioHeader) {
    let seconds = Double(header.sampleCount) / Double(header.sampleRate)
    duration += seconds
    frameDuration = max(frameDuration, seconds)
    pieces.append(joining: range)
  }
}
