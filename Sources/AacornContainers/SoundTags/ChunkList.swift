import AacornSoundFiles

/// Steps through the chunks of a RIFF, AIFF or CAF file.
///
///     RIFF, AIFF: name:32 size:32, at even places     CAF: name:32 size:64
struct ChunkList<Failure: Error> {
  /// A chunk whose content ends within the file.
  struct Chunk {
    let name: [UInt8]
    let range: Range<Int>
  }

  private let byteCount: Int
  private let kind: PCMFileKind
  private let isBigEndian: Bool
  private let read: (_ offset: Int, _ count: Int) throws(Failure) -> [UInt8]
  private var position: Int
  private var count = 0
  /// The size of the samples in a file beyond 4 GB.
  private var wideDataCount: UInt64?

  /// The most chunks that are looked at.
  private static var limit: Int { 1024 }

  /// The chunks of a file of this kind, which begins with `head`.
  init(
    _ kind: PCMFileKind, head: [UInt8], byteCount: Int,
    read: @escaping (_ offset: Int, _ count: Int) throws(Failure) -> [UInt8]
  ) {
    self.kind = kind
    self.byteCount = byteCount
    self.read = read
    isBigEndian = kind != .wav || head.starts(with: "RIFX".utf8)
    position = kind == .caf ? 8 : 12
  }

  /// The next chunk; nil at the end, or where there cannot be a chunk.
  mutating func next() throws(Failure) -> Chunk? {
    let headerCount = kind == .caf ? 12 : 8
    guard count < Self.limit, position < byteCount else { return nil }
    count += 1
    let header = try read(position, headerCount)
    guard header.count == headerCount else { return nil }
    let name = Array(header[..<4])
    let start = position + headerCount
    var byteCount = header[4...].number(isBigEndian: isBigEndian)
    if name.elementsEqual("ds64".utf8) {
      // The size of the file, then of the samples.
      wideDataCount = try read(start + 8, 8)[...].number(isBigEndian: isBigEndian)
    }
    if name.elementsEqual("data".utf8), byteCount == 0xFFFF_FFFF, let wideDataCount {
      byteCount = wideDataCount
    }
    guard byteCount <= UInt64(max(0, self.byteCount - start)) else { return nil }
    let size = Int(byteCount)
    position = start + size + (kind == .caf ? 0 : size & 1)
    return Chunk(name: name, range: start..<start + size)
  }
}

extension ArraySlice<UInt8> {
  /// Up to eight bytes as a number.
  func number(isBigEndian: Bool) -> UInt64 {
    var value: UInt64 = 0
    for (offset, byte) in enumerated() {
      value |= UInt64(byte) << UInt64(8 * (isBigEndian ? count - 1 - offset : offset))
    }
    return value
  }
}
