/// The result of an output, or of one of its files.
public struct OutputSummary: Sendable, Equatable {
  /// The file's path, or the output's name.
  public var name: String
  /// The position of the file's first sample in the recording; 0 for an output without files.
  public var position: Int
  /// The number of audio samples in the output.
  public var sampleCount: Int
  /// The size of the output in bytes.
  public var byteCount: Int
  /// Samples at the end of the recording that are neither in this file nor in a later one, for
  /// example because of a full disk; 0 before the end of the recording.
  public var unsavedSampleCount = 0
  /// The name of the track in a file of one track; nil for the mix.
  public var track: String?
  /// The reason why no compact copy replaced the file, although one was requested; the file is
  /// complete nonetheless.
  public var compactFailure: OutputError?

  /// Creates a summary.
  public init(
    name: String, position: Int = 0, sampleCount: Int, byteCount: Int, track: String? = nil
  ) {
    self.track = track
    self.name = name
    self.position = position
    self.sampleCount = sampleCount
    self.byteCount = byteCount
  }
}
