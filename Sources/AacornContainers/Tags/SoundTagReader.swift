import AacornSignal
import AacornSoundFiles

/// Finds and reads the tags of FLAC, MP3, Ogg, WAV, AIFF and CAF files, and of AAC streams.
///
/// The reader compares the sizes in a file with the size of the file before it reads. It skips
/// unreadable tags.
package struct SoundTagReader<Failure: Error> {
  private let byteCount: Int
  private let read: (_ offset: Int, _ count: Int) throws(Failure) -> [UInt8]
  private var tags = SoundTags()

  /// The maximum size of a tag in bytes, for a cover and texts.
  private static var tagLimit: Int { 1 << 25 }
  /// The maximum number of blocks of a FLAC file, and of tags before a stream.
  private static var blockLimit: Int { 1024 }

  /// Creates a reader of a file; `read` must return fewer bytes than requested only at its end.
  package init(
    byteCount: Int, read: @escaping (_ offset: Int, _ count: Int) throws(Failure) -> [UInt8]
  ) {
    self.byteCount = byteCount
    self.read = read
  }

  /// Reads the tags.
  package mutating func readTags() throws(Failure) -> SoundTags {
    tags = SoundTags()
    let start = try readLeadingTags()
    let head = try read(start, FileKind.prefixCount + 4)
    switch FileKind(prefix: head.span) {
    case .wav: try readWAV(head)
    case .aiff: try readAIFF(head)
    case .caf: try readCAF(head)
    case .other(.flac): try readFLAC(from: start + 4)
    case .other(.ogg): try readOgg()
    case .other(.mp3), .other(.adts), .other(.loas), .other(.taggedWithID3), .unknown:
      try readTrailingTags()
    case .other: break
    }
    return tags
  }

  /// Reads the ID3v2 tags at the start of a file and returns the offset of their end.
  private mutating func readLeadingTags() throws(Failure) -> Int {
    var start = 0
    for _ in 0..<Self.blockLimit {
      let header = try read(start, 10)
      guard let count = FileKind.tagByteCount(header.span) else { break }
      try readID3(start..<start + min(count, byteCount - start))
      tags.beginSource()
      start += count
      if start >= byteCount { break }
    }
    return min(start, byteCount)
  }

  private mutating func readID3(_ range: Range<Int>) throws(Failure) {
    if let tag = try content(range) { ID3Parser.read(tag, into: &tags) }
  }

  /// Returns the bytes of a tag, or nil if it is too long.
  private mutating func content(
    _ range: Range<Int>, limit: Int = tagLimit
  ) throws(Failure) -> [UInt8]? {
    if range.count <= limit { return try read(range.lowerBound, range.count) }
    tags.countLostTag()
    return nil
  }

  /// Reads the tags at the end of MP3 files: APE, and ID3v1 if there are no other tags.
  private mutating func readTrailingTags() throws(Failure) {
    var end = byteCount
    let last = try read(max(0, end - ID3Version1.byteCount), ID3Version1.byteCount)
    if last.count == ID3Version1.byteCount, last.starts(with: "TAG".utf8) {
      end -= ID3Version1.byteCount
    }
    let footer = try read(max(0, end - APETag.footerByteCount), APETag.footerByteCount)
    if let count = APETag.itemsByteCount(footer), count <= end - APETag.footerByteCount {
      let start = end - APETag.footerByteCount - count
      if let items = try content(start..<start + count) { APETag.read(items, into: &tags) }
    }
    if tags.isEmpty { ID3Version1.read(last, into: &tags) }
  }

  // MARK: FLAC and Ogg

  /// Reads the blocks before the frames (RFC 9639, 8).
  ///
  ///     last:1 kind:7 size:24   content
  private mutating func readFLAC(from start: Int) throws(Failure) {
    var position = start
    for _ in 0..<Self.blockLimit {
      let header = try read(position, 4)
      guard header.count == 4 else { return tags.isDamaged = true }
      let size = Int(header[1...].number())
      position += 4
      guard size <= byteCount - position else { return tags.isDamaged = true }
      try takeFLACBlock(header[0] & 0x7F, position..<position + size)
      if header[0] & 0x80 != 0 { return }
      position += size
    }
  }

  private mutating func takeFLACBlock(_ kind: UInt8, _ range: Range<Int>) throws(Failure) {
    if kind == 4 {
      VorbisComment.read(try read(range.lowerBound, range.count)[...], into: &tags)
    } else if kind == 6 {
      let excess = VorbisComment.pictureHeaderLimit
      let kind = UInt32(try read(range.lowerBound, 4)[...].number())
      // Skip pictures that are not needed.
      if tags.shouldReadPicture(ofKind: kind, byteCount: max(0, range.count - excess)) {
        VorbisComment.readPicture(try read(range.lowerBound, range.count)[...], into: &tags)
      }
    }
  }

  /// Reads the packets before the audio: the second packet of Vorbis, Opus and Speex, or all of
  /// FLAC.
  private mutating func readOgg() throws(Failure) {
    var packets = OggPackets(byteCount: byteCount, read: read)
    guard let first = try packets.next() else { return }
    if first.starts(with: "\u{7F}FLAC".utf8) {
      for _ in 0..<Self.blockLimit {
        guard let packet = try packets.next(), let kind = packet.first else { return }
        if kind & 0x7F == 4 { VorbisComment.read(packet.dropFirst(4), into: &tags) }
        if kind & 0x7F == 6 { VorbisComment.readPicture(packet.dropFirst(4), into: &tags) }
        if kind & 0x80 != 0 { return }
      }
      return
    }
    guard let packet = try packets.next() else { return tags.isDamaged = true }
    // The comment follows the packet type.
    let names = ["\u{3}vorbis", "OpusTags"]
    let name = names.first { packet.starts(with: $0.utf8) }
    VorbisComment.read(packet.dropFirst(name?.utf8.count ?? 0), into: &tags)
  }

  // MARK: Chunks

  /// Reads the ID3 chunk first, since the other chunks shorten texts; then INFO, then `bext`.
  private mutating func readWAV(_ head: [UInt8]) throws(Failure) {
    var lists: [Range<Int>] = []
    var broadcast: Range<Int>?
    var chunks = ChunkList(.wav, head: head, byteCount: byteCount, read: read)
    while let chunk = try chunks.next() {
      if TagNames.isSame(chunk.name, "ID3 ".utf8) { try readID3(chunk.range) }
      if chunk.name.elementsEqual("LIST".utf8) { lists.append(chunk.range) }
      if chunk.name.elementsEqual("bext".utf8) { broadcast = chunk.range }
    }
    tags.beginSource()
    for range in lists {
      let kind = try read(range.lowerBound, min(4, range.count))
      guard kind.elementsEqual("INFO".utf8),
        let list = try content(range, limit: MP4Tags.otherItemsLimit)
      else { continue }
      ChunkTags.readInfo(list.dropFirst(4), isBigEndian: head.starts(with: "RIFX".utf8), &tags)
    }
    tags.beginSource()
    if let broadcast {
      let count = min(broadcast.count, ChunkTags.broadcastByteCount)
      ChunkTags.readBroadcast(try read(broadcast.lowerBound, count), &tags)
    }
  }

  private mutating func readAIFF(_ head: [UInt8]) throws(Failure) {
    var texts: [(tag: String, range: Range<Int>)] = []
    var chunks = ChunkList(.aiff, head: head, byteCount: byteCount, read: read)
    while let chunk = try chunks.next() {
      if TagNames.isSame(chunk.name, "ID3 ".utf8) { try readID3(chunk.range) }
      if let tag = ChunkTags.aiffTag(chunk.name) { texts.append((tag, chunk.range)) }
    }
    tags.beginSource()
    for (tag, range) in texts {
      guard let text = try content(range, limit: MP4Tags.itemLimit) else { continue }
      tags.add(tag, SoundTags.text(text[...]))
    }
  }

  private mutating func readCAF(_ head: [UInt8]) throws(Failure) {
    var chunks = ChunkList(.caf, head: head, byteCount: byteCount, read: read)
    while let chunk = try chunks.next() {
      guard chunk.name.elementsEqual("info".utf8),
        let list = try content(chunk.range, limit: MP4Tags.itemLimit)
      else { continue }
      ChunkTags.readStrings(list.dropFirst(4), &tags)
    }
  }
}
