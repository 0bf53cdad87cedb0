/// What to take of a file with AAC, and in which form; nil means "as it is".
package struct DecodeOptions: Equatable, Sendable {
  /// The rate to convert to.
  package var sampleRate: Int?
  /// The number of channels to mix to.
  package var channelCount: Int?
  /// The time at which to begin.
  package var start = Duration.zero
  /// How much to take; nil for all that follows.
  package var duration: Duration?
  /// Whether the encoder's delay and the padding at the end are cut, where the file tells them.
  package var isTrimmed = true
  /// Whether the dynamic range is compressed as the stream asks for.
  package var appliesDynamicRange = false
  /// Which AAC track is read, counted from 1; nil for the first one.
  package var track: Int?

  /// All of the file, as it is.
  package init() {}
}
