import AacornContainers
import AacornSystem

// What encoding wants to know of sound that was encoded before.
extension CodedSound {
  /// What is lost, as sentences.
  var secondLossWarnings: [String] {
    let file = "“\(displayed(name))”"
    var warnings = [
      "\(file) was encoded before: encoding it again adds a second loss to the first."
    ]
    if cutByteCount > 0 {
      let count = QuantityText.count(cutByteCount, "byte")
      warnings.append(
        "\(file) begins in the middle of a frame; \(count) before the first whole one left out.")
    }
    if isDamaged {
      warnings.append("\(file) is damaged; what is missing was replaced by what was near.")
    }
    if let editWarning { warnings.append(editWarning) }
    if change != nil {
      warnings.append("\(file) changes its rate or channels; that was converted.")
    }
    return warnings
  }

  /// The tags and chapters of an MP4 file, with the cover where that can be read, or those before a
  /// stream.
  func tags() throws(AACFileError) -> MP4Tags { try input.tags(of: movie) }

  /// What is lost of `tags`, which are its own, in a file that has tags or does not, as sentences.
  func lostTagWarnings(
    _ tags: MP4Tags, output: String, hasTags: Bool
  ) throws(AACFileError) -> [String] {
    if hasTags {
      return try input.lostTagWarnings(tags, of: movie, name: name)
        + MP4Chapter.lossWarnings(tags.chapters, output: output)
    }
    var tags = tags
    tags.encoder = nil
    if tags.isEmpty { return [] }
    return [
      "“\(displayed(output))” cannot carry the tags and chapters of “\(displayed(name))”; M4A "
        + "files can."
    ]
  }
}

extension MP4Tags {
  /// Takes over what has not been given.
  mutating func fill(from other: MP4Tags) {
    let items = withoutFurtherValues(other.otherItems)
    title = title ?? other.title
    artist = artist ?? other.artist
    album = album ?? other.album
    date = date ?? other.date
    comment = comment ?? other.comment
    if coverImage.isEmpty { coverImage = other.coverImage }
    if chapters.isEmpty { chapters = other.chapters }
    loudness = loudness ?? other.loudness
    // How it was encoded before is no longer true.
    let past = Array("Encoding Params".utf8)
    otherItems += items.filter { !$0.contains(past) }
  }
}
