import AacornCodec

// Clients may pass any number to an output. The limits prevent overflows when outputs add these
// numbers.
extension PacketOutput {
  /// Throws if the segment begins at an impossible position.
  package func check(_ segment: SegmentStart) throws(OutputError) {
    try check(OutputNumbers.isPosition(segment.position))
  }

  /// Throws if the packet has an impossible position or length.
  package func check(_ packet: EncodedPacket) throws(OutputError) {
    try check(
      OutputNumbers.isPosition(packet.position)
        && OutputNumbers.lengths.contains(packet.sampleCount))
    for gap in packet.gaps { try check(gap) }
  }

  /// Throws if the gap has an impossible position or length.
  package func check(_ gap: RecordingGap) throws(OutputError) {
    try check(OutputNumbers.isPosition(gap.position) && OutputNumbers.isPosition(gap.length))
  }

  /// Throws if the segment has an impossible length.
  package func check(_ end: SegmentEnd) throws(OutputError) {
    try check(OutputNumbers.isPosition(end.sampleCount))
    for trim in [end.trim] + end.furtherTrims {
      try check(
        OutputNumbers.lengths.contains(trim.priming)
          && OutputNumbers.lengths.contains(trim.remainder)
          && OutputNumbers.isPosition(trim.sampleCount))
    }
  }

  private func check(_ isPossible: Bool) throws(OutputError) {
    if isPossible { return }
    throw OutputError(
      .unsupported,
      "“\(name)” received a packet, a gap or a segment with an impossible position or length.")
  }
}

private enum OutputNumbers {
  /// Samples in a packet, a delay or a padding.
  static let lengths = 0...1 << 31

  /// Returns whether a recording can have this position: nearly 3,000 years at 48 kHz.
  static func isPosition(_ count: Int) -> Bool { count.magnitude <= 1 << 52 }
}
