import AudioToolbox

/// The position and format of the samples in a WAV, CAF or Sun audio file.
///
/// It is a separate parser, because a parser shared with the code under test would hide its faults.
struct SoundFileHeader {
  /// The format of the samples in the file.
  private(set) var format: AudioStreamBasicDescription
  /// The offset of the first sample in bytes.
  private(set) var dataOffset: Int
  /// The number of sample bytes in the header, which may differ from the bytes in the file.
  private(set) var dataByteCount: Int
  /// An `AudioChannelLayout` in bytes; empty if the file has none.
  private(set) var layout: [UInt8] = []

  private static let isFloat: UInt32 = 1
  private static let isBigEndian: UInt32 = 2
  private static let isSigned: UInt32 = 4
  private static let isPacked: UInt32 = 8

  /// Parses the header; throws the system's error for an unknown or invalid file.
  init(_ file: SoundFileBytes) throws(FileFault) {
    let head = file.bytes(at: 0, count: 12)
    switch (head.number(at: 0, bytes: 4, isBig: true), head.number(at: 8, bytes: 4, isBig: true)) {
    case (UInt64(fourCharacters("RIFF")), UInt64(fourCharacters("WAVE"))):
      try self.init(wave: file)
    case (UInt64(fourCharacters("caff")), _): try self.init(caf: file)
    case (UInt64(fourCharacters(".snd")), _): try self.init(sun: file)
    default: throw FileFault(FileCode.unsupportedFileType)
    }
  }

  private init(
    flags: UInt32, bits: Int, rate: Double, channels: Int, dataOffset: Int, dataByteCount: Int
  ) throws(FileFault) {
    guard [8, 16, 24, 32, 64].contains(bits), bits != 8 || flags & Self.isSigned == 0 else {
      throw FileFault(FileCode.unsupportedDataFormat)
    }
    guard channels > 0, rate > 0 else { throw FileFault(FileCode.invalidFile) }
    let frameSize = UInt32(channels * bits / 8)
    format = AudioStreamBasicDescription(
      mSampleRate: rate, mFormatID: kAudioFormatLinearPCM, mFormatFlags: flags | Self.isPacked,
      mBytesPerPacket: frameSize, mFramesPerPacket: 1, mBytesPerFrame: frameSize,
      mChannelsPerFrame: UInt32(channels), mBitsPerChannel: UInt32(bits), mReserved: 0)
    self.dataOffset = dataOffset
    self.dataByteCount = dataByteCount
  }

  private init(wave file: SoundFileBytes) throws(FileFault) {
    var description: [UInt8] = []
    var offset = 12
    while true {
      let chunk = file.bytes(at: offset, count: 8)
      guard chunk.count == 8 else { throw FileFault(FileCode.invalidFile) }
      let size = Int(chunk.number(at: 4, bytes: 4, isBig: false))
      let name = UInt32(chunk.number(at: 0, bytes: 4, isBig: true))
      if name == fourCharacters("data") {
        guard description.count >= 16 else { throw FileFault(FileCode.invalidFile) }
        let bits = Int(description.number(at: 14, bytes: 2, isBig: false))
        let isExtended = description.number(at: 0, bytes: 2, isBig: false) == 0xFFFE
        let flags: UInt32
        switch description.number(at: isExtended ? 24 : 0, bytes: 2, isBig: false) {
        case 1: flags = bits > 8 ? Self.isSigned : 0
        case 3: flags = Self.isFloat
        default: throw FileFault(FileCode.unsupportedDataFormat)
        }
        try self.init(
          flags: flags, bits: bits,
          rate: Double(description.number(at: 4, bytes: 4, isBig: false)),
          channels: Int(description.number(at: 2, bytes: 2, isBig: false)), dataOffset: offset + 8,
          dataByteCount: size)
        let mask = isExtended ? UInt32(description.number(at: 20, bytes: 4, isBig: false)) : 0
        if mask != 0 { layout = Self.layout(mask: mask) }
        return
      }
      if name == fourCharacters("fmt ") { description = file.bytes(at: offset + 8, count: size) }
      offset += 8 + size + size % 2
    }
  }

  /// Returns a layout with the tag for bitmaps, the bitmap and no descriptions.
  private static func layout(mask: UInt32) -> [UInt8] {
    [1 << 16, mask, 0].flatMap { number in
      [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: number >> UInt32($0)) }
    }
  }

  private init(caf file: SoundFileBytes) throws(FileFault) {
    var (description, layout): ([UInt8], [UInt8]) = ([], [])
    var offset = 8
    while true {
      let chunk = file.bytes(at: offset, count: 12)
      guard chunk.count == 12 else { throw FileFault(FileCode.invalidFile) }
      let announced = Int64(bitPattern: chunk.number(at: 4, bytes: 8, isBig: true))
      let size = announced < 0 ? max(0, file.count - offset - 12) : Int(clamping: announced)
      switch UInt32(chunk.number(at: 0, bytes: 4, isBig: true)) {
      case fourCharacters("desc"): description = file.bytes(at: offset + 12, count: min(size, 32))
      case fourCharacters("chan"): layout = Self.layout(big: file.bytes(at: offset + 12, count: 12))
      case fourCharacters("data"):
        guard description.count == 32 else { throw FileFault(FileCode.invalidFile) }
        guard description.number(at: 8, bytes: 4, isBig: true) == UInt64(kAudioFormatLinearPCM)
        else { throw FileFault(FileCode.unsupportedDataFormat) }
        let formatFlags = description.number(at: 12, bytes: 4, isBig: true)
        let isFloat = formatFlags & 1 != 0
        try self.init(
          flags: (isFloat ? Self.isFloat : Self.isSigned)
            | (formatFlags & 2 == 0 ? Self.isBigEndian : 0),
          bits: Int(description.number(at: 28, bytes: 4, isBig: true)),
          rate: Double(bitPattern: description.number(at: 0, bytes: 8, isBig: true)),
          channels: Int(description.number(at: 24, bytes: 4, isBig: true)),
          // The data begins with an edit count of 4 bytes.
          dataOffset: offset + 16, dataByteCount: max(0, size - 4))
        self.layout = layout
        return
      default: break
      }
      let (next, isTooFar) = offset.addingReportingOverflow(12 + min(size, .max - 12))
      if isTooFar { throw FileFault(FileCode.invalidFile) }
      offset = next
    }
  }

  /// Converts a big-endian layout to the native byte order.
  private static func layout(big bytes: [UInt8]) -> [UInt8] {
    guard bytes.count == 12 else { return [] }
    return stride(from: 0, to: 12, by: 4).flatMap { bytes[$0..<$0 + 4].reversed() }
  }

  private init(sun file: SoundFileBytes) throws(FileFault) {
    let head = file.bytes(at: 0, count: 24)
    guard head.count == 24 else { throw FileFault(FileCode.invalidFile) }
    let numbers = stride(from: 4, to: 24, by: 4).map { head.number(at: $0, bytes: 4, isBig: true) }
    let (flags, bits): (UInt32, Int)
    switch numbers[2] {
    case 3...5: (flags, bits) = (Self.isSigned, 16 + 8 * Int(numbers[2] - 3))
    case 6: (flags, bits) = (Self.isFloat, 32)
    case 7: (flags, bits) = (Self.isFloat, 64)
    default: throw FileFault(FileCode.unsupportedDataFormat)
    }
    let offset = Int(numbers[0])
    let isUnknown = numbers[1] == 0xFFFF_FFFF
    try self.init(
      flags: flags | Self.isBigEndian, bits: bits, rate: Double(numbers[3]),
      channels: Int(numbers[4]), dataOffset: offset,
      dataByteCount: isUnknown ? max(0, file.count - offset) : Int(numbers[1]))
  }
}

extension SoundFileHeader {
  /// The number of frames according to the header.
  var frameCount: Int { dataByteCount / Int(format.mBytesPerFrame) }

  /// Converts bytes of whole samples to samples in −1…1.
  func samples(_ bytes: [UInt8]) -> [Float] {
    let size = Int(format.mBitsPerChannel) / 8
    let isBig = format.mFormatFlags & Self.isBigEndian != 0
    let isFloat = format.mFormatFlags & Self.isFloat != 0
    return stride(from: 0, to: bytes.count - size + 1, by: size).map { offset in
      let number = bytes.number(at: offset, bytes: size, isBig: isBig)
      switch (isFloat, size) {
      case (true, 4): return Float(bitPattern: UInt32(number))
      case (true, _): return Float(Double(bitPattern: number))
      case (false, 1): return (Float(number) - 128) / 128
      default:
        // The sign is the highest bit.
        let shift = UInt64(64 - 8 * size)
        return Float(Double(Int64(bitPattern: number << shift)) / 9_223_372_036_854_775_808)
      }
    }
  }
}
