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
