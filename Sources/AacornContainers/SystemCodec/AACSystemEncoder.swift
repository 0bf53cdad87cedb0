#if canImport(AudioToolbox) && !os(watchOS)
public import AacornCodec
import AacornSignal

/// An encoder of Apple's systems, with the interface of this package's encoder.
///
///     let encoder = try AACSystemEncoder(
///       .init(
///         sampleRate: 48_000, channelCount: 2, profile: .enhancedLowDelay,
///         rateControl: .constant(bitsPerSecond: 64_000)))
///
/// Not thread-safe: use an encoder from one thread at a time.
public final class AACSystemEncoder: AACEncoding {
  private let encoder: ConverterEncoder<AudioConverterHandle>
  /// Always false: the system's encoder reports no statistics of its frames.
  public var collectsStatistics: Bool {
    get { false }
    set {}
  }

  /// Creates an encoder.
  ///
  /// - Throws: An `AACBackEndError` if the system does not have the encoder.
  public init(_ configuration: SystemEncoderConfiguration) throws(AACBackEndError) {
    encoder = try ConverterEncoder(configuration) { order throws(ConverterStatus) in
      try AudioConverterHandle(order)
    }
  }

  /// The requested configuration.
  public var configuration: SystemEncoderConfiguration { encoder.configuration }

  /// The configuration that a decoder needs before the first unit.
  public var audioSpecificConfig: AudioSpecificConfig { encoder.audioSpecificConfig }

  /// The mapping of units to samples, with the delay and bitrate reported by the system.
  public var timing: StreamTiming { encoder.timing }

  /// The decoder's configuration, in the bytes that the system reports.
  ///
  /// These bytes are complete for the low-delay profiles, too.
  public var magicCookie: [UInt8] { encoder.magicCookie }

  /// Appends interleaved samples in −1…1, left channel first.
  public func encode(interleaved samples: Span<Float>) throws(AACBackEndError) {
    try encoder.encode(interleaved: samples)
  }

  /// Appends interleaved samples in −1…1, left channel first.
  public func encode(interleaved samples: [Float]) throws(AACBackEndError) {
    try encoder.encode(interleaved: samples.span)
  }

  /// Ends the input.
  ///
  /// Fetch the remaining units afterwards.
  public func finish() throws(AACBackEndError) -> StreamTrim { try encoder.finish() }

  /// Stores the next unit in `unit`; returns false if more samples are needed.
  public func nextAccessUnit(into unit: inout AccessUnit) throws(AACBackEndError) -> Bool {
    try encoder.nextAccessUnit(into: &unit)
  }

  /// Always returns false: the system's encoder cannot change its bitrate.
  public func changeBitrate(to bitsPerSecond: Int) -> Bool { false }
}
#endif
