package import AacornContainers
package import AacornSignal

/// What becomes which file, and how.
package struct EncodeRequest: Sendable {
  /// Where the audio comes from.
  package let origin: SoundOrigin
  /// The path of the output; `-` for standard output.
  package let output: String
  /// The format of the output.
  package let format: CodedFileWriter.Format
  /// The format of samples without a header; nil if there is one.
  package var rawFormat: PCMFormat?
  /// How to process and code the audio.
  package var options = EncodeOptions()
  /// Tags, for M4A; without an encoder they name this one.
  package var tags = MP4Tags()
  /// Whether the tags, the cover and the chapters of the input are kept, where `tags` says nothing.
  package var keepsTags = true
  /// Whether an existing file is replaced.
  package var replacesExisting = false
  /// Whether the output's folder is made if it is missing.
  package var makesFolders = false
  /// How many threads may encode parts of the audio.
  package var threadCount = 1

  /// Asks for a file with everything as suits the input.
  package init(
    _ origin: SoundOrigin, to output: String, _ format: CodedFileWriter.Format
  ) {
    self.origin = origin
    self.output = output
    self.format = format
  }
}
