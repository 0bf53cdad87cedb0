public import AacornSignal

/// Writes WAV: a header, then samples as integers or single-precision numbers.
///
/// With a known number of frames the header is final. Otherwise the header contains lengths that
/// readers treat as "to the end of the file", so a recording can be read at any time. At the end
/// `patches` sets the final lengths. More than two channels, and integers of more than 16 bits, are
/// written as WAVE_FORMAT_EXTENSIBLE with the mask of the layout.
///
///     RIFF size WAVE   JUNK[28]   fmt   data size [ … ]      if long sizes are reserved
///     RF64  −1  WAVE   ds64[28]   fmt   data  −1  [ … ]      beyond 4 GiB (EBU Tech 3306)
public struct WAVWriter: Sendable {
  /// The encoding of a sample.
  public typealias Encoding = PCMEncoding

  /// The encoding of a sample.
  public let encoding: Encoding
  /// Frames per second.
  public let sampleRate: Int
  /// The number of channels.
  public let channelCount: Int
  /// The channel layout, if it is known.
  public let layout: ChannelLayout?
  /// Whether the header reserves room for the sizes of a file beyond 4 GiB.
  public let reservesLongSizes: Bool

  /// The length of a `ds64` chunk's content: three sizes of 64 bits and an empty table.
  static let longSizesLength: UInt32 = 28

  /// Creates a writer of 1…64 channels, at a rate of 1 Hz to 3.072 MHz; other values are clamped.
  ///
  /// Without a layout of that channel count, up to eight channels get the standard layout.
  ///
  /// WAV's channels follow the order of its mask; a layout of another order is written without a
  /// mask.
  public init(
    encoding: Encoding, sampleRate: Int, channelCount: Int, layout: ChannelLayout? = nil,
    reservesLongSizes: Bool = false
  ) {
    self.encoding = encoding
    self.sampleRate = SampleLimits.sampleRate(sampleRate)
    self.channelCount = SampleLimits.channelCount(channelCount)
    self.layout = SampleLimits.layout(layout, self.channelCount)
    self.reservesLongSizes = reservesLongSizes
  }

  private var isExtensible: Bool {
    channelCount > 2 || encoding == .int24 || encoding == .int32
  }

  private var isFloatingPoint: Bool { encoding == .float32 }

  private var formatSize: UInt32 { isExtensible ? 40 : isFloatingPoint ? 18 : 16 }

  /// The number of bytes before the first sample.
  public var headerLength: Int {
    12 + (reservesLongSizes ? 8 + Int(Self.longSizesLength) : 0) + 8 + Int(formatSize) + 8
  }

  /// Returns the size of this many frames in bytes, or nil if they are too many for 32-bit sizes.
  private func shortSize(_ frameCount: UInt64?) -> UInt32? {
    // Sizes near the maximum mean unknown.
    let limit = 0xFFFF_EFFF - UInt64(headerLength)
    return encoding.byteCount(frameCount, channelCount, limit: limit).map { UInt32($0) }
  }

  /// Returns the bytes before the first sample, for `frameCount` frames, or nil if it is not yet
  /// known.
  ///
  /// Lengths beyond 32 bits are written as unknown.
  public func header(frameCount: UInt64? = nil) -> [UInt8] {
    let size = shortSize(frameCount)
    var bytes: [UInt8] = []
    bytes.append(code: "RIFF")
    bytes.append(little: size.map { UInt32(headerLength - 8) + $0 + ($0 & 1) } ?? .max)
    bytes.append(code: "WAVE")
    if reservesLongSizes {
      bytes.append(code: "JUNK")
      bytes.append(little: Self.longSizesLength)
      bytes.append(contentsOf: repeatElement(0, count: Int(Self.longSizesLength)))
    }
    let tag: UInt16 = isFloatingPoint ? 3 : 1
    let sampleSize = encoding.byteCount
    bytes.append(code: "fmt ")
    bytes.append(little: formatSize)
    bytes.append(little: isExtensible ? 0xFFFE : tag)
    bytes.append(little: UInt16(channelCount))
    bytes.append(little: UInt32(truncatingIfNeeded: sampleRate))
    bytes.append(
      little: UInt32(truncatingIfNeeded: UInt64(sampleRate) * UInt64(sampleSize * channelCount)))
    bytes.append(little: UInt16(sampleSize * channelCount))
    bytes.append(little: UInt16(sampleSize * 8))
    if formatSize >= 18 { bytes.append(little: UInt16(formatSize - 18)) }
    if isExtensible {
      bytes.append(little: UInt16(sampleSize * 8))
      bytes.append(little: channelMask)
      bytes.append(little: UInt32(tag))
      bytes += [0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71]
    }
    bytes.append(code: "data")
    bytes.append(little: size ?? .max)
    return bytes
  }

  /// The mask of the layout, if its channels are in WAV's order.
  private var channelMask: UInt32 {
    guard let layout else { return 0 }
    let mask = layout.waveMask
    return ChannelLayout(waveMask: mask, channelCount: channelCount) == layout ? mask : 0
  }

  /// Returns the byte that follows an odd number of bytes of samples; empty for an even number.
  public func padding(frameCount: UInt64) -> [UInt8] {
    encoding.byteCount * channelCount % 2 == 1 && frameCount % 2 == 1 ? [0] : []
  }

  /// Returns the writes that set the final lengths in a file with an open header.
  ///
  /// For lengths beyond 32 bits, the writes convert the file to RF64 if there is room for that.
  /// Otherwise there are no writes, and readers still read the file to its end. The file can be
  /// read between any two of the writes.
  public func patches(frameCount: UInt64) -> [FileWrite] {
    var bytes: [UInt8] = []
    if let size = shortSize(frameCount) {
      bytes.append(little: size)
      var fileSize: [UInt8] = []
      fileSize.append(little: UInt32(headerLength - 8) + size + (size & 1))
      return [
        FileWrite(offset: UInt64(headerLength - 4), bytes: bytes),
        FileWrite(offset: 4, bytes: fileSize),
      ]
    }
    guard reservesLongSizes, let size = encoding.byteCount(frameCount, channelCount) else {
      return []
    }
    bytes.append(code: "RF64")
    bytes.append(little: UInt32.max)
    bytes.append(code: "WAVE")
    bytes.append(code: "ds64")
    bytes.append(little: Self.longSizesLength)
    bytes.append(little: UInt64(headerLength - 8) + size + (size & 1))
    bytes.append(little: size)
    bytes.append(little: frameCount)
    bytes.append(little: UInt32(0))
    return [FileWrite(offset: 0, bytes: bytes)]
  }

  /// Appends interleaved samples in the file's encoding.
  public func append(_ samples: Span<Float>, to bytes: inout [UInt8]) {
    encoding.append(samples, to: &bytes)
  }
}
