/// The loudspeakers of a stream's channels, in the order of the channels.
@frozen
public struct ChannelLayout: Equatable, Sendable {
  /// One loudspeaker per channel, without duplicates.
  public let speakers: [SpeakerPosition]

  /// Creates a layout; nil if it is empty or names a loudspeaker twice.
  public init?(_ speakers: [SpeakerPosition]) {
    var mask: UInt32 = 0
    for speaker in speakers {
      guard mask & 1 << UInt32(speaker.rawValue) == 0 else { return nil }
      mask |= 1 << UInt32(speaker.rawValue)
    }
    guard mask != 0 else { return nil }
    self.speakers = speakers
  }

  /// Creates the layout of a WAVE channel mask for this number of channels.
  ///
  /// The channels follow the bits from the lowest upward; excess bits are ignored. A mask with
  /// fewer bits than there are channels does not define the others, so the result is nil.
  public init?(waveMask: UInt32, channelCount: Int) {
    var speakers: [SpeakerPosition] = []
    for speaker in SpeakerPosition.allCases where waveMask >> UInt32(speaker.rawValue) & 1 != 0 {
      if speakers.count < channelCount { speakers.append(speaker) }
    }
    guard speakers.count == channelCount else { return nil }
    self.init(speakers)
  }

  /// Returns the default layout for this number of channels: 1…8, otherwise nil.
  ///
  /// The order is WAVE's, with the loudspeakers that AAC assigns to that number of channels
  /// (ISO/IEC 14496-3, table 1.19): four are 3.0 plus back center, not quadraphony.
  public static func standard(channelCount: Int) -> ChannelLayout? {
    switch channelCount {
    case 1: Self([.frontCenter])
    case 2: Self([.frontLeft, .frontRight])
    case 3: Self([.frontLeft, .frontRight, .frontCenter])
    case 4: Self([.frontLeft, .frontRight, .frontCenter, .backCenter])
    case 5: Self([.frontLeft, .frontRight, .frontCenter, .backLeft, .backRight])
    case 6: Self(waveMask: 0x3F, channelCount: 6)
    case 7: Self(waveMask: 0x70F, channelCount: 7)
    case 8: Self(waveMask: 0x63F, channelCount: 8)
    default: nil
    }
  }

  /// The WAVE mask, with a bit for each loudspeaker.
  public var waveMask: UInt32 {
    var mask: UInt32 = 0
    for speaker in speakers { mask |= 1 << UInt32(speaker.rawValue) }
    return mask
  }

  /// The index of the matching channel in this layout, for each channel of the standard layout.
  ///
  /// The value is nil if the loudspeakers differ, as in quadraphony. If the standard layout has no
  /// side loudspeakers, side ones count as the surround pair (mask 0x60F is 5.1 like 0x3F), and the
  /// inner front pair of a wide front replaces the sides.
  public var standardOrder: [Int]? {
    guard let standard = Self.standard(channelCount: speakers.count) else { return nil }
    // A single channel is mono at any loudspeaker.
    if speakers.count == 1 { return [0] }
    var order: [Int] = []
    for speaker in standard.speakers {
      var found = speakers.firstIndex(of: speaker)
      for substitute in Self.substitutes(for: speaker)
      where found == nil && !standard.speakers.contains(substitute) {
        found = speakers.firstIndex(of: substitute)
      }
      guard let found, !order.contains(found) else { return nil }
      order.append(found)
    }
    return order
  }

  private static func substitutes(for speaker: SpeakerPosition) -> [SpeakerPosition] {
    switch speaker {
    case .backLeft: [.sideLeft]
    case .backRight: [.sideRight]
    case .sideLeft: [.backLeft, .frontLeftOfCenter]
    case .sideRight: [.backRight, .frontRightOfCenter]
    default: []
    }
  }

  /// Reorders the channels of interleaved frames in place.
  ///
  /// `order` contains the source channel of each channel in the result, like `standardOrder`. An
  /// incomplete frame at the end stays unchanged. If `first` or a channel is out of range, nothing
  /// changes.
  public static func reorder(_ samples: inout [Float], from first: Int = 0, by order: [Int]) {
    let channelCount = order.count
    guard channelCount > 0, first >= 0, first <= samples.count,
      order.allSatisfy({ $0 >= 0 && $0 < channelCount })
    else { return }
    let end = samples.count - (samples.count - first) % channelCount
    var frame = [Float](repeating: 0, count: channelCount)
    var base = first
    while base < end {
      for channel in 0..<channelCount { frame[channel] = samples[base + order[channel]] }
      for channel in 0..<channelCount { samples[base + channel] = frame[channel] }
      base += channelCount
    }
  }
}

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
