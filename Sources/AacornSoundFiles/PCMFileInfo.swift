public import AacornSignal

/// The format and position of the samples in a file.
@frozen
public struct PCMFileInfo: Equatable, Sendable {
  /// The format of the samples.
  public let format: PCMFormat
  /// The offset of the first sample's first byte from the beginning of the file.
  public let dataOffset: UInt64
  /// The maximum number of bytes of samples, or nil if they last to the end of the file.
  ///
  /// A file may be shorter than its header states; then the samples end with the file.
  public let dataByteCount: UInt64?

  /// Creates a description of a file, for instance a headerless file of known format.
  public init(format: PCMFormat, dataOffset: UInt64 = 0, dataByteCount: UInt64? = nil) {
    self.format = format
    self.dataOffset = dataOffset
    self.dataByteCount = dataByteCount
  }
}

extension PCMFileInfo {
  /// Returns the number of complete frames in a file of `byteCount` bytes.
  package func frameCount(inFileOf byteCount: UInt64) -> UInt64 {
    let rest = byteCount - min(byteCount, dataOffset)
    return min(dataByteCount ?? rest, rest) / UInt64(format.bytesPerFrame)
  }
}
