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
    if !damage.isNone {
      warnings.append("\(file) is damaged; what is missing was replaced by what was near.")
    }
    if change != nil {
      warnings.append("\(file) changes its rate or channels; that was converted.")
    }
    return warnings
  }

  /// The largest picture that is taken over.
  private static let coverLimit: UInt64 = 8_000_000

  /// The tags of an MP4 file, with the cover where that can be read.
  func tags() throws(AACFileError) -> MP4Tags {
    guard let movie else { return MP4Tags() }
    var tags = movie.tags
    if let range = movie.coverImage, range.upperBound - range.lowerBound <= Self.coverLimit {
      tags.coverImage = try bytes(at: range.lowerBound, count: Int(range.count))
      // Anything else would not be written.
      let isPicture =
        tags.coverImage.starts(with: [0xFF, 0xD8, 0xFF])
        || tags.coverImage.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
      if !isPicture { tags.coverImage = [] }
    }
    return tags
  }
}

extension MP4Tags {
  /// Takes over what has not been given.
  mutating func fill(from other: MP4Tags) {
    title = title ?? other.title
    artist = artist ?? other.artist
    album = album ?? other.album
    date = date ?? other.date
    comment = comment ?? other.comment
    if coverImage.isEmpty { coverImage = other.coverImage }
  }
}
