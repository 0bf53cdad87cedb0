public import AacornSignal

/// Where the samples of a file are, and what they are.
@frozen
public struct PCMFileInfo: Equatable, Sendable {
  /// How to understand the samples.
  public let format: PCMFormat
  /// Offset of the first sample's first byte from the beginning of the file.
  public let dataOffset: UInt64
  /// How many bytes of samples there are, at most, or nil if they last until the file ends.
  ///
  /// A file may be shorter than it says; then its end counts.
  public let dataByteCount: UInt64?

  /// Describes a file, for instance one without a header whose format is known otherwise.
  public init(format: PCMFormat, dataOffset: UInt64 = 0, dataByteCount: UInt64? = nil) {
    self.format = format
    self.dataOffset = dataOffset
    self.dataByteCount = dataByteCount
  }
}
