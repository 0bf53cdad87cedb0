/// What makes access units of samples: this package's encoder, or another in its place.
///
/// Samples go in, units come out until there are none, and `finish` ends the input; the units that are
/// left then come as the others did.
public protocol AACEncoding {
  /// What a decoder must know before the first unit.
  var audioSpecificConfig: AudioSpecificConfig { get }
  /// How its units map to samples.
  var timing: StreamTiming { get }
  /// Whether its units say what was done with their frames, if it knows that.
  var collectsStatistics: Bool { get set }

  /// Takes interleaved samples from −1 to 1, channel by channel in the order of a WAV file.
  mutating func encode(interleaved samples: Span<Float>) throws(AACBackEndError)

  /// Ends the input; afterwards, take the remaining units.
  mutating func finish() throws(AACBackEndError) -> StreamTrim

  /// Stores the next unit in `unit`, reusing its storage; false until more samples come.
  mutating func nextAccessUnit(into unit: inout AccessUnit) throws(AACBackEndError) -> Bool

  /// Keeps to another bitrate from the next unit on; false, and nothing changes, if it cannot.
  mutating func changeBitrate(to bitsPerSecond: Int) -> Bool
}
