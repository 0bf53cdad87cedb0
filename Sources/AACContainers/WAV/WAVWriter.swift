import PCM

/// Writes WAV: a header, then samples as 16-bit integers or single-precision numbers.
///
/// With a known number of frames the header is final; without one it carries the lengths that
/// readers of pipes take for "until the end". More than two channels are written as
/// WAVE_FORMAT_EXTENSIBLE with the mask of the layout.
public struct WAVWriter: Sendable {
  /// What a sample is stored as.
  @frozen
  public enum Encoding: UInt8, Equatable, Sendable {
    /// 16-bit integers, rounded and clipped.
    case int16
    /// Single precision, as it comes.
    case float32
  }

  /// What a sample is stored as.
  public let encoding: Encoding
  /// Frames a second.
  public let sampleRate: Int
  /// Samples in a frame.
  public let channelCount: Int

  /// A writer of 1…64 channels.
  public init(encoding: Encoding, sampleRate: Int, channelCount: Int) {
    precondition(sampleRate > 0 && channelCount >= 1 && channelCount <= 64)
    self.encoding = encoding
    self.sampleRate = sampleRate
    self.channelCount = channelCount
  }

  /// The bytes before the first sample, for so many frames, or nil if that is not known yet.
  ///
  /// Lengths beyond 32 bits are written like unknown ones.
  public func header(frameCount: UInt64? = nil) -> [UInt8] {
    let sampleSize = encoding == .int16 ? 2 : 4
    let isExtensible = channelCount > 2
    let formatSize: UInt32 = isExtensible ? 40 : encoding == .int16 ? 16 : 18
    let headerSize = UInt64(12 + 8 + formatSize + 8)
    let (dataSize, overflow) = (frameCount ?? .max).multipliedReportingOverflow(
      by: UInt64(sampleSize * channelCount))
    let isOpen = overflow || dataSize > 0xFFFF_EFFF - headerSize
    let tag: UInt16 = encoding == .int16 ? 1 : 3

    var bytes: [UInt8] = []
    Self.append(fourCC("RIFF").byteSwapped, to: &bytes)
    Self.append(isOpen ? .max : UInt32(headerSize - 8 + dataSize), to: &bytes)
    Self.append(fourCC("WAVE").byteSwapped, to: &bytes)
    Self.append(fourCC("fmt ").byteSwapped, to: &bytes)
    Self.append(formatSize, to: &bytes)
    Self.append(isExtensible ? 0xFFFE : tag, to: &bytes)
    Self.append(UInt16(channelCount), to: &bytes)
    Self.append(UInt32(truncatingIfNeeded: sampleRate), to: &bytes)
    Self.append(
      UInt32(truncatingIfNeeded: UInt64(sampleRate) * UInt64(sampleSize * channelCount)),
      to: &bytes)
    Self.append(UInt16(sampleSize * channelCount), to: &bytes)
    Self.append(UInt16(sampleSize * 8), to: &bytes)
    if formatSize >= 18 { Self.append(UInt16(formatSize - 18), to: &bytes) }
    if isExtensible {
      Self.append(UInt16(sampleSize * 8), to: &bytes)
      let layout = ChannelLayout.standard(channelCount: channelCount)
      Self.append(layout?.waveMask ?? 0, to: &bytes)
      Self.append(UInt32(tag), to: &bytes)
      bytes += [0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71]
    }
    Self.append(fourCC("data").byteSwapped, to: &bytes)
    Self.append(isOpen ? .max : UInt32(dataSize), to: &bytes)
    return bytes
  }

  /// Appends interleaved samples in the form of the file.
  public func append(_ samples: Span<Float>, to bytes: inout [UInt8]) {
    for index in 0..<samples.count {
      switch encoding {
      case .int16:
        Self.append(UInt16(bitPattern: SampleConversion.int16(samples[index])), to: &bytes)
      case .float32:
        Self.append(samples[index].bitPattern, to: &bytes)
      }
    }
  }

  private static func append<Number: FixedWidthInteger>(_ number: Number, to bytes: inout [UInt8]) {
    for index in 0..<Number.bitWidth / 8 {
      bytes.append(UInt8(truncatingIfNeeded: number >> Number(index * 8)))
    }
  }
}
