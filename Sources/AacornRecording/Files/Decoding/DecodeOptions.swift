/// The part of an AAC file to decode, and the output format; nil means unchanged.
package struct DecodeOptions: Equatable, Sendable {
  /// The rate to convert to.
  package var sampleRate: Int?
  /// The number of channels to mix to.
  package var channelCount: Int?
  package var start = Duration.zero
  /// The duration of the part; nil for the remainder.
  package var duration: Duration?
  /// Whether the encoder's delay and the padding at the end are trimmed, if the file specifies
  /// them.
  package var isTrimmed = true
  /// Whether the dynamic range is compressed as specified in the stream.
  package var appliesDynamicRange = false
  /// The AAC track to read, counted from 1; nil for the first one.
  package var track: Int?

  /// Creates options for the complete file, unchanged.
  package init() {}
}
