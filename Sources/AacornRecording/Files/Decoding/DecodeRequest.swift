package import AacornSoundFiles

/// What becomes which file of samples, and how.
package struct DecodeRequest: Sendable {
  /// The path of the input; `-` for standard input.
  package let input: String
  /// The path of the output; `-` for standard output.
  package let output: String
  /// The format of the output.
  package let kind: PCMFileWriter.Kind
  /// How a sample is stored.
  package var encoding = PCMEncoding.int16
  /// Whether noise is added before samples are rounded to 16 bits.
  package var isDithered = true
  /// What to take of the input, and in which form.
  package var options = DecodeOptions()
  /// Whether an existing file is replaced.
  package var replacesExisting = false
  /// How many threads decode at the same time, apart from the one that writes.
  package var threadCount = 1
  /// Whether the output's folder is made if it is missing.
  package var makesFolders = false

  /// Asks for a file with all of the sound, as it is.
  package init(_ input: String, to output: String, _ kind: PCMFileWriter.Kind) {
    self.input = input
    self.output = output
    self.kind = kind
  }
}
