public import AacornSignal

/// Writes AIFF, or AIFF-C for single precision: a header, then samples in big-endian byte order.
///
///     FORM size AIFF   COMM   CHAN (more than two channels)   SSND size offset block [ … ]
///     FORM size AIFC   FVER   COMM fl32   CHAN   SSND …
///
/// Until the number of frames is known, the sizes are 2^32 − 1; `patches` sets the final sizes.
/// Sizes have 32 bits: longer audio needs another format.
public struct AIFFWriter: Sendable {
  /// The encoding of a sample.
  public let encoding: PCMEncoding
  /// Frames per second.
  public let sampleRate: Int
  /// The number of channels.
  public let channelCount: Int
  /// The channel layout, if it is known.
  public let layout: ChannelLayout?

  /// The date of the AIFF-C specification, which identifies its version.
  private static let version: UInt32 = 0xA280_5140
  /// The maximum number of bytes of samples.
  ///
  /// The margin below 2^32 is 8192 bytes: a header is shorter than 4096 bytes, and the 4096 highest
  /// sizes mean “unknown”.
  private static let sizeLimit: UInt64 = 0xFFFF_DFFF

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

  /// The maximum number of frames of a file.
  public var maximumFrameCount: UInt64 {
    Self.sizeLimit / UInt64(encoding.byteCount * channelCount)
  }

  /// The number of bytes before the first sample.
  public var headerLength: Int { header().count }

  /// Returns the bytes before the first sample, for `frameCount` frames, or nil if it is not yet
  /// known.
  public func header(frameCount: UInt64? = nil) -> [UInt8] {
    var chunks: [UInt8] = []
    let isCompressed = encoding == .float32
    if isCompressed {
      chunks.append(code: "FVER")
      chunks.append(big: UInt32(4))
      chunks.append(big: Self.version)
    }
    chunks.append(code: "COMM")
    chunks.append(big: UInt32(isCompressed ? 24 : 18))
    chunks.append(big: UInt16(channelCount))
    chunks.append(big: frameCount.map { UInt32(clamping: $0) } ?? 0)
    chunks.append(big: UInt16(encoding.bitCount))
    Self.append(rate: sampleRate, to: &chunks)
    if isCompressed {
      chunks.append(code: "fl32")
      // An empty name, padded to an even length.
      chunks.append(big: UInt16(0))
    }
    if channelCount > 2, let layout {
      let content = LayoutDescription.content(of: layout)
      chunks.append(code: "CHAN")
      chunks.append(big: UInt32(content.count))
      chunks += content
    }
    let sound = soundSize(frameCount)
    let formLength = UInt64(4 + chunks.count + 16)
    var bytes: [UInt8] = []
    bytes.append(code: "FORM")
    bytes.append(big: sound.map { UInt32(formLength + $0 + ($0 & 1)) } ?? .max)
    bytes.append(code: isCompressed ? "AIFC" : "AIFF")
    bytes += chunks
    bytes.append(code: "SSND")
    bytes.append(big: sound.map { UInt32($0 + 8) } ?? .max)
    // Zero for the offset, and zero for the block size.
    bytes.append(big: UInt64(0))
    return bytes
  }

  /// Returns the writes that set the final lengths in a file with an open header; none if they do
  /// not fit.
  public func patches(frameCount: UInt64) -> [FileWrite] {
    guard soundSize(frameCount) != nil else { return [] }
    return [FileWrite(offset: 0, bytes: header(frameCount: frameCount))]
  }

  /// Returns the byte that follows an odd number of bytes of samples; empty for an even number.
  public func padding(frameCount: UInt64) -> [UInt8] {
    encoding.byteCount * channelCount % 2 == 1 && frameCount % 2 == 1 ? [0] : []
  }

  /// Returns the bytes of samples, or nil if they are unknown or too many for 32-bit sizes.
  private func soundSize(_ frameCount: UInt64?) -> UInt64? {
    encoding.byteCount(frameCount, channelCount, limit: Self.sizeLimit)
  }

  /// Appends a rate as an 80-bit extended number (IEEE 754): exponent:16, then 64 bits, highest
  /// first.
  private static func append(rate: Int, to bytes: inout [UInt8]) {
    let mantissa = UInt64(rate)
    let shift = mantissa.leadingZeroBitCount
    bytes.append(big: UInt16(16_383 + 63 - shift))
    bytes.append(big: mantissa << UInt64(shift))
  }
}
