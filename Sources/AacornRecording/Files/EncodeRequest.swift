package import AacornContainers
package import AacornSignal

/// The input, the output and the options of encoding a file.
package struct EncodeRequest: Sendable {
  package let origin: SoundOrigin
  /// The path of the output; `-` for standard output.
  package let output: String
  package let format: CodedFileWriter.Format
  /// The format of samples without a header; nil if there is one.
  package var rawFormat: PCMFormat?
  /// The processing and coding of the audio.
  package var options = EncodeOptions()
  /// Tags, for M4A; without an encoder tag they name this encoder.
  package var tags = MP4Tags()
  /// Whether missing tags, the cover and the chapters are taken from the input.
  package var keepsTags = true
  package var replacesExisting = false
  /// Whether the output's folder is created if it is missing.
  package var makesFolders = false
  package var threadCount = 1

  /// Creates a request with options that suit the input.
  package init(
    _ origin: SoundOrigin, to output: String, _ format: CodedFileWriter.Format
  ) {
    self.origin = origin
    self.output = output
    self.format = format
  }
}
