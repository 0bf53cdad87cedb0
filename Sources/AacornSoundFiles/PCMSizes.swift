import AacornSignal

/// The sizes in the header of a WAV or CAF file, computed from the length of the file.
///
/// A file truncated by a crash or a full disk has other sizes in its header, or placeholders.
public struct PCMSizes: Equatable, Sendable {
  /// The complete frames in the file.
  public let frameCount: UInt64
  /// The offset after the last complete frame; the bytes that follow are a partial frame.
  public let end: UInt64
  /// The writes that correct the header and, where needed, append a byte of padding.
  ///
  /// Empty if the header is correct.
  public let writes: [FileWrite]

  /// Computes the sizes of a file of `byteCount` bytes.
  ///
  /// Returns nil if the file is neither WAV nor CAF, or if its header has no room for its sizes.
  ///
  /// - Parameters:
  ///   - info: The result of reading the header.
  ///   - head: The first bytes of the file, at least 20.
  ///   - byteCount: The length of the file.
  public init?(_ info: PCMFileInfo, head: [UInt8], byteCount: UInt64) {
    let frameSize = UInt64(info.format.bytesPerFrame)
    guard head.count >= 20, info.dataOffset >= 20, info.dataOffset <= byteCount, frameSize > 0,
      byteCount <= PCMEncoding.maxFileByteCount
    else { return nil }
    let available = byteCount - info.dataOffset
    let isShort = info.dataByteCount.map { $0 > available } ?? true
    let count = isShort ? available - available % frameSize : info.dataByteCount ?? 0
    frameCount = count / frameSize
    end = isShort ? info.dataOffset + count : byteCount
    let file = PCMHeaderField(bytes: head)
    switch file.code(0) {
    case fourCC("caff"):
      writes = isShort ? [Self.write(count + 4, isBigEndian: true, at: info.dataOffset - 12)] : []
    case fourCC("RIFF"), fourCC("RIFX"):
      let isBig = file.code(0) == fourCC("RIFX")
      let riffSize = PCMHeaderField(bytes: head, isBigEndian: isBig).uint32(4)
      // Some writers count padding that they do not write.
      let isRIFFSizeRight =
        !PCMHeaderLimits.isPlaceholder(riffSize) && UInt64(riffSize) <= byteCount - 7
        && UInt64(riffSize) >= info.dataOffset - 8 + count
      if !isShort && isRIFFSizeRight {
        writes = []
        return
      }
      let padding = isShort ? count % 2 : 0
      let size = end + padding - 8
      var corrections: [FileWrite] = []
      if padding > 0 { corrections.append(FileWrite(offset: end, bytes: [0])) }
      if size < 0xFFFF_F000 {
        if isShort {
          corrections.append(Self.write(UInt32(count), isBigEndian: isBig, at: info.dataOffset - 4))
        }
        corrections.append(Self.write(UInt32(size), isBigEndian: isBig, at: 4))
      } else {
        let room = PCMHeaderField(bytes: head, isBigEndian: false)
        guard !isBig, room.code(12) == fourCC("JUNK"), room.uint32(16) >= WAVWriter.longSizesLength
        else { return nil }
        corrections.append(Self.write(UInt32.max, isBigEndian: false, at: info.dataOffset - 4))
        corrections.append(Self.longSizes(file: size, data: count, frameCount: frameCount))
        // The table of further 64-bit sizes is empty, whatever the JUNK chunk contained there.
        corrections.append(Self.write(UInt32(0), isBigEndian: false, at: 44))
        var start: [UInt8] = []
        start.append(code: "RF64")
        start.append(little: UInt32.max)
        start.append(code: "WAVE")
        start.append(code: "ds64")
        corrections.append(FileWrite(offset: 0, bytes: start))
      }
      writes = corrections
    case fourCC("RF64"), fourCC("BW64"):
      guard isShort else {
        writes = []
        return
      }
      guard file.code(12) == fourCC("ds64") else { return nil }
      let padding = count % 2
      var corrections: [FileWrite] = []
      if padding > 0 { corrections.append(FileWrite(offset: end, bytes: [0])) }
      corrections.append(Self.write(UInt32.max, isBigEndian: false, at: info.dataOffset - 4))
      corrections.append(
        Self.longSizes(file: end + padding - 8, data: count, frameCount: frameCount))
      writes = corrections
    default: return nil
    }
  }

  /// Returns the write of the sizes in a `ds64` chunk at offset 12.
  private static func longSizes(file: UInt64, data: UInt64, frameCount: UInt64) -> FileWrite {
    var bytes: [UInt8] = []
    bytes.append(little: file)
    bytes.append(little: data)
    bytes.append(little: frameCount)
    return FileWrite(offset: 20, bytes: bytes)
  }

  private static func write(
    _ size: some FixedWidthInteger, isBigEndian: Bool, at offset: UInt64
  ) -> FileWrite {
    var bytes: [UInt8] = []
    bytes.append(little: isBigEndian ? size.byteSwapped : size)
    return FileWrite(offset: offset, bytes: bytes)
  }
}
