public import AacornSignal

/// Writes Core Audio Format: a header, then samples as integers or single precision.
///
///     caff   desc   chan (if the layout is known)   data size:64 edits:32 [ … ]
///
/// Until the number of frames is known, the size of the data is −1, "to the end of the file". So a
/// recording can be read at any time. One patch at the end sets the final size. There is no length
/// limit.
public struct CAFWriter: Sendable {
  /// The encoding of a sample.
  public let encoding: PCMEncoding
  /// Frames per second.
  public let sampleRate: Int
  /// The number of channels.
  public let channelCount: Int
  /// The channel layout, if it is known.
  public let layout: ChannelLayout?

  /// Creates a writer of 1…64 channels, at a rate of 1 Hz to 3.072 MHz; other values are clamped.
  ///
  /// Without a layout of that channel count, up to eight channels get the standard layout.
  public init(
    encoding: PCMEncoding, sampleRate: Int, channelCount: Int, layout: ChannelLayout? = nil
  ) {
    self.encoding = encoding
    self.sampleRate = SampleLimits.sampleRate(sampleRate)
    self.channelCount = SampleLimits.channelCount(channelCount)
    self.layout = SampleLimits.layout(layout, self.channelCount)
  }

  /// The number of bytes before the first sample.
  public var headerLength: Int { header().count }

  /// Returns the bytes before the first sample, for `frameCount` frames, or nil if it is not yet
  /// known.
  public func header(frameCount: UInt64? = nil) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(code: "caff")
    bytes.append(big: UInt16(1))
    bytes.append(big: UInt16(0))
    bytes.append(code: "desc")
    bytes.append(big: UInt64(32))
    bytes.append(big: Double(sampleRate).bitPattern)
    bytes.append(code: "lpcm")
    // Bit 0: floating point; bit 1: little-endian.
    bytes.append(big: UInt32(encoding == .float32 ? 3 : 2))
    bytes.append(big: UInt32(encoding.byteCount * channelCount))
    bytes.append(big: UInt32(1))
    bytes.append(big: UInt32(channelCount))
    bytes.append(big: UInt32(encoding.byteCount * 8))
    if let layout {
      let content = LayoutDescription.content(of: layout)
      bytes.append(code: "chan")
      bytes.append(big: UInt64(content.count))
      bytes += content
    }
    bytes.append(code: "data")
    bytes.append(big: dataSize(frameCount) ?? .max)
    // The number of edits made to the data.
    bytes.append(big: UInt32(0))
    return bytes
  }

  /// Returns the write that sets the final length in a file with an open header.
  public func patches(frameCount: UInt64) -> [FileWrite] {
    guard let size = dataSize(frameCount) else { return [] }
    var bytes: [UInt8] = []
    bytes.append(big: size)
    return [FileWrite(offset: UInt64(headerLength - 12), bytes: bytes)]
  }

  /// Appends interleaved samples in the file's encoding.
  public func append(_ samples: Span<Float>, to bytes: inout [UInt8]) {
    encoding.append(samples, to: &bytes)
  }

  /// Returns the content size of the data chunk in bytes, or nil if no file can be that long.
  private func dataSize(_ frameCount: UInt64?) -> UInt64? {
    encoding.byteCount(frameCount, channelCount).map { $0 + 4 }
  }
}
