#if canImport(AudioToolbox) && !os(watchOS)
public import AacornCodec
import AacornSignal

/// An encoder that comes with Apple's systems, used like this package's.
///
///     let encoder = try AACSystemEncoder(
///       .init(
///         sampleRate: 48_000, channelCount: 2, profile: .enhancedLowDelay,
///         rateControl: .constant(bitsPerSecond: 64_000)))
///
/// One thread at a time may use it.
public final class AACSystemEncoder: AACEncoding {
  private let encoder: ConverterEncoder<AudioConverterHandle>
  /// False: nobody knows what it does with a frame.
  public var collectsStatistics: Bool {
    get { false }
    set {}
  }

  /// Creates an encoder; throws if the system does not have it.
  public init(_ configuration: SystemEncoderConfiguration) throws(AACBackEndError) {
    encoder = try ConverterEncoder(configuration) { order throws(ConverterStatus) in
      try AudioConverterHandle(order)
    }
  }

  /// What it was asked for.
  public var configuration: SystemEncoderConfiguration { encoder.configuration }

  /// What a decoder must know before the first unit.
  public var audioSpecificConfig: AudioSpecificConfig { encoder.audioSpecificConfig }

  /// How its units map to samples, with the delay and the bitrate that the system tells.
  public var timing: StreamTiming { encoder.timing }

  /// What the system says that a decoder must know, in its own bytes, which hold all of it for the
  /// kinds of low delay too.
  public var magicCookie: [UInt8] { encoder.magicCookie }

  /// Takes interleaved samples from −1 to 1, left before right.
  public func encode(interleaved samples: Span<Float>) throws(AACBackEndError) {
    try encoder.encode(interleaved: samples)
  }

  /// Takes interleaved samples from −1 to 1, left before right.
  public func encode(interleaved samples: [Float]) throws(AACBackEndError) {
    try encoder.encode(interleaved: samples.span)
  }

  /// Ends the input; afterwards, take the remaining units.
  public func finish() throws(AACBackEndError) -> StreamTrim { try encoder.finish() }

  /// Stores the next unit in `unit`; false until more samples come.
  public func nextAccessUnit(into unit: inout AccessUnit) throws(AACBackEndError) -> Bool {
    try encoder.nextAccessUnit(into: &unit)
  }

  /// False: the system's encoder keeps the bitrate with which it began.
  public func changeBitrate(to bitsPerSecond: Int) -> Bool { false }
}
#endif
