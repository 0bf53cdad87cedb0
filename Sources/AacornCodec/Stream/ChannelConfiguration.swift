import AacornSignal

/// A fixed channel layout of AAC (ISO/IEC 14496-3, 1.6.3.5), configurations 1…7.
@frozen
public struct ChannelConfiguration: Equatable, Sendable {
  /// The number in the stream: 1 mono, 2 stereo, … 6 is 5.1, 7 is 7.1.
  public let rawValue: Int

  /// Creates the configuration with this number; nil outside 1…7.
  @inlinable
  public init?(rawValue: Int) {
    guard rawValue >= 1 && rawValue <= 7 else { return nil }
    self.rawValue = rawValue
  }

  /// Creates the configuration for a number of channels: 1…6 or 8; otherwise nil.
  @inlinable
  public init?(channelCount: Int) {
    switch channelCount {
    case 1...6: rawValue = channelCount
    case 8: rawValue = 7
    default: return nil
    }
  }

  /// The number of channels in the configuration.
  @inlinable
  public var channelCount: Int { rawValue == 7 ? 8 : rawValue }

  /// Channels that count toward the decoder's buffer: all but the LFE (14496-3, 4.5.3.1).
  public var bufferedChannelCount: Int { layout?.bufferedChannelCount ?? 0 }

  /// The elements of a frame, in bitstream order.
  public var elements: [ElementKind] { layout?.elements ?? [] }

  /// The index in a WAV file for each channel in AAC's order.
  ///
  /// WAV (and CAF without a layout) orders L R C LFE Lb Rb Ls Rs; AAC sends the center first and
  /// the LFE last. The second pair of configuration 7 is WAV's side pair.
  public var sourceOrder: [Int] { layout?.sourceOrder ?? [] }

  private var layout: NumberedLayout? { NumberedLayout(rawValue) }

  /// A display name, such as "5.1".
  public var name: StaticString {
    switch rawValue {
    case 1: "mono"
    case 2: "stereo"
    case 3: "3.0"
    case 4: "4.0"
    case 5: "5.0"
    case 6: "5.1"
    default: "7.1"
    }
  }
}

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
