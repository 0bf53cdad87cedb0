/// Where the frames of MPEG-1 or MPEG-2 audio are in a file, among tags, padding and whatever else.
package struct MPEGAudioFrames: Equatable, Sendable {
  /// Pieces of the file that consist of whole frames, in order.
  package private(set) var pieces: [Range<Int>] = []
  /// How long the frames last together, in seconds.
  package private(set) var duration = 0.0
  /// How long the longest one lasts.
  package private(set) var frameDuration = 0.0

  /// No frames yet.
  init() {}

  /// Adds a frame behind all others.
  mutating func append(_ range: Range<Int>, _ header: MPEGAudioHeader) {
    let seconds = Double(header.sampleCount) / Double(header.sampleRate)
    duration += seconds
    frameDuration = max(frameDuration, seconds)
    if let last = pieces.last, last.upperBound == range.lowerBound {
      pieces[pieces.count - 1] = last.lowerBound..<range.upperBound
    } else {
      pieces.append(range)
    }
  }
}
