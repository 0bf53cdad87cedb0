import AacornSignal

/// Finds the format and the samples in a Core Audio Format file with PCM.
///
///     "caff" version:16 flags:16   chunks: type:32 size:64 content
///
/// All header numbers are big-endian. `desc` is first; the other chunks may be in any order, and
/// only `data` may have the size −1, for "to the end of the file".
struct CAFHeaderParser: Sendable {
  private enum State {
    case chunk
    case description
    case layout
  }

  private static let chunkHeaderSize = 12

  private var state = State.chunk
  private var chunkOffset: UInt64 = 8
  private var nextChunk: UInt64 = 8
  private var format: PCMFormat?
  private var layout: LayoutDescription?
  private var data: (offset: UInt64, byteCount: UInt64?)?

  /// The result, after the samples have been found.
  var info: PCMFileInfo? {
    guard var format, let data else { return nil }
    format.layout = layout?.layout(channelCount: format.channelCount)
    let frameSize = UInt64(format.bytesPerFrame)
    let byteCount = data.byteCount.map { $0 - $0 % frameSize }
    return PCMFileInfo(format: format, dataOffset: data.offset, dataByteCount: byteCount)
  }

  /// Parses the requested bytes: at first the chunk header at offset 8.
  mutating func parse(_ field: PCMHeaderField) throws(PCMFileError) -> PCMHeaderStep {
    switch state {
    case .chunk:
      return try parseChunkHeader(field)
    case .description:
      format = try parseDescription(field)
    case .layout:
      layout = LayoutDescription(field)
      if let info { return .ready(info) }
    }
    return seekNextChunk()
  }

  private mutating func seekNextChunk() -> PCMHeaderStep {
    state = .chunk
    chunkOffset = nextChunk
    return data == nil
      ? .read(at: nextChunk, count: Self.chunkHeaderSize)
      : .readTrailing(at: nextChunk, count: Self.chunkHeaderSize)
  }

  private mutating func parseChunkHeader(
    _ field: PCMHeaderField
  ) throws(PCMFileError) -> PCMHeaderStep {
    let type = field.code(0)
    let size = field.uint64(4)
    let content = PCMHeaderLimits.sum(chunkOffset, UInt64(Self.chunkHeaderSize))
    nextChunk = PCMHeaderLimits.sum(content, size)
    let isOpen = size == .max
    guard size <= UInt64(Int64.max) || isOpen && type == fourCC("data") else {
      // Chunks after the samples are optional.
      if let info { return .ready(info) }
      throw .malformedChunk(offset: chunkOffset)
    }
    switch type {
    case fourCC("desc") where format == nil:
      guard size >= 32 else { throw .malformedChunk(offset: chunkOffset) }
      state = .description
      return .read(at: content, count: 32)
    case fourCC("chan") where size >= 12 && layout == nil:
      state = .layout
      return .read(at: content, count: LayoutDescription.length(size))
    case fourCC("data") where data == nil:
      guard let format else { throw .missingFormat }
      guard size >= 4 else { throw .malformedChunk(offset: chunkOffset) }
      // A 32-bit edit count precedes the samples.
      data = (PCMHeaderLimits.sum(content, 4), isOpen ? nil : size - 4)
      // One or two channels need no layout; for more, it may still follow.
      if let info, format.channelCount <= 2 || layout != nil || isOpen { return .ready(info) }
      return seekNextChunk()
    default:
      return seekNextChunk()
    }
  }

  /// Parses desc: rate:f64, then 32 bits each of format, flags, packet sizes, channels and bits.
  private func parseDescription(_ field: PCMHeaderField) throws(PCMFileError) -> PCMFormat {
    let formatID = field.code(8)
    guard formatID == fourCC("lpcm") || formatID == fourCC("ulaw") || formatID == fourCC("alaw")
    else { throw .compressedCAF(formatID: formatID) }
    let sampleRate = try PCMHeaderLimits.sampleRate(Double(bitPattern: field.uint64(0)))
    let channelCount = try PCMHeaderLimits.channelCount(field.uint32(24))
    let bits = field.uint32(28)
    let sampleFormat: SampleFormat?
    if formatID == fourCC("lpcm") {
      let flags = field.uint32(12)
      let isBigEndian = flags & 2 == 0
      let packetSize = field.uint32(16)
      let channels = UInt32(channelCount)
      // Samples narrower than their container fill its upper bits.
      guard bits >= 1 && bits <= 64 else {
        throw .unsupportedBitDepth(Int(min(bits, 1 << 16)))
      }
      guard packetSize % channels == 0, packetSize / channels >= (bits + 7) / 8,
        packetSize / channels <= 8, field.uint32(20) == 1
      else { throw .malformedChunk(offset: chunkOffset) }
      let bytes = Int(packetSize / channels)
      sampleFormat =
        flags & 1 != 0
        ? SampleFormat(floatBytes: bytes, bigEndian: isBigEndian)
        : SampleFormat(integerBytes: bytes, bigEndian: isBigEndian, validBits: Int(bits))
    } else {
      sampleFormat = SampleFormat(formatID == fourCC("ulaw") ? .muLaw : .aLaw)
    }
    guard let sampleFormat else { throw .unsupportedBitDepth(Int(bits)) }
    return PCMFormat(
      sampleFormat: sampleFormat, sampleRate: sampleRate, channelCount: channelCount)
  }
}

/// The content of a `chan` chunk in CAF or a CHAN chunk in AIFF: Core Audio's channel layout.
///
///     tag:32 bitmap:32 count:32   count descriptions of 20 bytes: label:32 flags:32 3 floats
struct LayoutDescription: Sendable {
  private let tag: UInt32
  private let bitmap: UInt32
  private let labels: [UInt32]

  /// Returns the number of bytes to read of a chunk with `chunkSize` bytes, which are at least 12.
  static func length(_ chunkSize: UInt64) -> Int {
    Int(min(chunkSize, 12 + 20 * UInt64(PCMFileReader.maximumChannelCount)))
  }

  init(_ field: PCMHeaderField) {
    tag = field.uint32(0)
    bitmap = field.uint32(4)
    var labels: [UInt32] = []
    let count = Int(min(field.uint32(8), UInt32(PCMFileReader.maximumChannelCount)))
    for index in 0..<count where 12 + 20 * index + 20 <= field.count {
      labels.append(field.uint32(12 + 20 * index))
    }
    self.labels = labels
  }

  /// Returns the layout, or nil if it does not describe this many loudspeakers.
  func layout(channelCount: Int) -> ChannelLayout? {
    switch tag {
    case ChannelLayout.tagForDescriptions:
      labels.count == channelCount ? ChannelLayout(coreAudioLabels: labels) : nil
    case ChannelLayout.tagForBitmap:
      ChannelLayout(waveMask: bitmap, channelCount: channelCount)
    default:
      ChannelLayout(coreAudioTag: tag, channelCount: channelCount)
    }
  }

  /// Returns the content of a chunk for a layout: a bit mask if that describes it completely.
  static func content(of layout: ChannelLayout) -> [UInt8] {
    var bytes: [UInt8] = []
    let count = layout.speakers.count
    if ChannelLayout(waveMask: layout.waveMask, channelCount: count) == layout {
      bytes.append(big: ChannelLayout.tagForBitmap)
      bytes.append(big: layout.waveMask)
      bytes.append(big: UInt32(0))
      return bytes
    }
    bytes.append(big: ChannelLayout.tagForDescriptions)
    bytes.append(big: UInt32(0))
    bytes.append(big: UInt32(count))
    for speaker in layout.speakers {
      bytes.append(big: UInt32(speaker.rawValue) + 1)
      bytes.append(contentsOf: repeatElement(0, count: 16))
    }
    return bytes
  }
}
