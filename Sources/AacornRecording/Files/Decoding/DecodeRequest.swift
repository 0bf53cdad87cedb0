package import AacornSoundFiles

/// The input, the output and the options of decoding a file to samples.
package struct DecodeRequest: Sendable {
  /// The path of the input; `-` for standard input.
  package let input: String
  /// The path of the output; `-` for standard output.
  package let output: String
  /// The format of the output.
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
