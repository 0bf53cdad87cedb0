import AacornSignal

/// The elements and loudspeakers of a numbered channel configuration (ISO/IEC 14496-3, 1.6.3.5).
package struct NumberedLayout {
  /// The elements of a frame, in bitstream order.
  package let elements: [ElementKind]
  /// The loudspeakers of the channels, in the order of the elements.
  let speakers: [SpeakerPosition]

  /// The numbers of the configurations with a fixed layout.
  static var numbers: [Int] { [1, 2, 3, 4, 5, 6, 7, 11, 12, 14] }

  /// Creates the layout of a configuration; nil for other numbers.
  ///
  /// The standard defines configuration 7 with two front pairs and a surround pair. Like other
  /// encoders and decoders, this package uses it for 7.1 with a front, a side and a back pair, as in
  /// configuration 12.
  package init?(_ number: Int) {
    switch number {
    case 1:
      elements = [.single]
      speakers = [.frontCenter]
    case 2:
      elements = [.pair]
      speakers = [.frontLeft, .frontRight]
    case 3:
      elements = [.single, .pair]
      speakers = [.frontCenter, .frontLeft, .frontRight]
    case 4:
      elements = [.single, .pair, .single]
      speakers = [.frontCenter, .frontLeft, .frontRight, .backCenter]
    case 5:
      elements = [.single, .pair, .pair]
      speakers = [.frontCenter, .frontLeft, .frontRight, .backLeft, .backRight]
    case 6:
      elements = [.single, .pair, .pair, .lowFrequency]
      speakers = [.frontCenter, .frontLeft, .frontRight, .backLeft, .backRight, .lowFrequency]
    case 7, 12:
      elements = [.single, .pair, .pair, .pair, .lowFrequency]
      speakers = [
        .frontCenter, .frontLeft, .frontRight, .sideLeft, .sideRight, .backLeft, .backRight,
        .lowFrequency,
      ]
    case 11:
      elements = [.single, .pair, .pair, .single, .lowFrequency]
      speakers = [
        .frontCenter, .frontLeft, .frontRight, .sideLeft, .sideRight, .backCenter, .lowFrequency,
      ]
    case 14:
      elements = [.single, .pair, .pair, .lowFrequency, .pair]
      speakers = [
        .frontCenter, .frontLeft, .frontRight, .backLeft, .backRight, .lowFrequency, .topFrontLeft,
        .topFrontRight,
      ]
    default: return nil
    }
  }

  var channelCount: Int { speakers.count }

  /// Channels that count toward the decoder's buffer: all but the LFE (14496-3, 4.5.3.1).
  var bufferedChannelCount: Int { channelCount - elements.count { $0 == .lowFrequency } }

  /// The index in a WAV file for each channel in AAC's order.
  ///
  /// WAV, and CAF without a layout, order the channels by loudspeaker.
  var sourceOrder: [Int] {
    speakers.map { speaker in speakers.count { $0.rawValue < speaker.rawValue } }
  }
}
