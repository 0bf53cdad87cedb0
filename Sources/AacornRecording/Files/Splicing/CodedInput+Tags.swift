import AacornContainers
import AacornSignal
import AacornSoundFiles
import AacornSystem

extension CodedInput {
  /// Returns the tags and chapters of an MP4 file, with the cover if it is readable, or the tags of
  /// a stream.
  ///
  /// In a pipe, only tags in the bytes already read are found.
  func tags(of movie: MP4Reader?, name: String) throws(AACFileError) -> InputTags {
    guard let movie else {
      if let tags = try file.soundTags() { return InputTags(tags, name: name) }
      let count = PCMFileKind.tagByteCount(head.span) ?? 0
      if count <= head.count { return InputTags(MP4Tags(id3: head)) }
      return InputTags(lost: ["the ID3 tag"], name: name)
    }
    var tags = movie.tags
    var words: [String] = []
    if let range = movie.coverImage {
      if byteCount != nil, range.upperBound - range.lowerBound <= UInt64(MP4Tags.coverLimit) {
        tags.coverImage = try bytes(at: range.lowerBound, count: Int(range.count))
        // The MP4 writer writes only images of known formats, so report other data as lost.
        if !MP4Tags.isCover(tags.coverImage[...]) { tags.coverImage = [] }
      }
      if tags.coverImage.isEmpty { words.append("the cover") }
    }
    if movie.lostTagCount > 0 { words.append(QuantityText.count(movie.lostTagCount, "long tag")) }
    if movie.hasUnreadChapters {
      let count = tags.chapters.count
      words.append(count == 0 ? "the chapters" : "the chapters after the first \(count)")
    }
    return InputTags(tags, lost: words, name: name)
  }
}
