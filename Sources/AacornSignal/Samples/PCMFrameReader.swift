/// Splits a stream of bytes, in pieces of any size, into whole frames of samples.
///
/// It stores at most one partial frame. Bytes after the announced end are ignored, as is a partial
/// frame before it.
public struct PCMFrameReader: Sendable {
  /// The format of the bytes.
  public let format: PCMFormat
  /// The number of remaining bytes, or nil if the stream lasts until its source ends.
  public private(set) var remainingByteCount: UInt64?
  private var partial: [UInt8] = []

  /// Creates a reader of `byteCount` bytes, or of all bytes.
  public init(format: PCMFormat, byteCount: UInt64? = nil) {
    self.format = format
    remainingByteCount = byteCount
    partial.reserveCapacity(min(format.bytesPerFrame, 8 * SampleLimits.maxChannelCount))
  }

  /// Whether the announced number of bytes has been read.
  public var isAtEnd: Bool { remainingByteCount == 0 }

  /// Appends the frames completed by `bytes` as interleaved Floats.
  public mutating func read(_ bytes: Span<UInt8>, into samples: inout [Float]) {
    read(bytes) { SampleConversion.append($0, as: $1, to: &samples) }
  }

  /// Appends the frames completed by `bytes` as interleaved integers.
  ///
  /// The samples are rounded unless `format.sampleFormat.fitsInt16`.
  public mutating func read(_ bytes: Span<UInt8>, into samples: inout [Int16]) {
    read(bytes) { SampleConversion.append($0, as: $1, to: &samples) }
  }

  @inline(__always)
  private mutating func read(_ bytes: Span<UInt8>, _ convert: (Span<UInt8>, SampleFormat) -> Void) {
    var end = bytes.count
    if let remainingByteCount {
      end = Int(min(UInt64(end), remainingByteCount))
      self.remainingByteCount = remainingByteCount - UInt64(end)
    }
    var start = 0
    let size = format.bytesPerFrame
    if !partial.isEmpty {
      start = min(size - partial.count, end)
      storePartialFrame(bytes, 0..<start)
      guard partial.count == size else { return }
      convert(partial.span, format.sampleFormat)
      partial.removeAll(keepingCapacity: true)
    }
    let whole = (end - start) / size * size
    convert(bytes.extracting(start..<start + whole), format.sampleFormat)
    storePartialFrame(bytes, start + whole..<end)
  }

  private mutating func storePartialFrame(_ bytes: Span<UInt8>, _ range: Range<Int>) {
    for offset in range { partial.append(bytes[offset]) }
  }
}
