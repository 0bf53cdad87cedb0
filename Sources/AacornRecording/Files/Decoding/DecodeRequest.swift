package import AacornSoundFiles

/// The input, the output and the options of decoding a file to samples.
package struct DecodeRequest: Sendable {
  /// The path of the input; `-` for standard input.
  package let input: String
  /// The path of the output; `-` for standard output.
  package let output: String
  package let kind: PCMFileWriter.Kind
  /// The part of the input, and the form of the output.
  ///
  /// Without a number of threads, one thread decodes and another writes.
  package var options = AACFile.DecodingOptions()
  /// Whether the output's folder is created if it is missing.
  package var makesFolders = false

  /// Creates a request for the complete audio, unchanged.
  package init(_ input: String, to output: String, _ kind: PCMFileWriter.Kind) {
    self.input = input
    self.output = output
    self.kind = kind
  }
}
