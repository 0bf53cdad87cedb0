import AacornSignal

/// Finds the format and the samples in a RIFF, RIFX, RF64 or BW64 file of type WAVE.
///
///     "RIFF" size:32 "WAVE"   chunks: id:32 size:32 content, padded to an even length
struct WAVHeaderParser: Sendable {
  private enum State {
    case formType
    case chunk
    case longSizes
    case format
  }

  /// Format tags (RFC 2361).
  private enum FormatTag {
    static let pcm: UInt16 = 1
    static let float: UInt16 = 3
    static let aLaw: UInt16 = 6
    static let muLaw: UInt16 = 7
    static let extensible: UInt16 = 0xFFFE
  }

  private let isBigEndian: Bool
  /// Whether the `ds64` chunk (EBU Tech 3306) replaces sizes of 2^32 − 1.
  private let hasLongSizes: Bool
  private let riffSize: UInt32
  private var state = State.formType
  private var chunkOffset: UInt64 = 12
  /// The offset of the chunk after the current one.
  private var nextChunk: UInt64 = 12
  private var longDataSize: UInt64?
  private var format: PCMFormat?

  /// Creates a parser from the first eight bytes of the file.
  init(_ field: PCMHeaderField) {
    let code = field.code(0)
    isBigEndian = code == fourCC("RIFX")
    hasLongSizes = code == fourCC("RF64") || code == fourCC("BW64")
    riffSize = PCMHeaderField(bytes: field.bytes, isBigEndian: isBigEndian).uint32(4)
  }

  /// Parses the requested bytes: at first the form type at offset 8.
  mutating func parse(_ bytes: PCMHeaderField) throws(PCMFileError) -> PCMHeaderStep {
    let field = PCMHeaderField(bytes: bytes.bytes, isBigEndian: isBigEndian)
    switch state {
    case .formType:
      guard field.code(0) == fourCC("WAVE") else { throw .notRecognized }
    case .chunk:
      return try parseChunkHeader(field)
    case .longSizes:
      let size = field.uint64(8)
      longDataSize = size == 0 || size >= 1 << 62 ? nil : size
    case .format:
      format = try parseFormat(field)
    }
    return seekNextChunk()
  }

  private mutating func seekNextChunk() -> PCMHeaderStep {
    state = .chunk
    chunkOffset = nextChunk
    return .read(at: nextChunk, count: 8)
  }

  private mutating func parseChunkHeader(
    _ field: PCMHeaderField
  ) throws(PCMFileError) -> PCMHeaderStep {
    let size = field.uint32(4)
    let content = PCMHeaderLimits.sum(chunkOffset, 8)
    nextChunk = PCMHeaderLimits.sum(content, UInt64(size) + UInt64(size & 1))
    switch field.code(0) {
    case fourCC("fmt "):
      guard size >= 16 else { throw .malformedChunk(offset: chunkOffset) }
      state = .format
      return .read(at: content, count: Int(min(size, 40)))
    case fourCC("ds64") where hasLongSizes:
      guard size >= 16 else { throw .malformedChunk(offset: chunkOffset) }
      state = .longSizes
      return .read(at: content, count: 16)
    case fourCC("data"):
      guard let format else { throw .missingFormat }
      return .ready(
        PCMFileInfo(
          format: format, dataOffset: content,
          dataByteCount: dataByteCount(size, at: content, bytesPerFrame: format.bytesPerFrame)))
    default:
      return seekNextChunk()
    }
  }

  /// Returns the length of the samples, or nil if the written size is a placeholder.
  private func dataByteCount(
    _ size: UInt32, at content: UInt64, bytesPerFrame: Int
  ) -> UInt64? {
    let byteCount: UInt64
    if hasLongSizes && size == .max {
      guard let longDataSize else { return nil }
      byteCount = longDataSize
    } else if size == 0 {
      // A size of 0 was never filled in if the RIFF size ends before the samples or is a
      // placeholder; otherwise the chunk is empty.
      let fileEnd = UInt64(riffSize) + 8
      return fileEnd <= content || PCMHeaderLimits.isPlaceholder(riffSize) ? nil : 0
    } else if PCMHeaderLimits.isPlaceholder(size) {
      return nil
    } else {
      byteCount = UInt64(size)
    }
    return byteCount - byteCount % UInt64(bytesPerFrame)
  }

  private func parseFormat(_ field: PCMHeaderField) throws(PCMFileError) -> PCMFormat {
    var tag = field.uint16(0)
    var validBits: Int?
    var mask: UInt32 = 0
    if tag == FormatTag.extensible {
      guard field.count >= 40 else { throw .malformedChunk(offset: chunkOffset) }
      // Subformats are tags inside {xxxxxxxx-0000-0010-8000-00AA00389B71}; the first three parts
      // follow the byte order of the file. Some writers of RIFX write a 16-bit tag, and the other
      // parts as in RIFF.
      let isMixed = isBigEndian && field.uint16(30) == 0x1000
      let isTag =
        field.uint16(28) == 0 && (isMixed || field.uint16(30) == 0x10)
        && field.code(32) == 0x8000_00AA && field.code(36) == 0x0038_9B71
      let number = isMixed ? UInt32(field.uint16(24)) : field.uint32(24)
      guard isTag, number >> 16 == 0 else { throw .compressedWAV(formatTag: tag) }
      tag = UInt16(truncatingIfNeeded: number)
      validBits = Int(field.uint16(18))
      mask = field.uint32(20)
    }
    let channelCount = try PCMHeaderLimits.channelCount(UInt32(field.uint16(2)))
    let sampleRate = try PCMHeaderLimits.sampleRate(field.uint32(4))
    let bits = Int(field.uint16(14))
    // The block size determines the container width of, say, 20 bits; not all writers fill it in.
    let blockSize = Int(field.uint16(12))
    let wholeBytes = (bits + 7) / 8
    let blockBytes = blockSize % channelCount == 0 ? blockSize / channelCount : 0
    let bytes = blockBytes >= wholeBytes ? blockBytes : wholeBytes
    if validBits == nil || validBits == 0 { validBits = bits == 0 ? nil : bits }

    let sampleFormat: SampleFormat?
    switch tag {
    case FormatTag.pcm:
      sampleFormat =
        bytes == 1
        ? SampleFormat(.unsigned8, validBits: validBits)
        : SampleFormat(integerBytes: bytes, bigEndian: isBigEndian, validBits: validBits)
    case FormatTag.float:
      sampleFormat = SampleFormat(floatBytes: bytes, bigEndian: isBigEndian)
    case FormatTag.aLaw: sampleFormat = bytes <= 1 ? SampleFormat(.aLaw) : nil
    case FormatTag.muLaw: sampleFormat = bytes <= 1 ? SampleFormat(.muLaw) : nil
    default: throw .compressedWAV(formatTag: tag)
    }
    guard let sampleFormat else { throw .unsupportedBitDepth(bits == 0 ? bytes * 8 : bits) }
    return PCMFormat(
      sampleFormat: sampleFormat, sampleRate: sampleRate, channelCount: channelCount,
      layout: ChannelLayout(waveMask: mask, channelCount: channelCount))
  }
}
