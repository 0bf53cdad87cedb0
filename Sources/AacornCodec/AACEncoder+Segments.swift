/// Encoding one sound on several threads, with the same bytes.
///
/// What the encoder carries from frame to frame ends at every 512th: the controller of the rate
/// starts afresh there with the reservoir at its level of rest, and everything else looks back a few
/// frames at most. So the frames of a segment depend on the samples around them alone.
///
///     var encoder = try AACEncoder(configuration)
///     encoder.encode(interleaved: samples.span)
///     while let segment = encoder.splitSegment() { … }   // on other threads: their units in order
///     let trim = encoder.finish()
///     while let segment = encoder.splitSegment() { … }
extension AACEncoder {
  /// Frames after which the encoder starts afresh, some twelve seconds.
  public static let segmentFrameCount = 512

  /// Frames before a segment that are looked at again to find the state in which it begins.
  static let leadFrameCount = 6

  /// Takes the next segment out, as an encoder that makes its units and no others.
  ///
  /// Nil until all its samples have come; after `finish()` what is left is a segment too. The
  /// segment can be moved to another thread. An encoder of which segments are taken must not be
  /// asked for units itself.
  public mutating func splitSegment() -> AACEncoder? {
    if isFinished && frameIndex >= frameTotal { return nil }
    precondition(
      frameIndex % Self.segmentFrameCount == 0 && endFrame == nil,
      "Units were taken from this encoder")
    var count = Self.segmentFrameCount
    if isFinished {
      count = min(count, frameTotal - frameIndex)
    } else {
      guard queues[0].available >= (count - 1) * 1024 + Self.neededSamples else { return nil }
    }
    var segment = self
    segment.isSplit = false
    segment.endFrame = frameIndex + count
    let lead = min(frameIndex, Self.leadFrameCount)
    segment.leadFrames = lead
    for channel in queues.indices {
      segment.queues[channel] = queues[channel].part(
        from: -1024 * lead, count: (count - 1) * 1024 + Self.neededSamples)
      queues[channel].advance(by: count)
    }
    frameIndex += count
    isSplit = true
    return segment
  }

  /// Whether the frame is one of those that the next segment looks at again, in which nothing may
  /// depend on a chain of frames without an end.
  var isLeadFrame: Bool {
    leadFrames > 0
      || frameIndex % Self.segmentFrameCount >= Self.segmentFrameCount - Self.leadFrameCount
  }

  /// Brings a segment to the state in which its first frame finds the encoder.
  mutating func runLead() {
    while leadFrames > 0 {
      for element in elements.indices {
        chooseWindows(element)
        transform(element)
        listen(element)
      }
      for channel in queues.indices { queues[channel].advance(by: 1) }
      leadFrames -= 1
    }
  }
}
