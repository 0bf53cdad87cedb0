import AacornRecording

/// Maps the packets of a recording to positions in an endless stream that never goes back.
///
/// A segment begins with packets that warm up the decoder. Their positions precede the end of the
/// previous segment. In a live stream every frame is played, so a new segment continues at the end
/// of the last frame.
struct LiveTimeline {
  private var end = 0
  private var shift = 0
  private var segment: Int?

  /// Returns the position of the packet's first sample, counted from the first sample of the
  /// stream.
  mutating func append(_ packet: EncodedPacket) -> Int {
    if segment != packet.segment || packet.position + shift < end {
      shift = end - packet.position
      segment = packet.segment
    }
    let position = packet.position + shift
    end = position + packet.sampleCount
    return position
  }
}
