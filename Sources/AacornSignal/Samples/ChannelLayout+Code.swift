extension ChannelLayout {
  /// The layout as a number, for a ring buffer; nil for more than twelve channels.
  ///
  /// From the lowest bits up, each channel has five bits: its loudspeaker's number plus one.
  public var code: UInt64? {
    guard speakers.count <= 12 else { return nil }
    var code: UInt64 = 0
    for (channel, speaker) in speakers.enumerated() {
      code |= UInt64(speaker.rawValue + 1) << UInt64(5 * channel)
    }
    return code
  }

  /// Creates a layout from a ``code``; nil for 0 and for invalid codes.
  public init?(code: UInt64) {
    var speakers: [SpeakerPosition] = []
    var rest = code
    while rest != 0 {
      guard let speaker = SpeakerPosition(rawValue: UInt8(rest & 31) &- 1) else { return nil }
      speakers.append(speaker)
      rest >>= 5
    }
    self.init(speakers)
  }
}
