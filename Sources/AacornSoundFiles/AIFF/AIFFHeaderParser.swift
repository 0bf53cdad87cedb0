import AacornSignal

/// Finds the format and the samples in an AIFF or AIFF-C file.
///
///     "FORM" size:32 "AIFF"   chunks: id:32 size:32 content, padded to an even length
///
/// All numbers are big-endian. COMM may follow SSND, the chunk with the samples.
struct AIFFHeaderParser: Sendable {
  private enum State {
    case formType
    case chunk
    case common
    case layout
    case sound
  }

  private var state = State.formType
  private var isCompressed = false
  private var chunkOffset: UInt64 = 12
  private var chunkSize: UInt32 = 0
  private var nextChunk: UInt64 = 12
  private var format: PCMFormat?
  private var frameCount: UInt32 = 0
  private var layoutTag: LayoutDescription?
  /// The offset and the maximum byte count of the samples, after SSND has been read.
  private var sound: (offset: UInt64, byteCount: UInt64?)?

  /// The offset of the samples, if they precede their description.
  var undescribedDataOffset: UInt64? { format == nil ? sound?.offset : nil }

  /// Parses the requested bytes: at first the form type at offset 8.
  mutating func parse(_ field: PCMHeaderField) throws(PCMFileError) -> PCMHeaderStep {
    switch state {
    case .formType:
      let type = field.code(0)
      guard type == fourCC("AIFF") || type == fourCC("AIFC") else { throw .notRecognized }
      isCompressed = type == fourCC("AIFC")
    case .chunk:
      return try parseChunkHeader(field)
    case .common:
      try parseCommon(field)
    case .layout:
      layoutTag = LayoutDescription(field)
    case .sound:
      try parseSound(field)
    }
    return info.map { .ready($0) } ?? seekNextChunk()
  }

  private mutating func seekNextChunk() -> PCMHeaderStep {
    state = .chunk
    chunkOffset = nextChunk
    return sound == nil ? .read(at: nextChunk, count: 8) : .readTrailing(at: nextChunk, count: 8)
  }

  private mutating func parseChunkHeader(
    _ field: PCMHeaderField
  ) throws(PCMFileError) -> PCMHeaderStep {
    chunkSize = field.uint32(4)
    let content = PCMHeaderLimits.sum(chunkOffset, 8)
    nextChunk = PCMHeaderLimits.sum(content, UInt64(chunkSize) + UInt64(chunkSize & 1))
    switch field.code(0) {
    case fourCC("COMM"):
      guard chunkSize >= (isCompressed ? 22 : 18) else {
        throw .malformedChunk(offset: chunkOffset)
      }
      state = .common
      return .read(at: content, count: isCompressed ? 22 : 18)
    case fourCC("CHAN") where chunkSize >= 12 && layoutTag == nil:
      state = .layout
      return .read(at: content, count: LayoutDescription.length(UInt64(chunkSize)))
    case fourCC("SSND") where sound == nil:
      state = .sound
      return .read(at: content, count: 8)
    default:
      return seekNextChunk()
    }
  }

  /// Parses COMM: channels:16 frames:32 bits:16 rate:80, and in AIFF-C a compression type.
  private mutating func parseCommon(_ field: PCMHeaderField) throws(PCMFileError) {
    let bits = Int(field.uint16(6))
    let bytes = (bits + 7) / 8
    let sampleFormat: SampleFormat?
    switch isCompressed ? field.code(18) : fourCC("NONE") {
    case fourCC("NONE"), fourCC("twos"):
      sampleFormat = SampleFormat(integerBytes: bytes, bigEndian: true, validBits: bits)
    case fourCC("sowt"):
      sampleFormat = SampleFormat(integerBytes: bytes, bigEndian: false, validBits: bits)
    case fourCC("raw "): sampleFormat = bytes == 1 ? SampleFormat(.unsigned8) : nil
    case fourCC("in16"): sampleFormat = SampleFormat(.int16BigEndian)
    case fourCC("in24"): sampleFormat = SampleFormat(.int24BigEndian)
    case fourCC("in32"): sampleFormat = SampleFormat(.int32BigEndian)
    case fourCC("42ni"): sampleFormat = SampleFormat(.int24LittleEndian)
    case fourCC("23ni"): sampleFormat = SampleFormat(.int32LittleEndian)
    case fourCC("fl32"), fourCC("FL32"): sampleFormat = SampleFormat(.float32BigEndian)
    case fourCC("fl64"), fourCC("FL64"): sampleFormat = SampleFormat(.float64BigEndian)
    case fourCC("ulaw"), fourCC("ULAW"): sampleFormat = SampleFormat(.muLaw)
    case fourCC("alaw"), fourCC("ALAW"): sampleFormat = SampleFormat(.aLaw)
    default: throw .compressedAIFF(compressionType: field.code(18))
    }
    let channelCount = try PCMHeaderLimits.channelCount(UInt32(field.uint16(0)))
    let rate = Self.extendedFloat(exponent: field.uint16(8), mantissa: field.uint64(10))
    let sampleRate = try PCMHeaderLimits.sampleRate(rate)
    guard let sampleFormat else { throw .unsupportedBitDepth(bits) }
    frameCount = field.uint32(2)
    format = PCMFormat(
      sampleFormat: sampleFormat, sampleRate: sampleRate, channelCount: channelCount)
  }

  /// Parses SSND: offset:32 blockSize:32, then `offset` bytes of padding and the samples.
  private mutating func parseSound(_ field: PCMHeaderField) throws(PCMFileError) {
    let skipped = UInt64(field.uint32(0)) + 8
    let isOpen = chunkSize == 0 || PCMHeaderLimits.isPlaceholder(chunkSize)
    guard isOpen || skipped <= UInt64(chunkSize) else {
      throw .malformedChunk(offset: chunkOffset)
    }
    sound = (
      PCMHeaderLimits.sum(chunkOffset, 8 + skipped), isOpen ? nil : UInt64(chunkSize) - skipped
    )
  }

  /// The result, after the samples and their description have been found.
  private var info: PCMFileInfo? {
    guard var format, let sound else { return nil }
    format.layout = layoutTag?.layout(channelCount: format.channelCount)
    let frameSize = UInt64(format.bytesPerFrame)
    // The chunk may be longer than the frames, if it is padded to a block. A frame count of 0 means
    // that the writer never set it.
    let limit = frameCount == 0 ? .max : UInt64(frameCount) * frameSize
    let byteCount = sound.byteCount.map { min($0 - $0 % frameSize, limit) }
    return PCMFileInfo(format: format, dataOffset: sound.offset, dataByteCount: byteCount)
  }

  /// Returns the value of an 80-bit extended number (IEEE 754), or 0 if it is negative, infinite or
  /// NaN.
  static func extendedFloat(exponent: UInt16, mantissa: UInt64) -> Double {
    // Sample rates are between 2^0 and 2^22; outside ±2^63 the result need not be exact.
    let shift = Int(exponent) - 16383 - 63
    guard exponent < 0x7FFF && shift > -128 else { return 0 }
    guard shift <= 0 else { return mantissa == 0 ? 0 : .infinity }
    let value = Double(mantissa)
    return shift <= -64
      ? value / 18_446_744_073_709_551_616 / Double(UInt64(1) << UInt64(-shift - 64))
      : value / Double(UInt64(1) << UInt64(-shift))
  }
}
