extension ChannelLayout {
  /// The tag of a layout with a list of channel descriptions.
  public static let tagForDescriptions: UInt32 = 0
  /// The tag of a layout with a bit mask, the same mask as WAVE's.
  public static let tagForBitmap: UInt32 = 1 << 16
  /// The tag of channels without loudspeakers; the number of channels is added to it.
  public static let tagForDiscreteChannels: UInt32 = 147 << 16

  /// Creates the layout of a Core Audio tag; nil if the tag does not describe loudspeakers.
  ///
  /// The upper half of a tag identifies the layout and the lower half is its channel count. Core
  /// Audio's Ls and Rs are the back pair, unless the layout also has a rear pair.
  public init?(coreAudioTag tag: UInt32, channelCount: Int) {
    guard tag & 0xFFFF == UInt32(truncatingIfNeeded: channelCount) else { return nil }
    guard let speakers = Self.speakers(forLayout: tag >> 16), speakers.count == channelCount
    else { return nil }
    self.init(speakers)
  }

  /// Creates the layout for a list of Core Audio channel labels; nil if one is unknown.
  public init?(coreAudioLabels labels: [UInt32]) {
    let hasRearPair = labels.contains(33) && labels.contains(34)
    var speakers: [SpeakerPosition] = []
    for label in labels {
      switch label {
      case 5 where hasRearPair: speakers.append(.sideLeft)
      case 6 where hasRearPair: speakers.append(.sideRight)
      case 1...18:
        guard let speaker = SpeakerPosition(rawValue: UInt8(label - 1)) else { return nil }
        speakers.append(speaker)
      case 33: speakers.append(.backLeft)
      case 34: speakers.append(.backRight)
      case 42: speakers.append(.frontCenter)  // mono
      default: return nil
      }
    }
    self.init(speakers)
  }

  private static func speakers(forLayout number: UInt32) -> [SpeakerPosition]? {
    let l = SpeakerPosition.frontLeft
    let r = SpeakerPosition.frontRight
    let c = SpeakerPosition.frontCenter
    let lfe = SpeakerPosition.lowFrequency
    let bl = SpeakerPosition.backLeft
    let br = SpeakerPosition.backRight
    let bc = SpeakerPosition.backCenter
    let sl = SpeakerPosition.sideLeft
    let sr = SpeakerPosition.sideRight
    let lc = SpeakerPosition.frontLeftOfCenter
    let rc = SpeakerPosition.frontRightOfCenter
    return switch number {
    case 100: [c]
    case 101, 102, 103, 105, 106: [l, r]
    case 108, 132, 185: [l, r, bl, br]
    case 109, 118: [l, r, bl, br, c]
    case 110, 139: [l, r, bl, br, c, bc]
    case 113: [l, r, c]
    case 114: [c, l, r]
    case 115: [l, r, c, bc]
    case 116: [c, l, r, bc]
    case 117, 186: [l, r, c, bl, br]
    case 119: [l, c, r, bl, br]
    case 120: [c, l, r, bl, br]
    case 121, 187: [l, r, c, lfe, bl, br]
    case 122: [l, r, bl, br, c, lfe]
    case 123: [l, c, r, bl, br, lfe]
    case 124: [c, l, r, bl, br, lfe]
    case 125: [l, r, c, lfe, bl, br, bc]
    case 126: [l, r, c, lfe, bl, br, lc, rc]
    case 127: [c, lc, rc, l, r, bl, br, lfe]
    case 128: [l, r, c, lfe, sl, sr, bl, br]
    case 129: [l, r, bl, br, c, lfe, lc, rc]
    case 131: [l, r, bc]
    case 133: [l, r, lfe]
    case 134: [l, r, lfe, bc]
    case 135: [l, r, lfe, bl, br]
    case 136: [l, r, c, lfe]
    case 137: [l, r, c, lfe, bc]
    case 138: [l, r, bl, br, lfe]
    case 140: [l, r, sl, sr, c, bl, br]
    case 141: [c, l, r, bl, br, bc]
    case 142: [c, l, r, bl, br, bc, lfe]
    case 143: [c, l, r, sl, sr, bl, br]
    case 144: [c, l, r, sl, sr, bl, br, bc]
    case 148: [l, r, bl, br, c, lc, rc]
    case 149: [c, lfe]
    case 150: [l, c, r]
    case 151: [l, c, r, bc]
    case 152: [l, c, r, lfe]
    case 153: [l, r, bc, lfe]
    case 154: [l, c, r, bc, lfe]
    case 155: [l, c, r, bl, br, bc]
    case 156: [l, c, r, sl, sr, bl, br]
    case 183: [c, l, r, sl, sr, bl, br, lfe]
    case 188: [l, r, c, lfe, bc, sl, sr]
    case 189: [l, r, c, lfe, bl, br, sl, sr]
    default: nil
    }
  }

  /// Reads the layout in the bytes of an `AudioChannelLayout`.
  ///
  /// The result is nil unless the layout names the loudspeakers of this number of channels.
  ///
  ///     0 tag │ 4 bit mask │ 8 count of descriptions │ 12 label, 16 more bytes │ 32 the next …
  package init?(inLayout bytes: UnsafeRawBufferPointer, channelCount: Int) {
    guard bytes.count >= 12 else { return nil }
    let tag = unsafe bytes.loadUnaligned(as: UInt32.self)
    switch tag {
    case Self.tagForBitmap:
      let mask = unsafe bytes.loadUnaligned(fromByteOffset: 4, as: UInt32.self)
      self.init(waveMask: mask, channelCount: channelCount)
    case Self.tagForDescriptions:
      let count = unsafe Int(bytes.loadUnaligned(fromByteOffset: 8, as: UInt32.self))
      guard count == channelCount, count <= (bytes.count - 12) / 20 else { return nil }
      var labels: [UInt32] = []
      for index in 0..<count {
        labels.append(
          unsafe bytes.loadUnaligned(fromByteOffset: 12 + index * 20, as: UInt32.self))
      }
      self.init(coreAudioLabels: labels)
    default: self.init(coreAudioTag: tag, channelCount: channelCount)
    }
  }
}
