import AacornRecording

/// Assigns the packets of a recording to positions in an endless stream that never goes back.
///
/// A segment begins with packets to warm up the decoder, whose positions precede the end of the
/// previous segment. In a live stream every frame takes its time, so a new segment continues where
/// the last frame ends.
struct LiveTimeline {
  private var end = 0
  private var shift = 0
  private var segment: Int?

  /// The position of the packet's first sample, counted from the stream's first sample.
  mutating func place(_ packet: EncodedPacket) -> Int {
    if segment != packet.segment || packet.position + shift < end {
      shift = end - packet.position
      segment = packet.segment
    }
    let position = packet.position + shift
    end = position + packet.sampleCount
    return position
  }
}
