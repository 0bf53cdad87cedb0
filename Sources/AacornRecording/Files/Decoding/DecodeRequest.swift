package import AacornSoundFiles

/// The input, the output and the options of decoding a file to samples.
package struct DecodeRequest: Sendable {
  /// The path of the input; `-` for standard input.
  package let input: String
  /// The path of the output; `-` for standard output.
  package let output: String
  package let kind: PCMFileWriter.Kind
  package var encoding = PCMEncoding.int16
  /// Whether noise is added before samples are rounded to 16 bits.
  package var isDithered = true
  /// The part of the input, and the output format.
  package var options = DecodeOptions()
  package var replacesExisting = false
  /// The number of decoding threads, in addition to the writing thread.
  package var threadCount = 1
  /// Whether the output's folder is created if it is missing.
  package var makesFolders = false

  /// Creates a request for the complete audio, unchanged.
  package init(_ input: String, to output: String, _ kind: PCMFileWriter.Kind) {
    self.input = input
    self.output = output
    self.kind = kind
  }
}

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
