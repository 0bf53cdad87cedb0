#if os(Linux)
import AacornSignal
import CAacornPipeWire

/// Channel positions in SPA's numbers and names.
enum PipeWirePositions {
  private static let firstAuxiliary: UInt32 = 0x1000
  /// SPA has numbers for auxiliary channels up to 0x1FFF.
  private static let lastAuxiliaryIndex: UInt32 = 0xFFF

  /// Returns the positions for this many channels of a device with these channel names.
  ///
  /// They are the positions of the standard layout, so that the server sorts (or mixes) the
  /// device's channels into the expected order. Channels without a position stay unchanged.
  static func numbers(count: Int, of names: [String]) -> [UInt32] {
    let count = min(max(1, count), Int(AACORN_PW_CHANNEL_LIMIT))
    let auxiliary = names.compactMap(auxiliaryNumber)
    if auxiliary.count == count { return auxiliary }
    if count == 1 { return [2] }
    if let layout = ChannelLayout.standard(channelCount: count) {
      return layout.speakers.map(number)
    }
    return (0..<UInt32(count)).map { firstAuxiliary + $0 }
  }

  /// Returns the number of a channel with a name such as AUX4; nil for other or out-of-range names.
  private static func auxiliaryNumber(_ name: String) -> UInt32? {
    guard name.hasPrefix("AUX"), let index = UInt32(name.dropFirst(3)), index <= lastAuxiliaryIndex
    else { return nil }
    return firstAuxiliary + index
  }

  /// Returns the positions for a format on a device with these channel names.
  static func numbers(of format: PlaybackFormat, on names: [String]) -> [UInt32] {
    if let layout = format.layout, layout.speakers.count == format.channelCount {
      return layout.speakers.count == 1 ? [2] : layout.speakers.map(number)
    }
    return numbers(count: format.channelCount, of: names)
  }

  /// Returns the layout of channels with these names; nil if a name is not a loudspeaker position.
  static func layout(of names: [String]) -> ChannelLayout? {
    let speakers = names.compactMap { name in
      Self.names.first { $0.name == name }?.speaker
    }
    return speakers.count == names.count ? ChannelLayout(speakers) : nil
  }

  /// The positions in the order of SPA's numbers, which begin with 2 for MONO.
  private static let names: [(name: String, speaker: SpeakerPosition)] = [
    ("MONO", .frontCenter), ("FL", .frontLeft), ("FR", .frontRight), ("FC", .frontCenter),
    ("LFE", .lowFrequency), ("SL", .sideLeft), ("SR", .sideRight), ("FLC", .frontLeftOfCenter),
    ("FRC", .frontRightOfCenter), ("RC", .backCenter), ("RL", .backLeft), ("RR", .backRight),
    ("TC", .topCenter), ("TFL", .topFrontLeft), ("TFC", .topFrontCenter), ("TFR", .topFrontRight),
    ("TRL", .topBackLeft), ("TRC", .topBackCenter), ("TRR", .topBackRight),
  ]

  private static func number(of speaker: SpeakerPosition) -> UInt32 {
    // The front center is FC, which comes after MONO.
    UInt32(names.lastIndex { $0.speaker == speaker } ?? 0) + 2
  }
}
#endif
