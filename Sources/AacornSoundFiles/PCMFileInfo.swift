public import AacornSignal

/// Where the samples of a file are, and their format.
@frozen
public struct PCMFileInfo: Equatable, Sendable {
  /// The format of the samples.
  public let format: PCMFormat
  /// Offset of the first sample's first byte from the beginning of the file.
  public let dataOffset: UInt64
  /// The most bytes of samples there are, or nil if they last to the end of the file.
  ///
  /// A file may be shorter than it says; then they end with it.
  public let dataByteCount: UInt64?

  /// Describes a file, for instance one without a header whose format is otherwise known.
  public init(format: PCMFormat, dataOffset: UInt64 = 0, dataByteCount: UInt64? = nil) {
    self.format = format
    self.dataOffset = dataOffset
    self.dataByteCount = dataByteCount
  }
}
