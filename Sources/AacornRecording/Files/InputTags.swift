import AacornContainers
import AacornSystem

/// The tags of an input, with warnings about lost ones.
struct InputTags {
  /// The tags, with chapters and cover.
  let tags: MP4Tags
  /// Messages about missing and damaged tags.
  private(set) var warnings: [String] = []

  /// Creates tags of a file; `words` name its missing parts.
  init(_ tags: MP4Tags = MP4Tags(), lost words: [String] = [], name: String = "") {
    self.tags = tags
    if words.isEmpty { return }
    warnings = ["Not copied from “\(displayed(name))”: \(words.joined(separator: ", "))."]
  }

  /// Creates the tags of a file that is not MP4.
  init(_ tags: SoundTags, name: String) {
    var words: [String] = []
    switch tags.coverLoss {
    case .tooLong:
      words.append("the cover, which is larger than \(QuantityText.size(MP4Tags.coverLimit))")
    case .otherFormat: words.append("the cover, which is neither JPEG nor PNG")
    case nil: break
    }
    if tags.lostCount > 0 {
      let count = QuantityText.count(tags.lostCount, "value")
      words.append("\(count) of tags, because tags are too long or too many")
    }
    self.init(MP4Tags(tags), lost: words, name: name)
    if tags.isDamaged {
      warnings.append("The tags of “\(displayed(name))” are damaged; some may be missing.")
    }
  }

  /// Returns a message that an output without tags loses these tags, or nil if there are no tags.
  func rejectionMessage(of output: String, name: String) -> String? {
    var tags = tags
    tags.encoder = nil
    if tags.isEmpty { return nil }
    return "“\(displayed(output))” cannot carry the tags and chapters of “\(displayed(name))”; M4A "
      + "files can."
  }
}

extension InputFile {
  /// Returns the tags of a file that is not MP4; nil for a pipe, which is not read twice.
  ///
  /// The position does not change.
  func soundTags() throws(AACFileError) -> SoundTags? {
    guard let size else { return nil }
    let origin = position
    var reader = SoundTagReader(byteCount: size) { (offset, count) throws(AACFileError) in
      try self.bytes(at: offset, count: count)
    }
    let tags = try reader.readTags()
    try seek(to: origin)
    return tags
  }
}

extension MP4Tags {
  /// Sets the missing properties from other tags, and adds the other items.
  mutating func fill(from other: MP4Tags) {
    var other = other
    // The encoding parameters of the input do not apply to the output.
    other.removeEncodingParameters()
    otherItems += withoutFurtherValues(other.otherItems)
    title = title ?? other.title
    artist = artist ?? other.artist
    album = album ?? other.album
    date = date ?? other.date
    comment = comment ?? other.comment
    if coverImage.isEmpty { coverImage = other.coverImage }
    if chapters.isEmpty { chapters = other.chapters }
    loudness = loudness ?? other.loudness
  }
}
