/// Reads the first packets of the first audio stream in an Ogg file (RFC 3533, 6).
///
///     "OggS" version:8 flags:8 position:64 stream:32 number:32 checksum:32 count:8 lengths… body
///
/// A packet ends with a length below 255, and may continue in the next page of its stream.
struct OggPackets<Failure: Error> {
  private let byteCount: Int
  private let read: (_ offset: Int, _ count: Int) throws(Failure) -> [UInt8]
  private var position = 0
  private var stream: [UInt8] = []
  /// Complete packets that have not been returned.
  private var packets: [[UInt8]] = []
  private var packet: [UInt8] = []
  private var pageCount = 0

  private static var headerByteCount: Int { 27 }
  /// The maximum number of pages to read, enough for a packet of ``packetLimit``.
  private static var pageLimit: Int { 2048 }
  /// The maximum size of a packet in bytes, for a cover in Base64 and texts.
  static var packetLimit: Int { 1 << 24 }

  init(
    byteCount: Int, read: @escaping (_ offset: Int, _ count: Int) throws(Failure) -> [UInt8]
  ) {
    self.byteCount = byteCount
    self.read = read
  }

  /// Returns the next packet, or nil at the end, at damage, or after an oversized packet.
  mutating func next() throws(Failure) -> [UInt8]? {
    while packets.isEmpty {
      guard try readPage() else { return nil }
    }
    return packets.removeFirst()
  }

  /// Reads a page; returns false if there is none.
  private mutating func readPage() throws(Failure) -> Bool {
    let header = try read(position, Self.headerByteCount + 255)
    guard header.count >= Self.headerByteCount, header.starts(with: "OggS".utf8),
      pageCount < Self.pageLimit
    else { return false }
    let count = Int(header[26])
    guard header.count >= Self.headerByteCount + count else { return false }
    let lengths = header[Self.headerByteCount..<Self.headerByteCount + count]
    let bodyCount = lengths.reduce(0) { $0 + Int($1) }
    let start = position + Self.headerByteCount + count
    pageCount += 1
    position = start + bodyCount
    let serial = Array(header[14..<18])
    let isFirst = header[5] & 2 != 0
    if stream.isEmpty ? !isFirst : serial != stream { return true }
    let body = try read(start, bodyCount)
    guard body.count == bodyCount || bodyCount == 0 else { return false }
    if stream.isEmpty {
      guard Self.isAudio(body) else { return true }
      stream = serial
    }
    var index = 0
    for length in lengths {
      packet += body[index..<index + Int(length)]
      index += Int(length)
      if length < 255 {
        packets.append(packet)
        packet = []
      } else if packet.count > Self.packetLimit {
        return false
      }
    }
    return true
  }

  /// Returns whether the first page of a stream begins audio with known tags.
  private static func isAudio(_ body: [UInt8]) -> Bool {
    ["\u{1}vorbis", "OpusHead", "\u{7F}FLAC", "Speex   "].contains { body.starts(with: $0.utf8) }
  }
}
