public import AacornCodec

/// An encoder from samples to access units: this package's encoder, or a replacement.
///
/// The caller appends samples and reads units until there are none. `finish` ends the input; the
/// caller then reads the remaining units the same way.
public protocol AACEncoding {
  /// The decoder configuration, which a decoder needs before the first unit.
  var audioSpecificConfig: AudioSpecificConfig { get }
  /// The mapping between units and samples.
  var timing: StreamTiming { get }
  /// Whether units include statistics of their frames, if the encoder has them.
  var collectsStatistics: Bool { get set }

  /// Appends interleaved samples in −1…1, with the channels in the order of a WAV file.
  mutating func encode(interleaved samples: Span<Float>) throws(AACBackEndError)

  /// Ends the input; the remaining units can then be read.
  mutating func finish() throws(AACBackEndError) -> StreamTrim

  /// Stores the next unit in `unit`, reusing its storage; returns false if more samples are needed.
  mutating func nextAccessUnit(into unit: inout AccessUnit) throws(AACBackEndError) -> Bool

  /// Changes the bitrate from the next unit on; returns false, without a change, if that is
  /// impossible.
  mutating func changeBitrate(to bitsPerSecond: Int) -> Bool
}

extension AACEncoder: AACEncoding {
  /// Changes the bitrate from the next unit on.
  ///
  /// Returns false, without a change, if ``setBitrate(_:)`` would throw.
  public mutating func changeBitrate(to bitsPerSecond: Int) -> Bool {
    do throws(EncoderError) {
      try setBitrate(bitsPerSecond)
      return true
    } catch {
      return false
    }
  }
}
