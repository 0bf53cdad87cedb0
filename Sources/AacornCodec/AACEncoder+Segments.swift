/// Encodes one recording on several threads, with the same bytes as on one.
///
/// State carried from frame to frame ends at every 512th frame: the rate controller restarts there
/// with the reservoir at its rest level, and everything else looks back a few frames at most. So
/// the frames of a segment depend only on the samples around them.
///
///     var encoder = try AACEncoder(configuration)
///     encoder.encode(interleaved: samples.span)
///     while let segment = encoder.splitSegment() { … }   // encode on other threads; keep the order
///     let trim = encoder.finish()
///     while let segment = encoder.splitSegment() { … }
extension AACEncoder {
  /// Frames after which the encoder restarts, about twelve seconds.
  public static let segmentFrameCount = 512

  /// Frames before a segment that are analyzed again to establish its initial state.
  static let leadFrameCount = 6

  /// Splits off the next segment, as an encoder that produces only its units.
  ///
  /// Returns nil until all its samples have arrived; after `finish()` whatever is left is a segment
  /// too. The segment can be moved to another thread. Once segments have been split off, the
  /// encoder itself must not be asked for units.
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

  /// Whether the next segment analyzes this frame again; then nothing in it may depend on an
  /// unbounded chain of frames.
  var isLeadFrame: Bool {
    leadFrames > 0
      || frameIndex % Self.segmentFrameCount >= Self.segmentFrameCount - Self.leadFrameCount
  }

  /// Brings a segment into the state that its first frame expects.
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
