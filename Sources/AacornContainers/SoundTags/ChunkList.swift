import AacornSoundFiles

/// Steps through the chunks of a RIFF, AIFF or CAF file.
///
///     RIFF, AIFF: name:32 size:32, at even offsets     CAF: name:32 size:64
struct ChunkList<Failure: Error> {
  /// A chunk inside the file.
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
  /// The size of the samples from `ds64`, for a file larger than 4 GB.
  private var wideDataCount: UInt64?

  private static var limit: Int { 1024 }

  /// Creates a list of the chunks of a file that begins with `head`.
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

  /// Returns the next chunk, or nil at the end or if the bytes do not form a chunk.
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
      // `ds64` contains the size of the file, then the size of the samples.
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
