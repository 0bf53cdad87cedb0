package import AacornSoundFiles

/// Restores damaged headers of the top-level boxes of a file.
///
/// A header is accepted if another box begins where it claims to end. Where that chain breaks, the
/// repair searches for the next position with consecutive boxes, and extends the previous box to
/// it. The contents stay in place, so the tables remain valid.
package enum BoxRepair {
  private static let maxRepairCount = 64
  private static let pieceLength = 1 << 16

  /// Returns the writes that repair the headers of a file of `byteCount` bytes; empty if the
  /// headers are valid or cannot be repaired.
  package static func patches<Failure: Error>(
    byteCount: UInt64, read: (UInt64, Int) throws(Failure) -> [UInt8]
  ) throws(Failure) -> [FileWrite] {
    var patches: [FileWrite] = []
    var position: UInt64 = 0
    while position + 8 <= byteCount, patches.count < maxRepairCount {
      let head = try read(position, Int(min(24, byteCount - position)))
      if head.count < 8 { break }
      let header = BoxHeader(head, at: 0, limit: head.count)
      let length = header.size == 0 ? byteCount - position : header.size
      let (end, isTooLong) = position.addingReportingOverflow(length)
      var type = isKnown(header.type) ? header.type : Self.type(byContentOf: head)
      if header.isValid, !isTooLong, end <= byteCount,
        try isStart(end, byteCount: byteCount, read: read)
      {
        if let type, type != header.type {
          patches.append(FileWrite(offset: position + 4, bytes: type.bytes))
        }
        position = end
        continue
      }
      // The content takes precedence over the name: when a recording is finalized, the header of
      // its first movie box becomes the header of the media.
      type = Self.type(byContentOf: head) ?? type
      let next = try nextStart(after: position, byteCount: byteCount, read: read)
      // A box longer than the rest of the file is the last box of a truncated file.
      if next == nil, type == nil || isTooLong || end >= byteCount { break }
      let target = next ?? byteCount
      let bytes = BoxWriter.header(type ?? .free, byteCount: target - position)
      patches.append(FileWrite(offset: position, bytes: bytes))
      position = target
    }
    return patches
  }

  /// Returns whether a box that normally occurs at the top level begins at `offset`, or the file
  /// ends there.
  private static func isStart<Failure: Error>(
    _ offset: UInt64, byteCount: UInt64, read: (UInt64, Int) throws(Failure) -> [UInt8]
  ) throws(Failure) -> Bool {
    if offset >= byteCount { return offset == byteCount }
    let head = try read(offset, Int(min(24, byteCount - offset)))
    let header = BoxHeader(head, at: 0, limit: head.count)
    return header.isValid && (isKnown(header.type) || type(byContentOf: head) != nil)
  }

  /// Returns the next offset of two consecutive boxes, or of a box that ends with the file.
  private static func nextStart<Failure: Error>(
    after position: UInt64, byteCount: UInt64, read: (UInt64, Int) throws(Failure) -> [UInt8]
  ) throws(Failure) -> UInt64? {
    var offset = position + 8
    while offset + 8 <= byteCount {
      let piece = try read(offset, Int(min(UInt64(pieceLength), byteCount - offset)))
      if piece.count < 8 { return nil }
      var type: UInt32 = 0
      for index in 0..<piece.count {
        type = type << 8 | UInt32(piece[index])
        guard index >= 7, isKnown(FourCharacterCode(rawValue: type)) else { continue }
        let start = offset + UInt64(index - 7)
        let header = BoxHeader(piece, at: index - 7, limit: piece.count)
        guard header.isValid else { continue }
        let (end, isTooLong) = start.addingReportingOverflow(header.size)
        if !isTooLong, end <= byteCount, try isStart(end, byteCount: byteCount, read: read) {
          return start
        }
      }
      // Read the last seven bytes again, because a header of eight bytes may begin there.
      offset += UInt64(piece.count - 7)
    }
    return nil
  }

  /// Returns whether a box normally occurs at the top level.
  private static func isKnown(_ type: FourCharacterCode) -> Bool {
    switch type {
    case .fileType, .movie, .mediaData, .movieFragment, .free, .userDefined, .skip, .wide,
      .segmentType, .segmentIndex, .metadata, .userData,
      FourCharacterCode("m", "f", "r", "a"), FourCharacterCode("p", "r", "f", "t"):
      true
    default: false
    }
  }

  /// Returns the type of a box whose first child is a movie or fragment header.
  private static func type(byContentOf head: [UInt8]) -> FourCharacterCode? {
    guard head.count >= 16 else { return nil }
    let inner = BoxHeader(head, at: 8, limit: head.count)
    switch inner.type {
    case .movieHeader: return .movie
    case .movieFragmentHeader: return .movieFragment
    default: return nil
    }
  }
}
