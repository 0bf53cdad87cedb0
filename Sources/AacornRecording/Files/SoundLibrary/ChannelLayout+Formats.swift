package import AacornSignal

extension ChannelLayout {
  /// Creates the layout that FLAC defines for this number of channels (RFC 9639, section 9.1.3).
  package init?(flacChannelCount count: Int) {
    let masks: [UInt32] = [0x4, 0x3, 0x7, 0x33, 0x37, 0x3F, 0x70F, 0x63F]
    guard masks.indices.contains(count - 1) else { return nil }
    self.init(waveMask: masks[count - 1], channelCount: count)
  }

  /// Creates the layout that Vorbis defines for this number of channels (Vorbis I, section 4.3.9),
  /// also used by Opus (RFC 7845, section 5.1.1.2).
  package init?(vorbisChannelCount count: Int) {
    let front: [SpeakerPosition] = [.frontLeft, .frontCenter, .frontRight]
    switch count {
    case 1: self.init([.frontCenter])
    case 2: self.init([.frontLeft, .frontRight])
    case 3: self.init(front)
    case 4: self.init([.frontLeft, .frontRight, .backLeft, .backRight])
    case 5: self.init(front + [.backLeft, .backRight])
    case 6: self.init(front + [.backLeft, .backRight, .lowFrequency])
    case 7: self.init(front + [.sideLeft, .sideRight, .backCenter, .lowFrequency])
    case 8: self.init(front + [.sideLeft, .sideRight, .backLeft, .backRight, .lowFrequency])
    default: return nil
    }
  }
}
