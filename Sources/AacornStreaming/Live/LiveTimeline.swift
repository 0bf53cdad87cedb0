import AacornRecording

/// Gives the packets of a recording their place in a stream that never ends and never goes back.
///
/// A segment begins with packets for the decoder to warm up with, whose positions lie before the
/// last ones of the segment before. In a stream that is played as it comes, every frame takes its
/// time, so a new segment goes on where the frame before it ends.
struct LiveTimeline {
  private var end = 0
  private var shift = 0
  private var segment: Int?

  /// The place of the packet's first sample, counted from the first sample of all.
  mutating func place(_ packet: Packet) -> Int {
    if segment != packet.segment || packet.position + shift < end {
      shift = end - packet.position
      segment = packet.segment
    }
    let position = packet.position + shift
    end = position + packet.sampleCount
    return position
  }
}
