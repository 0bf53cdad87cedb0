import AacornContainers
import AacornSignal
import AacornSoundFiles
import AacornSystem

extension CodedInput {
  /// The largest picture that is taken over.
  private static let coverLimit: UInt64 = 8_000_000

  /// The tags and chapters of an MP4 file, with the cover where that can be read, or those of the
  /// ID3 tag before a stream; of a pipe nothing is read twice.
  func tags(of movie: MP4Reader?) throws(AACFileError) -> MP4Tags {
    guard let movie else { return try MP4Tags(id3: tag() ?? []) }
    var tags = movie.tags
    if let range = movie.coverImage, byteCount != nil,
      range.upperBound - range.lowerBound <= Self.coverLimit
    {
      tags.coverImage = try bytes(at: range.lowerBound, count: Int(range.count))
      // Anything else would not be written.
      let isPicture =
        tags.coverImage.starts(with: [0xFF, 0xD8, 0xFF])
        || tags.coverImage.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
      if !isPicture { tags.coverImage = [] }
    }
    return tags
  }

  /// What of a file called `name` is not among its `tags`, as sentences.
  func lostTagWarnings(
    _ tags: MP4Tags, of movie: MP4Reader?, name: String
  ) throws(AACFileError) -> [String] {
    guard let movie else {
      return try tag() == nil ? ["Not taken over from “\(displayed(name))”: the ID3 tag."] : []
    }
    var words: [String] = []
    if movie.coverImage != nil, tags.coverImage.isEmpty { words.append("the cover") }
    if movie.lostTagCount > 0 { words.append(QuantityText.count(movie.lostTagCount, "long tag")) }
    if movie.lacksChapters {
      let count = tags.chapters.count
      words.append(count == 0 ? "the chapters" : "the chapters after the first \(count)")
    }
    if words.isEmpty { return [] }
    return ["Not taken over from “\(displayed(name))”: \(words.joined(separator: ", "))."]
  }

  /// The ID3 tag at the beginning, empty without one; nil if it is out of reach or too long.
  private func tag() throws(AACFileError) -> [UInt8]? {
    let start = byteCount == nil ? head : try bytes(at: 0, count: 10)
    guard let count = PCMFileKind.tagByteCount(start.span) else { return [] }
    if byteCount == nil { return count <= head.count ? head : nil }
    return count <= Self.coverLimit ? try bytes(at: 0, count: count) : nil
  }
}
