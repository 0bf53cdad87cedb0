/// The memory layout of a buffer's samples, from a stream description of Core Audio.
///
///     interleaved: one area              │ L R L R L R …
///     otherwise:   one area per channel │ L L L …   │ R R R …
public struct PCMDescription: Equatable, Sendable {
  /// Frames per second.
  public let sampleRate: Int
  /// The number of channels.
  public let channelCount: Int
  /// Whether one area of memory contains all channels, frame by frame.
  public let isInterleaved: Bool
  /// The format of each sample in memory.
  public let sample: StoredSample

  /// The maximum number of channels in a buffer.
  public static let maxChannelCount = 64

  /// Reads the fields of an `AudioStreamBasicDescription`.
  ///
  /// The rate is rounded to whole hertz. If a sample does not fill its word, the format states
  /// whether the sample is in the upper bits.
  ///
  /// - Throws: The reason why the samples cannot be read.
  public init(
    sampleRate: Double, formatID: UInt32, formatFlags: UInt32, bytesPerFrame: UInt32,
    framesPerPacket: UInt32, channelsPerFrame: UInt32, bitsPerChannel: UInt32
  ) throws(PCMBufferError) {
    guard formatID == Self.linearPCM else { throw .notPCM(formatID: formatID) }
    // NaN fails the comparison.
    guard (1...1_000_000).contains(sampleRate) else {
      throw .unsupportedSampleRate(sampleRate > 0 ? Int(min(sampleRate, 1e9)) : 0)
    }
    let channels = Int(truncatingIfNeeded: min(channelsPerFrame, 1 << 16))
    guard (1...Self.maxChannelCount).contains(channels) else {
      throw .unsupportedChannelCount(channels)
    }
    let isInterleaved = formatFlags & Flags.isNonInterleaved == 0
    let perFrame = Int(truncatingIfNeeded: min(bytesPerFrame, 1 << 16))
    let perSample = isInterleaved ? perFrame / channels : perFrame
    let kind: StoredSample.Kind =
      formatFlags & Flags.isFloat != 0
      ? .floatingPoint : formatFlags & Flags.isSignedInteger != 0 ? .signed : .unsigned
    let bits = Int(truncatingIfNeeded: min(bitsPerChannel, 1 << 16))
    let sample = StoredSample(
      kind, byteCount: perSample, bitCount: bits,
      isBigEndian: formatFlags & Flags.isBigEndian != 0,
      isAlignedHigh: formatFlags & Flags.isAlignedHigh != 0,
      fractionBitCount: Int(formatFlags >> Flags.fractionShift & Flags.fractionMask))
    guard let sample, framesPerPacket == 1,
      perSample * (isInterleaved ? channels : 1) == perFrame
    else { throw .unsupportedSample(bits: bits, bytesPerFrame: perFrame) }
    self.sampleRate = Int(sampleRate + 0.5)
    channelCount = channels
    self.isInterleaved = isInterleaved
    self.sample = sample
  }

  /// The number of memory areas in a buffer.
  public var bufferCount: Int { isInterleaved ? 1 : channelCount }

  /// `kAudioFormatLinearPCM`.
  static let linearPCM: UInt32 = 0x6C70_636D

  private enum Flags {
    static let isFloat: UInt32 = 1 << 0
    static let isBigEndian: UInt32 = 1 << 1
    static let isSignedInteger: UInt32 = 1 << 2
    static let isAlignedHigh: UInt32 = 1 << 4
    static let isNonInterleaved: UInt32 = 1 << 5
    /// The lowest bit of the field with the number of bits after the binary point.
    static let fractionShift: UInt32 = 7
    static let fractionMask: UInt32 = 0x3F
  }
}

extension PCMDescription {
  /// Throws an error unless an area of memory has the bytes of `frameCount` frames.
  func check(byteCount: Int, frameCount: Int) throws(PCMBufferError) {
    let size = sample.byteCount * (isInterleaved ? channelCount : 1)
    if frameCount >= 0 && frameCount <= byteCount / size { return }
    let (needed, isTooMuch) = frameCount.multipliedReportingOverflow(by: size)
    throw .missingBytes(found: byteCount, needed: isTooMuch ? .max : needed)
  }

  /// Stores the samples of one area of memory in interleaved frames, starting at the first frame.
  ///
  /// - Throws: An error if the area has fewer bytes than its frames need; excess bytes are ignored.
  func unpack(
    _ bytes: Span<UInt8>, buffer: Int, frameCount: Int, into samples: inout [Float]
  ) throws(PCMBufferError) {
    precondition(buffer >= 0 && buffer < bufferCount)
    precondition(frameCount >= 0 && frameCount * channelCount <= samples.count)
    try check(byteCount: bytes.count, frameCount: frameCount)
    let count = isInterleaved ? frameCount * channelCount : frameCount
    let needed = count * sample.byteCount
    if let format = sample.format {
      if isInterleaved {
        var target = samples.mutableSpan
        SampleConversion.convert(bytes, as: format.encoding, count: count, into: &target, at: 0)
        return
      }
      var channel: [Float] = []
      SampleConversion.append(bytes.extracting(0..<needed), as: format, to: &channel)
      for frame in 0..<count { samples[frame * channelCount + buffer] = channel[frame] }
      return
    }
    let step = isInterleaved ? 1 : channelCount
    for index in 0..<count {
      let word = sample.word(in: bytes, at: index * sample.byteCount)
      samples[index * step + buffer] = sample.value(of: word)
    }
  }
}

/// The reason why the samples of an app's buffer cannot be read.
@frozen
public enum PCMBufferError: Error, Equatable, Sendable {
  /// The buffer has no format description, or its data is not ready.
  case notReady
  /// The samples are not PCM; these four characters identify the format.
  case notPCM(formatID: UInt32)
  /// The rate, in whole hertz, is invalid or too high.
  case unsupportedSampleRate(Int)
  /// The number of channels is not supported.
  case unsupportedChannelCount(Int)
  /// The samples are of an unknown kind, or their size does not match the size of the frames.
  case unsupportedSample(bits: Int, bytesPerFrame: Int)
  /// The buffer has `found` areas of memory, but the format requires `needed`.
  case wrongBufferCount(found: Int, needed: Int)
  /// An area of memory has `found` bytes, but its frames require `needed`.
  case missingBytes(found: Int, needed: Int)
  /// A system call failed with this status.
  case system(Int32)
}

extension PCMBufferError {
  /// A description of the error for the user, with a recovery suggestion.
  public var message: String {
    switch self {
    case .notReady:
      "The buffer has no format or no data yet. Use it when it is ready."
    case .notPCM(let formatID):
      "The buffer contains coded audio (\(Self.characters(formatID))), not samples. Decode it first."
    case .unsupportedSampleRate(let rate):
      "The buffer's rate of \(rate) Hz is out of range. Use 1 Hz to 1 MHz."
    case .unsupportedChannelCount(let count):
      "A buffer of \(count) channels is not supported. Use 1 to \(PCMDescription.maxChannelCount)."
    case .unsupportedSample(let bits, let bytesPerFrame):
      "Samples of \(bits) bits in frames of \(bytesPerFrame) bytes are not supported. "
        + "Use whole bytes, or floating point of 32 or 64 bits."
    case .wrongBufferCount(let found, let needed):
      "The buffer has \(found) memory areas, but its format requires \(needed). "
        + "Correct its format description."
    case .missingBytes(let found, let needed):
      "The buffer has \(found) bytes, but its frames require \(needed). "
        + "Set the number of valid frames."
    case .system(let status):
      "The system did not provide the buffer's memory (error \(status)). Try the next buffer."
    }
  }

  /// Returns the four characters of a number, with question marks for unprintable ones.
  private static func characters(_ code: UInt32) -> String {
    let bytes = [24, 16, 8, 0].map { (shift: UInt32) -> UInt8 in
      let byte = UInt8(truncatingIfNeeded: code >> shift)
      return byte >= 32 && byte < 127 ? byte : 63
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// The format of a number in a buffer; its word may have more bits than the number.
public struct StoredSample: Equatable, Sendable {
  /// The kind of number.
  @frozen
  public enum Kind: Equatable, Sendable {
    /// IEEE 754, single or double precision.
    case floatingPoint
    /// Two's complement.
    case signed
    /// Unsigned integers, with silence in the middle of the range.
    case unsigned
  }

  /// The kind of number.
  public let kind: Kind
  /// The size of the word in bytes, 1…8.
  public let byteCount: Int
  /// The size of the number in bits, 1…64.
  public let bitCount: Int
  /// Whether the most significant byte comes first.
  public let isBigEndian: Bool
  /// Whether the number is in the upper bits of its word; false if it fills the word.
  public let isAlignedHigh: Bool
  /// The number of bits after the binary point; 0 if the whole range of the number means −1…1.
  public let fractionBitCount: Int

  /// Creates a format; nil if the word cannot contain the number.
  public init?(
    _ kind: Kind, byteCount: Int, bitCount: Int, isBigEndian: Bool, isAlignedHigh: Bool = false,
    fractionBitCount: Int = 0
  ) {
    guard (1...8).contains(byteCount), (1...byteCount * 8).contains(bitCount),
      (0...63).contains(fractionBitCount)
    else { return nil }
    if kind == .floatingPoint {
      guard byteCount == 4 || byteCount == 8, bitCount == byteCount * 8 else { return nil }
    }
    self.kind = kind
    self.byteCount = byteCount
    self.bitCount = bitCount
    self.isBigEndian = isBigEndian
    self.isAlignedHigh = isAlignedHigh && bitCount < byteCount * 8
    self.fractionBitCount = kind == .floatingPoint ? 0 : fractionBitCount
  }

  /// The equivalent sample format of audio files; nil if there is none.
  public var format: SampleFormat? {
    guard bitCount == byteCount * 8, fractionBitCount == 0 else { return nil }
    switch kind {
    case .floatingPoint: return SampleFormat(floatBytes: byteCount, bigEndian: isBigEndian)
    case .signed: return SampleFormat(integerBytes: byteCount, bigEndian: isBigEndian)
    case .unsigned: return byteCount == 1 ? SampleFormat(.unsigned8) : nil
    }
  }

  /// Returns the number in a word, with full scale at ±1; ignores the other bits of the word.
  func value(of word: UInt64) -> Float {
    if kind == .floatingPoint {
      if byteCount == 4 { return Float(bitPattern: UInt32(truncatingIfNeeded: word)) }
      return Float(Double(bitPattern: word))
    }
    // The first shift drops the bits above the number. The second one drops the bits below it and
    // extends the sign.
    var top = word << UInt64(isAlignedHigh ? 64 - byteCount * 8 : 64 - bitCount)
    if kind == .unsigned { top ^= 1 << 63 }
    let number = Int64(bitPattern: top) >> Int64(64 - bitCount)
    let exponent = fractionBitCount > 0 ? fractionBitCount : bitCount - 1
    return Float(number) * Float(bitPattern: UInt32(127 - exponent) << 23)
  }

  func word(in bytes: Span<UInt8>, at offset: Int) -> UInt64 {
    var word: UInt64 = 0
    for index in 0..<byteCount {
      let byteIndex = isBigEndian ? index : byteCount - 1 - index
      word = word << 8 | UInt64(bytes[offset + byteIndex])
    }
    return word
  }
}
